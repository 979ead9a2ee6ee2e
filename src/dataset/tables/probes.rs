//! `probes`: which agents may fetch which paths, as `robostat probe` computes it.
//!
//! Not one of the tables that an ingest extends: a run of probe writes it as a whole.

use robots_dialects::dialect::{Choice, Dialect, Reason};

use super::values::names;
use super::{HeldPreference, List, Str, Text};

table! {
    /// One row per policy, agent, path and dialect of a run of `robostat probe`.
    /// `probes/NAME.parquet` is one run.
    "probes", ProbeRow, ProbesBuilder {
        /// The policy.
        policy_id: i64 [LookedUp],
        /// The agent, as given.
        agent: Text,
        /// The path, path with a host, or URL, as given; a path with a host, or a URL, only with
        /// the policies that apply to it.
        path: Text [Unique],
        /// Its host, lower case, IDN in punycode; null for a path alone.
        url_host_name: Option<Text>,
        /// Scheme, host and port of a URL, as in the view `origins`; null unless `path` is a URL.
        origin: Option<Text>,
        /// The dialect: rep1994, koster1996, conner1996, rep2019, rfc9309 or google.
        dialect: Str = Dialect::ALL.map(Dialect::name),
        /// Whether the agent may fetch the path.
        allowed: bool,
        /// The rule that decided: `rules.rule_index` of the policy; null if none did.
        rule_index: Option<i32> [Rising],
        /// What decided: robots_txt, no_group, no_match, first_match, longest_match,
        /// allow_wins_tie or empty_rule.
        reason: Str = names!(Reason: RobotsTxt NoGroup NoMatch FirstMatch LongestMatch AllowWinsTie
            EmptyRule, not Response),
        /// How the group was chosen: named (it names the agent), wildcard, or none.
        choice: Str = names!(Choice: Named Wildcard NoGroup),
        /// Whether the dialect's text leaves the verdict open, so that it is an interpretation.
        is_interpretation: bool,
        /// What may be done with the content at the path: what Content-Usage and Content-Signal
        /// lines state for the agent about each category of use (draft-ietf-aipref-attach-05), with
        /// the line of the exemplar file that decides. Null if the agent may not fetch the path by
        /// RFC 9309; the same for every dialect.
        preferences: Option<List<HeldPreference>>,
    }
}
