//! `resolved`: robots.txt captures, redirects followed.

resolution_table! {
    /// One row per capture of a robots.txt URL, with the response that its redirects end at within
    /// the crawl (itself where it is none). A redirect leads to the latest capture of its target.
    /// Made of `captures` when those of the crawl change; sorted by reversed host. The directory
    /// `crawl=LABEL` gives the column `crawl`.
    "resolved", ResolvedRow, ResolvedBuilder {}
}
