//! A page in a WARC file: its response.

use page_directives::html::{self, begins_as_html, decode, language, metas, metas_and_links};
use page_directives::policy::{HEADER_FIELDS, Writer};
use warc_recovery::header_fields::FieldValue;
use warc_recovery::http::{BodyIssue, BodyLimits, Header, ResponseHead, decode_body};
use warc_recovery::warc::{Field, RecordHead, RecordType};

use super::{TakePage, is_html_type, row_of};
use crate::dataset::tables::pages::PageRow;
use crate::ingest::capture::{ContentType, is_http, is_robotstxt};
use crate::url_parts::Url;

const LIMIT: usize = html::LIMIT;

/// Reads the page in a response, resource or revisit record, unless the record has no URL or a
/// robots.txt URL. `block` may be only the beginning of `block_length` bytes.
pub fn read_response(
    head: &RecordHead<'_>,
    block: &[u8],
    block_length: u64,
    counts_links: bool,
    take: &mut TakePage<'_>,
) {
    let Some(url) = head.target_uri().map(FieldValue::to_text) else {
        return;
    };
    let parts = Url::parse(&url).ok();
    let parts = parts.as_ref();
    if is_robotstxt(&url, parts) {
        return;
    }
    let http = is_http(head, block).then(|| ResponseHead::parse(block));
    let http = http.as_ref();
    let content_type = match http {
        Some(http) => http.get(Header::ContentType),
        None => head.get(Field::ContentType),
    };
    let content_type = content_type.map(FieldValue::raw).unwrap_or_default();
    let content_type = ContentType::parse(content_type);

    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    for name in HEADER_FIELDS {
        for value in http.iter().flat_map(|http| http.values_of(name)) {
            writer.header(name, &value.unfolded());
        }
    }
    let stored = http.map_or(block, |http| &block[http.body_offset().min(block.len())..]);
    let is_cut = block.len() as u64 != block_length;
    let is_labelled = is_html_type(&content_type.media_type);
    let (mut is_html, mut is_over_limit, mut issues) = (false, false, Vec::new());
    let (mut links, mut html_lang) = (None, None);
    if (is_labelled || says_nothing(&content_type.media_type)) && !stored.is_empty() {
        let (whole, mut scratch) = (ResponseHead::parse(b""), Vec::new());
        let limits = BodyLimits {
            keep: LIMIT + 1,
            max_decoded: LIMIT as u64 + 1,
        };
        let body = decode_body(http.unwrap_or(&whole), stored, limits, &mut scratch);
        is_html = is_labelled || begins_as_html(body.bytes);
        if is_html {
            is_over_limit = body.bytes.len() > LIMIT || is_cut;
            let read = &body.bytes[..body.bytes.len().min(LIMIT)];
            let html = decode(read, content_type.charset.as_deref());
            let visit = |meta: html::Meta<'_>| writer.meta(&meta);
            if counts_links {
                links = Some(metas_and_links(&html, visit));
            } else {
                metas(&html, visit);
            }
            html_lang = language(&html);
            // A page that is decoded or held only in part is not damaged.
            let is_fault = |issue: &BodyIssue| match issue {
                BodyIssue::OverDecodeLimit => false,
                BodyIssue::LengthMismatch => !is_cut,
                _ => true,
            };
            issues.extend(body.issues.iter().filter(is_fault).map(BodyIssue::name));
        }
    }
    writer.finish();
    let is_revisit = head.record_type() == RecordType::Revisit;
    // The body of a revisit is in another record.
    let has_policy = !is_revisit || !stored.is_empty();
    let languages = http
        .iter()
        .flat_map(|http| http.values_of("content-language"));
    let languages: Vec<_> = languages.map(FieldValue::unfolded).collect();
    // One field with all values (RFC 9110 §5.3).
    let language = (!languages.is_empty()).then(|| languages.join(&b", "[..]));
    let field = |field| head.get(field).map(FieldValue::raw);
    let issues = issues.join(",");
    take(
        PageRow {
            warc_type: head.record_type().name(),
            warc_record_id: head.record_id().map(FieldValue::raw),
            fetch_time: head.date(),
            fetch_status: http.and_then(ResponseHead::status).map(i32::from),
            content_mime_detected: field(Field::IdentifiedPayloadType),
            content_language: language.as_deref(),
            html_lang: html_lang.as_deref(),
            content_truncated: field(Field::Truncated),
            content_issues: (!issues.is_empty()).then_some(issues.as_bytes()),
            is_html: is_html || is_labelled && !is_revisit,
            is_over_limit,
            ..row_of(&url, parts, &content_type, links.as_ref(), false)
        },
        has_policy.then_some(&*form),
    );
}

/// Whether a media type leaves open what the body is (WHATWG MIME Sniffing §5.1).
fn says_nothing(media_type: &[u8]) -> bool {
    matches!(
        media_type,
        b"" | b"*/*" | b"unknown/unknown" | b"application/unknown"
    )
}
