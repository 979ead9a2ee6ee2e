use super::Bytes;

table! {
    /// One row per distinct set of header fields and meta tags by which a page addresses robots. A
    /// page without any has a policy too, the empty one.
    "page_policies", PagePolicyRow, PagePoliciesBuilder, key: PagePolicy(page_policy_id) {
        /// Low 64 bits of the XXH3-128 hash of the canonical form.
        page_policy_id: i64,
        /// High 64 bits of that hash.
        page_policy_id_high: i64,
        /// Header fields that address robots.
        n_headers: i32,
        /// Meta tags that address robots, wherever they are.
        n_metas: i32,
        /// Such meta tags outside of the head, by HTML's own rule.
        n_metas_misplaced: i32,
        /// Rows in `page_rules`.
        n_rules: i32,
        /// Rows in `page_agents`.
        n_agents: i32,
        /// Rows in `page_preferences`.
        n_preferences: i32,
        /// X-Robots-Tag fields that can be read in more than one way: a crawler's name after a
        /// rule, or a word before a colon that is neither rule nor name.
        n_ambiguous: i32,
        /// Whether something was left out: values are cut at 8 KiB, and policies at 64 KiB.
        is_cut: bool,
        /// The canonical form: a line for each header field and meta tag, in order.
        canonical: Bytes [Unique],
    }
}
