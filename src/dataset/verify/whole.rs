//! Tables that are written as a whole, each into one file.

use std::path::Path;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::parts::{difference, open_file, unreadable};
use super::report::{Check, Offenders};
use crate::dataset::tables::Table;

/// Checks a table that is one file, `file` of the dataset, which is at `path`. `is_as_written`: its
/// bytes are; others are not decoded. `find` finds the rows that are wrong, in the way that
/// `message` says; `remedy` is how a file that cannot be read is written again.
pub(super) fn check(
    table: &Table,
    (file, path): (&str, &Path),
    is_as_written: bool,
    (message, remedy): (&str, &str),
    find: impl FnOnce(&[RecordBatch]) -> Offenders,
) -> Check {
    let mut check = Check::new(format!("{} is sound", table.name), "rows");
    if !is_as_written {
        check.not_checked = Some(format!("{file} is not as written"));
        return check;
    }
    match read(path, table) {
        Ok(batches) => {
            check.checked = batches.iter().map(|batch| batch.num_rows() as u64).sum();
            check.fail_rows(table.name, Some(file), message, find(&batches));
        }
        Err(error) => {
            check.fail(Some(table.name), file, format!("{error}; {remedy}"));
        }
    }
    check
}

/// The rows of a table that is one file, or why they cannot be read.
fn read(path: &Path, table: &Table) -> Result<Vec<RecordBatch>, String> {
    let file = open_file(path)?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).map_err(unreadable)?;
    if let Some(difference) = difference(builder.schema(), &table.schema) {
        return Err(difference);
    }
    let reader = builder.build().map_err(unreadable)?;
    let batches: Result<Vec<RecordBatch>, _> = reader.collect();
    batches.map_err(unreadable)
}
