//! Fields of a CSV row, separated by the rules of RFC 4180.

use std::borrow::Cow;
use std::ops::Range;

use memchr::{memchr, memchr2};

/// A field: its bytes without the quotes around it, and whether quotes in it are doubled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Field {
    bytes: Range<usize>,
    has_quotes: bool,
}

pub(super) fn text<'a>(bytes: &'a [u8], field: &Field) -> Cow<'a, [u8]> {
    let bytes = &bytes[field.bytes.clone()];
    if !field.has_quotes {
        return Cow::Borrowed(bytes);
    }
    let mut text = Vec::with_capacity(bytes.len());
    let mut from = 0;
    while let Some(at) = memchr(b'"', &bytes[from..]) {
        text.extend_from_slice(&bytes[from..=from + at]);
        from += at + 2;
    }
    text.extend_from_slice(bytes.get(from..).unwrap_or_default());
    Cow::Owned(text)
}

/// The start of a row.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RowStart {
    /// A row of this many bytes, its line end included.
    Row(usize),
    /// The beginning of a row.
    Incomplete,
    /// No row of CSV, and why.
    Malformed(&'static str),
}

/// The bytes that tell fields and rows apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// Finds the row at the start of `bytes`, and appends its fields. With `is_end` nothing follows.
pub(super) fn split(
    bytes: &[u8],
    separators: Separators,
    is_end: bool,
    fields: &mut Vec<Field>,
) -> RowStart {
    let Separators {
        delimiter,
        line_end,
    } = separators;
    let mut at = 0;
    loop {
        let (field, next) = if bytes.get(at) == Some(&b'"') {
            let mut end = at + 1;
            let mut has_quotes = false;
            loop {
                match memchr(b'"', &bytes[end..]) {
                    Some(quote) if bytes.get(end + quote + 1) == Some(&b'"') => {
                        has_quotes = true;
                        end += quote + 2;
                    }
                    Some(quote) => {
                        end += quote;
                        break;
                    }
                    None if is_end => return RowStart::Malformed("a quote that is not closed"),
                    None => return RowStart::Incomplete,
                }
            }
            let field = Field {
                bytes: at + 1..end,
                has_quotes,
            };
            (field, end + 1)
        } else {
            let end = memchr2(delimiter, line_end, &bytes[at..]).map(|end| at + end);
            let end = match end {
                Some(end) => end,
                None if is_end => bytes.len(),
                None => return RowStart::Incomplete,
            };
            let has_cr = end > at && bytes[end - 1] == b'\r' && bytes.get(end) != Some(&delimiter);
            let field = Field {
                bytes: at..end - usize::from(has_cr),
                has_quotes: false,
            };
            (field, end - usize::from(has_cr))
        };
        fields.push(field);
        match &bytes[next..] {
            [] if is_end => return RowStart::Row(next),
            [byte, ..] if *byte == line_end => return RowStart::Row(next + 1),
            [b'\r', b'\n', ..] => return RowStart::Row(next + 2),
            [b'\r'] if is_end => return RowStart::Row(next + 1),
            [] | [b'\r'] => return RowStart::Incomplete,
            [byte, ..] if *byte == delimiter => at = next + 1,
            _ => return RowStart::Malformed("text follows a closing quote"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    const COMMA_LF: Separators = Separators {
        delimiter: b',',
        line_end: b'\n',
    };

    fn fields(row: &str) -> Result<Vec<String>, RowStart> {
        let mut fields = Vec::new();
        match split(row.as_bytes(), COMMA_LF, true, &mut fields) {
            RowStart::Row(_) => Ok(fields
                .iter()
                .map(|field| String::from_utf8_lossy(&text(row.as_bytes(), field)).into_owned())
                .collect()),
            other => Err(other),
        }
    }

    #[test]
    fn cases() {
        check(file!(), |question, [text, ..]| match question {
            "fields" => match fields(text) {
                Ok(fields) => fields.join(";"),
                Err(error) => format!("{error:?}"),
            },
            "line-end" => char::from(line_end(text.as_bytes())).to_string(),
            _ => panic!("{question}"),
        });
    }

    #[test]
    fn a_row_that_is_cut_anywhere_is_incomplete() {
        let row = "a,\"b\"\"\nc\",\"\",d\r\n";
        let mut fields = Vec::new();
        assert_eq!(
            split(row.as_bytes(), COMMA_LF, false, &mut fields),
            RowStart::Row(row.len())
        );
        for cut in 0..row.len() {
            let found = split(&row.as_bytes()[..cut], COMMA_LF, false, &mut Vec::new());
            assert_eq!(found, RowStart::Incomplete, "{cut}");
        }
    }

    /// The fields of rows as the crate `csv` writes them.
    #[test]
    fn what_a_writer_writes_is_read_back() {
        let values = [
            "",
            "a",
            "\"",
            "\"\"",
            ",",
            "\n",
            "\r\n",
            "\r",
            " x ",
            "a\"b\nc,d",
        ];
        for one in values {
            for other in values {
                let mut writer = csv::Writer::from_writer(Vec::new());
                writer.write_record([one, other, "z"]).expect("memory");
                let bytes = writer.into_inner().expect("memory");
                let row = String::from_utf8(bytes).expect("UTF-8");
                assert_eq!(fields(&row).expect(&row), [one, other, "z"], "{row:?}");
            }
        }
    }

    #[test]
    fn lines_within_cells_may_end_otherwise() {
        let separators = Separators {
            line_end: b'\r',
            ..COMMA_LF
        };
        // Within a cell, such programs write LF.
        let rows = b"a,\"b\nc\"\rd,e\r";
        let mut fields = Vec::new();
        let RowStart::Row(first) = split(rows, separators, true, &mut fields) else {
            panic!("no row");
        };
        assert_eq!(&rows[..first], b"a,\"b\nc\"\r");
        assert_eq!(text(rows, &fields[1]), &b"b\nc"[..]);
        fields.clear();
        assert_eq!(
            split(&rows[first..], separators, true, &mut fields),
            RowStart::Row(4)
        );
        assert_eq!(text(&rows[first..], &fields[1]), &b"e"[..]);
    }
}
