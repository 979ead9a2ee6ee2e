//! The line reader: bytes of a robots.txt to classified lines.
//!
//! It accepts what Google's open-source parser accepts (RFC 9309 §2.2.4 leaves a crawler free to
//! interpret other records, and §2.3 asks it to parse leniently) and flags each tolerance, so that
//! a strict reading is a filter over the same lines. Keys and values are slices of the body.

use memchr::{memchr, memchr2};

use super::key;
pub use super::key::LineKind;

/// Bytes kept of a line; the rest is dropped, and the line is still used. Google's buffer holds
/// 2083 × 8 bytes including its NUL.
pub const MAX_LINE_BYTES: usize = 16_663;

/// The bytes that end a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// Line feed.
    Lf,
    /// Carriage return and line feed.
    Crlf,
    /// Carriage return alone.
    Cr,
    /// The body ends here.
    None,
}

/// Which line endings occur in a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineEndings {
    lf: bool,
    crlf: bool,
    cr: bool,
}

impl LineEndings {
    /// Records an ending.
    #[inline]
    pub fn add(&mut self, ending: LineEnding) {
        match ending {
            LineEnding::Lf => self.lf = true,
            LineEnding::Crlf => self.crlf = true,
            LineEnding::Cr => self.cr = true,
            LineEnding::None => {}
        }
    }

    /// The stable name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match (self.lf, self.crlf, self.cr) {
            (false, false, false) => "none",
            (true, false, false) => "lf",
            (false, true, false) => "crlf",
            (false, false, true) => "cr",
            _ => "mixed",
        }
    }
}

/// One line of a robots.txt, borrowed from the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: u32,
    /// What the line is.
    pub kind: LineKind,
    /// The key as written, without surrounding white space; empty unless the line is a directive.
    pub key: &'a [u8],
    /// The value, likewise, not escaped or decoded.
    pub value: &'a [u8],
    /// The physical line, uncut, without its ending and without a swallowed byte order mark.
    pub text: &'a [u8],
    /// There is a `#` within the bytes that are read.
    pub has_comment: bool,
    /// The physical line is longer than [`MAX_LINE_BYTES`].
    pub is_too_long: bool,
    /// White space separates key and value in place of a colon.
    pub is_missing_colon: bool,
    /// The key is one of the misspellings that Google's parser accepts.
    pub is_typo: bool,
    /// The physical line contains a NUL; the bytes after it are not read.
    pub has_nul: bool,
    /// The empty line that Google's parser reports after a final line ending or for an empty body.
    /// Counters of lines leave it out.
    pub is_final_empty: bool,
    /// What ended the line.
    pub ending: LineEnding,
}

impl Line<'_> {
    /// Whether the key is exactly the [name](LineKind::name) of its kind, ignoring case.
    #[must_use]
    pub fn is_exact_key(&self) -> bool {
        // The kind says that the key begins with its name, or with an accepted misspelling.
        let name = self.kind.name();
        !self.is_typo && name.is_some_and(|name| self.key.len() == name.len())
    }

    /// Whether a strict reader (RFC 9309 §2.2: name, colon, value) takes this line for the
    /// directive of its kind.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        !self.is_missing_colon && self.is_exact_key()
    }
}

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

/// Bytes of a UTF-8 byte order mark at the start of `body`: even a part of it is swallowed.
fn byte_order_mark_prefix(body: &[u8]) -> usize {
    body.iter()
        .zip(b"\xef\xbb\xbf")
        .take_while(|(byte, mark)| byte == mark)
        .count()
}

/// Splits off the first line. Returns the line, its ending, and where the next line begins.
#[inline]
fn split_line(rest: &[u8]) -> (&[u8], LineEnding, usize) {
    match memchr2(b'\n', b'\r', rest) {
        None => (rest, LineEnding::None, rest.len()),
        Some(end) if rest[end] == b'\n' => (&rest[..end], LineEnding::Lf, end + 1),
        Some(end) if rest.get(end + 1) == Some(&b'\n') => (&rest[..end], LineEnding::Crlf, end + 2),
        Some(end) => (&rest[..end], LineEnding::Cr, end + 1),
    }
}

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
        // White space serves in place of the colon if it leaves exactly two words.
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

/// Where the first of exactly two words of `content` (trimmed) ends. Only space and tab separate
/// words here, although trimming takes other white space too.
fn white_separator(content: &[u8]) -> Option<usize> {
    let is_white = |byte: &u8| matches!(byte, b' ' | b'\t');
    let separator = memchr2(b' ', b'\t', content)?;
    let second = content[separator..].iter().position(|o| !is_white(o))?;
    let has_third = content[separator + second..].iter().any(is_white);
    (!has_third).then_some(separator)
}

/// ASCII white space as the parser strips it: including VT and FF, not NBSP.
#[inline]
pub(crate) const fn is_space(byte: u8) -> bool {
    // Most bytes are greater than all of these.
    byte <= b' ' && matches!(byte, b' ' | b'\t'..=b'\r')
}

#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

#[inline]
fn trim_start(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    text
}

#[inline]
fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., last] = text
        && is_space(*last)
    {
        text = rest;
    }
    text
}
