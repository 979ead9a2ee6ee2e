//! Captures: which records are robots.txt captures, and their URL, time, status and body.

use std::borrow::Cow;

use memchr::{memmem, memrchr2};

use crate::dataset::may_have_file;
use crate::dataset::tables::captures::{CaptureRow, CapturesBuilder};
use crate::dataset::tables::{to_bigint, to_int};
use crate::ingest::input::subset::Subset;
use crate::ingest::rows::InputName;
use crate::url_parts::{
    Url, absolute, host_name, is_robotstxt_url, is_same_host, registered_domain, tld,
};
use robots_dialects::access::{Access, CacheHeaders, Response};
use robots_dialects::dialect::Dialect;
use warc_recovery::header_fields::FieldValue;
use warc_recovery::http::{
    Body, BodyIssue, BodyIssues, BodyLimits, Header, ResponseHead, begins_response, decode_body,
    link_target,
};
use warc_recovery::sink::Position;
use warc_recovery::warc::{Field, RecordHead, RecordType};

/// A capture, borrowed from its record.
pub struct Capture<'r> {
    pub url: Cow<'r, str>,
    url_parts: Option<Url>,
    is_robotstxt_url: bool,
    /// The head of the response; none in a resource record, which has no response.
    pub http: Option<ResponseHead<'r>>,
    body: &'r [u8],
    /// Whether the server answered: an empty response is not an answer.
    has_answer: bool,
    /// Whether the body came with a success, so that it is a file.
    is_file: bool,
    /// Bytes of the whole body, decoded.
    pub content_length: u64,
    /// The same without a line that was cut off.
    pub file_length: u64,
    /// WARC-Payload-Digest.
    pub content_digest: Option<FieldValue<'r>>,
    issues: String,
}

impl<'r> Capture<'r> {
    /// Reads the capture in a record that [may be one](may_be_capture), if the subset includes it.
    /// `block` may be only the beginning of `block_length` bytes; `keep` bytes of the body are
    /// kept, in `scratch` if they had to be decoded.
    pub fn read(
        head: &RecordHead<'r>,
        block: &'r [u8],
        block_length: u64,
        subset: Subset,
        keep: usize,
        scratch: &'r mut Vec<u8>,
    ) -> Option<Self> {
        let record_type = head.record_type();
        let url = head.target_uri()?.to_text();
        let url_parts = Url::parse(&url).ok();
        let is_robotstxt_url = is_robotstxt(&url, url_parts.as_ref());
        if subset == Subset::Mixed && !is_robotstxt_url {
            return None;
        }
        let http = is_http(head, block).then(|| ResponseHead::parse(block));
        let cut_off = block_length - block.len() as u64;
        let mut body = match &http {
            Some(http) => {
                let stored = &block[http.body_offset().min(block.len())..];
                decode_body(http, stored, BodyLimits::keeping(keep), scratch)
            }
            None => Body {
                bytes: &block[..block.len().min(keep)],
                decoded_length: block.len() as u64,
                issues: BodyIssues::NONE,
            },
        };
        // The Content-Length of a revisit is the length of the response that it refers to.
        let is_revisit = record_type == RecordType::Revisit;
        let mut issues = Vec::new();
        for issue in body.issues.iter() {
            let is_expected = (is_revisit || cut_off > 0) && issue == BodyIssue::LengthMismatch;
            if !is_expected {
                issues.push(issue.name());
            }
        }
        if cut_off > 0 {
            issues.push(BodyIssue::BlockCut.name());
            // The rest of a giant block is not held; its undecoded length is added.
            body.decoded_length = body
                .decoded_length
                .saturating_add(cut_off)
                .min(BodyLimits::DEFAULT_MAX_DECODED);
        }
        let is_success = match http.as_ref().map(ResponseHead::status) {
            Some(Some(status)) => (200..300).contains(&status) && status != 204,
            // A response without a head is an HTTP/0.9 response. A resource never has a head.
            Some(None) => http.as_ref().is_some_and(|http| http.version().is_none()),
            None => true,
        };
        let is_incomplete = cut_off > 0 || is_incomplete(head, http.as_ref(), block, body.issues);
        let mut file_length = body.decoded_length;
        if is_incomplete && body.bytes.len() < keep {
            // Half a line could be a rule that the author did not write.
            let end = memrchr2(b'\n', b'\r', body.bytes).map_or(0, |end| end + 1);
            body.bytes = &body.bytes[..end];
            file_length = end as u64;
        }
        let has_body = !body.bytes.is_empty() || !is_revisit && !is_incomplete;
        let has_answer = is_revisit || http.is_none() || !block.is_empty();
        Some(Self {
            is_robotstxt_url,
            has_answer,
            is_file: is_success && has_answer && has_body,
            body: body.bytes,
            content_length: body.decoded_length,
            file_length,
            content_digest: head.get(Field::PayloadDigest),
            issues: issues.join(","),
            url,
            url_parts,
            http,
        })
    }

