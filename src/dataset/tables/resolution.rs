//! The columns that `resolved`, `origins` and `hosts` have in common.

/// Declares a table of resolutions, with further columns.
macro_rules! resolution_table {
    (
        $(#[doc = $table_doc:literal])+
        $table:literal, $row:ident, $builder:ident {
            $( $(#[doc = $column_doc:literal])+ $column:ident: $kind:ty, )*
        }
    ) => {
        table! {
            $(#[doc = $table_doc])+
            $table, $row, $builder, key: Crawl(input_id), by crawl {
                /// The input (`inputs.input_id`) of the capture. With the two offsets, it
                /// identifies a row of `captures`.
                input_id: i64,
                /// Name of the input (`inputs.path`).
                warc_filename: $crate::dataset::tables::Text,
                /// Offset of the record, or of the gzip member or zstd frame that holds it, in the
                /// file; bytes.
                warc_record_offset: i64 [Rising],
                /// Offset of the record in the decoded member or frame; bytes.
                warc_record_inner_offset: i64,
                /// The URL that was requested, as recorded (`captures.url`).
                url: $crate::dataset::tables::Text [Unique],
                /// Scheme, host and port of that URL as one text, a default port left out; the text
                /// before the path if the host cannot exist. The rules found apply to this origin,
                /// wherever redirects led (RFC 9309 §2.3.1.2).
                origin: $crate::dataset::tables::Text [Unique],
                /// URL scheme, lower case.
                url_protocol: Option<$crate::dataset::tables::Text>,
                /// Host, lower case, IDN in punycode; null if it cannot exist.
                url_host_name: Option<$crate::dataset::tables::Text> [Unique, LookedUp],
                /// The host's labels in reverse, `com.example.www`; an IP address as it is. Rows
                /// are sorted by it, then by origin, then by time and position, the last first.
                url_host_name_reversed: Option<$crate::dataset::tables::Text> [Sorted],
                /// Last label of the host; null for an IP address.
                url_host_tld: Option<$crate::dataset::tables::Text>,
                /// Registrable domain by the Public Suffix List; null for an IP address or a bare
                /// suffix.
                url_host_registered_domain: Option<$crate::dataset::tables::Text> [Unique, LookedUp],
                /// The registrable domain, else the host: the unit of shares by domain.
                domain: Option<$crate::dataset::tables::Text> [Unique],
                /// The port of the URL, else its scheme's default port.
                url_port: Option<i32>,
                /// WARC-Date of the capture, UTC.
                fetch_time: Option<$crate::dataset::tables::Micros> [Rising],
                /// HTTP status code of the capture; null if the record has no HTTP head.
                fetch_status: Option<i32>,
                /// Where the capture redirects to, absolute.
                fetch_redirect_url: Option<$crate::dataset::tables::Text> [Unique],
                /// Redirects that were followed within the crawl, at most five.
                n_redirects: i32,
                /// How they ended: final (at a response that redirects no further), no_location (at
                /// a 3xx without a target), not_captured (at a redirect whose target the crawl does
                /// not have), loop (at a redirect to a capture that the chain has visited) or
                /// too_many (at a sixth redirect).
                ended: $crate::dataset::tables::Str =
                    $crate::dataset::derived::Ended::ALL.map(|it| it.name()),
                /// URL of the last capture of the chain, as recorded; this capture's URL if it does
                /// not redirect.
                final_url: $crate::dataset::tables::Text [Unique],
                /// HTTP status code of the last capture.
                final_status: Option<i32>,
                /// The file of the last capture (`files.file_id`).
                file_id: Option<i64>,
                /// Its rule set (`policies.policy_id`).
                policy_id: Option<i64>,
                /// What the last response means: success (2xx, or any response with a file),
                /// allow_all (4xx except those below), forbidden (401, 403), defer (408, 425, 429,
                /// 5xx, no status), redirect (3xx) or not_modified (304 for a file that the dataset
                /// does not have).
                response_class: $crate::dataset::tables::Str =
                    $crate::dataset::derived::ResponseClass::ALL.map(|it| it.name()),
                /// Whether the response determines what crawlers may do: there is a file, or
                /// certainly none (allow_all, 204). Such hosts are the population "answered".
                is_settled: bool,
                /// Whether the response is a robots.txt: it has rules, or other lines of a
                /// robots.txt. Such hosts are the population "with_file".
                has_lines: bool,
                /// Whether crawlers find rules in the response, in a group. Such hosts are the
                /// population "with_rules".
                has_rules: bool,
                $( $(#[doc = $column_doc])+ $column: $kind, )*
            }
        }
    };
}
