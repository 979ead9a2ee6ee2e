//! From the bytes of a body to its lines.

use memchr::{memchr, memchr2};

use super::{Line, LineEnding, LineKind, MAX_LINE_BYTES, trim, trim_end, trim_start};
use crate::key;

/// UTF-8 byte order mark. Any non-empty prefix of it at byte 0 is swallowed.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

/// Calls `visit` with every line of `body`, in order. One pass, linear in the body, without
/// allocation. The caller cuts the body to its size limit. A closure that keeps lines names the
/// body's lifetime: `|line: &Line<'a>| kept.push(*line)`.
///
/// ```
/// use robots_dialects::line::{Line, LineKind, read_lines};
///
/// let mut disallowed = Vec::new();
/// read_lines(b"User-agent: *\nDisalow: /a # misspelt\n", |line: &Line<'_>| {
///     if line.kind == LineKind::Disallow {
///         disallowed.push((line.number, line.value.to_vec(), line.is_typo));
///     }
/// });
/// assert_eq!(disallowed, [(2, b"/a".to_vec(), true)]);
/// ```
pub fn read_lines<'a>(body: &'a [u8], mut visit: impl FnMut(&Line<'a>)) {
    let mut start = byte_order_mark_prefix(body);
    let mut number = 0u32;
    // NULs are rare and comments sparse: looking for them once per body, or once per comment, is
    // cheaper than once per line.
    let body_has_nul = memchr(0, body).is_some();
    let hash_from = |start: usize| memchr(b'#', &body[start..]).map_or(body.len(), |at| start + at);
    let mut next_hash = hash_from(start);
    loop {
        let (text, ending, after) = split_line(&body[start..]);
        number = number.saturating_add(1);
        let kept = &text[..text.len().min(MAX_LINE_BYTES)];
        let nul = if body_has_nul { memchr(0, text) } else { None };
        let read = &kept[..nul.unwrap_or(kept.len()).min(kept.len())];
        if next_hash < start {
            next_hash = hash_from(start);
        }
        let comment = Some(next_hash - start).filter(|at| *at < read.len());

        let mut line = Line {
            number,
            kind: LineKind::Empty,
            key: &[],
            value: &[],
            text,
            has_comment: comment.is_some(),
            is_too_long: text.len() > MAX_LINE_BYTES,
            is_missing_colon: false,
            is_typo: false,
            has_nul: nul.is_some(),
            is_final_empty: ending == LineEnding::None && text.is_empty(),
            ending,
        };
        take_apart(&read[..comment.unwrap_or(read.len())], &mut line);
        visit(&line);

        if ending == LineEnding::None {
            return;
        }
        start += after;
    }
}

/// Bytes of a byte order mark, or of a beginning of one, at the start of `body`.
fn byte_order_mark_prefix(body: &[u8]) -> usize {
    body.iter()
        .zip(BYTE_ORDER_MARK)
        .take_while(|(byte, mark)| **byte == *mark)
        .count()
}

/// Splits the first line off: the line, its ending, and where the next begins.
#[inline]
fn split_line(rest: &[u8]) -> (&[u8], LineEnding, usize) {
    match memchr2(b'\n', b'\r', rest) {
        None => (rest, LineEnding::None, rest.len()),
        Some(end) if rest[end] == b'\n' => (&rest[..end], LineEnding::Lf, end + 1),
        Some(end) if rest.get(end + 1) == Some(&b'\n') => (&rest[..end], LineEnding::Crlf, end + 2),
        Some(end) => (&rest[..end], LineEnding::Cr, end + 1),
    }
}

/// Splits the text before the comment into key and value.
#[inline]
fn take_apart<'a>(content: &'a [u8], line: &mut Line<'a>) {
    let content = trim(content);
    if content.is_empty() {
        if line.has_comment {
            line.kind = LineKind::Comment;
        }
        return;
    }
    line.kind = LineKind::Invalid;
    let separator = match memchr(b':', content) {
        Some(colon) => colon,
        // Some people forget the colon: white space serves in its place if it leaves exactly two
        // words.
        None => match white_separator(content) {
            Some(white) => {
                line.is_missing_colon = true;
                white
            }
            None => return,
        },
    };
    let key = trim_end(&content[..separator]);
    if key.is_empty() {
        return;
    }
    line.key = key;
    line.value = trim_start(&content[separator + 1..]);
    (line.kind, line.is_typo) = key::classify(key);
}

/// Where the first of exactly two words of `content` (trimmed) ends. Only space and tab part words
/// here, although trimming takes other white space too.
fn white_separator(content: &[u8]) -> Option<usize> {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t');
    let separator = memchr2(b' ', b'\t', content)?;
    let second = content[separator..].iter().position(|o| !is_white(o))?;
    let has_third = content[separator + second..].iter().any(is_white);
    (!has_third).then_some(separator)
}
