//! Part files: their places, bytes, columns and rows.
//!
//! Every value of a part is decoded if the part's bytes are as they were written.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::prelude::*;

use super::super::manifest::{Manifest, Part};
use super::super::part_name::commits_of;
use super::super::times::Times;
use super::super::{STAGING, checksum, staged_name, stored};
use super::report::{Check, CheckedRows};
use crate::dataset::tables::{self, Table};

/// The problem of a file in the manifest that an interrupted run left staged.
pub(super) const STAGED: &str = "committed, and still in `.staging`; the next `robostat ingest` into \
                                 this directory puts it here";

pub(super) struct Parts<'m> {
    pub(super) readable: Vec<LocatedPart<'m>>,
    /// Tables with a part that cannot be read, and why.
    pub(super) broken: BTreeMap<&'static str, String>,
}

pub(super) struct LocatedPart<'m> {
    pub(super) part: &'m Part,
    pub(super) table: &'static Table,
    /// Its place (it may be missing there), or its staged file.
    pub(super) path: PathBuf,
    is_staged: bool,
}

/// Finds the parts that the manifest lists. No commit may be published meanwhile. If the manifest
/// is incomplete, missing parts are left out: a lost commit may have removed them.
pub(super) fn locate<'m>(
    directory: &Path,
    manifest: &'m Manifest,
    is_whole: bool,
) -> Vec<LocatedPart<'m>> {
    let locate = |part: &'m Part| {
        // Other paths are problems of the manifest, and may lead out of the directory.
        if !is_part_of(&part.table, &part.path) {
            return None;
        }
        let place = directory.join(&part.path);
        let aside = directory.join(STAGING).join(staged_name(&part.path));
        let is_there = place.exists();
        let is_staged = !is_there && aside.exists();
        if !is_there && !is_staged && !is_whole {
            return None;
        }
        Some(LocatedPart {
            part,
            table: part.table()?,
            path: if is_staged { aside } else { place },
            is_staged,
        })
    };
    manifest.parts().into_values().filter_map(locate).collect()
}

/// Whether `path` is a place for parts of the table: never outside the dataset.
pub(super) fn is_part_of(table: &str, path: &str) -> bool {
    let (Some(table), Some((directory, name))) = (tables::named(table), path.rsplit_once('/'))
    else {
        return false;
    };
    let is_of_table = match table.partition {
        None => directory == table.name,
        Some(partition) => {
            let value = directory.strip_prefix(&format!("{}/{partition}=", table.name));
            value.is_some_and(|value| !value.contains('/'))
        }
    };
    is_of_table && commits_of(name).is_some()
}

pub(super) fn check(located: Vec<LocatedPart<'_>>) -> (Parts<'_>, [Check; 5]) {
    let examined: Vec<_> = located.par_iter().map(examine).collect();
    let mut checks = part_checks();
    let mut parts = Parts {
        readable: Vec::new(),
        broken: BTreeMap::new(),
    };
    for (located, of_part) in located.into_iter().zip(examined) {
        let [files, _, columns, _, values] = &of_part;
        if files.is_ok() && columns.is_ok() && values.is_ok() {
            parts.readable.push(located);
        } else {
            let why = || format!("{} cannot be read", located.part.path);
            parts.broken.entry(located.table.name).or_insert_with(why);
        }
        for (check, of_part) in checks.iter_mut().zip(of_part) {
            check.checked += of_part.checked;
            check.problems.extend(of_part.problems);
        }
    }
    (parts, checks)
}

fn part_checks() -> [Check; 5] {
    [
        Check::new("parts are as written", "parts"),
        Check::new("parts are in their places", "parts"),
        Check::new("parts have their table's columns", "parts"),
        Check::new("parts have the manifest's rows", "parts"),
        Check::new("every value can be read", "rows"),
    ]
}

