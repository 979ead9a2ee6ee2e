//! Chunked transfer coding.
//!
//! Implements RFC 9112 §7.1: chunk extensions and trailers are skipped. Archives also have
//! LF-only line endings, wrong sizes, truncated last chunks, and decoded bodies under a head that
//! declares them chunked; no bytes are lost in any of these cases.

use memchr::memchr;

use super::issue::{BodyIssue, BodyIssues};

/// The longest chunk-size line (extensions included) that is read, in bytes. Without a bound, a
/// body that is not chunked could be searched to its end for every chunk.
const MAX_SIZE_LINE_BYTES: usize = 16 * 1024;

/// Passes the data of each chunk of a body to `take`. Returns what is wrong with the chunks. Linear
/// in the stored bytes, whatever the sizes.
pub fn for_each_chunk<'a>(stored: &'a [u8], mut take: impl FnMut(&'a [u8])) -> BodyIssues {
    let mut issues = BodyIssues::NONE;
    let mut rest = stored;
    let mut without_size = BodyIssue::NotChunked;
    loop {
        let Some((size, after)) = parse_size_line(rest) else {
            // The rest is taken as it is.
            issues.insert(without_size);
            take(rest);
            break;
        };
        if size == 0 {
            if is_followed_by_data(after) {
                issues.insert(BodyIssue::LengthMismatch);
            }
            break;
        }
        let Some((data, after)) = after.split_at_checked(size) else {
            issues.insert(BodyIssue::TruncatedBody);
            take(after);
            break;
        };
        take(data);
        rest = after_line_end(after).unwrap_or(after);
        if rest.is_empty() || after == b"\r" {
            issues.insert(BodyIssue::TruncatedBody);
            break;
        }
        if rest.len() == after.len() {
            issues.insert(BodyIssue::BadChunk);
            if !is_plausible_chunk(rest) {
                take(rest);
                break;
            }
        }
        without_size = BodyIssue::BadChunk;
    }
    issues
}

/// Whether more than trailer fields follows the last chunk.
fn is_followed_by_data(after: &[u8]) -> bool {
    let mut rest = after;
    while let Some(end) = memchr(b'\n', rest) {
        let is_blank = matches!(&rest[..end], b"" | b"\r");
        rest = &rest[end + 1..];
        if is_blank {
            break;
        }
    }
    rest.len() < after.len() && !rest.is_empty()
}

/// The chunk size in the line at the start of `stored`, and the bytes after the line; `None` if the
/// line has no size.
fn parse_size_line(stored: &[u8]) -> Option<(usize, &[u8])> {
    let window = &stored[..stored.len().min(MAX_SIZE_LINE_BYTES)];
    // The last size line may lack its line end; any other line ends within the window.
    let end = match memchr(b'\n', window) {
        Some(end) => end,
        None if window.len() == stored.len() => stored.len(),
        None => return None,
    };
    let line = window[..end].trim_ascii();
    let is_digit = |byte: &&u8| byte.is_ascii_hexdigit();
    let (digits, extension) = line.split_at(line.iter().take_while(is_digit).count());
    if !matches!(extension.trim_ascii_start(), b"" | [b';', ..]) {
        return None;
    }
    let size = u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?;
    let after = stored.get(end + 1..).unwrap_or_default();
    Some((usize::try_from(size).unwrap_or(usize::MAX), after))
}

/// Whether a chunk begins here although no line end precedes it: some servers omit the line end or
/// count it in the size. Data that merely begins with a hexadecimal digit must not pass, so the
/// chunk has to end at a line end too.
fn is_plausible_chunk(stored: &[u8]) -> bool {
    let chunk = parse_size_line(stored).and_then(|(size, rest)| rest.split_at_checked(size));
    chunk.is_some_and(|(data, after)| {
        matches!(data, [.., b'\n'] | []) || after_line_end(after).is_some()
    })
}

fn after_line_end(bytes: &[u8]) -> Option<&[u8]> {
    bytes
        .strip_prefix(b"\r\n")
        .or_else(|| bytes.strip_prefix(b"\n"))
}
