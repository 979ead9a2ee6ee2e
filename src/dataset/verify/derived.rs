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
use super::parts::ReadablePart;
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
    parts: &[ReadablePart<'_>],
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

fn compare(
    parts: &[ReadablePart<'_>],
    manifest: &Manifest,
    check: &mut Check,
) -> Result<(), Error> {
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
        let mut stored = StoredTables::of_crawl(parts, crawl);
        derivation.make(crawl, &mut |table, made| stored.compare(table, &made))?;
        stored.end(check)?;
    }
    Ok(())
}

/// What is stored of a crawl's derived tables, compared with what is made.
struct StoredTables {
    tables: Vec<StoredTable>,
}

struct StoredTable {
    /// The rows that have not been compared.
    rows: Cursor,
    /// The path of the first part, or the name of the table.
    path: String,
    /// Rows compared.
    compared: u64,
    offenders: Offenders,
}

impl StoredTables {
    fn of_crawl(parts: &[ReadablePart<'_>], crawl: &str) -> Self {
        let stored = |table: &'static Table| {
            let of_table = parts.iter().filter(|part| {
                part.table.name == table.name && part.part.partition().as_deref() == Some(crawl)
            });
            let first = of_table.clone().next().map(|part| part.part.path.clone());
            StoredTable {
                rows: Cursor::over(table, of_table.map(|part| part.path.clone())),
                path: first.unwrap_or_else(|| table.name.to_owned()),
                compared: 0,
                offenders: Offenders::default(),
            }
        };
        Self {
            tables: tables::derived().map(stored).into_iter().collect(),
        }
    }

    /// Adds what was found.
    fn end(self, check: &mut Check) -> Result<(), Error> {
        for mut stored in self.tables {
            while let Some(rows) = stored.rows.next_batch()? {
                let row = stored.compared;
                stored.compared += rows.num_rows() as u64;
                for number in (0..rows.num_rows() as u64).map(|number| row + number) {
                    stored
                        .offenders
                        .add(|| format!("row {number}, which no capture makes"));
                }
            }
            check.checked += stored.compared;
            check.problems.extend(stored.offenders.into_problem(
                stored.rows.table().name,
                Some(&stored.path),
                "rows that are not what the captures make",
            ));
        }
        Ok(())
    }

    /// Compares the next rows of `table` with those that were made.
    fn compare(&mut self, table: &Table, made: &RecordBatch) -> Result<(), Error> {
        let mut tables = self.tables.iter_mut();
        let stored = tables
            .find(|stored| stored.rows.table().name == table.name)
            .expect("every derived table");
        let mut at = 0;
        while at < made.num_rows() {
            let Some(rows) = stored.rows.at_most(made.num_rows() - at)? else {
                for row in at..made.num_rows() {
                    let number = stored.compared + row as u64 - at as u64;
                    stored.offenders.add(|| format!("row {number} is missing"));
                }
                return Ok(());
            };
            let length = rows.num_rows();
            let other = made.slice(at, length);
            if rows.columns() != other.columns() {
                for row in 0..length {
                    if rows.slice(row, 1).columns() != other.slice(row, 1).columns() {
                        let number = stored.compared + row as u64;
                        stored.offenders.add(|| format!("row {number}"));
                    }
                }
            }
            stored.compared += length as u64;
            at += length;
        }
        Ok(())
    }
}
