use super::Texts;

table! {
    /// One row per group of a policy (RFC 9309 §2.2.1): user-agent lines and the rules that
    /// follow them.
    "groups", GroupRow, GroupsBuilder, key: Policy(policy_id) {
        /// The policy.
        policy_id: i64 [LookedUp],
        /// Position of the group in the policy, from 0.
        group_index: i32,
        /// Values of the user-agent lines, as written.
        user_agents: Texts,
        /// Their product tokens, as in `agents`; an empty token matches no crawler.
        product_tokens: Texts,
        /// allow rules.
        n_allow: i32,
        /// disallow rules.
        n_disallow: i32,
        /// Value of the group's first numeric crawl-delay; seconds. `agents.crawl_delay` has the
        /// delay of each crawler.
        crawl_delay: Option<f64>,
        /// Line of the first user-agent line in the exemplar file, from 1.
        line_start: i32 [Rising],
        /// Line of the group's last user-agent line, rule or other directive.
        line_end: i32 [Rising],
    }
}
