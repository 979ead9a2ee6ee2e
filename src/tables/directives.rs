//! `directives`: every other `key: value` line.

use super::Text;

table! {
    /// One row per line of a policy that is not user-agent, allow, disallow or sitemap, known or
    /// not.
    "directives", DirectiveRow, DirectivesBuilder {
        /// The policy.
        policy_id: i64,
        /// The group that the line stands in, from 0; null before the first user-agent line and
        /// for directives that concern the whole site (host, clean-param).
        group_index: Option<i32>,
        /// Line in the exemplar file, from 1.
        line_number: i32,
        /// Directive, lower case.
        directive: Text,
        /// Directive, as written.
        directive_raw: Text,
        /// Value, as written.
        value: Text,
        /// Value as a number, where it is one.
        value_num: Option<f64>,
        /// Whether the directive is one that some crawler or proposal documents.
        is_known: bool,
        /// Whether it is an evident misspelling of a known one.
        is_typo: bool,
        /// Whether the line has no colon.
        is_missing_colon: bool,
    }
}
