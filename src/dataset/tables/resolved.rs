//! `resolved`: robots.txt captures, redirects followed.

use super::resolution::Resolution;

resolution_table! {
    /// One row per capture of a robots.txt URL, with the response that its redirects end at within
    /// the crawl (itself without a redirect). A redirect leads to the latest capture of its target.
    /// Rebuilt when the captures of the crawl change; sorted by reversed host. The directory
    /// `crawl=LABEL` gives the column `crawl`.
    "resolved", ResolvedRow, ResolvedBuilder {
        /// Whether it is the latest capture of its origin in the crawl, whatever it answered; of
        /// several of one time the first by input and offsets.
        is_latest: bool,
    }
}

impl ResolvedBuilder {
    /// Appends a row, which is the latest of its origin or not.
    pub(crate) fn push_resolution(&mut self, row: &Resolution<'_>, is_latest: bool) {
        self.push(ResolvedRow {
            input_id: row.input_id,
            warc_filename: row.warc_filename.as_bytes(),
            warc_record_offset: row.warc_record_offset,
            warc_record_inner_offset: row.warc_record_inner_offset,
            url: row.url.as_bytes(),
            origin: row.origin.as_bytes(),
            url_protocol: row.url_protocol.map(str::as_bytes),
            url_host_name: row.url_host_name.map(str::as_bytes),
            url_host_name_reversed: row.url_host_name_reversed.map(str::as_bytes),
            url_host_tld: row.url_host_tld.map(str::as_bytes),
            url_host_registered_domain: row.url_host_registered_domain.map(str::as_bytes),
            domain: (row.url_host_registered_domain)
                .or(row.url_host_name)
                .map(str::as_bytes),
            url_port: row.url_port,
            fetch_time: row.fetch_time,
            fetch_status: row.fetch_status,
            fetch_redirect_url: row.fetch_redirect_url.map(str::as_bytes),
            n_redirects: row.n_redirects,
            ended: row.ended,
            final_url: row.final_url.as_bytes(),
            final_status: row.final_status,
            file_id: row.file_id,
            policy_id: row.policy_id,
            response_class: row.response_class,
            is_settled: row.is_settled,
            has_lines: row.has_lines,
            has_rules: row.has_rules,
            is_latest,
        });
    }
}
