//! The record that begins inside a head that cannot be read.

use memchr::memchr;

use crate::header_fields::{FieldLine, FieldLines};
use crate::warc::{HeadError, MAX_HEAD_BYTES, RESYNC_OVERLAP_BYTES, find_next_head};

/// Bytes searched at a time for the last head within a bad one.
const SEARCH_BYTES: usize = 4096;

/// The last head that begins in the middle of a line of the head at the start of `bytes`, which
/// cannot be read: a record was cut short there. If there are several, only the last has an end of
/// its own. Trying each of them would take time quadratic in the head's length, which the file's
/// author chooses.
pub(super) fn last_head_within(bytes: &[u8], error: HeadError) -> Option<usize> {
    let end = match error {
        HeadError::Interrupted(at) => at + 1,
        HeadError::TooLong => MAX_HEAD_BYTES,
        HeadError::MissingContentLength | HeadError::BadContentLength => {
            let mut lines = FieldLines::new(bytes, memchr(b'\n', bytes)? + 1);
            lines.find(|line| matches!(line, FieldLine::Blank));
            lines.position()
        }
        HeadError::Incomplete
        | HeadError::NotWarc
        | HeadError::NotUrlRecord
        | HeadError::BadVersion => return None,
    };
    // From the end backwards, so that no byte is searched more than once.
    let mut high = end.min(bytes.len());
    while high > 1 {
        let low = high.saturating_sub(SEARCH_BYTES).max(1);
        let window = &bytes[..bytes.len().min(high + RESYNC_OVERLAP_BYTES)];
        let (mut last, mut from) = (None, low);
        while let Some(at) = find_next_head(window, from).filter(|at| *at < high) {
            (last, from) = (Some(at), at + 1);
        }
        if last.is_some() {
            return last;
        }
        high = low;
    }
    None
}
