//! Finding the next record after damage.
//!
//! WARC has no synchronisation mark: records are only chained by `Content-Length` (ISO 28500:2017
//! §4). If the chain is broken, the next record begins where a named field follows a version line.
//! That is a guess: a whole record in the block of a record that was cut off looks the same.

use memchr::{memchr, memmem};

use super::head::{HeadError, MAX_HEAD_BYTES, parse_version};
use crate::header_fields::{FieldLine, FieldLines, strip_prefix};

/// The longest name of a first field that is plausible.
const MAX_FIELD_NAME_BYTES: usize = 64;
const MAX_VERSION_LINE_BYTES: usize = 32;
/// Bytes searched at a time for the last head within a bad one.
const SEARCH_BYTES: usize = 4096;

/// How many bytes before the end of a window may hold a head whose plausibility cannot be judged
/// yet. The next window must begin this far back.
pub const RESYNC_OVERLAP_BYTES: usize = MAX_VERSION_LINE_BYTES + MAX_FIELD_NAME_BYTES + 8;

/// Whether `bytes` begin as a record does: `WARC/`, which a few writers write in lower case.
#[must_use]
pub fn begins_record(bytes: &[u8]) -> bool {
    strip_prefix(bytes, b"WARC/").is_some()
}

/// Offset of the next plausible record head at or after `from`.
///
/// A head is plausible where `WARC/`, a version number and a line end are followed by a line that
/// begins with a field name and a colon. The head should be at the start of a line (or of `bytes`);
/// in the middle of a line, where a truncated block runs into the next record, only a field name
/// that begins with `WARC-` or `Content-` is accepted. Linear in `bytes`.
#[must_use]
pub fn find_next_head(bytes: &[u8], from: usize) -> Option<usize> {
    let haystack = bytes.get(from..)?;
    // Nearly all files write the word in capitals, so the second search runs over the haystack once
    // and rarely stops.
    let mut capitals = memmem::find_iter(haystack, b"WARC/").peekable();
    let mut small = memmem::find_iter(haystack, b"warc/").peekable();
    std::iter::from_fn(|| match (capitals.peek(), small.peek()) {
        (Some(one), Some(other)) if other < one => small.next(),
        (Some(_), _) => capitals.next(),
        (None, _) => small.next(),
    })
    .map(|at| from + at)
    .find(|&at| is_plausible_head(bytes, at))
}

fn is_plausible_head(bytes: &[u8], at: usize) -> bool {
    let is_line_start = at == 0 || bytes[at - 1] == b'\n';
    first_field_name(&bytes[at..]).is_some_and(|name| {
        is_line_start
            || strip_prefix(name, b"warc-").is_some()
            || strip_prefix(name, b"content-").is_some()
    })
}

/// The name of the field that follows a version line at the start of `bytes`.
fn first_field_name(bytes: &[u8]) -> Option<&[u8]> {
    let version_end = memchr(b'\n', &bytes[..bytes.len().min(MAX_VERSION_LINE_BYTES)])?;
    parse_version(&bytes[..version_end])?;
    let line = &bytes[version_end + 1..];
    let colon = memchr(b':', &line[..line.len().min(MAX_FIELD_NAME_BYTES + 1)])?;
    let name = line[..colon].trim_ascii_end();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    (!name.is_empty() && name.iter().all(is_of_name)).then_some(name)
}

/// The last head that begins within a line of the unreadable head at the start of `bytes`: a record
/// was cut short there. Of several heads, only the last can be complete. To try each of them would
/// take time quadratic in the head's length, which the file's author chooses.
pub(crate) fn last_head_within(bytes: &[u8], error: HeadError) -> Option<usize> {
    let end = match error {
        HeadError::Interrupted(at) => at + 1,
        HeadError::TooLong => MAX_HEAD_BYTES,
        HeadError::MissingContentLength | HeadError::BadContentLength => {
            let mut lines = FieldLines::new(bytes, memchr(b'\n', bytes)? + 1);
            lines.find(|line| matches!(line, FieldLine::Blank));
            lines.position()
        }
        _ => return None,
    };
    // From the end backwards, so that no byte is searched more than once.
    let mut high = end.min(bytes.len());
    while high > 1 {
        let low = high.saturating_sub(SEARCH_BYTES).max(1);
        let window = &bytes[..bytes.len().min(high + RESYNC_OVERLAP_BYTES)];
        let next = |from| find_next_head(window, from).filter(|at| *at < high);
        if let Some(last) = std::iter::successors(next(low), |at| next(at + 1)).last() {
            return Some(last);
        }
        high = low;
    }
    None
}
