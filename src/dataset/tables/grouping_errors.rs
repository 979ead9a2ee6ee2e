table! {
    /// One row per group with rules of a file, if the script of some published study gives the
    /// rules only to the last of its user-agent lines. All scripts form the other groups as RFC
    /// 9309 does. Rows belong to a file and not to its policy, since a sitemap line may separate
    /// the user-agent lines of a group.
    "grouping_errors", GroupingErrorRow, GroupingErrorsBuilder, key: File(file_id) {
        /// The file.
        file_id: i64 [LookedUp],
        /// The group, from 0 (`groups.group_index` of the file's policy).
        group_index: i32,
        /// user-agent lines of the group.
        n_user_agents: i32,
        /// user-agent lines that the script of Common Crawl's robots.txt experiments keeps: this
        /// many, counted from the last, get the group's rules.
        n_kept_cc: i32,
        /// user-agent lines that the script of the Data Provenance Initiative keeps.
        n_kept_dpi: i32,
        /// user-agent lines that HTTP Archive's metric keeps, which the Web Almanac uses.
        n_kept_ha: i32,
    }
}
