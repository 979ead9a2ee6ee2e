resolution_table! {
    /// One row per host and crawl: its row in `origins` with the best response; among equals, https
    /// before other schemes, then a default port before others. Each host is counted once, by this
    /// row. A host that cannot exist has no name and no row. The directory `crawl=LABEL` gives the
    /// column `crawl`.
    "hosts", HostRow, HostsBuilder {
        /// Rows of the origin (not of the host) in `resolved`.
        n_captures: i64,
        /// A number for every `domain` that has several hosts in this crawl, and for a few that
        /// have one: to group the hosts of a domain without comparing names. Null: the crawl has no
        /// other host of this domain. Numbers of different crawls are unrelated.
        domain_number: Option<i64>,
    }
}
