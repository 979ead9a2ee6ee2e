//! Derived tables: what their captures make, row for row.
//!
//! They are made again, and compared with what is stored as they come; what memory does not hold of
//! that goes to a file without a name in the system's directory for temporary files.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;

use super::super::cursor::Cursor;
use super::super::derived::{Derivation, SOURCES};
use super::super::manifest::Manifest;
use super::parts::LocatedPart;
use super::report::{Check, Offenders, Problem};
use crate::dataset::tables::{self, Table};
use crate::error::Error;
use crate::threads;

/// Whether a check depends on a table: a derived table, or one of its sources.
pub(super) fn depends_on(table: &str) -> bool {
    SOURCES.contains(&table) || tables::named(table).is_some_and(Table::is_derived)
}

/// Makes the derived tables of `parts` again. `broken` says why that cannot be done.
pub(super) fn check(
    parts: &[LocatedPart<'_>],
    manifest: &Manifest,
    broken: Option<String>,
) -> Check {
    let mut check = Check::new(
        "resolved, origins and hosts are what the captures make",
        "rows",
    );
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
    let behind = manifest.behind();
    let mut crawls: BTreeSet<String> = parts
        .iter()
        .filter_map(|part| part.part.partition())
        .collect();
    // Those are not said to be up to date.
    crawls.retain(|crawl| !behind.contains(crawl));
    for crawl in &crawls {
        let stored = tables::derived().map(|table| StoredTable::of_crawl(table, parts, crawl));
        let mut stored = Vec::from(stored);
        derivation.make(crawl, &mut |table, made| {
            let mut tables = stored.iter_mut();
            let stored = tables.find(|it| it.rows.table().name == table.name);
            stored.expect("every derived table").compare(&made)
        })?;
        for table in stored {
            table.end(check)?;
        }
    }
    Ok(())
}

/// What is stored of a derived table of a crawl, compared with what is made.
struct StoredTable {
    /// The rows that have not been compared.
    rows: Cursor,
    /// The path of the first part, or the name of the table.
    path: String,
    /// Rows compared.
    compared: u64,
    offenders: Offenders,
}

impl StoredTable {
    fn of_crawl(table: &'static Table, parts: &[LocatedPart<'_>], crawl: &str) -> Self {
        let is_of = |part: &&LocatedPart<'_>| {
            part.table.name == table.name && part.part.partition().as_deref() == Some(crawl)
        };
        let parts: Vec<_> = parts.iter().filter(is_of).collect();
        let first = parts.first().map(|part| part.part.path.clone());
        Self {
            rows: Cursor::over(table, parts.iter().map(|part| part.path.clone())),
            path: first.unwrap_or_else(|| table.name.to_owned()),
            compared: 0,
            offenders: Offenders::default(),
        }
    }

    /// Compares the next rows with those that were made.
    fn compare(&mut self, made: &RecordBatch) -> Result<(), Error> {
        let mut at = 0;
        while at < made.num_rows() {
            let Some(rows) = self.rows.at_most(made.num_rows() - at)? else {
                for row in at..made.num_rows() {
                    let number = self.compared + row as u64 - at as u64;
                    self.offenders.add(|| format!("row {number} is missing"));
                }
                return Ok(());
            };
            let length = rows.num_rows();
            let other = made.slice(at, length);
            if rows.columns() != other.columns() {
                for row in 0..length {
                    if rows.slice(row, 1).columns() != other.slice(row, 1).columns() {
                        let number = self.compared + row as u64;
                        self.offenders.add(|| format!("row {number}"));
                    }
                }
            }
            self.compared += length as u64;
            at += length;
        }
        Ok(())
    }

    /// Adds what was found, and the rows that are left.
    fn end(mut self, check: &mut Check) -> Result<(), Error> {
        while let Some(rows) = self.rows.next_batch()? {
            for _ in 0..rows.num_rows() {
                let row = self.compared;
                let example = || format!("row {row}, which no capture makes");
                self.offenders.add(example);
                self.compared += 1;
            }
        }
        check.checked += self.compared;
        let message = "rows that are not what the captures make";
        let table = self.rows.table().name;
        check.fail_rows(table, Some(&self.path), message, self.offenders);
        Ok(())
    }
}
