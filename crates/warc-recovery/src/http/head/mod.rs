//! The head of an HTTP response: status line and header fields.
//!
//! Implements RFC 9112 §2 to §5 and RFC 9110 §5, read as an archive needs it: HTTP/0.9 responses
//! without a head, status lines of HTTP/2 and /3 as crawlers write them, LF-only line endings,
//! missing reasons, folded and repeated fields, bytes that are not UTF-8, a head without an end,
//! and interim (1xx) responses before the final one.
//!
//! Some crawlers store the body decoded and rename the headers that described it on the wire:
//! `X-Crawler-Content-Encoding` (Common Crawl), `X-Archive-Orig-Content-Encoding` (web archive
//! replay). Such a header is kept for information ([`ResponseHead::get_original`]) and never used
//! for decoding.

use std::borrow::Cow;

use memchr::{memchr_iter, memrchr};

use crate::header_fields::{
    FieldLine, FieldLines, FieldValue, parse_decimal, strip_prefix, values_of,
};
use crate::names::names;

/// The longest run of heads (interim ones included) that is read, in bytes: 1 MiB. Later fields are
/// not read, but the end of a longer head is searched for, so that the body is found.
pub const MAX_HEAD_BYTES: usize = 1 << 20;

/// Prefixes, in lower case, by which crawlers rename headers.
const RENAMED_PREFIXES: [&[u8]; 3] = [b"x-crawler-", b"x-archive-orig-", b"x-orig-"];

names! {
    /// Header fields that readers of archives need. [`ResponseHead::values_of`] finds any other.
    ///
    /// Most are from RFC 9110 (§6.6, §8 and §10.2) and RFC 9111 §5 (age, cache control, expiry);
    /// `transfer-encoding` is from RFC 9112 §6.1, `link` from RFC 8288, `content-signal` from
    /// contentsignals.org, `content-usage` from the IETF's working group on AI preferences, and
    /// `tdm-` from the W3C's TDM Reservation Protocol; `x-robots-tag` is a convention of search
    /// engines.
    pub enum Header {
        ContentType = "content-type",
        ContentLength = "content-length",
        ContentEncoding = "content-encoding",
        TransferEncoding = "transfer-encoding",
        Location = "location",
        Server = "server",
        Date = "date",
        Age = "age",
        CacheControl = "cache-control",
        Expires = "expires",
        ETag = "etag",
        LastModified = "last-modified",
        RetryAfter = "retry-after",
        XRobotsTag = "x-robots-tag",
        ContentSignal = "content-signal",
        ContentUsage = "content-usage",
        TdmReservation = "tdm-reservation",
        TdmPolicy = "tdm-policy",
        Link = "link",
    }
}

/// A response's head, borrowed from the block that it was parsed from.
#[derive(Clone, Debug, Default)]
pub struct ResponseHead<'a> {
    version: Option<&'a [u8]>,
    status: Option<u16>,
    body_offset: usize,
    lacks_end: bool,
    is_too_long: bool,
    fields: Vec<(&'a [u8], FieldValue<'a>)>,
}

impl<'a> ResponseHead<'a> {
    /// Reads the head at the start of a record's block. Every block gives a head: a block that does
    /// not begin with a status line is an HTTP/0.9 response, all body.
    #[must_use]
    pub fn parse(block: &'a [u8]) -> Self {
        let window = head_window(block);
        let mut start = leading_white_space(window);
        let mut head = Self::default();
        while let Some((version, status)) = parse_status_line(&window[start..]) {
            head = Self::parse_fields(window, start);
            head.version = Some(version);
            head.status = status;
            // An interim response is followed by the final one; 101 is final for HTTP: another
            // protocol follows.
            let is_interim = matches!(status, Some(100 | 102..=199));
            if !is_interim || head.lacks_end {
                break;
            }
            start = head.body_offset;
        }
        let is_cut = window.len() < block.len();
        // After an interim response, the next status line is beyond the window.
        let is_between = start > 0 && start == head.body_offset && start == window.len();
        head.is_too_long = is_cut && (head.lacks_end || is_between);
        if head.lacks_end {
            // The part already searched ends with a line end, after which the empty line may
            // follow.
            let searched = window.len().saturating_sub(1);
            let end = end_of_head(&block[searched..]);
            head.lacks_end = end.is_none();
            head.body_offset = end.map_or(block.len(), |end| searched + end);
        }
        head
    }

    fn parse_fields(window: &'a [u8], start: usize) -> Self {
        let mut head = Self {
            lacks_end: true,
            ..Self::default()
        };
        let mut lines = FieldLines::new(window, start);
        lines.next_line();
        for line in lines.by_ref() {
            match line {
                FieldLine::Blank => {
                    // A last `\r` alone is not yet an empty line, but nothing more will come: a
                    // block is whole.
                    head.lacks_end = false;
                    break;
                }
                FieldLine::Field(name, value) => head.fields.push((name, value)),
                FieldLine::Malformed(_) => {}
            }
        }
        head.body_offset = lines.position();
        head
    }