    pub fn status(&self) -> Option<u16> {
        self.http.as_ref().and_then(ResponseHead::status)
    }

    /// At most the bytes that were kept. In a robots.txt subset, targets of redirects count too.
    pub fn robots_body(&self) -> Option<&'r [u8]> {
        self.is_file.then_some(self.body)
    }

    pub fn may_have_file(&self) -> bool {
        may_have_file(self.access(true)[1].name(), self.status().map(i32::from))
    }

    /// What crawlers of the three access dialects do with the response; `leads_somewhere`: whether
    /// it has a usable Location.
    fn access(&self, leads_somewhere: bool) -> [Access; 3] {
        let response = match (&self.http, self.status()) {
            (Some(_), Some(300..=303 | 305..=399)) if !leads_somewhere => {
                Response::TooManyRedirects
            }
            (Some(_), Some(status)) => Response::Status(status),
            // A head that cannot be read is not an answer. An HTTP/0.9 response has no head.
            (Some(http), None) if http.version().is_some() || !self.has_answer => {
                Response::NoResponse
            }
            _ => Response::Status(200),
        };
        [Dialect::Koster1996, Dialect::Rfc9309, Dialect::Google]
            .map(|dialect| dialect.access(response))
    }

    /// `file`: the ids of the returned file and of its policy.
    pub fn push(
        &self,
        rows: &mut CapturesBuilder,
        input: InputName<'_>,
        position: Position,
        head: &RecordHead<'_>,
        file: Option<(i64, i64)>,
        digest_valid: Option<bool>,
    ) {
        let parts = self.url_parts.as_ref();
        let http = self.http.as_ref();
        let header = |header: Header| http.and_then(|http| http.get_joined(header));
        let (cache_control, x_robots_tag) =
            (header(Header::CacheControl), header(Header::XRobotsTag));
        let (content_signal, content_usage) =
            (header(Header::ContentSignal), header(Header::ContentUsage));
        let link = header(Header::Link);
        let raw = |header: Header| http.and_then(|http| http.get(header)).map(FieldValue::raw);
        let field = |field: Field| head.get(field).map(FieldValue::raw);

        // Without a response, the Content-Type of the record describes the payload.
        let content_type = match http {
            Some(_) => raw(Header::ContentType),
            None => field(Field::ContentType),
        };
        let ContentType {
            media_type,
            charset,
        } = ContentType::parse(content_type.unwrap_or_default());
        let location = raw(Header::Location);
        // A 304 does not redirect a crawler, even with a Location: the crawler's copy still applies
        // (RFC 9110 §15.4.5).
        let is_redirect = self
            .status()
            .is_some_and(|status| status != 304 && (300..400).contains(&status));
        let target = location
            .filter(|_| is_redirect)
            .and_then(|to| absolute(&self.url, &String::from_utf8_lossy(to)));
        let target_parts = target.as_deref().and_then(|it| Url::parse(it).ok());
        let same_host = parts
            .zip(target_parts.as_ref())
            .map(|(from, to)| is_same_host(from, to) && from.port() == to.port());

        let access = self.access(target.is_some());
        // A 304 renews the crawler's copy (RFC 9111 §4.3.4).
        let has_rules = matches!(access[1], Access::Parse | Access::UseCached);
        let fetch_time = head.date();
        let freshness_seconds = has_rules.then(|| {
            let headers = CacheHeaders {
                cache_control: cache_control.as_deref(),
                expires: raw(Header::Expires),
                date: raw(Header::Date),
                fetched: fetch_time.map(|micros| micros.div_euclid(1_000_000)),
            };
            to_int(Dialect::Rfc9309.freshness_seconds(&headers))
        });

        rows.push(CaptureRow {
            input_id: input.id,
            warc_filename: input.name.as_bytes(),
            warc_record_offset: to_bigint(position.offset),
            warc_record_length: position.length.map(to_bigint),
            warc_record_inner_offset: to_bigint(position.inner_offset),
            warc_record_id: head.record_id().map(FieldValue::raw),
            warc_type: head.record_type().name(),
            url: self.url.as_bytes(),
            url_protocol: parts.map(|parts| parts.scheme().as_bytes()),
            url_host_name: parts.and_then(host_name).map(str::as_bytes),
            url_host_tld: parts.and_then(tld).map(str::as_bytes),
            url_host_registered_domain: parts.and_then(registered_domain).map(str::as_bytes),
            url_port: parts.and_then(Url::port).map(i32::from),
            url_path: parts.map(|parts| parts.path().as_bytes()),
            url_query: parts.and_then(Url::query).map(str::as_bytes),
            is_robotstxt_url: self.is_robotstxt_url,
            fetch_time,
            fetch_status: self.status().map(i32::from),
            fetch_redirect: location,
            fetch_redirect_url: target.as_deref().map(str::as_bytes),
            redirect_same_host: same_host,
            content_mime_type: Some(&*media_type).filter(|it| !it.is_empty()),
            content_mime_detected: field(Field::IdentifiedPayloadType),
            content_charset: charset.as_deref(),
            content_length: to_bigint(self.content_length),
            content_truncated: field(Field::Truncated),
            content_digest: self.content_digest.map(FieldValue::raw),
            digest_valid,
            content_issues: (!self.issues.is_empty()).then_some(self.issues.as_bytes()),
            file_id: file.map(|(file_id, _)| file_id),
            policy_id: file.map(|(_, policy_id)| policy_id),
            access_koster1996: access[0].name(),
            access_rfc9309: access[1].name(),
            access_google: access[2].name(),
            freshness_seconds,
            http_server: raw(Header::Server),
            http_cache_control: cache_control.as_deref(),
            http_expires: raw(Header::Expires),
            http_etag: raw(Header::ETag),
            http_last_modified: raw(Header::LastModified),
            http_content_encoding: http
                .and_then(|http| http.get_original(Header::ContentEncoding))
                .map(FieldValue::raw),
            http_x_robots_tag: x_robots_tag.as_deref(),
            http_content_signal: content_signal.as_deref(),
            http_content_usage: content_usage.as_deref(),
            http_tdm_reservation: raw(Header::TdmReservation),
            http_tdm_policy: raw(Header::TdmPolicy),
            http_link_license: link
                .as_deref()
                .and_then(|link| link_target(link, b"license")),
            ip_address: field(Field::IpAddress),
        });
    }
}

