//! The line reader: bytes of a robots.txt to classified lines.
//!
//! First stage of the `robots` flow, shared by every dialect and by the tables. It accepts what
//! Google's open-source parser accepts (RFC 9309 §2.2.4 leaves a crawler free to interpret other
//! records, and §2.3 asks it to parse leniently) and flags each tolerance, so that a strict reading
//! is a filter over the same lines. It pushes lines to a handler and allocates nothing: keys and
//! values are slices of the body.

use memchr::{memchr, memchr2};

use super::key;
pub use super::key::LineKind;

/// Bytes of one line that are kept; the rest of the line is dropped and the line still used.
/// Google's buffer holds 2083 × 8 bytes including its NUL.
pub const MAX_LINE_BYTES: usize = 16_663;

/// UTF-8 byte order mark. Any non-empty prefix of it at byte 0 is swallowed.
const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

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

/// One line of a robots.txt, borrowed from the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent observations about one line, as the parser's event metadata has them"
)]
pub struct Line<'a> {
    /// Line number, from 1.
    pub number: u32,
    /// What the line is.
    pub kind: LineKind,
    /// The key as written, without surrounding white space; empty unless the line is a directive.
    pub key: &'a [u8],
    /// The value without surrounding white space, not escaped or decoded; empty unless the line is
    /// a directive.
    pub value: &'a [u8],
    /// The physical line, uncut, without its ending and without a swallowed byte order mark.
    pub text: &'a [u8],
    /// A `#` stands within the bytes that are read.
    pub has_comment: bool,
    /// The physical line is longer than [`MAX_LINE_BYTES`].
    pub is_too_long: bool,
    /// White space separates key and value in place of a colon.
    pub is_missing_colon: bool,
    /// The key is one of the misspellings that Google's parser accepts.
    pub is_typo: bool,
    /// A NUL stands in the physical line; what follows it is not read.
    pub has_nul: bool,
    /// The empty line that Google's parser reports after a final line ending or for an empty body.
    /// Counters of lines leave it out.
    pub is_final_empty: bool,
    /// What ended the line.
    pub ending: LineEnding,
}

impl Line<'_> {
    /// Whether the key is exactly the name that the RFC (or, for `sitemap`, the sitemaps protocol)
    /// gives it, ignoring case.
    #[must_use]
    pub fn is_exact_key(&self) -> bool {
        // The kind says that the key begins with its name, or with an accepted misspelling.
        !self.is_typo
            && self
                .kind
                .name()
                .is_some_and(|name| self.key.len() == name.len())
    }

    /// Whether a strict reader (RFC 9309 §2.2: name, colon, value) takes this line for the
    /// directive that its kind says.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        !self.is_missing_colon && self.is_exact_key()
    }
}

/// Receives the lines of a body in order. Closures are handlers too; one that keeps lines names the
/// body's lifetime: `|line: &Line<'a>| kept.push(*line)`.
pub trait LineHandler<'a> {
    /// Whether a line that begins with anything but a letter is taken apart too. No directive that
    /// anyone knows is named so, but markup begins so, of which most lines of a crawl consist: to a
    /// handler that does without, such a line is [`LineKind::Invalid`], whether it has a colon or
    /// not.
    const READS_MARKUP: bool = true;

    /// Called once per line.
    fn line(&mut self, line: &Line<'a>);
}

impl<'a, F: FnMut(&Line<'a>)> LineHandler<'a> for F {
    #[inline]
    fn line(&mut self, line: &Line<'a>) {
        self(line);
    }
}

