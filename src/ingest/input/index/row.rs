//! A row of an index.

use std::borrow::Cow;
use std::ops::Range;

/// What a row says of a record, as it is written.
#[derive(Debug, Default)]
pub(super) struct Row<'r> {
    pub(super) file: Option<Cow<'r, str>>,
    pub(super) offset: Option<Cow<'r, str>>,
    pub(super) length: Option<Cow<'r, str>>,
    pub(super) url: Option<Cow<'r, str>>,
}

/// A count of bytes, called `name`.
fn bytes(text: Option<&str>, name: &str) -> Result<u64, String> {
    let text = text.ok_or_else(|| format!("the {name} is missing"))?;
    let number: i128 = (without_zeros(text.trim()).parse())
        .map_err(|_| format!("the {name} {:?} is not a number", shortened(text)))?;
    if number < 0 {
        return Err(format!("the {name} {number} is negative"));
    }
    let fits = i64::try_from(number).ok().map(i64::unsigned_abs);
    fits.ok_or_else(|| format!("the {name} {number} is more than a file can have"))
}

impl Row<'_> {
    pub(super) fn file(&self) -> Result<&str, String> {
        let file = self.file.as_deref().map(str::trim).unwrap_or_default();
        if file.is_empty() || file == "-" {
            Err("the name of the archive is missing".to_owned())
        } else if file.contains('\0') {
            Err("the name of the archive has a NUL byte".to_owned())
        } else {
            Ok(file)
        }
    }

    /// The bytes of the record in the archive.
    pub(super) fn range(&self) -> Result<Range<u64>, String> {
        let start = bytes(self.offset.as_deref(), "offset")?;
        let length = bytes(self.length.as_deref(), "length")?;
        if length == 0 {
            return Err("the length is 0".to_owned());
        }
        let end = start
            .checked_add(length)
            .filter(|end| i64::try_from(*end).is_ok());
        let end = end.ok_or("offset and length are more than a file can have")?;
        Ok(start..end)
    }
}

/// A number without a fraction of zeros, as programs write whole numbers of a column of fractions.
fn without_zeros(number: &str) -> &str {
    match number.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => number,
    }
}

/// Text of a message that comes from a file.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |_, [offset, length, _]| {
            let [offset, length] =
                [offset, length].map(|text| Some(text).filter(|it| *it != "missing"));
            let row = Row {
                offset: offset.map(Cow::Borrowed),
                length: length.map(Cow::Borrowed),
                ..Row::default()
            };
            row.range()
                .map_or_else(|problem| problem, |range| format!("{range:?}"))
        });
    }
}