/// Whether a record's head lets it become a capture: a response whose URL may be in `subset`, or
/// without a URL.
pub fn may_be_capture(head: &RecordHead<'_>, subset: Subset) -> bool {
    let may_be_robotstxt = |url: FieldValue<'_>| {
        subset == Subset::RobotsTxt || memmem::find(url.raw(), b"/robots.txt").is_some()
    };
    // A response without a URL is read in order to be reported.
    is_response(head) && head.target_uri().is_none_or(may_be_robotstxt)
}

/// Whether a record holds a server's response, or content archived in place of a response.
pub fn is_response(head: &RecordHead<'_>) -> bool {
    matches!(
        head.record_type(),
        RecordType::Response | RecordType::Revisit | RecordType::Resource
    )
}

/// The parts of a Content-Type header that have columns (RFC 9110 §8.3), in lower case.
pub(super) struct ContentType {
    pub(super) media_type: Vec<u8>,
    pub(super) charset: Option<Vec<u8>>,
}

impl ContentType {
    pub(super) fn parse(value: &[u8]) -> Self {
        let mut parts = value.split(|byte| *byte == b';').map(<[u8]>::trim_ascii);
        let media_type = parts.next().unwrap_or_default().to_ascii_lowercase();
        let charset = parts.find_map(|parameter| {
            let (name, value) = parameter.split_at_checked(b"charset=".len())?;
            name.eq_ignore_ascii_case(b"charset=")
                .then(|| value.trim_ascii())
        });
        let unquote = |value: &[u8]| {
            let quoted = value
                .strip_prefix(b"\"")
                .and_then(|value| value.strip_suffix(b"\""));
            quoted.unwrap_or(value).to_ascii_lowercase()
        };
        Self {
            media_type,
            charset: charset.map(unquote).filter(|charset| !charset.is_empty()),
        }
    }
}

