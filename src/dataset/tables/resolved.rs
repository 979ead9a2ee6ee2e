resolution_table! {
    /// One row per capture of a robots.txt URL, with the response at which its redirects end within
    /// the crawl (its own without a redirect). A redirect leads to the latest capture of its
    /// target. Rebuilt when the captures of the crawl change; sorted by reversed host. The
    /// directory `crawl=LABEL` gives the column `crawl`.
    "resolved", ResolvedRow, ResolvedBuilder {
        /// Whether it is the latest capture of its origin in the crawl, whatever the response;
        /// among captures with the same time, the last by input and offsets.
        is_latest: bool,
    }
}
