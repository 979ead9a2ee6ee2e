//! Part files on disk: size, checksum, columns, rows.
//!
//! A part that is not, byte for byte, what was written is not decoded.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use arrow_schema::{ArrowError, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use rayon::prelude::*;

use super::super::manifest::{Manifest, Part};
use super::super::part_name::PartName;
use super::super::times::Times;
use super::super::{STAGING, checksum, staged_name};
use super::report::Check;
use crate::dataset::tables::{self, Table};

/// The problem of a file that the manifest names and an interrupted run left aside.
pub(super) const STAGED: &str = "committed, and still in `.staging`; the next `robostat ingest` into \
                                 this directory puts it here";

/// What was found out about the parts.
pub(super) struct Parts<'m> {
    /// Those whose rows can be read.
    pub(super) readable: Vec<LocatedPart<'m>>,
    /// Tables with a part that cannot be read, and why.
    pub(super) broken: BTreeMap<&'static str, String>,
    pub(super) checks: Vec<Check>,
}

/// What may be wrong with a part.
enum Fault {
    File,
    Schema,
    Rows,
}

/// A part that the manifest names, and where it lies.
pub(super) struct LocatedPart<'m> {
    pub(super) part: &'m Part,
    pub(super) table: &'static Table,
    /// Its place, where it may be missing, unless it is still staged.
    pub(super) path: PathBuf,
    is_staged: bool,
}

/// Finds the parts that the manifest names. No commit must be published meanwhile. Of a manifest
/// that is not whole, it cannot be known whether a missing part was removed by a lost commit.
pub(super) fn locate<'m>(
    directory: &Path,
    manifest: &'m Manifest,
    is_whole: bool,
) -> Vec<LocatedPart<'m>> {
    let locate = |part: &'m Part| {
        // Others are the manifest's problem, and may lead out of the directory.
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
            table: tables::named(&part.table)?,
            path: if is_staged { aside } else { place },
            is_staged,
        })
    };
    manifest.parts().into_values().filter_map(locate).collect()
}

/// Whether `path` is where parts of the table lie: never outside the dataset.
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
    is_of_table && PartName::of(name).is_some()
}

/// Examines the parts.
pub(super) fn check(located: Vec<LocatedPart<'_>>) -> Parts<'_> {
    let examined: Vec<_> = located.par_iter().map(|it| examine(it).err()).collect();
    let mut files = Check::new("parts are as written", "parts");
    let mut places = Check::new("parts are in their places", "parts");
    let mut schemas = Check::new("parts have their table's columns", "parts");
    let mut rows = Check::new("parts have the manifest's rows", "parts");
    let (mut readable, mut broken) = (Vec::new(), BTreeMap::new());
    for (located, fault) in located.into_iter().zip(examined) {
        let (path, table) = (&located.part.path, located.table.name);
        files.checked += 1;
        places.checked += 1;
        if located.is_staged {
            places.fail(Some(table), path, STAGED).is_interruption = true;
        }
        let is_as_written = !matches!(fault, Some((Fault::File, _)));
        schemas.checked += u64::from(is_as_written);
        rows.checked += u64::from(is_as_written);
        let is_readable = matches!(fault, None | Some((Fault::Rows, _)));
        if let Some((fault, message)) = fault {
            let check = match fault {
                Fault::File => &mut files,
                Fault::Schema => &mut schemas,
                Fault::Rows => &mut rows,
            };
            check.fail(Some(table), path, message);
        }
        if is_readable {
            readable.push(located);
        } else {
            let why = || format!("{path} cannot be read");
            broken.entry(table).or_insert_with(why);
        }
    }
    Parts {
        readable,
        broken,
        checks: vec![files, places, schemas, rows],
    }
}

/// Looks at the file of a part, its columns, and the number and times of its rows.
fn examine(located: &LocatedPart<'_>) -> Result<(), (Fault, String)> {
    let (part, table) = (located.part, located.table);
    let file = open_as_written(&located.path, part.bytes, &part.xxh3);
    let file = file.map_err(|message| (Fault::File, message))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| {
        let message = format!("not a Parquet file that can be read: {error}");
        (Fault::Schema, message)
    })?;
    if let Some(difference) = difference(builder.schema(), &table.schema) {
        return Err((Fault::Schema, difference));
    }
    let rows = builder.metadata().file_metadata().num_rows();
    if u64::try_from(rows) != Ok(part.rows) {
        let message = format!("{rows} rows, {} by the manifest", part.rows);
        return Err((Fault::Rows, message));
    }
    if times(builder, table).is_ok_and(|times| times != part.times) {
        let message = "its captures have other times by the manifest";
        return Err((Fault::Rows, message.to_owned()));
    }
    Ok(())
}

/// The file at `path`, opened, or the problem that it has.
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

/// The file at `path`, opened, if it has the manifest's size and checksum.
pub(super) fn open_as_written(path: &Path, bytes: u64, xxh3: &str) -> Result<File, String> {
    let mut file = open_file(path)?;
    let found = file.metadata().map_err(unreadable)?.len();
    if found != bytes {
        return Err(format!(
            "{found} bytes, {bytes} by the manifest: another file, or cut short"
        ));
    }
    let found = checksum::of(&mut file).map_err(unreadable)?;
    if found != xxh3 {
        return Err(format!(
            "its checksum is {found}, {xxh3} by the manifest: bytes have changed since it was \
             written"
        ));
    }
    Ok(file)
}

/// When the rows of a part were fetched.
fn times(
    builder: ParquetRecordBatchReaderBuilder<File>,
    table: &Table,
) -> Result<Option<Times>, ArrowError> {
    let mut times = None;
    if Times::are_in(table) {
        let column = ProjectionMask::columns(builder.parquet_schema(), ["fetch_time"]);
        for batch in builder.with_projection(column).build()? {
            Times::merge(&mut times, Times::of(table, &batch?).as_ref());
        }
    }
    Ok(times)
}

/// The first difference between the columns `found` and the columns of `table`: names, types,
/// nullability, order.
pub(super) fn difference(found: &Schema, table: &Schema) -> Option<String> {
    for (found, wanted) in found.fields().iter().zip(table.fields()) {
        if found.name() != wanted.name() {
            return Some(format!(
                "a column {}, {} by the table",
                found.name(),
                wanted.name()
            ));
        }
        if found.data_type() != wanted.data_type() || found.is_nullable() != wanted.is_nullable() {
            let describe = |field: &arrow_schema::Field| {
                let null = if field.is_nullable() { "" } else { " not null" };
                format!("{}{null}", field.data_type())
            };
            return Some(format!(
                "column {} is {}, {} by the table",
                found.name(),
                describe(found),
                describe(wanted)
            ));
        }
    }
    let (found, wanted) = (found.fields().len(), table.fields().len());
    (found != wanted).then(|| format!("{found} columns, {wanted} by the table"))
}

#[cfg(test)]
mod tests {
    use super::is_part_of;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |_, [table, path, _]| {
            is_part_of(table, path).to_string()
        });
    }
}
