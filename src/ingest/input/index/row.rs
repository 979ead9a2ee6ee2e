//! A row of an index.

use std::borrow::Cow;
use std::ops::Range;

/// What a row says of a record.
#[derive(Debug, Default)]
pub(super) struct Row<'r> {
    pub(super) file: Option<Cow<'r, str>>,
    pub(super) offset: Number<'r>,
    pub(super) length: Number<'r>,
    pub(super) url: Option<Cow<'r, str>>,
}

/// A number as written in an index.
#[derive(Debug, Default)]
pub(super) enum Number<'r> {
    #[default]
    Missing,
    Integer(i128),
    Text(Cow<'r, str>),
}

impl Number<'_> {
    /// The number, which is a count of bytes, called `name`.
    fn bytes(&self, name: &str) -> Result<u64, String> {
        let number = match self {
            Self::Missing => return Err(format!("the {name} is missing")),
            Self::Integer(number) => *number,
            Self::Text(text) => (without_zeros(text.trim()).parse())
                .map_err(|_| format!("the {name} {:?} is not a number", shortened(text)))?,
        };
        if number < 0 {
            return Err(format!("the {name} {number} is negative"));
        }
        let fits = u64::try_from(number)
            .ok()
            .filter(|it| i64::try_from(*it).is_ok());
        fits.ok_or_else(|| format!("the {name} {number} is more than a file can have"))
    }
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
        let start = self.offset.bytes("offset")?;
        let length = self.length.bytes("length")?;
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
            let [offset, length] = [offset, length].map(|text| match text.strip_prefix('#') {
                Some(number) => Number::Integer(number.parse().expect("a number")),
                None if text == "missing" => Number::Missing,
                None => Number::Text(Cow::Borrowed(text)),
            });
            let row = Row {
                offset,
                length,
                ..Row::default()
            };
            row.range()
                .map_or_else(|problem| problem, |range| format!("{range:?}"))
        });
    }
}
