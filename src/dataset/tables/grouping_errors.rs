table! {
    /// One row per group of a file, with rules, whose rules the script of some published study
    /// gives only to the last of its user-agent lines. Groups without a row are formed by all
    /// scripts as RFC 9309 forms them. Of a file and not of its policy, since a sitemap line may
    /// part the user-agent lines of a group.
    "grouping_errors", GroupingErrorRow, GroupingErrorsBuilder, key: File(file_id) {
        /// The file.
        file_id: i64 [LookedUp],
        /// The group, from 0 (`groups.group_index` of the file's policy).
        group_index: i32,
        /// user-agent lines of the group.
        n_user_agents: i32,
        /// user-agent lines that the script of Common Crawl's robots.txt experiments keeps: so
        /// many, counted from the last, get the group's rules.
        n_kept_cc: i32,
        /// user-agent lines that the script of the Data Provenance Initiative keeps.
        n_kept_dpi: i32,
        /// user-agent lines that HTTP Archive's metric keeps, on which the Web Almanac rests.
        n_kept_ha: i32,
    }
}
