use page_directives::html::Place;
use page_directives::policy::Source;

use super::{Micros, Str, Text};

table! {
    /// One row per rule of a page policy, known or not.
    "page_rules", PageRuleRow, PageRulesBuilder, key: PagePolicy(page_policy_id) {
        /// The policy.
        page_policy_id: i64,
        /// Position of the header field or meta tag in the policy, from 0.
        statement_index: i32,
        /// Position of the rule in the policy, from 0.
        rule_index: i32 [Rising],
        /// Where it is: header, meta, or http-equiv (a meta tag that no crawler is known to obey).
        source: Str = Source::ALL.map(Source::name),
        /// Name of the header field or meta tag, lower case: x-robots-tag, robots-tag, robots,
        /// googlebot, …
        field: Text,
        /// Place of a meta tag, by HTML's own rule; null for a header field. WAT does not record
        /// places: all its tags count as tags of the head.
        place: Option<Str> = Place::ALL.map(Place::name),
        /// The crawler that the rule addresses, lower case; `*` for all.
        product_token: Text,
        /// Name of the rule, lower case; the whole text up to a colon if the rule is not known.
        rule: Text,
        /// The rule with its value, as written.
        rule_raw: Text,
        /// The text after its colon; null without one.
        value: Option<Text>,
        /// The number of max-snippet and max-video-preview; -1 for no limit. Null for other text.
        value_num: Option<i64>,
        /// The time of unavailable_after (RFC 822, RFC 850, RFC 3339 and their like), UTC; null if
        /// it cannot be read.
        value_time: Option<Micros>,
        /// Whether a rule of that name is defined in some specification or documentation.
        is_known: bool,
        /// Whether white space or a semicolon is in place of a comma.
        is_tolerated: bool,
    }
}