fn examine(located: &LocatedPart<'_>) -> [Check; 5] {
    let mut checks = part_checks();
    let [files, places, columns, rows, values] = &mut checks;
    let (part, table) = (located.part, located.table);
    let (name, path) = (Some(table.name), &part.path);
    (files.checked, places.checked) = (1, 1);
    if located.is_staged {
        places.fail(name, path, STAGED).is_interruption = true;
    }
    let file = match open_as_written(&located.path, part.bytes, &part.xxh3) {
        Ok(file) => file,
        Err(message) => {
            files.fail(name, path, message);
            return checks;
        }
    };
    (columns.checked, rows.checked) = (1, 1);
    let found = match open_table(file, table) {
        Ok(builder) => builder.metadata().file_metadata().num_rows(),
        Err(message) => {
            columns.fail(name, path, message);
            return checks;
        }
    };
    let mut read = CheckedRows::default();
    let mut times = None;
    let result = located.read(None, |batch, _| {
        read.checked += batch.num_rows() as u64;
        Times::merge(&mut times, Times::of(table, batch).as_ref());
    });
    if u64::try_from(found) != Ok(part.rows) {
        let message = format!("{found} rows, {} in the manifest", part.rows);
        rows.fail(name, path, message);
    } else if result.is_ok() && times != part.times {
        let message = "its captures have other times in the manifest";
        rows.fail(name, path, message);
    }
    if let Err(message) = result {
        let row = read.checked;
        read.add_wrong(|| format!("from row {row} on: {message}"));
    }
    let message = "rows that cannot be decoded";
    values.add_rows(table.name, Some(path), message, read);
    checks
}

impl LocatedPart<'_> {
    /// Passes each batch to `visit` with the number of its first row. The error is the reason why
    /// the part cannot be read.
    pub(super) fn read(
        &self,
        columns: Option<&[&str]>,
        mut visit: impl FnMut(&RecordBatch, u64),
    ) -> Result<(), String> {
        let read = || {
            let mut row = 0;
            for batch in stored::open(&self.path, columns).map_err(|error| error.to_string())? {
                let batch = batch.map_err(|error| error.to_string())?;
                visit(&batch, row);
                row += batch.num_rows() as u64;
            }
            Ok(())
        };
        // Bytes under the checksum were written by robostat. If they are wrong nevertheless, the
        // Parquet reader may panic instead of returning an error.
        let read = catch_unwind(AssertUnwindSafe(read));
        read.unwrap_or_else(|_| Err("the reader panicked".to_owned()))
    }
}

/// Opens the file at `path`; the error is its problem.
pub(super) fn open_file(path: &Path) -> Result<File, String> {
    File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => "the file is missing".to_owned(),
        _ => unreadable(error),
    })
}

/// The problem of a file that the system or a library cannot read.
pub(super) fn unreadable(error: impl Display) -> String {
    format!("cannot be read: {error}")
}

/// Opens the file at `path`, if it has the manifest's size and checksum.
pub(super) fn open_as_written(path: &Path, bytes: u64, xxh3: &str) -> Result<File, String> {
    let mut file = open_file(path)?;
    let found = file.metadata().map_err(unreadable)?.len();
    if found != bytes {
        return Err(format!(
            "{found} bytes, {bytes} in the manifest: another file, or cut short"
        ));
    }
    let found = checksum::of(&mut file).map_err(unreadable)?;
    if found != xxh3 {
        return Err(format!(
            "its checksum is {found}, {xxh3} in the manifest: bytes have changed since it was \
             written"
        ));
    }
    Ok(file)
}

/// A reader of a file that has the columns of `table`: names, types, nullability, order.
pub(super) fn open_table(
    file: File,
    table: &Table,
) -> Result<ParquetRecordBatchReaderBuilder<File>, String> {
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| format!("not a Parquet file that can be read: {error}"))?;
    difference(builder.schema(), &table.schema).map_or(Ok(builder), Err)
}

/// The first difference between the columns `found` and `wanted`.
fn difference(found: &Schema, wanted: &Schema) -> Option<String> {
    let describe = |field: &Field| {
        let null = if field.is_nullable() { "" } else { " not null" };
        format!("{}{null}", field.data_type())
    };
    for (found, wanted) in found.fields().iter().zip(wanted.fields()) {
        let (name, wanted_name) = (found.name(), wanted.name());
        if name != wanted_name {
            return Some(format!("a column {name}, {wanted_name} by the table"));
        }
        if found.data_type() != wanted.data_type() || found.is_nullable() != wanted.is_nullable() {
            let (found, wanted) = (describe(found), describe(wanted));
            return Some(format!("column {name} is {found}, {wanted} by the table"));
        }
    }
    let (found, wanted) = (found.fields().len(), wanted.fields().len());
    (found != wanted).then(|| format!("{found} columns, {wanted} by the table"))
}