/// Reads every line of `body` and pushes it to `handler`. One pass, linear in the body, without
/// allocation. The caller cuts the body to its size limit.
///
/// ```
/// use robots_dialects::line::{Line, LineKind, read_lines};
///
/// let mut disallowed = Vec::new();
/// read_lines(b"User-agent: *\nDisalow: /a # misspelt\n", &mut |line: &Line<'_>| {
///     if line.kind == LineKind::Disallow {
///         disallowed.push((line.number, line.value.to_vec(), line.is_typo));
///     }
/// });
/// assert_eq!(disallowed, [(2, b"/a".to_vec(), true)]);
/// ```
pub fn read_lines<'a, H: LineHandler<'a>>(body: &'a [u8], handler: &mut H) {
    let mut rest = &body[byte_order_mark_prefix(body)..];
    let mut number = 0u32;
    // NULs are rare and comments sparse: looking for them once per body, or once per comment, is
    // cheaper than once per line.
    let body_has_nul = memchr(0, rest).is_some();
    let mut hash = NextByte::new(b'#');
    loop {
        let (text, ending, after) = split_line(rest);
        number = number.saturating_add(1);
        let kept = &text[..text.len().min(MAX_LINE_BYTES)];
        let nul = if body_has_nul { memchr(0, text) } else { None };
        let read = &kept[..nul.unwrap_or(kept.len()).min(kept.len())];
        let comment = hash.within(rest, read.len());

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
            is_final_empty: text.is_empty() && ending == LineEnding::None,
            ending,
        };
        take_apart::<H>(&read[..comment.unwrap_or(read.len())], &mut line);
        handler.line(&line);

        if ending == LineEnding::None {
            return;
        }
        hash.advance(after);
        rest = &rest[after..];
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

/// Finds the next occurrence of one byte lazily while the reader moves on, so that a body without
/// it is searched once.
struct NextByte {
    byte: u8,
    /// Distance from the reader's position; `None` until searched.
    next: Option<usize>,
}

impl NextByte {
    const fn new(byte: u8) -> Self {
        Self { byte, next: None }
    }

    /// The first occurrence among the first `length` bytes of `rest`, where `rest` runs from the
    /// reader's position to the end of the body.
    #[inline]
    fn within(&mut self, rest: &[u8], length: usize) -> Option<usize> {
        let next = match self.next {
            Some(next) => next,
            None => *self
                .next
                .insert(memchr(self.byte, rest).unwrap_or(usize::MAX)),
        };
        (next < length).then_some(next)
    }

    /// The reader moves on by `bytes`.
    #[inline]
    fn advance(&mut self, bytes: usize) {
        self.next = match self.next {
            Some(usize::MAX) => Some(usize::MAX),
            Some(next) => next.checked_sub(bytes),
            None => None,
        };
    }
}

/// Takes what stands before the comment apart into key and value.
#[inline]
fn take_apart<'a, H: LineHandler<'a>>(content: &'a [u8], line: &mut Line<'a>) {
    let content = trim_start(content);
    let Some(first) = content.first() else {
        if line.has_comment {
            line.kind = LineKind::Comment;
        }
        return;
    };
    line.kind = LineKind::Invalid;
    if !H::READS_MARKUP && !first.is_ascii_alphabetic() {
        return;
    }
    let content = trim_end(content);
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

/// ASCII white space as the parser strips it: including VT and FF, not NBSP.
#[inline]
pub(crate) const fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// `text` without ASCII white space at either end.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

#[inline]
fn trim_start(mut text: &[u8]) -> &[u8] {
    // Lines of pages that came for a robots.txt are indented, by many blanks.
    while let Some((b"        ", rest)) = text.split_first_chunk() {
        text = rest;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn lines<'a>(body: &'a [u8]) -> Vec<Line<'a>> {
        let mut lines = Vec::new();
        read_lines(body, &mut |line: &Line<'a>| lines.push(*line));
        lines
    }

    fn kinds(body: &[u8]) -> Vec<LineKind> {
        lines(body).iter().map(|line| line.kind).collect()
    }

    fn only(body: &[u8]) -> Line<'_> {
        let all = lines(body);
        assert_eq!(all.len(), 1, "{body:?}");
        all[0]
    }

    #[test]
    fn an_empty_body_is_one_empty_line() {
        let line = only(b"");
        assert_eq!(line.kind, LineKind::Empty);
        assert!(line.is_final_empty);
        assert_eq!(line.number, 1);
        assert_eq!(line.ending, LineEnding::None);
    }

    #[test]
    fn line_endings_mix_freely() {
        let endings: Vec<_> = lines(b"a:1\nb:2\r\nc:3\rd:4")
            .iter()
            .map(|line| (line.number, line.key, line.ending))
            .collect();
        let expected: [(u32, &[u8], LineEnding); 4] = [
            (1, b"a", LineEnding::Lf),
            (2, b"b", LineEnding::Crlf),
            (3, b"c", LineEnding::Cr),
            (4, b"d", LineEnding::None),
        ];
        assert_eq!(endings, expected);
    }

    #[test]
    fn lfcr_and_crcrlf_make_an_extra_line() {
        assert_eq!(lines(b"a:1\n\rb:2").len(), 3);
        assert_eq!(lines(b"a:1\r\r\nb:2").len(), 3);
        assert_eq!(lines(b"a:1\r\n\r\nb:2").len(), 3);
    }

    #[test]
    fn final_line_ending_leaves_a_final_empty_line() {
        let all = lines(b"allow: /\n");
        assert_eq!(all.len(), 2);
        assert!(!all[0].is_final_empty && all[1].is_final_empty);
        assert!(!lines(b"a:1\n ")[1].is_final_empty);
    }

    #[test]
    fn prefixes_of_a_byte_order_mark_are_swallowed_once() {
        for mark in [&b"\xEF"[..], b"\xEF\xBB", b"\xEF\xBB\xBF"] {
            let body = [mark, b"allow: /"].concat();
            assert_eq!(kinds(&body), [LineKind::Allow]);
        }
        assert_eq!(
            kinds(b"\xEF\xBB\xBF\xEF\xBB\xBFallow: /"),
            [LineKind::Other]
        );
        assert_eq!(kinds(b"\xEF\xBF\xBBallow: /"), [LineKind::Other]);
    }

    #[test]
    fn nul_cuts_its_line() {
        let line = only(b"disallow: /a\0b # c");
        assert_eq!(line.value, b"/a");
        assert!(line.has_nul && !line.has_comment);
        assert_eq!(line.text, b"disallow: /a\0b # c");
        assert_eq!(kinds(b"\0allow: /"), [LineKind::Empty]);
        // UTF-16 without a byte order mark: a letter, then NUL.
        assert_eq!(kinds(b"U\0s\0e\0r\0"), [LineKind::Invalid]);
    }

    #[test]
    fn a_comment_is_found_before_the_colon() {
        assert_eq!(only(b"allow # : /").kind, LineKind::Invalid);
        assert_eq!(only(b" # allow: /").kind, LineKind::Comment);
        let line = only(b"allow: /a#b");
        assert_eq!((line.value, line.has_comment), (&b"/a"[..], true));
        let all = lines(b"#\nallow: /\n# x # y\nallow: / # z");
        let comments: Vec<_> = all.iter().map(|line| line.has_comment).collect();
        assert_eq!(comments, [true, false, true, true]);
    }

    #[test]
    fn white_space_separates_exactly_two_words() {
        let line = only(b"Disallow /x");
        assert_eq!((line.kind, line.value), (LineKind::Disallow, &b"/x"[..]));
        assert!(line.is_missing_colon && !line.is_strict());
        assert_eq!(only(b"Disallow \t /x").value, b"/x");
        assert_eq!(only(b"user agent foo").kind, LineKind::Invalid);
        assert_eq!(only(b"Disallow /x y").kind, LineKind::Invalid);
        // VT is stripped but separates nothing.
        assert_eq!(only(b"Disallow\x0B/x").kind, LineKind::Invalid);
        let line = only(b"Disallow /a:b");
        assert_eq!((line.kind, line.value), (LineKind::Disallow, &b"b"[..]));
        assert_eq!(line.key, b"Disallow /a");
        assert!(!line.is_exact_key());
    }

    #[test]
    fn a_colon_without_a_key_is_invalid() {
        assert_eq!(
            kinds(b":\n : /x\n"),
            [LineKind::Invalid, LineKind::Invalid, LineKind::Empty]
        );
    }

    #[test]
    fn ascii_white_space_is_stripped_and_nothing_else() {
        let line = only(b"\x0B allow\x0C: \t/a\x0B");
        assert_eq!((line.key, line.value), (&b"allow"[..], &b"/a"[..]));
        assert_eq!(only(b"allow: /a\xC2\xA0").value, b"/a\xC2\xA0");
        // NEL ends no line.
        assert_eq!(lines(b"allow: /a\xC2\x85b").len(), 1);
    }

    #[test]
    fn bytes_past_the_line_limit_are_dropped() {
        let mut body = b"disallow: /".to_vec();
        body.resize(MAX_LINE_BYTES, b'a');
        assert!(!only(&body).is_too_long);
        body.extend_from_slice(b"b#c");
        let line = only(&body);
        assert!(line.is_too_long && !line.has_comment);
        assert_eq!(line.value.len(), MAX_LINE_BYTES - "disallow: ".len());
        assert_eq!(line.text.len(), body.len());
        // Leading white space counts.
        let mut body = vec![b' '; MAX_LINE_BYTES];
        body.extend_from_slice(b"disallow: /");
        assert_eq!(only(&body).kind, LineKind::Empty);
    }
}
