use robots_dialects::rule::RuleType;

use super::values::names;
use super::{Str, Text};

table! {
    /// One row per allow or disallow line in a group of a policy.
    "rules", RuleRow, RulesBuilder, key: Policy(policy_id) {
        /// The policy.
        policy_id: i64 [LookedUp],
        /// The group, from 0.
        group_index: i32,
        /// Position of the rule in the policy, from 0.
        rule_index: i32 [Rising],
        /// Line in the exemplar file, from 1.
        line_number: i32 [Rising],
        /// allow or disallow.
        rule_type: Str = names!(RuleType: Allow Disallow),
        /// Pattern, normalised as in RFC 9309 §2.2.2: bytes outside US-ASCII percent-encoded,
        /// unreserved characters decoded, hexadecimal digits in upper case.
        path: Text [Unique],
        /// Pattern as written; null if equal to `path`.
        path_raw: Option<Text>,
        /// Bytes of `path`: the precedence of the rule.
        path_length: i32,
        /// Whether `*` occurs.
        has_wildcard: bool,
        /// Whether the pattern ends with `$`.
        has_end_anchor: bool,
        /// Whether `?` occurs.
        has_query: bool,
        /// Whether the pattern matches every path: `/`, `*`, `/*` and their like.
        is_root: bool,
        /// Whether the pattern is empty: a rule without effect.
        is_empty: bool,
        /// Whether the directive is not exactly `allow` or `disallow` but was taken for one of
        /// them.
        is_typo: bool,
        /// Whether the line has no colon.
        is_missing_colon: bool,
        /// Whether the rule decides no path for any crawler under RFC 9309: longer rules, or
        /// earlier equal ones, match every path that it matches; or no path matches it, or no
        /// crawler has its group, or this dialect does not know the line. Null if the rules were
        /// too many to compute it.
        is_dead: Option<bool>,
        /// Whether an earlier, shorter rule of the other type in its group matches every path that
        /// the rule matches: a first-match crawler (draft-koster-robots-00 §3.2.2) never reaches
        /// the rule, but a longest-match crawler (RFC 9309 §2.2.2) applies it. Rules with `*` or a
        /// final `$`, and rules that are empty, misspelt or colon-less, neither shadow nor are
        /// shadowed.
        is_shadowed: bool,
    }
}
