//! Skips large records of a gzip archive that the sink does not want, without inflating them.
//!
//! Used by the [split reader](super). The first bytes of a member hold its record's head: type, URL
//! and Content-Length. If the sink does not want the record, only the member's end matters, where
//! the next member begins. A candidate is taken for the next member only if
//!
//! - it is the first one after the member's start, because every intact member is a candidate, and
//!   none may be passed over;
//! - the four bytes before it are the record's length, because a member ends with its uncompressed
//!   length (ISIZE; RFC 1952 §2.3.1); and
//! - that number does not occur elsewhere, as far as the member can reach.
//!
//! The third condition is against forged pages. A page may contain the bytes of such an end and of
//! a record after it, and a crawler's gzip may store them unchanged. But then the member's true
//! end, with the true length before it, is within reach too: pages are skipped only after pages
//! that end so. The condition also notices an end after which the next member has lost its head. If
//! the conditions are not met, the member is inflated like any other.
//!
//! The price: damage inside a skipped record is not noticed, even if it extends into the next
//! member and that member has the same length.

use memchr::memmem;

use crate::container::gzip_candidates;
use crate::syntax::RecordSyntax;
use crate::warc::RecordHead;

/// Records of at least this many bytes cost more to inflate than a look at their start.
pub(super) const WORTHWHILE_BYTES: usize = 8 * 1024;
/// More than the bytes of a gzip head and trailer: names and comments in the head are short.
const HEAD_BYTES: usize = 1024;
/// Unsuccessful looks after which no more pages are expected.
const MAX_CONFIDENCE: u8 = 4;

/// Confidence that pages follow whose members end with their usual length, from the records so far.
/// If a crawl has only small files, looks at the starts of members are wasted.
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

/// Bytes of the record with this head, if it ends as its format requires.
pub(super) fn usual_length(head: &RecordHead<'_>, syntax: RecordSyntax) -> Option<usize> {
    let block = usize::try_from(head.content_length()).ok()?;
    block.checked_add(head.head_length() + syntax.tail_bytes())
}

/// Length in the file of the member at the start of `rest`, whose record has this head, if the
/// record is long and the member can have only one end. `is_end`: the file ends with `rest`.
pub(super) fn page_length(
    head: &RecordHead<'_>,
    syntax: RecordSyntax,
    rest: &[u8],
    is_end: bool,
) -> Option<usize> {
    let length = usual_length(head, syntax)?;
    // Data that cannot be compressed are stored in blocks with short heads (RFC 1951 §3.2.4).
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
    let last = (within.len() == rest.len()).then_some(rest.len());
    // The first candidate is the member itself.
    let end = gzip_candidates(within).nth(1).or(last)?;
    let mut sizes = memmem::find_iter(within, &size).map(|at| at + size.len());
    (sizes.next() == Some(end) && sizes.next().is_none()).then_some(end)
}
