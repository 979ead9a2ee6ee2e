//! The line reader: bytes of a robots.txt to classified lines.
//!
//! First stage of the flow, shared by every dialect and by the tables. It accepts what
//! Google's open-source parser accepts (RFC 9309 §2.2.4 leaves a crawler free to interpret other
//! records, and §2.3 asks it to parse leniently) and flags each tolerance, so that a strict reading
//! is a filter over the same lines. It pushes lines to a handler and allocates nothing: keys and
//! values are slices of the body.

mod reader;

pub use self::reader::read_lines;
pub use super::key::LineKind;

/// Bytes of one line that are kept; the rest of the line is dropped and the line still used.
/// Google's buffer holds 2083 × 8 bytes including its NUL.
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

/// One line of a robots.txt, borrowed from the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The physical line contains a NUL; the bytes after it are not read.
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
        let name = self.kind.name();
        !self.is_typo && name.is_some_and(|name| self.key.len() == name.len())
    }

    /// Whether a strict reader (RFC 9309 §2.2: name, colon, value) takes this line for the
    /// directive that its kind says.
    #[must_use]
    pub fn is_strict(&self) -> bool {
        !self.is_missing_colon && self.is_exact_key()
    }
}

/// ASCII white space as the parser strips it: including VT and FF, not NBSP.
#[inline]
pub(crate) const fn is_space(byte: u8) -> bool {
    // Most bytes are above both.
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
