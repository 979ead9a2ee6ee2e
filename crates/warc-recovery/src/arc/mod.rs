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
//! a sink need not know which kind of file they come from:
//!
//! | URL record | head |
//! |---|---|
//! | `filedesc:` | a `warcinfo` record |
//! | `http:`, `https:` | a `response`; its block is the HTTP response |
//! | other schemes (`dns:`, `ftp:`) | a `resource` |
//! | URL, IP-address, Archive-date, Content-type | target URI, IP address, date, content type |
//!
//! Result code, checksum, location, offset and file name of version 2 are not kept: the block has
//! the first three too, and the others say what is known.
//!
//! Tolerated: spaces in URLs and types, CRLF, IP addresses of `0` and `-`, dates of 12 to 20
//! digits. Without spaces in URL and type also: any other date, which is kept as it is and may not
//! be readable, and the date before the IP address.

mod url_record;

use memchr::{memchr, memmem};

use crate::header_fields::FieldValue;
use crate::http::{Header, ResponseHead};
use crate::warc::{Field, HeadError, RecordHead, RecordType, Version};

use url_record::{is_address, is_date, may_begin_url, split, split_lengths};

/// The longest URL record that is read, in bytes: URLs were cut at about 2,000.
pub const MAX_URL_RECORD_BYTES: usize = 16 * 1024;
/// First bytes of a file.
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
/// [`HeadError::Incomplete`] where `input` ends before the line does; it cannot occur once `input`
/// has [`MAX_URL_RECORD_BYTES`]. [`HeadError::NotUrlRecord`] if the line is not a URL record, and
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
    let has_scheme = |scheme: &[u8]| {
        let start = record.url.get(..scheme.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    };
    let record_type = if has_scheme(b"filedesc:") {
        RecordType::Warcinfo
    } else if has_scheme(b"http:") || has_scheme(b"https:") {
        RecordType::Response
    } else {
        RecordType::Resource
    };
    let mut fields = [None; Field::COUNT];
    for (field, value) in [
        (Field::TargetUri, record.url),
        (Field::IpAddress, record.ip_address),
        (Field::Date, record.date),
        (Field::ContentType, record.content_type),
    ] {
        // Words for what is not known.
        if !matches!(value, b"" | b"-" | b"0" | b"0.0.0.0" | b"no-type") {
            fields[field as usize] = Some(FieldValue::new(value));
        }
    }
    Ok(RecordHead::of_url_record(
        Version {
            major: record.version,
            minor: 0,
        },
        record_type,
        content_length,
        &window[..=end],
        &fields,
    ))
}

/// Whether an ARC file begins like this.
#[must_use]
pub fn begins_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || begins_record(bytes)
}

/// Whether `bytes` begin with a URL record, whole to its line end. Its length may not be a number.
#[must_use]
pub fn begins_record(bytes: &[u8]) -> bool {
    matches!(parse(bytes), Ok(_) | Err(HeadError::BadContentLength))
}

/// Whether `bytes` suffice to tell whether a record begins with them.
#[must_use]
pub(crate) fn is_conclusive(bytes: &[u8]) -> bool {
    !matches!(parse(bytes), Err(HeadError::Incomplete))
}

/// Whether the line at the start of `bytes` was a URL record before some of it was damaged.
pub(crate) fn resembles_record(bytes: &[u8]) -> bool {
    let window = &bytes[..bytes.len().min(MAX_URL_RECORD_BYTES)];
    let line = &window[..memchr(b'\n', window).unwrap_or(window.len())];
    let ends_with_number = line.trim_ascii_end().last().is_some_and(u8::is_ascii_digit);
    let mut fields = line.split(|byte| *byte == b' ').skip(1);
    fields.clone().any(is_date) || may_begin_url(line) && ends_with_number && fields.any(is_address)
}

/// Whether `block` is a response of the length that its head says.
pub(crate) fn is_whole_response(block: &[u8]) -> bool {
    let head = ResponseHead::parse(block);
    let length = head.get(Header::ContentLength).and_then(FieldValue::to_u64);
    let found = block.len().checked_sub(head.body_offset());
    found.is_some_and(|found| Some(found as u64) == length)
}

