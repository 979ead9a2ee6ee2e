use super::Bytes;

table! {
    /// One row per distinct rule set: the sequence of user-agent lines, rules and other
    /// directives of a file, without comments, sitemaps, line numbers and blank lines that make no
    /// difference in any dialect.
    "policies", PolicyRow, PoliciesBuilder, key: Policy(policy_id) {
        /// Low 64 bits of the XXH3-128 hash of the canonical form.
        policy_id: i64 [Unique, LookedUp],
        /// High 64 bits of that hash.
        policy_id_high: i64 [Unique],
        /// The first file with this policy, for the whole file or for its owner's part
        /// (`files.owner_policy_id`), in the order in which inputs were ingested, however they were
        /// split into runs. Line numbers of the policy's rows refer to this file. Other values of a
        /// policy are the same for each of its files.
        exemplar_file_id: i64 [Unique],
        /// Groups.
        n_groups: i32,
        /// Distinct product tokens.
        n_agents: i32,
        /// Rules in groups.
        n_rules: i32,
        /// Rows in `directives`.
        n_directives: i32,
        /// Rows in `agents` whose `restriction` columns are partial without proof, because their
        /// rules take too much work to decide. 0 except for hostile files.
        n_agents_undecided: i32,
        /// An id of the paths that each crawler may fetch under RFC 9309: two policies have the
        /// same id exactly when they allow the same paths to every crawler, however they are
        /// written. Crawl-delays and other directives do not count. Null if the rules were too many
        /// to compute it.
        meaning_id: Option<i64>,
        /// The canonical form: itself a robots.txt, for which every dialect gives every agent the
        /// same verdicts as for the file.
        canonical: Bytes [Unique],
    }
}
