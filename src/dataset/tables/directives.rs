use super::Text;

table! {
    /// One row per line of a policy, known or not, that is not a user-agent, allow, disallow or
    /// sitemap line.
    "directives", DirectiveRow, DirectivesBuilder, key: Policy(policy_id) {
        /// The policy.
        policy_id: i64 [LookedUp],
        /// The group of the line, from 0; null before the first user-agent line and for directives
        /// that concern the whole site (host, clean-param).
        group_index: Option<i32>,
        /// Position in `groups.user_agents`, from 1, of the first user-agent line that the
        /// directive applies to: it applies to those directly above it, without a rule or other
        /// directive of the group in between. Null if `group_index` is null.
        user_agent_first: Option<i32>,
        /// Position of the last such line.
        user_agent_last: Option<i32>,
        /// Line in the exemplar file, from 1.
        line_number: i32 [Rising],
        /// Directive, lower case.
        directive: Text,
        /// Directive, as written.
        directive_raw: Text,
        /// Value, as written.
        value: Text,
        /// Value as a number, if it is one.
        value_num: Option<f64>,
        /// visit-time, or the window of a request-rate: first minute of the day, UTC, counted from
        /// midnight; null for other directives and for values of another form.
        visit_time_start: Option<i32>,
        /// Last minute of the window; before the first if the window passes midnight.
        visit_time_end: Option<i32>,
        /// request-rate: documents per period; null as above.
        request_rate_documents: Option<i64>,
        /// request-rate: length of the period; seconds.
        request_rate_seconds: Option<i64>,
        /// Whether some crawler or proposal documents the directive.
        is_known: bool,
        /// Whether it is an evident misspelling of a known one.
        is_typo: bool,
        /// Whether the line has no colon.
        is_missing_colon: bool,
    }
}