/// Offset of the next plausible URL record at or after `from`; linear in `bytes`.
///
/// It should be at the start of a line (or of `bytes`). In the middle of a line, where a truncated
/// block runs into the next record, only the URL record of a web page is accepted.
#[must_use]
pub fn find_next_head(bytes: &[u8], from: usize) -> Option<usize> {
    let mut start = from;
    while start < bytes.len() {
        let end = start + memchr(b'\n', &bytes[start..])?;
        // A longer line is looked at from as far behind as a URL record may reach.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(head: &RecordHead<'_>, field: Field) -> String {
        let value = head.get(field).map(FieldValue::to_text);
        value.unwrap_or_default().into_owned()
    }

    #[test]
    fn both_versions_are_read() {
        for (line, expected) in [
            (
                "http://a.example:80/x 192.0.2.7 19961104142103 text/html 202\n",
                ("http://a.example:80/x", "192.0.2.7", "text/html", 202, 1),
            ),
            (
                "http://a.example/x?a=b c d 192.0.2.7 19961104142103 text/html; charset=x 1\r\n",
                (
                    "http://a.example/x?a=b c d",
                    "192.0.2.7",
                    "text/html; charset=x",
                    1,
                    1,
                ),
            ),
            (
                "http://a.example/ 2001:db8::1 20080430204825 text/html 200 fac0 - 209 a.arc 30\n",
                ("http://a.example/", "2001:db8::1", "text/html", 30, 2),
            ),
            (
                "http://a.example/ 0 20080430204825 no-type 0\n",
                ("http://a.example/", "", "", 0, 1),
            ),
        ] {
            let head = arc_head(line);
            let found = (
                &*text(&head, Field::TargetUri),
                &*text(&head, Field::IpAddress),
                &*text(&head, Field::ContentType),
                head.content_length(),
                head.version().major,
            );
            assert_eq!(found, expected, "{line}");
            assert_eq!(head.head_length(), line.len());
            assert!(head.date().is_some());
            assert_eq!(head.record_type(), RecordType::Response);
        }
        let info =
            arc_head("filedesc://a.arc 0.0.0.0 19960923142103 text/plain 200 - - 0 a.arc 9\n");
        assert_eq!(info.record_type(), RecordType::Warcinfo);
        let dns = arc_head("dns:a.example 192.0.2.7 20080430204825 text/dns 9\n");
        assert_eq!(dns.record_type(), RecordType::Resource);
    }

    fn arc_head(line: &str) -> RecordHead<'_> {
        parse(line.as_bytes()).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    #[test]
    fn odd_dates_cost_no_record() {
        let second = 1_000_000;
        let expected = crate::warc::parse_date(b"2001-01-02T03:04:05Z");
        let hour = expected.map(|date| date - (4 * 60 + 5) * second);
        for (fields, date) in [
            ("192.0.2.7 2001010203", hour),
            (
                "192.0.2.7 200101020304",
                hour.map(|date| date + 240 * second),
            ),
            ("192.0.2.7 200101020304059", expected),
            ("192.0.2.7 20010102030405GMT", expected),
            ("192.0.2.7 2001-01-02T03:04:05Z", expected),
            ("192.0.2.7 20010102abc", None),
            ("192.0.2.7 0x3a5b2c1d", None),
            ("192.0.2.7 3A5B2C1D", None),
            ("192.0.2.7 978404645", None),
            ("20010102030405 192.0.2.7", expected),
        ] {
            for rest in ["text/plain 30", "text/plain 200 - - 209 a.arc 30"] {
                let line = format!("http://a.example/robots.txt {fields} {rest}\n");
                let head = arc_head(&line);
                assert_eq!(head.date(), date, "{line}");
                assert_eq!(text(&head, Field::IpAddress), "192.0.2.7", "{line}");
                assert_eq!(text(&head, Field::ContentType), "text/plain", "{line}");
                assert_eq!(head.content_length(), 30, "{line}");
                assert_eq!(
                    find_next_head(&[b"x\n", line.as_bytes()].concat(), 0),
                    Some(2)
                );
            }
        }
    }

    #[test]
    fn what_is_no_url_record_is_told() {
        use HeadError::{BadContentLength, Incomplete, NotUrlRecord, TooLong};
        for (line, error) in [
            (&b"GET / HTTP/1.0\n"[..], NotUrlRecord),
            (b"", Incomplete),
            (
                b"http://a.example/ 0 19961104142103 text/html 2",
                Incomplete,
            ),
            (
                b"http://a.example/ 0 19961104142103 text/html -1\n",
                BadContentLength,
            ),
            (
                b"http://a.example/ 0 19961104142103 text/html abc\n",
                BadContentLength,
            ),
            (
                b"http://a.example/ 0 1996x104142103 text/html; x 1\n",
                NotUrlRecord,
            ),
            (
                b"http://a.example/ 0 1996x104142103 text/html 1x\n",
                NotUrlRecord,
            ),
            (b"http: 0 19961104142103 text/html 1\n", NotUrlRecord),
            (
                b"http://a.example/ who 19961104142103 text/html 1\n",
                NotUrlRecord,
            ),
            (b"19961104142103 1\n", NotUrlRecord),
            (
                b" http://a.example/ 0 19961104142103 text/html 1\n",
                NotUrlRecord,
            ),
        ] {
            let found = parse(line).expect_err("none");
            assert_eq!(found, error, "{}", String::from_utf8_lossy(line));
        }
        let endless = [&b"http://"[..], &[b'x'; MAX_URL_RECORD_BYTES]].concat();
        assert_eq!(parse(&endless).expect_err("none"), TooLong);
    }

    #[test]
    fn the_next_head_is_found() {
        let head = b"http://a.example/ 0 19961104142103 text/html 1\n";
        let bytes = [b"junk 12\nhttp://x/ 1\n", &head[..], b"x\n"].concat();
        assert_eq!(find_next_head(&bytes, 0), Some(20));
        assert_eq!(find_next_head(&bytes, 21), None);
        let within = [b"<p>cut", &head[..]].concat();
        assert_eq!(find_next_head(&within, 0), Some(6));
        assert_eq!(find_next_head(&bytes, 1000), None);
        let behind_long_line = [&vec![b'x'; 100_000][..], head].concat();
        assert_eq!(find_next_head(&behind_long_line, 0), Some(100_000));
    }

    #[test]
    fn heritrix_names_the_crawl() {
        let block =
            b"1 1 InternetArchive\n<arcmetadata><dcterms:isPartOf>wide 5</dcterms:isPartOf>";
        let label = is_part_of(block).expect("a label");
        assert_eq!(&*label.to_text(), "wide 5");
        assert_eq!(is_part_of(b"1 0 Alexa\n"), None);
    }
}
