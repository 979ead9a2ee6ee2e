use warc_recovery::warc::RecordType;

use super::values::names;
use super::{Micros, Str, Text};

table! {
    /// One row per response in a crawl of pages, whatever its status and media type, and per WAT
    /// record of such a response; only with `--pages`. A robots.txt has its row in `captures`
    /// instead. The directory `crawl=LABEL` gives the column `crawl`.
    "pages", PageRow, PagesBuilder, key: Input(input_id), by crawl {
        /// The input (`inputs.input_id`). With the two offsets, it identifies a response.
        input_id: i64,
        /// Name of the input (`inputs.path`).
        warc_filename: Text,
        /// Offset of the record, or of the gzip member or zstd frame that holds it, in the file;
        /// bytes.
        warc_record_offset: i64 [Rising],
        /// Length of that record, member or frame in the file; bytes, null if it holds several
        /// records.
        warc_record_length: Option<i64>,
        /// Offset of the record in the decoded member or frame; bytes, 0 for the first record.
        warc_record_inner_offset: i64,
        /// WARC-Record-ID without its angle brackets; in WAT the id of the response.
        warc_record_id: Option<Text> [Unique],
        /// response, revisit or resource.
        warc_type: Str = names!(some RecordType: Response Revisit Resource),
        /// What was read: warc (the response itself) or wat (an extract of it, which holds the meta
        /// tags of the whole page without their places, and in Common Crawl's crawls before October
        /// 2024 only one of several header fields of the same name).
        source: Str = ["warc", "wat"],
        /// WARC-Target-URI as recorded.
        url: Text [Unique],
        /// URL scheme, lower case.
        url_protocol: Option<Text>,
        /// Host, lower case, IDN in punycode.
        url_host_name: Option<Text>,
        /// Last label of the host; null for an IP address.
        url_host_tld: Option<Text>,
        /// Registrable domain by the Public Suffix List; null for an IP address or a bare suffix.
        url_host_registered_domain: Option<Text>,
        /// Port, if the URL names one and it is not its scheme's default.
        url_port: Option<i32>,
        /// Path, as in the URL.
        url_path: Option<Text>,
        /// Query without the question mark.
        url_query: Option<Text>,
        /// WARC-Date, UTC.
        fetch_time: Option<Micros> [Rising],
        /// HTTP status code; null if the record has no HTTP head.
        fetch_status: Option<i32>,
        /// Media type of the Content-Type header (of the record, if it holds no response), lower
        /// case, without parameters.
        content_mime_type: Option<Text>,
        /// WARC-Identified-Payload-Type.
        content_mime_detected: Option<Text>,
        /// charset parameter of the Content-Type header, lower case.
        content_charset: Option<Text>,
        /// Content-Language header, as sent: the languages of the intended audience (RFC 9110
        /// §8.5).
        content_language: Option<Text>,
        /// `lang` of the page's `html` tag, else its `xml:lang`, as written, at most 64 bytes: the
        /// language of its text (HTML Living Standard §3.2.6.2). Null if it is missing or
        /// empty.
        html_lang: Option<Text>,
        /// WARC-Truncated, or null.
        content_truncated: Option<Text>,
        /// What was wrong with the body's transfer, as in `captures`; null if the body was not
        /// examined.
        content_issues: Option<Text>,
        /// Whether the body was read as HTML: by its media type, or without one by its first bytes
        /// (WHATWG MIME Sniffing §7.1). For other bodies only headers count.
        is_html: bool,
        /// Whether the body is longer than the 2 MiB that are read; for WAT, whether the extract is
        /// longer than the 4 MiB that are read.
        is_over_limit: bool,
        /// What the page says to robots (`page_policies.page_policy_id`). Null if the record does
        /// not show it: a revisit without a body.
        page_policy_id: Option<i64>,
        /// Links: `a` and `area` elements with `href`. This column and those below are null without
        /// `--links`, and if the body is not read as HTML. For a page over the limit they count
        /// only the part that was read.
        n_links: Option<i32>,
        /// Links with `rel=nofollow`.
        n_links_nofollow: Option<i32>,
        /// Links with `rel=ugc`.
        n_links_ugc: Option<i32>,
        /// Links with `rel=sponsored`.
        n_links_sponsored: Option<i32>,
        /// Links with at least one of the three.
        n_links_qualified: Option<i32>,
        /// Elements with `data-nosnippet`, whose text Bing leaves out of excerpts; null for WAT,
        /// which does not record them.
        n_data_nosnippet: Option<i32>,
        /// Such elements that are `div`, `section` or `span`, on which Google obeys the attribute.
        n_data_nosnippet_google: Option<i32>,
    }
}
