//! Derived tables: whether they match their captures, row for row.
//!
//! The tables are rebuilt, and the stored rows compared with the new ones. Records that exceed the
//! memory are sorted in an unnamed file in the system's temporary directory.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;

use super::super::cursor::Cursor;
use super::super::derived::{Derivation, SOURCES};
use super::super::manifest::Manifest;
use super::parts::LocatedPart;
use super::report::{Check, CheckedRows, Problem};
use crate::dataset::tables::{self, Table};
use crate::error::Error;
use crate::threads;

/// Whether a check depends on a table: a derived table, or one of its sources.
pub(super) fn depends_on(table: &str) -> bool {
    SOURCES.contains(&table) || tables::named(table).is_some_and(Table::is_derived)
}

/// Rebuilds the derived tables of `parts`. `broken` is the reason if that cannot be done.
pub(super) fn check(
    parts: &[LocatedPart<'_>],
    manifest: &Manifest,
    broken: Option<String>,
) -> Check {
    let name = "resolved, origins and hosts match the captures";
    let mut check = Check::new(name, "rows");
    check.not_checked = broken;
    if check.not_checked.is_none()
        && let Err(error) = compare(parts, manifest, &mut check)
    {
        check.problems.push(Problem {
            message: format!("cannot be made again: {error}"),
            ..Problem::default()
        });
    }
    check
}

fn compare(parts: &[LocatedPart<'_>], manifest: &Manifest, check: &mut Check) -> Result<(), Error> {
    let stop = &AtomicBool::new(false);
    let pool = threads::pool(threads::available())?;
    let sources = parts.iter().map(|part| (part.part, part.path.clone()));
    let inputs = manifest.inputs().into_iter();
    let room = (&*std::env::temp_dir(), &pool);
    let derivation = Derivation::new(sources.collect(), inputs, room, stop)?;
    let crawls = parts.iter().filter_map(|part| part.part.partition());
    let crawls: BTreeSet<String> = crawls.collect();
    // Derived tables of crawls that are behind need not match.
    for crawl in crawls.difference(&manifest.behind()) {
        let mut stored = tables::derived().map(|table| StoredTable::of_crawl(table, parts, crawl));
        derivation.make(crawl, &mut |table, made| {
            let mut tables = stored.iter_mut();
            let stored = tables.find(|it| it.stored.table.name == table.name);
            stored.expect("every derived table").compare(&made)
        })?;
        for table in stored {
            table.end(check)?;
        }
    }
    Ok(())
}

/// The stored rows of a derived table of a crawl, compared with the rebuilt rows.
struct StoredTable {
    stored: Cursor,
    /// The path of the first part with rows, or the name of the table.
    path: String,
    rows: CheckedRows,
}

impl StoredTable {
    fn of_crawl(table: &'static Table, parts: &[LocatedPart<'_>], crawl: &str) -> Self {
        let is_of = |part: &&LocatedPart<'_>| {
            let is_of_crawl = part.part.partition().as_deref() == Some(crawl);
            part.table.name == table.name && is_of_crawl && part.part.rows > 0
        };
        let mut parts = parts.iter().filter(is_of).peekable();
        let first = parts.peek().map(|part| part.part.path.clone());
        Self {
            path: first.unwrap_or_else(|| table.name.to_owned()),
            stored: Cursor::over(table, parts.map(|part| part.path.clone()).collect()),
            rows: CheckedRows::default(),
        }
    }

    fn compare(&mut self, made: &RecordBatch) -> Result<(), Error> {
        let mut at = 0;
        while at < made.num_rows() {
            let left = made.num_rows() - at;
            let first = self.rows.checked;
            let Some(stored) = self.stored.take(|batch| batch.num_rows().min(left))? else {
                for row in first..first + left as u64 {
                    self.rows.add(false, || format!("row {row} is missing"));
                }
                return Ok(());
            };
            let length = stored.num_rows();
            let is_equal = |row, rows| {
                made.slice(at + row, rows).columns() == stored.slice(row, rows).columns()
            };
            let are_equal = is_equal(0, length);
            for (row, number) in (0..length).zip(first..) {
                let example = || format!("row {number}");
                self.rows.add(are_equal || is_equal(row, 1), example);
            }
            at += length;
        }
        Ok(())
    }

    /// Adds the wrong rows that were found, and the stored rows that are left.
    fn end(mut self, check: &mut Check) -> Result<(), Error> {
        while let Some(stored) = self.stored.take(RecordBatch::num_rows)? {
            for _ in 0..stored.num_rows() {
                let row = self.rows.checked;
                let example = || format!("row {row}, which no capture makes");
                self.rows.add(false, example);
            }
        }
        let message = "rows that do not match the captures";
        let table = self.stored.table.name;
        check.add_rows(table, Some(&self.path), message, self.rows);
        Ok(())
    }
}
