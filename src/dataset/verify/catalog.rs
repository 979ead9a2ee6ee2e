//! `agent_catalog.parquet`: there, with its columns, and sound in itself.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch, StringArray};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::super::catalog::table::TABLE;
use super::parts::difference;
use super::report::{Check, Offenders, Problem};
use crate::dataset::catalog::{CATEGORIES, OBEDIENCE, PURPOSES, STATUSES};
use crate::dataset::tables::agent_catalog::table;

/// Looks at the catalogue of the dataset in `directory`. `is_as_written`: its bytes are; others are
/// not decoded.
pub(super) fn check(directory: &Path, is_as_written: bool) -> Check {
    let mut check = Check::new("agent_catalog is sound", "rows");
    if !is_as_written {
        check.not_checked = Some(format!("{TABLE} is not as written"));
        return check;
    }
    match read(&directory.join(TABLE)) {
        Ok(batches) => {
            check.checked = batches.iter().map(|batch| batch.num_rows() as u64).sum();
            check.problems.extend(offenders(&batches).into_problem(
                table().name,
                Some(TABLE),
                "rows that are double, unknown or refer to none",
            ));
        }
        Err(message) => {
            let message =
                format!("{message}; the next `robostat ingest` into this directory writes it anew");
            let name = Some(table().name);
            check.problems.push(Problem::in_file(name, TABLE, message));
        }
    }
    check
}

/// The rows, or why there are none.
fn read(path: &Path) -> Result<Vec<RecordBatch>, String> {
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "the file is missing".to_owned(),
        _ => format!("cannot be read: {error}"),
    })?;
    let unreadable = |error: &dyn std::fmt::Display| format!("cannot be read: {error}");
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable(&error))?;
    if let Some(difference) = difference(builder.schema(), &table().schema) {
        return Err(difference);
    }
    let reader = builder.build().map_err(|error| unreadable(&error))?;
    reader
        .collect::<Result<_, _>>()
        .map_err(|error| unreadable(&error))
}

/// Rows whose product token another has too, with a category, purpose, status or obedience that
/// is none, or whose fallback has no row.
fn offenders(batches: &[RecordBatch]) -> Offenders {
    let column = |batch: &RecordBatch, name: &str| -> StringArray {
        let column = batch.column_by_name(name).expect("a column of the table");
        column.as_string::<i32>().clone()
    };
    let mut tokens = BTreeSet::new();
    let mut offenders = Offenders::default();
    for batch in batches {
        let (token, category) = (column(batch, "product_token"), column(batch, "category"));
        let purpose = column(batch, "purpose");
        let (status, obeys) = (column(batch, "status"), column(batch, "obeys_robots"));
        for row in 0..batch.num_rows() {
            let token = token.value(row);
            if !tokens.insert(token.to_owned()) {
                offenders.add(|| format!("{token}: a second row"));
            }
            if !CATEGORIES.contains(&category.value(row)) {
                offenders.add(|| format!("{token}: category {}", category.value(row)));
            }
            if !PURPOSES.contains(&purpose.value(row)) {
                offenders.add(|| format!("{token}: purpose {}", purpose.value(row)));
            }
            if status.is_valid(row) && !STATUSES.contains(&status.value(row)) {
                offenders.add(|| format!("{token}: status {}", status.value(row)));
            }
            if obeys.is_valid(row) && !OBEDIENCE.contains(&obeys.value(row)) {
                offenders.add(|| format!("{token}: obeys_robots {}", obeys.value(row)));
            }
        }
    }
    for batch in batches {
        let (token, fallback) = (
            column(batch, "product_token"),
            column(batch, "fallback_token"),
        );
        for row in (0..batch.num_rows()).filter(|row| fallback.is_valid(*row)) {
            if !tokens.contains(fallback.value(row)) {
                offenders.add(|| format!("{}: fallback {}", token.value(row), fallback.value(row)));
            }
        }
    }
    offenders
}
