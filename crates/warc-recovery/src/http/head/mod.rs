//! The head of an HTTP response: status line and header fields.
//!
//! Implements RFC 9112 sections 2 to 5 and RFC 9110 section 5. Read as an archive
//! needs it: HTTP/0.9 responses without a head, status lines of HTTP/2 and /3 as
//! crawlers write them, LF-only line ends, missing reasons, folded and repeated
//! fields, bytes that are not UTF-8, a head without an end, and interim (1xx)
//! responses before the final one.
//!
//! Some crawlers store the body decoded and rename the headers that were true of
//! it on the wire: `X-Crawler-Content-Encoding` (Common Crawl),
//! `X-Archive-Orig-Content-Encoding` (web archive replay). Such a header is kept
//! for information ([`ResponseHead::get_original`]) and never decoded by.

use std::borrow::Cow;

use crate::field_names::field_names;
use crate::header_fields::{FieldLine, FieldLines, FieldValue};

/// The longest run of heads (interim ones included) that is read, in bytes:
/// 1 MiB. What lies beyond is not looked at and the body counts as missing.
pub const MAX_HEAD_BYTES: usize = 1 << 20;

/// Prefixes, in lower case, by which crawlers rename headers.
const RENAMED_PREFIXES: [&[u8]; 2] = [b"x-crawler-", b"x-archive-orig-"];

field_names! {
    /// The header fields that a [`ResponseHead`] keeps. Any other is found by
    /// [`ResponseHead::values_of`].
    pub enum Header {
        /// `Content-Type`, RFC 9110 section 8.3.
        ContentType = "content-type",
        /// `Content-Length`, RFC 9110 section 8.6.
        ContentLength = "content-length",
        /// `Content-Encoding`, RFC 9110 section 8.4.
        ContentEncoding = "content-encoding",
        /// `Transfer-Encoding`, RFC 9112 section 6.1.
        TransferEncoding = "transfer-encoding",
        /// `Location`, RFC 9110 section 10.2.2.
        Location = "location",
        /// `Server`, RFC 9110 section 10.2.4.
        Server = "server",
        /// `Date`, RFC 9110 section 6.6.1.
        Date = "date",
        /// `Age`, RFC 9111 section 5.1.
        Age = "age",
        /// `Cache-Control`, RFC 9111 section 5.2.
        CacheControl = "cache-control",
        /// `Expires`, RFC 9111 section 5.3.
        Expires = "expires",
        /// `ETag`, RFC 9110 section 8.8.3.
        ETag = "etag",
        /// `Last-Modified`, RFC 9110 section 8.8.2.
        LastModified = "last-modified",
        /// `Retry-After`, RFC 9110 section 10.2.3.
        RetryAfter = "retry-after",
        /// `X-Robots-Tag`, a convention of search engines.
        XRobotsTag = "x-robots-tag",
        /// `Content-Signal`, contentsignals.org.
        ContentSignal = "content-signal",
        /// `Content-Usage`, IETF AI Preferences working group.
        ContentUsage = "content-usage",
        /// `TDM-Reservation`, W3C TDM Reservation Protocol.
        TdmReservation = "tdm-reservation",
        /// `TDM-Policy`, W3C TDM Reservation Protocol.
        TdmPolicy = "tdm-policy",
        /// `Link`, RFC 8288.
        Link = "link",
    }
}

const _: () = assert!(
    Header::COUNT <= 32,
    "`ResponseHead::repeated` has a bit per header"
);

