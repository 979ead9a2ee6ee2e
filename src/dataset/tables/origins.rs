//! `origins`: the response that counts for every origin.

resolution_table! {
    /// One row per origin (scheme, host and port) and crawl: of its rows in `resolved` the one with
    /// the best response (success before allow_all, forbidden, defer, redirect, not_modified; of
    /// one class one that brought a file), of these the latest. The directory `crawl=LABEL` gives
    /// the column `crawl`.
    "origins" {
        /// Rows of the origin in `resolved`.
        n_captures: i64,
    }
}