    /// The version in the status line, as written after `HTTP/`; empty if it is missing; `ICY` if
    /// the status line begins with that; `None` for an HTTP/0.9 response without a head.
    #[must_use]
    pub fn version(&self) -> Option<&'a [u8]> {
        self.version
    }

    /// The status code, 100 to 999; `None` if the status line is missing or its code is unreadable.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// Where the body begins in the block, in bytes; the block's length if the head has no end.
    #[must_use]
    pub fn body_offset(&self) -> usize {
        self.body_offset
    }

    /// Whether the head has an end. False if the block ends within the head.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.lacks_end
    }

    /// Whether the head is longer than [`MAX_HEAD_BYTES`]: later fields were not read.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.is_too_long
    }

    /// The first value of a header, as written.
    #[must_use]
    pub fn get(&self, header: Header) -> Option<FieldValue<'a>> {
        self.get_all(header).next()
    }

    /// The first value of a header as it was on the wire: from the renamed header if the crawler
    /// renamed it, else from the header itself.
    #[must_use]
    pub fn get_original(&self, header: Header) -> Option<FieldValue<'a>> {
        let is_renamed = |name: &[u8]| {
            let original = |prefix: &&[u8]| strip_prefix(name, prefix);
            let mut originals = RENAMED_PREFIXES.iter().filter_map(original);
            originals.any(|it| it.eq_ignore_ascii_case(header.name().as_bytes()))
        };
        let renamed = self.fields.iter().find(|(name, _)| is_renamed(name));
        renamed
            .map(|(_, value)| *value)
            .or_else(|| self.get(header))
    }

    /// All values of a header, in order.
    pub fn get_all(&self, header: Header) -> impl Iterator<Item = FieldValue<'a>> {
        self.values_of(header.name())
    }

    /// All values of a header on one line, joined by `, ` (RFC 9110 §5.3). Borrowed unless the
    /// header is repeated or folded.
    #[must_use]
    pub fn get_joined(&self, header: Header) -> Option<Cow<'a, [u8]>> {
        let mut values = self.get_all(header);
        let mut joined = values.next()?.unfolded();
        for value in values {
            let joined = joined.to_mut();
            joined.extend_from_slice(b", ");
            joined.extend_from_slice(&value.unfolded());
        }
        Some(joined)
    }

    /// All headers in order, with their names as written.
    pub fn fields(&self) -> impl Iterator<Item = (&'a [u8], FieldValue<'a>)> {
        self.fields.iter().copied()
    }

    /// All values of the header `name` (in any case), in order, also if not in [`Header`].
    pub fn values_of(&self, name: &str) -> impl Iterator<Item = FieldValue<'a>> {
        values_of(&self.fields, name)
    }
}

/// The part of a block that is read as heads; if it is cut, only whole lines.
fn head_window(block: &[u8]) -> &[u8] {
    if block.len() <= MAX_HEAD_BYTES {
        return block;
    }
    let window = &block[..MAX_HEAD_BYTES];
    let lines = memrchr(b'\n', window).map_or(window.len(), |end| end + 1);
    &window[..lines]
}

/// Where a head ends in `bytes`: after its empty line.
fn end_of_head(bytes: &[u8]) -> Option<usize> {
    memchr_iter(b'\n', bytes).find_map(|end| match &bytes[end + 1..] {
        [b'\n', ..] => Some(end + 2),
        [b'\r', b'\n', ..] => Some(end + 3),
        _ => None,
    })
}

/// Whether a record's block is an HTTP response with a head: it begins with a status line, after
/// optional white space. The `Content-Type` of a record is often wrong; the block is not.
///
/// ```
/// use warc_recovery::http::begins_response;
///
/// assert!(begins_response(b"\r\nHTTP/1.1 200 OK\r\n\r\nbody"));
/// assert!(begins_response(b"ICY 200 OK\r\n\r\n"));
/// assert!(!begins_response(b"User-agent: *\nDisallow: /\n"));
/// ```
#[must_use]
pub fn begins_response(block: &[u8]) -> bool {
    parse_status_line(&block[leading_white_space(block)..]).is_some()
}

/// Bytes of white space before the status line; 0 if no status line follows. RFC 9112 §2.2 lets
/// servers ignore an empty line before a request, and some crawlers store more before a response.
fn leading_white_space(block: &[u8]) -> usize {
    let count = block.len() - block.trim_ascii_start().len();
    parse_status_line(&block[count..]).map_or(0, |_| count)
}

/// Version and status code, if a status line begins `bytes`. A status line is `HTTP/` with a
/// version or a code, `ICY` (SHOUTcast) with a code, or `HTTP` with a code (`HTTP 502 Bad Gateway`)
/// if a field or an empty line follows, because error messages look like that too.
fn parse_status_line(bytes: &[u8]) -> Option<(&[u8], Option<u16>)> {
    let begins_with = |word: &[u8]| strip_prefix(bytes, word).is_some();
    if begins_with(b"ICY ") {
        let line = FieldLines::new(bytes, 4).next_line().unwrap_or_default();
        let status = parse_status_code(line.trim_ascii_start())?;
        return Some((&bytes[..3], Some(status)));
    }
    if begins_with(b"HTTP ") {
        let mut lines = FieldLines::new(bytes, 5);
        let status = parse_status_code(lines.next_line()?.trim_ascii_start())?;
        let has_head = !matches!(lines.next()?, FieldLine::Malformed(_));
        return has_head.then_some((&bytes[..0], Some(status)));
    }
    if !begins_with(b"HTTP/") {
        return None;
    }
    let line = FieldLines::new(bytes, 5).next_line().unwrap_or_default();
    let version_end = line.iter().position(u8::is_ascii_whitespace);
    let (version, rest) = line.split_at(version_end.unwrap_or(line.len()));
    let status = parse_status_code(rest.trim_ascii_start());
    let is_version = version.first().is_some_and(u8::is_ascii_digit);
    (is_version || status.is_some()).then_some((version, status))
}

/// Three digits that no further digit follows.
fn parse_status_code(bytes: &[u8]) -> Option<u16> {
    let (digits, rest) = bytes.split_at_checked(3)?;
    let code = u16::try_from(parse_decimal(digits)?).ok()?;
    let is_longer = rest.first().is_some_and(u8::is_ascii_digit);
    (code >= 100 && !is_longer).then_some(code)
}

#[cfg(test)]
mod tests;
