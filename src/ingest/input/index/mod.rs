//! Indexes of archives: which records to read, by archive, offset and length.
//!
//! Common Crawl's columnar index and other tables in Parquet ([`table`]), CDXJ and CDX ([`lines`]).
//! Rows may come in any order and from several files; 16 bytes of each are kept, so that memory is
//! bounded by the number of chosen records, not of rows.

mod lines;
mod row;
mod table;

use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use warc_recovery::damage::Damage;
use warc_recovery::input::Input;

use self::row::Row;
use super::chosen::bad_range;
use super::subset::Subset;
use crate::ingest::corpus::{PARQUET, Window, extension};

/// The number of unusable index rows that are reported one by one; further ones are counted.
const MAX_LOST: u64 = 1000;
/// Bytes looked at to recognise an index.
const LOOKED_AT: usize = 64 * 1024;

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
struct UnusableRows {
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

    /// Adds the records that the index in `input` names. Returns which rows cannot be used, or why
    /// the file is not an index.
    pub(crate) fn read(&mut self, input: &Arc<Input>) -> io::Result<Result<Vec<Damage>, String>> {
        let mut lost = UnusableRows::default();
        if *input.read(0, PARQUET.len())? == *PARQUET {
            let read = table::read(input, self, &mut lost);
            return Ok(read.map(|()| lost.finish()));
        }
        let mut window = Window::of(input)?;
        window.fill(LOOKED_AT)?;
        if let Err(message) = lines::recognise(window.bytes()) {
            return Ok(Err(message));
        }
        lines::read(window, self, &mut lost)?;
        Ok(Ok(lost.finish()))
    }

    /// Takes a row. Returns the problem if it cannot be used.
    fn add(&mut self, row: &Row<'_>) -> Result<(), String> {
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
    fn push(&mut self, offset: u64, length: u64, place: &str, message: &str) {
        if self.damage.len() as u64 >= MAX_LOST {
            self.more += 1;
            return;
        }
        let message = format!("{place}: {message}");
        self.damage.push(bad_range(offset, length, message));
    }

    fn finish(mut self) -> Vec<Damage> {
        if let (Some(last), 1..) = (self.damage.last(), self.more) {
            let offset = last.offset.saturating_add(last.length);
            let message = format!("{} more rows that cannot be used follow", self.more);
            self.damage.push(bad_range(offset, 0, message));
        }
        self.damage
    }
}

/// What `input` is, if it is not an index.
pub(crate) fn mistake(input: &Arc<Input>) -> io::Result<Option<String>> {
    if *input.read(0, PARQUET.len())? == *PARQUET {
        return Ok(None);
    }
    let mut window = Window::of(input)?;
    window.fill(LOOKED_AT)?;
    Ok(lines::recognise(window.bytes()).err())
}

/// Whether a file in a directory is called as indexes are.
pub(crate) fn is_named_as_index(name: &str) -> bool {
    // Common Crawl's parts of a CDXJ index are called cdx-00000.gz.
    matches!(&*extension(name), "parquet" | "pq" | "cdx" | "cdxj")
        || name.to_ascii_lowercase().starts_with("cdx-")
}
