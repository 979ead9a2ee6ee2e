use robots_dialects::access::Access;
use warc_recovery::http::BodyIssue;
use warc_recovery::warc::RecordType;

use super::values::names;
use super::{Micros, Str, Text};

table! {
    /// One row per archived response to a robots.txt URL, whatever its status. With
    /// `--subset robotstxt` also the responses under other URLs (redirect targets). The directory
    /// `crawl=LABEL` gives the column `crawl`.
    "captures", CaptureRow, CapturesBuilder, key: Input(input_id), by crawl {
        /// The input (`inputs.input_id`). With the two offsets, it identifies a capture.
        input_id: i64,
        /// Name of the input (`inputs.path`). Different inputs may have one name.
        warc_filename: Text,
        /// Offset of the record, or of the gzip member or zstd frame that holds it, in the file
        /// (for an archive in a WACZ: in the WACZ); bytes. For a row of JSON Lines or CSV, or a
        /// file in tar: its own offset, or 0 if the input is compressed. For a row of Parquet: the
        /// offset of its row group.
        warc_record_offset: i64 [Rising],
        /// Length of that record, member or frame in the file; bytes, null if it holds several
        /// records.
        warc_record_length: Option<i64>,
        /// Offset of the record in the decoded member or frame; bytes, 0 for the first record. For
        /// a row of a compressed file: its offset in the decompressed file. For a row of Parquet:
        /// its number in its row group, from 0.
        warc_record_inner_offset: i64,
        /// WARC-Record-ID without its angle brackets; null in ARC. For a file in a folder, tar or
        /// zip, its path there.
        warc_record_id: Option<Text> [Unique],
        /// response, revisit or resource. A record of ARC is a response if it has an HTTP URL, else
        /// a resource; a row that is not WARC is a resource if it has a body but no status, else a
        /// response.
        warc_type: Str = names!(some RecordType: Response Revisit Resource),
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
        /// Port, if the URL names one and it is not its scheme's default: null for
        /// `https://host:443/`, as a URL is normalised (WHATWG URL).
        url_port: Option<i32>,
        /// Path, as in the URL.
        url_path: Option<Text>,
        /// Query without the question mark.
        url_query: Option<Text>,
        /// Whether the URL names a robots.txt: the path is exactly `/robots.txt`, without a query.
        is_robotstxt_url: bool,
        /// WARC-Date, UTC.
        fetch_time: Option<Micros> [Rising],
        /// HTTP status code; null if the record has no HTTP head.
        fetch_status: Option<i32>,
        /// Location header, verbatim.
        fetch_redirect: Option<Text>,
        /// Location made absolute; null unless the status is 3xx other than 304.
        fetch_redirect_url: Option<Text>,
        /// Whether a redirect stays on the host (name and port).
        redirect_same_host: Option<bool>,
        /// Media type of the Content-Type header (of the record, if it holds no response), lower
        /// case, without parameters.
        content_mime_type: Option<Text>,
        /// WARC-Identified-Payload-Type.
        content_mime_detected: Option<Text>,
        /// charset parameter of the Content-Type header, lower case.
        content_charset: Option<Text>,
        /// Bytes of the body after transfer and content decoding, counted up to 64 MiB.
        content_length: i64,
        /// WARC-Truncated, or null; `unspecified` for a success whose body is missing in a table of
        /// fetches.
        content_truncated: Option<Text>,
        /// WARC-Payload-Digest as recorded.
        content_digest: Option<Text>,
        /// Whether the record's WARC-Block-Digest and WARC-Payload-Digest are right, as far as they
        /// can be checked (MD5, SHA-1, SHA-256, SHA-512); null if neither can be checked, or
        /// without `--verify-digests`.
        digest_valid: Option<bool>,
        /// What was wrong with the body's transfer, comma separated, or null: bad_chunk,
        /// not_chunked, bad_encoding, unknown_encoding, truncated_body, over_decode_limit,
        /// length_mismatch, head_too_long (over 1 MiB), head_truncated, block_cut (only the
        /// beginning of a block over 4 MiB was read).
        content_issues: Option<Text> = BodyIssue::ALL.iter().map(|it| it.name()),
        /// The file that was returned (`files.file_id`); null unless the response is a success with
        /// a body. If the body was cut off, the file ends with its last complete line; null without
        /// a complete line.
        file_id: Option<i64>,
        /// Its rule set (`policies.policy_id`), repeated from `files`.
        policy_id: Option<i64>,
        /// What a crawler of the 1996 draft does with the response: parse (the rules of the body
        /// apply), allow_all, disallow_all (401 and 403), defer (failures that may pass),
        /// follow_redirect or use_cached (304: the rules of its cached copy still apply, RFC 9110
        /// §15.4.5; `file_id` is that copy if the dataset has it).
        access_koster1996: Str = access(),
        /// What a crawler of RFC 9309 does: parse, allow_all (other 4xx, a redirect that leads
        /// nowhere), disallow_all (5xx, no HTTP response), follow_redirect or use_cached.
        access_rfc9309: Str = access(),
        /// What a crawler of Google's specification does: as in RFC 9309, but disallow_all for 429.
        access_google: Str = access(),
        /// How long the file may be cached: by Cache-Control, else by Expires, else 24 hours, the
        /// default since 2019 (7 days in 1996); seconds. RFC 9309 §2.4 advises against more than 24
        /// hours: `least(freshness_seconds, 86400)`. Null unless access_rfc9309 is parse or
        /// use_cached.
        freshness_seconds: Option<i32>,
        /// Server header.
        http_server: Option<Text>,
        /// Cache-Control header, repeated ones joined.
        http_cache_control: Option<Text>,
        /// Expires header.
        http_expires: Option<Text>,
        /// ETag header.
        http_etag: Option<Text>,
        /// Last-Modified header.
        http_last_modified: Option<Text>,
        /// Content-Encoding on the wire, also if the crawler stored the body decoded.
        http_content_encoding: Option<Text>,
        /// X-Robots-Tag headers, joined.
        http_x_robots_tag: Option<Text>,
        /// Content-Signal headers, joined.
        http_content_signal: Option<Text>,
        /// Content-Usage headers (draft-ietf-aipref-attach-05 §2), joined.
        http_content_usage: Option<Text>,
        /// TDM-Reservation header (TDM Reservation Protocol): 1 if rights are reserved.
        http_tdm_reservation: Option<Text>,
        /// TDM-Policy header: URL of a policy.
        http_tdm_policy: Option<Text>,
        /// Target of the first Link header with rel="license" (RSL 1.0, RFC 8288), verbatim.
        http_link_license: Option<Text>,
        /// WARC-IP-Address.
        ip_address: Option<Text>,
    }
}

fn access() -> Vec<&'static str> {
    names!(Access: Parse AllowAll DisallowAll Defer FollowRedirect UseCached)
}
