//! `agent_catalog.parquet`: there, with its columns, and sound in itself.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::{Array as _, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

use super::super::catalog::table::TABLE;
use super::parts::difference;
use super::report::{Check, Offenders, Problem};
use crate::dataset::catalog::{AI_BASES, CATEGORIES, OBEDIENCE, STATUSES};
use crate::dataset::tables::Table;
use crate::dataset::tables::agent_catalog::table;

/// Checks the catalogue in the file at `path`. `is_as_written`: its bytes are; others are not
/// decoded.
pub(super) fn check(path: &Path, is_as_written: bool) -> Check {
    let mut check = Check::new("agent_catalog is sound", "rows");
    if !is_as_written {
        check.not_checked = Some(format!("{TABLE} is not as written"));
        return check;
    }
    match read(path, table()) {
        Ok(batches) => {
            check.checked = batches.iter().map(|batch| batch.num_rows() as u64).sum();
            check.problems.extend(offenders(&batches).into_problem(
                table().name,
                Some(TABLE),
                "rows with a token of another row, an unknown value, or a reference to no row",
            ));
        }
        Err(message) => {
            let message =
                format!("{message}; the next `robostat ingest` into this directory rewrites it");
            let name = Some(table().name);
            check.problems.push(Problem::in_file(name, TABLE, message));
        }
    }
    check
}

/// The rows of a table that is one file, or why they cannot be read.
pub(super) fn read(path: &Path, table: &Table) -> Result<Vec<RecordBatch>, String> {
    let file = File::open(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "the file is missing".to_owned(),
        _ => format!("cannot be read: {error}"),
    })?;
    let unreadable = |error: &dyn std::fmt::Display| format!("cannot be read: {error}");
    let builder =
        ParquetRecordBatchReaderBuilder::try_new(file).map_err(|error| unreadable(&error))?;
    if let Some(difference) = difference(builder.schema(), &table.schema) {
        return Err(difference);
    }
    let reader = builder.build().map_err(|error| unreadable(&error))?;
    reader
        .collect::<Result<_, _>>()
        .map_err(|error| unreadable(&error))
}

/// Rows whose product token another row has too, whose category is not the first purpose, with a
/// purpose, status, basis or obedience that does not exist, or whose fallback or successor has no
/// row.
fn offenders(batches: &[RecordBatch]) -> Offenders {
    let column = |batch: &RecordBatch, name: &str| batch[name].as_string::<i32>().clone();
    let mut tokens = BTreeSet::new();
    let mut offenders = Offenders::default();
    for batch in batches {
        let (token, category) = (column(batch, "product_token"), column(batch, "category"));
        let purposes = batch["purposes"].as_list::<i32>();
        let words = [
            ("status", column(batch, "status"), &STATUSES[..]),
            ("obeys_robots", column(batch, "obeys_robots"), &OBEDIENCE),
            ("is_ai_basis", column(batch, "is_ai_basis"), &AI_BASES),
        ];
        for row in 0..batch.num_rows() {
            let token = token.value(row);
            if !tokens.insert(token.to_owned()) {
                offenders.add(|| format!("{token}: a second row"));
            }
            let purposes = purposes.value(row);
            let purposes: Vec<&str> = purposes.as_string::<i32>().iter().flatten().collect();
            if purposes.first() != Some(&category.value(row)) {
                offenders.add(|| format!("{token}: category {}", category.value(row)));
            }
            for purpose in purposes.iter().filter(|it| !CATEGORIES.contains(it)) {
                offenders.add(|| format!("{token}: purpose {purpose}"));
            }
            for (name, words, known) in &words {
                if words.is_valid(row) && !known.contains(&words.value(row)) {
                    offenders.add(|| format!("{token}: {name} {}", words.value(row)));
                }
            }
        }
    }
    for batch in batches {
        let token = column(batch, "product_token");
        for name in ["fallback_token", "successor_token"] {
            let referred = column(batch, name);
            for row in (0..batch.num_rows()).filter(|row| referred.is_valid(*row)) {
                if !tokens.contains(referred.value(row)) {
                    offenders
                        .add(|| format!("{}: {name} {}", token.value(row), referred.value(row)));
                }
            }
        }
    }
    offenders
}