/// Whether a URL is a robots.txt URL, which is not a page. A URL that cannot be parsed (its host
/// cannot exist) may still count: a response was archived under it, and no capture may be lost.
pub(super) fn is_robotstxt(url: &str, parts: Option<&Url>) -> bool {
    if let Some(parts) = parts {
        return is_robotstxt_url(parts);
    }
    let rest = url.split_once("://").map(|(_, rest)| rest);
    let authority = rest.and_then(|rest| rest.strip_suffix("/robots.txt"));
    authority.is_some_and(|authority| !authority.is_empty() && !authority.contains('/'))
}

/// Whether bytes of the body are known to be missing (RFC 9112 §8). A body that was stored decoded
/// may be shorter than its `Content-Length`.
fn is_incomplete(
    head: &RecordHead<'_>,
    http: Option<&ResponseHead<'_>>,
    block: &[u8],
    issues: BodyIssues,
) -> bool {
    use BodyIssue::{HeadTruncated, LengthMismatch, OverDecodeLimit, TruncatedBody};
    let is_short = |http: &ResponseHead<'_>| {
        let claimed = http.get(Header::ContentLength).and_then(FieldValue::to_u64);
        let stored = block.len().saturating_sub(http.body_offset()) as u64;
        claimed > Some(stored) && http.get_original(Header::ContentEncoding).is_none()
    };
    head.get(Field::Truncated).is_some()
        || issues.contains(HeadTruncated)
        || issues.contains(OverDecodeLimit)
        || issues.contains(TruncatedBody)
        || issues.contains(LengthMismatch) && http.is_some_and(is_short)
}

/// Whether a record's block is an HTTP response. Some writers leave out the media type of
/// responses, or give the media type of the body, so the block decides. The block of a resource is
/// a response only if its media type is `application/http`.
pub(super) fn is_http(head: &RecordHead<'_>, block: &[u8]) -> bool {
    let is_resource = head.record_type() == RecordType::Resource;
    let Some(media_type) = head.get(Field::ContentType).map(FieldValue::raw) else {
        return !is_resource;
    };
    let start = media_type.get(..b"application/http".len());
    start.is_some_and(|it| it.eq_ignore_ascii_case(b"application/http"))
        || !is_resource && begins_response(block)
}

#[cfg(test)]
mod tests;
