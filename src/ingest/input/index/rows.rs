//! The records that indexes list, row by row.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use warc_recovery::damage::Damage;

use crate::ingest::input::indexed_records::bad_range;
use crate::ingest::input::subset::Subset;

/// The most unusable rows of a file that are reported one by one; further rows are only counted.
const MAX_LOST: u64 = 1000;

/// The fields of a record in a row, as written.
#[derive(Debug, Default)]
pub(super) struct Row<'r> {
    pub(super) file: Option<Cow<'r, str>>,
    pub(super) offset: Option<Cow<'r, str>>,
    pub(super) length: Option<Cow<'r, str>>,
    pub(super) url: Option<Cow<'r, str>>,
}

/// A count of bytes; messages call it `name`.
fn bytes(text: Option<&str>, name: &str) -> Result<u64, String> {
    let text = text.ok_or_else(|| format!("the {name} is missing"))?;
    let number: i128 = (without_zeros(text.trim()).parse())
        .map_err(|_| format!("the {name} {:?} is not a number", shortened(text)))?;
    if number < 0 {
        return Err(format!("the {name} {number} is negative"));
    }
    let fits = i64::try_from(number).ok().map(i64::unsigned_abs);
    fits.ok_or_else(|| format!("the {name} {number} is larger than any file"))
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

    pub(super) fn range(&self) -> Result<Range<u64>, String> {
        let start = bytes(self.offset.as_deref(), "offset")?;
        let length = bytes(self.length.as_deref(), "length")?;
        if length == 0 {
            return Err("the length is 0".to_owned());
        }
        let end = start + length; // neither is more than an i64
        if i64::try_from(end).is_err() {
            return Err("offset and length are larger than any file".to_owned());
        }
        Ok(start..end)
    }
}

/// Removes the fraction of zeros that programs write for whole numbers in a column of fractions.
fn without_zeros(number: &str) -> &str {
    match number.split_once('.') {
        Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
        _ => number,
    }
}

/// Text from a file, for a message.
fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

#[derive(Default)]
pub(crate) struct Index {
    /// Ranges of bytes by the name of the archive.
    pub(crate) archives: BTreeMap<String, Vec<Range<u64>>>,
    /// Rows that are left out because their URL is not a robots.txt URL.
    pub(crate) others: u64,
    /// Whether records of URLs other than robots.txt are wanted, wherever the archive is.
    pub(crate) wants_all: bool,
    pub(in crate::ingest::input) lost: Vec<Damage>,
    pub(in crate::ingest::input) n_lost: u64,
}

impl Index {
    pub(super) fn add(&mut self, row: &Row<'_>) -> Result<(), String> {
        let (file, range) = (row.file()?, row.range()?);
        // As for records in archives: a possible robots.txt is read, and its URL is checked then.
        let may_be_robotstxt = |url: &str| url.contains("/robots.txt");
        let is_wanted = self.wants_all
            || Subset::from_path(file) == Subset::RobotsTxt
            || row.url.as_deref().is_none_or(may_be_robotstxt);
        if is_wanted {
            let archive = self.archives.entry(file.to_owned()).or_default();
            archive.push(range);
        } else {
            self.others += 1;
        }
        Ok(())
    }

    /// Notes a row that cannot be used; `place` identifies it.
    pub(super) fn lose(&mut self, offset: u64, length: u64, place: &str, message: &str) {
        self.n_lost += 1;
        if self.n_lost <= MAX_LOST {
            let message = format!("{place}: {message}");
            self.lost.push(bad_range(offset, length, message));
        }
    }

    pub(super) fn take_lost(&mut self) -> Vec<Damage> {
        let mut lost = std::mem::take(&mut self.lost);
        let more = std::mem::take(&mut self.n_lost) - lost.len() as u64;
        if let (Some(last), 1..) = (lost.last(), more) {
            let offset = last.offset.saturating_add(last.length);
            let message = format!("{more} more unusable rows follow");
            lost.push(bad_range(offset, 0, message));
        }
        lost
    }
}
