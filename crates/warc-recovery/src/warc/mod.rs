//! The WARC record: its head, borrowed from the mapped file, and how to find the next one after
//! damage.
//!
//! Implements ISO 28500:2017 (WARC 1.1) and reads its forerunners 0.17, 0.18 and 1.0. Every
//! function is pure: a slice in, a value out.

pub mod date;
pub mod head;
pub mod resync;

use thiserror::Error;

use crate::header_fields::{FieldLine, FieldLines, FieldValue};
use crate::names::names;

pub use date::parse_date;
pub use head::{Field, MAX_HEAD_BYTES, RecordHead, Version};
pub use resync::{RESYNC_OVERLAP_BYTES, begins_record, find_next_head};

names! {
    /// The kinds of record, ISO 28500:2017 §6.
    pub enum RecordType {
        /// Describes the file: its crawl and software.
        Warcinfo = "warcinfo",
        /// A complete response, with the protocol's own head.
        Response = "response",
        /// A resource without protocol head (files, FTP, crawler output).
        Resource = "resource",
        /// A complete request.
        Request = "request",
        /// Information about another record.
        Metadata = "metadata",
        /// A capture whose content is the same as an earlier one's.
        Revisit = "revisit",
        /// Another form of a record's content, such as extracted text.
        Conversion = "conversion",
        /// A further segment of a segmented record.
        Continuation = "continuation",
        /// Any other type, or none.
        Other = "other",
    }
}

/// The label of the crawl that a file belongs to, from the block of its warcinfo record
/// (`isPartOf`); `None` if it is missing or empty. Common Crawl and Heritrix both write it, and
/// some writers put blank lines between the fields.
#[must_use]
pub fn is_part_of(block: &[u8]) -> Option<FieldValue<'_>> {
    FieldLines::new(block, 0)
        .find_map(|line| match line {
            FieldLine::Field(name, label) if name.eq_ignore_ascii_case(b"ispartof") => Some(label),
            _ => None,
        })
        .filter(|label| !label.raw().is_empty())
}

/// Why bytes are not a record head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HeadError {
    /// The input ends before the head does; more bytes may complete it.
    #[error("the record head is not complete")]
    Incomplete,
    /// No empty line within [`MAX_HEAD_BYTES`].
    #[error("the record head is too long")]
    TooLong,
    /// The input does not begin with `WARC/` (in any case).
    #[error("no record head: it does not begin with WARC/")]
    NotWarc,
    /// The input does not begin with a [URL record](crate::arc).
    #[error("no URL record: URL, IP address, date, content type and length, with spaces between")]
    NotUrlRecord,
    /// `WARC/` is not followed by a version number and a line end.
    #[error("the version line is not WARC/ and a number")]
    BadVersion,
    /// There is no `Content-Length`, so the block has no end.
    #[error("the record head has no Content-Length")]
    MissingContentLength,
    /// `Content-Length` is not a number of 64 bits, or it is repeated with different values.
    #[error("the record's length is not a single valid number")]
    BadContentLength,
    /// The version line of another record is inside the head, at this offset.
    #[error("the record head is cut short by another one {0} bytes into it")]
    Interrupted(usize),
}
