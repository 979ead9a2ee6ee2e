//! `stacks`: groups that published scripts tear apart.

table! {
    /// One row per group of a file, with rules, of whose user-agent lines the script of some
    /// published study hears only the last ones. Groups without a row are heard by all as RFC 9309
    /// forms them. Of a file and not of its policy, since a sitemap line may tear a stack.
    "stacks", StackRow, StacksBuilder {
        /// The file.
        file_id: i64,
        /// The group, from 0 (`groups.group_index` of the file's policy).
        group_index: i32,
        /// user-agent lines of the group.
        n_user_agents: i32,
        /// How many of them, counted from the last, get the group's rules in Common Crawl's
        /// robots.txt experiments.
        heard_cc: i32,
        /// The same in the script of the Data Provenance Initiative.
        heard_dpi: i32,
        /// The same in HTTP Archive's metric, on which the Web Almanac rests.
        heard_ha: i32,
    }
}
