//! The syntax of a file's records, WARC or its ancestor ARC, and where a record ends after its
//! block.
//!
//! Two CRLFs end a WARC record (ISO 28500:2017 §4). Some writers count them in `Content-Length`,
//! some write fewer, and some pad with NUL bytes; the record loses nothing.

use crate::arc;
use crate::warc::{self, HeadError, RESYNC_OVERLAP_BYTES, RecordHead};

/// How the records of a file are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordSyntax {
    /// [WARC](crate::warc), ISO 28500.
    #[default]
    Warc,
    /// [ARC](crate::arc), versions 1 and 2.
    Arc,
}

impl RecordSyntax {
    /// The name of the format.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Warc => "WARC",
            Self::Arc => "ARC",
        }
    }

    /// Reads the head at the start of `input`.
    ///
    /// # Errors
    ///
    /// See [`RecordHead::parse`] and [`arc::parse`].
    pub fn parse(self, input: &[u8]) -> Result<RecordHead<'_>, HeadError> {
        match self {
            Self::Warc => RecordHead::parse(input),
            Self::Arc => arc::parse(input),
        }
    }

    /// Whether `bytes` begin as a record does.
    #[must_use]
    pub fn begins_record(self, bytes: &[u8]) -> bool {
        match self {
            Self::Warc => warc::begins_record(bytes),
            Self::Arc => arc::begins_record(bytes),
        }
    }

    /// Offset of the next plausible head at or after `from`.
    #[must_use]
    pub fn find_next_head(self, bytes: &[u8], from: usize) -> Option<usize> {
        match self {
            Self::Warc => warc::find_next_head(bytes, from),
            Self::Arc => arc::find_next_head(bytes, from),
        }
    }

    /// Bytes that always suffice to tell whether a record begins with them.
    pub(crate) fn start_bytes(self) -> usize {
        match self {
            Self::Warc => b"WARC/".len(),
            Self::Arc => arc::MAX_URL_RECORD_BYTES,
        }
    }

    /// Whether `bytes` suffice to tell whether a record begins with them.
    pub(crate) fn is_conclusive(self, bytes: &[u8]) -> bool {
        bytes.len() >= self.start_bytes() || self == Self::Arc && arc::is_conclusive(bytes)
    }

    /// Bytes at the end of a window that may hold a head that cannot be judged yet.
    pub(crate) fn overlap_bytes(self) -> usize {
        match self {
            Self::Warc => RESYNC_OVERLAP_BYTES,
            Self::Arc => arc::MAX_URL_RECORD_BYTES,
        }
    }

    /// Bytes of the line endings that should follow a block.
    pub(crate) fn tail_bytes(self) -> usize {
        match self {
            Self::Warc => b"\r\n\r\n".len(),
            Self::Arc => b"\n".len(),
        }
    }

    /// Whether line endings after a block are as many as the format requires.
    pub(crate) fn are_enough(self, line_ends: &[u8]) -> bool {
        match (self, line_ends) {
            (Self::Warc, [b'\r', b'\n', b'\r', b'\n', ..] | [b'\n', b'\n', ..]) => true,
            (Self::Warc, _) => false,
            (Self::Arc, line_ends) => matches!(line_ends, [b'\n', ..] | [b'\r', b'\n', ..]),
        }
    }

    /// Whether a record ends after its `block` and `line_ends`, given the bytes that follow. As
    /// many line endings as the format requires suffice; after fewer, another record or the end of
    /// the data must follow, possibly after NUL bytes.
    ///
    /// `follows` is empty only at the end of the data. A record that ends as it should is intact,
    /// even if damage follows it. But the one line end of ARC also ends every line of a block: a
    /// URL record must follow, or the response must have its declared length.
    pub(crate) fn is_record_end(self, block: &[u8], line_ends: &[u8], follows: &[u8]) -> bool {
        if self == Self::Warc && self.are_enough(line_ends) {
            return true;
        }
        let next = &follows[padding_length(follows)..];
        next.is_empty()
            || self.begins_record(next)
            || self == Self::Arc
                && self.are_enough(line_ends)
                && (arc::resembles_record(next) || arc::is_whole_response(block))
    }
}

/// Bytes of line endings at the start of `bytes`.
pub(crate) fn line_ends_length(bytes: &[u8]) -> usize {
    let is_line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(is_line_end).count()
}

/// Bytes of padding at the start of `bytes`: NUL bytes, and line endings after them.
pub(crate) fn padding_length(bytes: &[u8]) -> usize {
    if bytes.first() != Some(&0) {
        return 0;
    }
    let is_padding = |byte: &&u8| matches!(byte, 0 | b'\r' | b'\n');
    bytes.iter().take_while(is_padding).count()
}
