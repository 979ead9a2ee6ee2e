//! `policies`: distinct rule sets.

use super::Bytes;

table! {
    /// One row per distinct rule set: the sequence of user-agent lines, rules and other
    /// directives of a file, without comments, sitemaps, line numbers and blank lines that make no
    /// difference in any dialect.
    "policies", PolicyRow, PoliciesBuilder, key: Policy(policy_id) {
        /// Low 64 bits of the XXH3-128 hash of the canonical form.
        policy_id: i64,
        /// High 64 bits of that hash.
        policy_id_high: i64,
        /// The first file with this policy, for the whole file or for its owner's part
        /// (`files.owner_policy_id`), in the order in which inputs were ingested, however they were
        /// split into runs. Line numbers of the policy's rows refer to this file. Other values of a
        /// policy are the same for each of its files.
        exemplar_file_id: i64,
        /// Groups.
        n_groups: i32,
        /// Distinct product tokens.
        n_agents: i32,
        /// Rules in groups.
        n_rules: i32,
        /// Rows in `directives`.
        n_directives: i32,
        /// Rows in `agents` whose `restriction` columns say partial without proof, because the
        /// rules are built so that to decide takes too much work. 0 but for hostile files.
        n_agents_undecided: i32,
        /// The canonical form: itself a robots.txt, from which every dialect gives every agent
        /// the verdicts that it gives from the file.
        canonical: Bytes,
    }
}
