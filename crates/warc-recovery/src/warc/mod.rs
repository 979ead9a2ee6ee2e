//! The WARC record: its head, borrowed from the mapped file, and how to find the next one after
//! damage.
//!
//! Implements ISO 28500:2017 (WARC 1.1) and reads its forerunners 0.17, 0.18 and 1.0. Every
//! function is pure: a slice in, a value out.

pub mod date;
pub mod fields;
pub mod head;
pub mod record_type;
pub mod resync;

use thiserror::Error;

pub use date::parse_date;
pub use head::{Field, MAX_HEAD_BYTES, RecordHead, Version};
pub use record_type::RecordType;
pub use resync::{RESYNC_OVERLAP_BYTES, begins_record, find_next_head};

/// Why bytes are not a record head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum HeadError {
    /// The input ends before the head does: with more bytes it may become one.
    #[error("the record head is not complete")]
    Incomplete,
    /// No empty line within [`MAX_HEAD_BYTES`].
    #[error("the record head is longer than any that is read")]
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
    #[error("the record's length is not one valid number")]
    BadContentLength,
    /// The version line of another record is inside the head, at this offset.
    #[error("the record head is cut short by another one {0} bytes into it")]
    Interrupted(usize),
}
