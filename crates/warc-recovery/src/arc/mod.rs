//! The URL record: the line that heads each record of an ARC file, the ancestor of WARC.
//!
//! Implements the ARC file format, versions 1 and 2, as the Internet Archive described it in 1996
//! and wrote it until 2008:
//!
//! ```text
//! URL IP-address Archive-date Content-type Archive-length
//! URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length
//! ```
//!
//! The first record, `filedesc://`, describes the file. A block of `Archive-length` bytes follows
//! the line, and a line end follows the block. A URL record is read into a [`RecordHead`], so that
//! a sink need not know the format of the file:
//!
//! | URL record | head |
//! |---|---|
//! | `filedesc:` | a `warcinfo` record |
//! | `http:`, `https:` | a `response`; its block is the HTTP response |
//! | other schemes (`dns:`, `ftp:`) | a `resource` |
//! | URL, IP-address, Archive-date, Content-type | target URI, IP address, date, content type |
//!
//! Result code, checksum, location, offset and file name of version 2 are not kept: the first three
//! follow from the block, and offset and file name are known.
//!
//! Tolerated: spaces in URLs and types, CRLF, IP addresses of `0` and `-`, dates of 12 to 20
//! digits. If URL and type have no spaces, any other date is tolerated too, kept as written though
//! it may be unreadable, and so is a date before the IP address.

mod url_record;

use memchr::{memchr, memmem};

use crate::header_fields::{FieldValue, strip_prefix};
use crate::http::{Header, ResponseHead};
use crate::warc::{Field, HeadError, RecordHead, RecordType, Version};

use url_record::{is_address, is_date, may_begin_url, split, split_lengths};

/// The longest URL record that is read, in bytes: URLs were cut at about 2,000.
pub const MAX_URL_RECORD_BYTES: usize = 16 * 1024;
const MAGIC: &[u8] = b"filedesc://";

/// Reads the URL record at the start of `input`.
///
/// ```
/// use warc_recovery::arc;
/// use warc_recovery::warc::RecordType;
///
/// let record = b"http://a.example/robots.txt 192.0.2.1 19990101000000 text/plain 4\nbody\n";
/// let head = arc::parse(record)?;
/// assert_eq!(head.record_type(), RecordType::Response);
/// assert_eq!(head.content_length(), 4);
/// assert!(record[head.head_length()..].starts_with(b"body"));
/// # Ok::<(), warc_recovery::warc::HeadError>(())
/// ```
///
/// # Errors
///
/// [`HeadError::Incomplete`] if `input` ends before the line does; it cannot occur once `input` has
/// [`MAX_URL_RECORD_BYTES`]. [`HeadError::NotUrlRecord`] if the line is not a URL record, and
/// [`HeadError::BadContentLength`] if its length is not a number.
pub fn parse(input: &[u8]) -> Result<RecordHead<'_>, HeadError> {
    if !may_begin_url(input) {
        return Err(HeadError::NotUrlRecord);
    }
    let window = &input[..input.len().min(MAX_URL_RECORD_BYTES)];
    let Some(end) = memchr(b'\n', window) else {
        return Err(if input.len() < MAX_URL_RECORD_BYTES {
            HeadError::Incomplete
        } else {
            HeadError::TooLong
        });
    };
    let record = split(&window[..end]).ok_or(HeadError::NotUrlRecord)?;
    let length = FieldValue::new(record.length);
    let content_length = length.to_u64().ok_or(HeadError::BadContentLength)?;
    let has_scheme = |scheme: &[u8]| strip_prefix(record.url, scheme).is_some();
    let record_type = if has_scheme(b"filedesc:") {
        RecordType::Warcinfo
    } else if has_scheme(b"http:") || has_scheme(b"https:") {
        RecordType::Response
    } else {
        RecordType::Resource
    };
    let mut fields = Vec::new();
    for (field, value) in [
        (Field::TargetUri, record.url),
        (Field::IpAddress, record.ip_address),
        (Field::Date, record.date),
        (Field::ContentType, record.content_type),
    ] {
        // Placeholders for unknown values.
        if !matches!(value, b"" | b"-" | b"0" | b"0.0.0.0" | b"no-type") {
            fields.push((field.name().as_bytes(), FieldValue::new(value)));
        }
    }
    Ok(RecordHead {
        version: Version {
            major: record.version,
            minor: 0,
        },
        record_type,
        content_length,
        bytes: &window[..=end],
        fields,
    })
}

/// Whether `bytes` begin as an ARC file does.
#[must_use]
pub fn begins_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || begins_record(bytes)
}

/// Whether a whole URL record begins `bytes`, line end included; its length need not be a number.
#[must_use]
pub fn begins_record(bytes: &[u8]) -> bool {
    matches!(parse(bytes), Ok(_) | Err(HeadError::BadContentLength))
}

/// Whether `bytes` suffice to tell whether a record begins with them.
pub(crate) fn is_conclusive(bytes: &[u8]) -> bool {
    !matches!(parse(bytes), Err(HeadError::Incomplete))
}

/// Whether the line at the start of `bytes` may be a damaged URL record.
pub(crate) fn resembles_record(bytes: &[u8]) -> bool {
    let window = &bytes[..bytes.len().min(MAX_URL_RECORD_BYTES)];
    let line = &window[..memchr(b'\n', window).unwrap_or(window.len())];
    let ends_with_number = line.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
    let mut fields = line.split(|byte| *byte == b' ').skip(1);
    fields.clone().any(is_date) || may_begin_url(line) && ends_with_number && fields.any(is_address)
}

/// Whether `block` is a response of the length that its head declares.
pub(crate) fn is_whole_response(block: &[u8]) -> bool {
    let head = ResponseHead::parse(block);
    let length = head.get(Header::ContentLength).and_then(FieldValue::to_u64);
    let found = block.len().checked_sub(head.body_offset());
    found.is_some_and(|found| Some(found as u64) == length)
}

/// Offset of the next plausible URL record at or after `from`; linear in `bytes`.
///
/// The URL record should be at the start of a line (or of `bytes`). In the middle of a line, where
/// a truncated block runs into the next record, only a URL record that begins with `http` is
/// accepted.
#[must_use]
pub fn find_next_head(bytes: &[u8], from: usize) -> Option<usize> {
    let mut start = from;
    while start < bytes.len() {
        let end = start + memchr(b'\n', &bytes[start..])?;
        // A URL record can begin at most this far before the end of its line.
        let within = start.max((end + 1).saturating_sub(MAX_URL_RECORD_BYTES));
        if split_lengths(&bytes[within..end]).is_some() {
            let is_line_start = within == 0 || bytes[within - 1] == b'\n';
            let places = memmem::find_iter(&bytes[within..end], b"http").map(|at| within + at);
            let first = is_line_start.then_some(within);
            let mut places = first.into_iter().chain(places.take(1));
            if let Some(found) = places.find(|at| begins_record(&bytes[*at..=end])) {
                return Some(found);
            }
        }
        start = end + 1;
    }
    None
}

/// The label of the crawl in the block of a `filedesc:` record, which Heritrix writes as XML.
#[must_use]
pub fn is_part_of(block: &[u8]) -> Option<FieldValue<'_>> {
    const OPENING: &[u8] = b"<dcterms:isPartOf>";
    let start = memmem::find(block, OPENING)? + OPENING.len();
    let length = memchr(b'<', &block[start..])?;
    Some(FieldValue::new(&block[start..start + length])).filter(|label| !label.raw().is_empty())
}