/// A response's head, borrowed from the block that it was parsed from.
#[derive(Clone, Debug)]
pub struct ResponseHead<'a> {
    version: Option<&'a [u8]>,
    status: Option<u16>,
    body_offset: usize,
    is_complete: bool,
    /// The field lines of the final head.
    field_lines: &'a [u8],
    fields: [Option<FieldValue<'a>>; Header::COUNT],
    renamed: [Option<FieldValue<'a>>; Header::COUNT],
    /// Bit `header as u8` is set where the header occurs more than once.
    repeated: u32,
}

impl<'a> ResponseHead<'a> {
    /// Reads the head at the start of a record's block. Every block gives a
    /// head: one that does not begin with a status line is an HTTP/0.9 response,
    /// all body.
    #[must_use]
    pub fn parse(block: &'a [u8]) -> Self {
        let window = &block[..block.len().min(MAX_HEAD_BYTES)];
        let mut start = leading_line_ends(window);
        let mut head = Self::without_head();
        while let Some((version, status)) = parse_status_line(&window[start..]) {
            head = Self::parse_fields(window, start);
            head.version = Some(version);
            head.status = status;
            // An interim response is followed by the final one; 101 is final for
            // HTTP, what follows is another protocol's.
            let is_interim =
                status.is_some_and(|status| (100..200).contains(&status) && status != 101);
            if !is_interim || !head.is_complete {
                break;
            }
            start = head.body_offset;
        }
        if !head.is_complete {
            head.body_offset = block.len();
        }
        head
    }

    /// An HTTP/0.9 response: no head, everything is body.
    fn without_head() -> Self {
        Self {
            version: None,
            status: None,
            body_offset: 0,
            is_complete: true,
            field_lines: &[],
            fields: [None; Header::COUNT],
            renamed: [None; Header::COUNT],
            repeated: 0,
        }
    }

    /// Reads the field lines after the status line at `start`.
    fn parse_fields(window: &'a [u8], start: usize) -> Self {
        let mut head = Self::without_head();
        head.is_complete = false;
        let mut lines = FieldLines::new(window, start);
        lines.next_line();
        let fields_start = lines.position();
        let mut fields_end = fields_start;
        while let Some(line) = lines.next() {
            match line {
                FieldLine::Blank => {
                    // A last `\r` alone is not yet an empty line, but nothing
                    // more will come: a block is whole.
                    head.is_complete = true;
                    break;
                }
                FieldLine::Field(name, value) => head.add(name, value),
                FieldLine::Malformed(_) => {}
            }
            fields_end = lines.position();
        }
        head.field_lines = &window[fields_start..fields_end];
        head.body_offset = lines.position();
        head
    }

    fn add(&mut self, name: &[u8], value: FieldValue<'a>) {
        if let Some(header) = Header::from_name(name) {
            match &mut self.fields[header as usize] {
                empty @ None => *empty = Some(value),
                Some(_) => self.repeated |= 1 << header as u32,
            }
        } else if let Some(header) = renamed_header(name) {
            self.renamed[header as usize].get_or_insert(value);
        }
    }

    /// The version in the status line, as written after `HTTP/`; `None` for an
    /// HTTP/0.9 response without a head.
    #[must_use]
    pub fn version(&self) -> Option<&'a [u8]> {
        self.version
    }

    /// The status code, 100 to 999; `None` where there is no status line or no
    /// readable code in it.
    #[must_use]
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// Where the body begins in the block, in bytes: the length of the head,
    /// empty line included. The length of the block where the head has no end.
    #[must_use]
    pub fn body_offset(&self) -> usize {
        self.body_offset
    }

    /// Whether the head has an end. False where the block ends within it, or
    /// where it is longer than [`MAX_HEAD_BYTES`].
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The first value of a header, as written.
    #[must_use]
    pub fn get(&self, header: Header) -> Option<FieldValue<'a>> {
        self.fields[header as usize]
    }

    /// The first value of a header as it was on the wire: the renamed header
    /// where the crawler renamed it, else the header itself.
    #[must_use]
    pub fn get_original(&self, header: Header) -> Option<FieldValue<'a>> {
        self.renamed[header as usize].or(self.fields[header as usize])
    }

    /// Every value of a header in its order. Walks the head again only where the
    /// header is repeated.
    pub fn get_all(&self, header: Header) -> impl Iterator<Item = FieldValue<'a>> {
        let is_repeated = self.repeated & (1 << header as u32) != 0;
        let first = if is_repeated { None } else { self.get(header) };
        let again = if is_repeated { self.field_lines } else { &[] };
        first.into_iter().chain(values_in(again, header.name()))
    }

    /// All values of a header on one line, joined by `, ` (RFC 9110 section 5.3).
    /// Borrowed unless the header is repeated or folded.
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

    /// Every header in its order, its name as written.
    pub fn fields(&self) -> impl Iterator<Item = (&'a [u8], FieldValue<'a>)> {
        FieldLines::new(self.field_lines, 0).filter_map(|line| match line {
            FieldLine::Field(name, value) => Some((name, value)),
            FieldLine::Blank | FieldLine::Malformed(_) => None,
        })
    }

    /// Every value of the header `name` in its order, letters compared without
    /// case: for headers that are not in [`Header`]. Walks the head again.
    pub fn values_of(&self, name: &str) -> impl Iterator<Item = FieldValue<'a>> {
        values_in(self.field_lines, name)
    }
}

fn values_in<'a>(field_lines: &'a [u8], name: &str) -> impl Iterator<Item = FieldValue<'a>> {
    FieldLines::new(field_lines, 0).filter_map(move |line| match line {
        FieldLine::Field(found, value) if found.eq_ignore_ascii_case(name.as_bytes()) => {
            Some(value)
        }
        _ => None,
    })
}

/// The header that a crawler renamed to `name`.
fn renamed_header(name: &[u8]) -> Option<Header> {
    if !matches!(name.first(), Some(b'x' | b'X')) {
        return None;
    }
    RENAMED_PREFIXES.iter().find_map(|prefix| {
        let (start, rest) = name.split_at_checked(prefix.len())?;
        start
            .eq_ignore_ascii_case(prefix)
            .then(|| Header::from_name(rest))?
    })
}

/// Bytes of line ends before the status line, which RFC 9112 section 2.2 asks
/// recipients to ignore; none where no status line follows.
fn leading_line_ends(block: &[u8]) -> usize {
    let count = block
        .iter()
        .take_while(|byte| matches!(byte, b'\r' | b'\n'))
        .count();
    if starts_with_protocol(&block[count..]) {
        count
    } else {
        0
    }
}

fn starts_with_protocol(bytes: &[u8]) -> bool {
    bytes
        .get(..5)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"HTTP/"))
}

/// Version and status code of the status line at the start of `bytes`; `None`
/// where there is no status line.
fn parse_status_line(bytes: &[u8]) -> Option<(&[u8], Option<u16>)> {
    if !starts_with_protocol(bytes) {
        return None;
    }
    let line = FieldLines::new(bytes, 5).next_line().unwrap_or_default();
    let version_end = line
        .iter()
        .position(u8::is_ascii_whitespace)
        .unwrap_or(line.len());
    let (version, rest) = line.split_at(version_end);
    let is_version = version.first().is_some_and(u8::is_ascii_digit)
        && version
            .iter()
            .all(|byte| byte.is_ascii_digit() || *byte == b'.');
    is_version.then(|| (version, parse_status_code(rest.trim_ascii_start())))
}

/// Three digits that no further digit follows.
fn parse_status_code(bytes: &[u8]) -> Option<u16> {
    let (digits, rest) = bytes.split_first_chunk::<3>()?;
    if !digits.iter().all(u8::is_ascii_digit) || rest.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let code = digits
        .iter()
        .fold(0, |code, digit| code * 10 + u16::from(digit - b'0'));
    (code >= 100).then_some(code)
}

#[cfg(test)]
mod tests;
