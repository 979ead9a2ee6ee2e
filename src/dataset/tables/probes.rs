//! `probes`: what agents may fetch of paths, as `robostat probe` asked.
//!
//! Not one of the tables that an ingest extends: a run of probe writes it as a whole.

use super::{Str, Text};

table! {
    /// One row per policy, agent, path and dialect that a run of `robostat probe` asked about.
    /// `probes/NAME.parquet` is one run.
    "probes", ProbeRow, ProbesBuilder {
        /// The policy.
        policy_id: i64,
        /// The agent, as asked.
        agent: Text,
        /// The path, path with a host, or URL, as asked; the latter two only with the policies of
        /// captures that speak for them.
        path: Text,
        /// Its host, lower case, IDN in punycode; null for a path alone.
        url_host_name: Option<Text>,
        /// Scheme, host and port of a URL, as in the view `origins`; null for the others.
        origin: Option<Text>,
        /// The dialect: rep1994, koster1996, conner1996, rep2019, rfc9309 or google.
        dialect: Str,
        /// Whether the agent may fetch the path.
        allowed: bool,
        /// The rule that decided: `rules.rule_index` of the policy; null where none did.
        rule_index: Option<i32>,
        /// What decided: robots_txt, no_group, no_match, first_match, longest_match,
        /// allow_wins_tie or empty_rule.
        reason: Str,
        /// How the group was chosen: named (it names the agent), wildcard, or none.
        choice: Str,
        /// Whether the dialect's text does not settle the verdict and it is our reading.
        is_our_reading: bool,
    }
}
