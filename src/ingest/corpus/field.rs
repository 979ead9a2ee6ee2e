//! Fields of a CSV row, separated by the rules of RFC 4180.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

#[derive(Debug)]
pub(super) enum RowStart<'b> {
    /// A row of this many bytes, its line end included, with these fields.
    Row(usize, Vec<Cow<'b, [u8]>>),
    /// The beginning of a row.
    Incomplete,
    /// No row of CSV, and why.
    Malformed(&'static str),
}

/// The bytes that tell fields and rows apart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separators {
    pub(super) delimiter: u8,
    /// The last byte of a row: LF, with or without a CR before it; or CR alone, as programs of the
    /// classic Mac OS end lines.
    pub(super) line_end: u8,
}

/// The last byte of the first line of a table: CR if it ends with CR alone, else LF.
pub(super) fn line_end(bytes: &[u8]) -> u8 {
    let first = memchr2(b'\r', b'\n', bytes).unwrap_or(bytes.len());
    match bytes.get(first..) {
        Some([b'\r', next, ..]) if !matches!(next, b'\r' | b'\n') => b'\r',
        _ => b'\n',
    }
}

/// Finds the row at the start of `bytes`. With `is_end` nothing follows.
pub(super) fn split(bytes: &[u8], separators: Separators, is_end: bool) -> RowStart<'_> {
    let Separators {
        delimiter,
        line_end,
    } = separators;
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let (field, next) = if bytes.get(at) == Some(&b'"') {
            match quoted(bytes, at + 1) {
                Some((field, end)) => (field, end + 1),
                None if is_end => return RowStart::Malformed("a quote that is not closed"),
                None => return RowStart::Incomplete,
            }
        } else {
            let end = match memchr2(delimiter, line_end, &bytes[at..]) {
                Some(end) => at + end,
                None if is_end => bytes.len(),
                None => return RowStart::Incomplete,
            };
            let has_cr = end > at && bytes[end - 1] == b'\r' && bytes.get(end) != Some(&delimiter);
            let end = end - usize::from(has_cr);
            (Cow::Borrowed(&bytes[at..end]), end)
        };
        fields.push(field);
        match &bytes[next..] {
            [] if is_end => return RowStart::Row(next, fields),
            [byte, ..] if *byte == line_end => return RowStart::Row(next + 1, fields),
            [b'\r', b'\n', ..] => return RowStart::Row(next + 2, fields),
            [b'\r'] if is_end => return RowStart::Row(next + 1, fields),
            [] | [b'\r'] => return RowStart::Incomplete,
            [byte, ..] if *byte == delimiter => at = next + 1,
            _ => return RowStart::Malformed("text follows a closing quote"),
        }
    }
}

/// The text from `start` on up to the quote that closes it, with doubled quotes as single ones, and
/// the offset of that quote.
fn quoted(bytes: &[u8], start: usize) -> Option<(Cow<'_, [u8]>, usize)> {
    let mut text = Cow::Borrowed(&[][..]);
    let mut from = start;
    loop {
        let quote = from + memchr(b'"', &bytes[from..])?;
        if bytes.get(quote + 1) != Some(&b'"') {
            text = match text {
                Cow::Borrowed(_) => Cow::Borrowed(&bytes[start..quote]),
                Cow::Owned(text) => Cow::Owned([&text, &bytes[from..quote]].concat()),
            };
            return Some((text, quote));
        }
        text.to_mut().extend_from_slice(&bytes[from..=quote]);
        from = quote + 2;
    }
}
