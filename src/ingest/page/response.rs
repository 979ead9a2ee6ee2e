//! A page in a WARC file: its response.

use std::borrow::Cow;

use page_directives::html::{self, begins_as_html, decode, language, metas, metas_and_links};
use page_directives::policy::{HEADER_FIELDS, Writer};
use warc_recovery::header_fields::FieldValue;
use warc_recovery::http::{BodyIssue, BodyLimits, Header, ResponseHead, decode_body};
use warc_recovery::warc::{Field, RecordHead, RecordType};

use super::{Page, WARC, field, is_html_type, joined};
use crate::ingest::capture::{ContentType, is_http, is_robotstxt};
use crate::url_parts::UrlParts;

/// Bytes of a page that are read.
pub const LIMIT: usize = html::LIMIT;

/// Reads the page in a response, resource or revisit record. `None` if the record has no URL or a
/// robots.txt URL.
///
/// `block` may be the beginning only of `block_length` bytes; `scratch` holds the body where it had
/// to be decoded. Links are counted where `counts_links`.
pub fn read_response<'r>(
    head: &RecordHead<'r>,
    block: &'r [u8],
    block_length: u64,
    counts_links: bool,
    scratch: &mut Vec<u8>,
) -> Option<Page<'r>> {
    let url = head.target_uri()?.to_text();
    let url_parts = UrlParts::parse(&url);
    if is_robotstxt(&url, url_parts.as_ref()) {
        return None;
    }
    let http = is_http(head, block).then(|| ResponseHead::parse(block));
    let http = http.as_ref();
    let content_type = match http {
        Some(http) => http.get(Header::ContentType).map(FieldValue::raw),
        None => head.get(Field::ContentType).map(FieldValue::raw),
    };
    let ContentType {
        media_type,
        charset,
    } = ContentType::parse(content_type.unwrap_or_default());

    let mut form = Vec::new();
    let mut writer = Writer::new(&mut form);
    if let Some(http) = http {
        for name in HEADER_FIELDS {
            for value in http.values_of(name) {
                writer.header(name, &value.unfolded());
            }
        }
    }
    let stored = match http {
        Some(http) => &block[http.body_offset().min(block.len())..],
        None => block,
    };
    let is_cut = block.len() as u64 != block_length;
    let is_labelled = is_html_type(&media_type);
    let may_be_html = is_labelled || says_nothing(&media_type);
    let (mut is_html, mut is_over_limit, mut issues) = (false, false, Vec::new());
    let (mut links, mut html_lang) = (None, None);
    if may_be_html && !stored.is_empty() {
        let whole = ResponseHead::parse(b"");
        let limits = BodyLimits {
            keep: LIMIT + 1,
            max_decoded: LIMIT as u64 + 1,
        };
        let body = decode_body(http.unwrap_or(&whole), stored, limits, scratch);
        is_html = is_labelled || begins_as_html(body.bytes);
        if is_html {
            is_over_limit = body.bytes.len() > LIMIT || is_cut;
            let read = &body.bytes[..body.bytes.len().min(LIMIT)];
            let html = decode(read, charset.as_deref());
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
    let languages = http.map(|http| http.values_of("content-language").map(FieldValue::unfolded));
    Some(Page {
        url,
        url_parts,
        source: WARC,
        warc_type: head.record_type(),
        record_id: head.record_id().map(|id| Cow::Borrowed(id.raw())),
        fetch_time: head.date(),
        status: http.and_then(ResponseHead::status),
        mime_type: Some(media_type).filter(|media_type| !media_type.is_empty()),
        mime_detected: field(head, Field::IdentifiedPayloadType),
        charset,
        language: languages.and_then(joined),
        html_lang,
        truncated: field(head, Field::Truncated),
        issues: issues.join(","),
        is_html: is_html || is_labelled && !is_revisit,
        is_over_limit,
        links,
        // A revisit repeats a body that stands elsewhere.
        policy: (!is_revisit || !stored.is_empty()).then_some(form),
    })
}

/// Whether a media type leaves open what the body is (WHATWG MIME Sniffing §5.1).
fn says_nothing(media_type: &[u8]) -> bool {
    matches!(
        media_type,
        b"" | b"*/*" | b"unknown/unknown" | b"application/unknown"
    )
}
