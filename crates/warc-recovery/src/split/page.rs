//! Large records of a gzip archive that the sink does not want, skipped without being inflated.
//!
//! Used by the [split reader](super). The first bytes of a member hold its record's head: type, URL
//! and Content-Length. If the sink does not want the record, only the member's end is of interest,
//! and the next member begins there. A candidate is taken for the next member only if
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
use crate::syntax::RecordSyntax;
use crate::warc::RecordHead;

/// Records of at least this many bytes cost more to inflate than a look at their start.
pub(super) const WORTHWHILE_BYTES: usize = 8 * 1024;
/// Bytes of a gzip head and trailer, and more: names and comments in the head are short.
const HEAD_BYTES: usize = 1024;
/// Unsuccessful looks after which no more pages are expected.
const MAX_CONFIDENCE: u8 = 4;

/// Confidence that pages follow, by the records so far: in a crawl of small files alone, a look at
/// the start of a member would be wasted.
#[derive(Default)]
pub(super) struct Pages(u8);

impl Pages {
    pub(super) fn are_expected(&self) -> bool {
        self.0 > 0
    }

    pub(super) fn note(&mut self, is_page: bool) {
        self.0 = if is_page {
            MAX_CONFIDENCE.min(self.0 + 1)
        } else {
            self.0.saturating_sub(1)
        };
    }
}

/// Bytes in the file of the member at the start of `rest` whose record has this head, if it is long
/// and can have only one end. `is_end`: the file ends with `rest`.
pub(super) fn page_length(
    head: &RecordHead<'_>,
    syntax: RecordSyntax,
    rest: &[u8],
    is_end: bool,
) -> Option<usize> {
    let block = usize::try_from(head.content_length()).ok()?;
    let length = block.checked_add(head.head_length() + syntax.tail_bytes())?;
    // What cannot be compressed is stored, in blocks with a few bytes of head (RFC 1951 §3.2.4).
    let reach = length.checked_add(length / 4 + HEAD_BYTES)?;
    if length < WORTHWHILE_BYTES || reach > rest.len() && !is_end {
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
