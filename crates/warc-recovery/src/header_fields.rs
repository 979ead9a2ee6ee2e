//! `name: value` lines, the common syntax of WARC heads, `application/warc-fields` blocks and HTTP
//! heads.
//!
//! Implements ISO 28500:2017 (WARC 1.1) §4 ("named fields", with the grammar of RFC 2822) and RFC
//! 9112 §2.2 and §5, read tolerantly: a line may end in CRLF or LF alone, white space may precede
//! the colon, and a line that begins with a space or a tab continues the line before it
//! (`obs-fold`). Values are bytes, which in practice need not be UTF-8.

use std::borrow::Cow;

use memchr::memchr;

/// The value of one field as written in the head: white space around it trimmed, folds kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldValue<'a>(&'a [u8]);

impl<'a> FieldValue<'a> {
    /// A value from bytes; white space around them (line endings included) is trimmed.
    #[must_use]
    #[inline]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes.trim_ascii())
    }

    /// The bytes as stored. A folded value still has its line endings.
    #[must_use]
    pub fn raw(self) -> &'a [u8] {
        self.0
    }

    /// The value on one line: a fold, with the white space around it, becomes a space (RFC 9112
    /// §5.2).
    #[must_use]
    pub fn unfolded(self) -> Cow<'a, [u8]> {
        if memchr(b'\n', self.0).is_none() {
            return Cow::Borrowed(self.0);
        }
        let lines = self.0.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
        let lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
        Cow::Owned(lines.join(&b' '))
    }

    /// The value as text on one line; bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn to_text(self) -> Cow<'a, str> {
        match self.unfolded() {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        }
    }

    /// The value without angle brackets: WARC 1.0 puts them around record ids, some writers around
    /// target URIs.
    pub(crate) fn without_angle_brackets(self) -> Self {
        match self.0 {
            [b'<', inner @ .., b'>'] => Self(inner.trim_ascii()),
            _ => self,
        }
    }

    /// The value as a decimal number: digits only, no sign, within `u64`.
    #[must_use]
    pub fn to_u64(self) -> Option<u64> {
        parse_decimal(self.0)
    }
}

/// A decimal number of digits only: no sign, no white space, no overflow.
pub(crate) fn parse_decimal(digits: &[u8]) -> Option<u64> {
    let are_digits = digits.iter().all(u8::is_ascii_digit);
    let text = str::from_utf8(digits).ok().filter(|_| are_digits)?;
    text.parse().ok()
}

/// The bytes after `prefix`, if `bytes` begins with it, in any case.
pub(crate) fn strip_prefix<'a>(bytes: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (start, rest) = bytes.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

pub(crate) fn values_of<'a>(
    fields: &[(&'a [u8], FieldValue<'a>)],
    name: &str,
) -> impl Iterator<Item = FieldValue<'a>> {
    let has_name = |(found, _): &&(&[u8], _)| found.eq_ignore_ascii_case(name.as_bytes());
    fields.iter().filter(has_name).map(|(_, value)| *value)
}

/// One logical line (folds included) of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldLine<'a> {
    /// `name: value`. The name is as written, trimmed, never empty.
    Field(&'a [u8], FieldValue<'a>),
    /// The empty line that ends a head.
    Blank,
    /// Anything else: no colon, no name, or a continuation without a line before it.
    Malformed(&'a [u8]),
}

/// Walks the lines of a head, with folds joined to the lines that they continue. The last line
/// needs no line end. A blank line does not end the walk.
#[derive(Clone, Debug)]
pub struct FieldLines<'a> {
    bytes: &'a [u8],
    /// The end of `bytes` that has not been walked over.
    rest: &'a [u8],
}

impl<'a> FieldLines<'a> {
    /// A walk that starts at `position`, which is the start of a line.
    #[must_use]
    pub fn new(bytes: &'a [u8], position: usize) -> Self {
        let rest = bytes.get(position..).unwrap_or_default();
        Self { bytes, rest }
    }

    /// Offset of the first byte that has not been walked over.
    #[must_use]
    pub fn position(&self) -> usize {
        self.bytes.len() - self.rest.len()
    }

    /// The next physical line, without its line end; `None` at the end.
    #[inline]
    pub fn next_line(&mut self) -> Option<&'a [u8]> {
        let (line, rest) = match memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None if self.rest.is_empty() => return None,
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        let ([line @ .., b'\r'] | line) = line;
        Some(line)
    }
}

impl<'a> Iterator for FieldLines<'a> {
    type Item = FieldLine<'a>;

    #[inline]
    fn next(&mut self) -> Option<FieldLine<'a>> {
        let bytes = self.rest;
        let first = self.next_line()?;
        if first.is_empty() {
            return Some(FieldLine::Blank);
        }
        let mut line = first;
        while let Some(b' ' | b'\t') = self.rest.first() {
            let fold_start = bytes.len() - self.rest.len();
            let fold = self.next_line().unwrap_or_default();
            line = &bytes[..fold_start + fold.len()];
        }
        let Some(colon) = memchr(b':', first) else {
            return Some(FieldLine::Malformed(line));
        };
        Some(match line[..colon].trim_ascii_end() {
            [] | [b' ' | b'\t', ..] => FieldLine::Malformed(line),
            name => FieldLine::Field(name, FieldValue::new(&line[colon + 1..])),
        })
    }
}
