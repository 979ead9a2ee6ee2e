//! Large records of a gzip archive that the sink does not want, skipped without being inflated.
//!
//! Used by the [split reader](super). The first bytes of a member hold its record's head: type, URL
//! and Content-Length. If the sink does not want the record, only the member's end is of
//! interest, and the next member begins there. A candidate for it is taken for the end only
//! if
//!
//! - the four bytes before it are the record's length, as a member ends with the length of what
//!   it holds (ISIZE; RFC 1952 §2.3.1), and
//! - no other candidate, as far as the member can reach, is preceded by the same number.
//!
//! The second condition is for pages that were made to deceive. A page may contain the bytes of
//! such an end and of a record after it, and a crawler's gzip may store them unchanged. But then
//! the member's true end, with the true length before it, is within reach too. In that case, and if
//! no end is found, the member is inflated like any other.
//!
//! What is given up: damage inside a skipped record is not seen.

use crate::container::gzip_candidates;
use crate::sink::RecordSink;
use crate::syntax::RecordSyntax;

/// Records of at least this many bytes cost more to inflate than a look at their start.
const WORTHWHILE_BYTES: usize = 8 * 1024;
/// Bytes of a gzip head and trailer, and more: names and comments in the head are short.
const HEAD_BYTES: usize = 1024;
/// Unsuccessful looks after which no more pages are expected.
const MAX_CONFIDENCE: u8 = 4;

/// Whether to expect pages, by the records so far: in a crawl of small files alone, a look at the
/// start of a member would be wasted.
#[derive(Debug, Default)]
pub(super) struct Pages {
    confidence: u8,
}

impl Pages {
    /// Whether a look at the next member's start is likely to pay.
    pub(super) fn are_expected(&self) -> bool {
        self.confidence > 0
    }

    /// Takes note of a record of `bytes` that was inflated; `is_wanted`: the sink took one of its
    /// records.
    pub(super) fn note(&mut self, bytes: usize, is_wanted: bool) {
        if !is_wanted && bytes >= WORTHWHILE_BYTES {
            self.confidence = MAX_CONFIDENCE.min(self.confidence + 1);
        }
    }

    /// Bytes in the file of the member at the start of `rest`, which decodes to `start` and more,
    /// if its record, written like that, may be skipped. `is_end`: the file ends with `rest`.
    pub(super) fn skip<S: RecordSink>(
        &mut self,
        syntax: RecordSyntax,
        start: &[u8],
        rest: &[u8],
        is_end: bool,
        sink: &S,
    ) -> Option<usize> {
        let length = record_length(syntax, start, sink)
            .and_then(|length| member_length(length, rest, is_end));
        self.confidence = if length.is_some() {
            MAX_CONFIDENCE.min(self.confidence + 1)
        } else {
            self.confidence.saturating_sub(1)
        };
        length
    }
}

/// Bytes of the record that begins with `start`, if it may be skipped.
fn record_length<S: RecordSink>(syntax: RecordSyntax, start: &[u8], sink: &S) -> Option<usize> {
    let head = syntax.parse(start).ok()?;
    let length = usize::try_from(head.content_length())
        .ok()?
        .checked_add(head.head_length() + syntax.tail_bytes())?;
    (length >= WORTHWHILE_BYTES && !sink.wants(&head)).then_some(length)
}

/// Bytes of the member at the start of `rest` that holds `length` bytes, if there is one end
/// only that it can have.
fn member_length(length: usize, rest: &[u8], is_end: bool) -> Option<usize> {
    // What cannot be compressed is stored, in blocks with a few bytes of head (RFC 1951 §3.2.4).
    let reach = length.checked_add(length / 4 + HEAD_BYTES)?;
    if reach > rest.len() && !is_end {
        return None;
    }
    let within = &rest[..rest.len().min(reach)];
    #[expect(
        clippy::cast_possible_truncation,
        reason = "ISIZE is the length modulo 2^32"
    )]
    let size = (length as u32).to_le_bytes();
    let is_end_at = |at: &usize| rest[..*at].ends_with(&size);
    let last = (within.len() == rest.len()).then_some(rest.len());
    let mut ends = gzip_candidates(within).chain(last).filter(is_end_at);
    let end = ends.next()?;
    ends.next().is_none().then_some(end)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::{Compression, GzBuilder};

    use super::*;
    use crate::sink::Position;
    use crate::warc::RecordHead;

    fn member(data: &[u8], level: u32) -> Vec<u8> {
        let mut writer = GzBuilder::new().write(Vec::new(), Compression::new(level));
        writer.write_all(data).expect("memory");
        writer.finish().expect("memory")
    }

    fn record(url: &str, block: &[u8]) -> Vec<u8> {
        let mut record = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Length: {}\r\n\r\n",
            block.len()
        )
        .into_bytes();
        record.extend_from_slice(block);
        record.extend_from_slice(b"\r\n\r\n");
        record
    }

    fn skipped(record: &[u8], rest: &[u8], is_end: bool) -> Option<usize> {
        Pages::default().skip(
            RecordSyntax::Warc,
            &record[..1024],
            rest,
            is_end,
            &RobotsTxt,
        )
    }

    #[test]
    fn a_page_ends_where_its_length_says() {
        let page = record("https://a.example/", &vec![b'x'; 20_000]);
        let first = member(&page, 6);
        let other = record("https://b.example/", &vec![b'y'; 30_000]);
        // If a second candidate ends within reach too, it is not clear which end belongs to which.
        let rest = [&first[..], &first, &member(&other, 6), &vec![0; 40_000]].concat();
        assert_eq!(skipped(&page, &rest, false), None);
        let rest = [&first[..], &member(&other, 6), &vec![0; 40_000]].concat();
        assert_eq!(skipped(&page, &rest, false), Some(first.len()));
        assert_eq!(skipped(&page, &rest[..first.len() + 50], false), None);
        assert_eq!(skipped(&page, &first, true), Some(first.len()));
        assert_eq!(skipped(&page, &first[..first.len() - 1], true), None);
    }

    #[test]
    fn captures_and_small_records_are_read() {
        let capture = record("https://a.example/robots.txt", &vec![b'x'; 20_000]);
        assert_eq!(skipped(&capture, &member(&capture, 6), true), None);
        let small = record("https://a.example/", &[b'x'; 2_000]);
        assert_eq!(skipped(&small, &member(&small, 6), true), None);
    }

    /// A sink that wants robots.txt files.
    struct RobotsTxt;

    impl RecordSink for RobotsTxt {
        fn wants(&self, head: &RecordHead<'_>) -> bool {
            head.target_uri()
                .is_some_and(|uri| uri.raw().ends_with(b"/robots.txt"))
        }

        fn record(&mut self, _: Position, _: &RecordHead<'_>, _: &[u8], _: u64) {
            unreachable!("nothing is read");
        }
    }

    /// A page with the bytes of an end and of a capture after it, stored unchanged.
    #[test]
    fn a_page_cannot_pass_for_two_records() {
        let forged = member(&record("https://victim.example/robots.txt", b"x"), 6);
        let mut block = vec![b'x'; 20_000];
        let length = record("https://a.example/", &block).len();
        let size = u32::try_from(length).expect("short").to_le_bytes();
        let payload = [&size[..], &forged].concat();
        block[5_000..5_000 + payload.len()].copy_from_slice(&payload);
        let page = record("https://a.example/", &block);
        assert_eq!(page.len(), length);
        let stored = member(&page, 0);
        assert!(memchr::memmem::find(&stored, &payload).is_some());
        assert_eq!(skipped(&page, &stored, true), None);
    }
}
