resolution_table! {
    /// One row per origin (scheme, host and port) and crawl: its row in `resolved` with the best
    /// response (success before allow_all, forbidden, defer, redirect, not_modified; within a
    /// class, responses with a file first), the latest if there are several. The directory
    /// `crawl=LABEL` gives the column `crawl`.
    "origins", OriginRow, OriginsBuilder {
        /// Rows of the origin in `resolved`.
        n_captures: i64,
    }
}
