//! The records that indexes name, and their rows that cannot be used.

use std::collections::HashMap;
use std::ops::Range;

use warc_recovery::damage::Damage;

use super::row::Row;
use crate::ingest::input::indexed_records::bad_range;
use crate::ingest::input::subset::Subset;

/// The number of unusable index rows that are reported one by one; further ones are counted.
const MAX_LOST: u64 = 1000;

/// The records that indexes name.
pub(crate) struct Index {
    /// Ranges of bytes by the name of the archive, in the order of the rows.
    pub(crate) archives: HashMap<String, Vec<Range<u64>>>,
    /// Rows that are left out because their URL is not a robots.txt URL.
    pub(crate) others: u64,
    /// Whether records of other URLs are wanted, wherever the archive lies.
    wants_all: bool,
}

/// Rows of an index file that cannot be used.
#[derive(Default)]
pub(super) struct UnusableRows {
    damage: Vec<Damage>,
    more: u64,
}

impl Index {
    /// No records yet. `wants_all`: also records of URLs other than robots.txt.
    pub(crate) fn new(wants_all: bool) -> Self {
        Self {
            archives: HashMap::new(),
            others: 0,
            wants_all,
        }
    }

    /// Takes a row. Returns the problem if it cannot be used.
    pub(super) fn add(&mut self, row: &Row<'_>) -> Result<(), String> {
        let file = row.file()?;
        let range = row.range()?;
        if !self.wants(file, row.url.as_deref()) {
            self.others += 1;
            return Ok(());
        }
        match self.archives.get_mut(file) {
            Some(ranges) => ranges.push(range),
            None => {
                self.archives.insert(file.to_owned(), vec![range]);
            }
        }
        Ok(())
    }

    /// Whether a record of `url` in the archive `file` can become a row.
    fn wants(&self, file: &str, url: Option<&str>) -> bool {
        // As of records in archives: what may be one is read, and its URL looked at closely then.
        let is_robotstxt = |url: &str| url.contains("/robots.txt");
        self.wants_all
            || Subset::from_path(file) == Subset::RobotsTxt
            || url.is_none_or(is_robotstxt)
    }
}

impl UnusableRows {
    /// Notes a row that cannot be used: `place` says which.
    pub(super) fn push(&mut self, offset: u64, length: u64, place: &str, message: &str) {
        if self.damage.len() as u64 >= MAX_LOST {
            self.more += 1;
            return;
        }
        let message = format!("{place}: {message}");
        self.damage.push(bad_range(offset, length, message));
    }

    pub(super) fn finish(mut self) -> Vec<Damage> {
        if let (Some(last), 1..) = (self.damage.last(), self.more) {
            let offset = last.offset.saturating_add(last.length);
            let message = format!("{} more rows that cannot be used follow", self.more);
            self.damage.push(bad_range(offset, 0, message));
        }
        self.damage
    }
}
