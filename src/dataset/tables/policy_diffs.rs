//! `policy_diffs`: what changes from one policy to the next, as `robostat diff` computes it.
//!
//! Not one of the tables that an ingest extends: a run of diff writes it as a whole.

use robots_dialects::access::Access;
use robots_dialects::comparison::Class;
use robots_dialects::dialect::Dialect;

use super::values::names;
use super::{List, ReasonValue, Str, Text};

/// The path of the file within the dataset.
pub const FILE: &str = "policy_diffs.parquet";

table! {
    /// One row per pair of consecutive policies of an origin, dialect, and crawler that either
    /// policy names; one more row for all other crawlers. Written by `robostat diff DATASET`; run
    /// it again after an ingest.
    "policy_diffs", PolicyDiffRow, PolicyDiffsBuilder {
        /// The policy before; null for an answer without a file.
        policy_id_before: Option<i64>,
        /// The policy after; null for an answer without a file.
        policy_id_after: Option<i64>,
        /// How the dialect reads the answer before: parse (by its policy), allow_all (as after a
        /// 404) or disallow_all (as in RFC 9309 after a 503).
        access_before: Str = names!(some Access: Parse AllowAll DisallowAll),
        /// The same for the answer after.
        access_after: Str = names!(some Access: Parse AllowAll DisallowAll),
        /// The crawler; `*` for every crawler that neither policy names.
        product_token: Text,
        /// The dialect: rep1994, koster1996, conner1996, rep2019, rfc9309 or google.
        dialect: Str = Dialect::ALL.map(Dialect::name),
        /// How the paths that the crawler may fetch change: equal, stricter (fewer), looser (more),
        /// mixed, or undecided if the rules were too many to compare in the time allowed.
        class: Str = names!(Class: Equal Stricter Looser Mixed Undecided),
        /// Why: pairs of rules that decide some paths differently. rule_before and rule_after are
        /// null if no rule decides; rule_index_before and rule_index_after are `rules.rule_index`
        /// of the two policies. patterns match all the paths of a reason, and may match more;
        /// witness is one of the paths.
        reasons: List<ReasonValue>,
        /// Whether `reasons` and their patterns are complete.
        has_all_reasons: bool,
        /// A path that the crawler may no longer fetch; null without one.
        witness_blocked: Option<Text>,
        /// A path that the crawler may now fetch and could not before; null without one.
        witness_opened: Option<Text>,
        /// Whether the class is proved; false for undecided.
        is_exact: bool,
    }
}
