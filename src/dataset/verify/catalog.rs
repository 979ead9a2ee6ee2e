//! `agent_catalog.parquet`: there, with its columns, and sound in itself.

use std::collections::BTreeSet;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::{RecordBatch, StringArray};

use super::super::catalog::table::TABLE;
use super::super::stored::value;
use super::report::{Check, Offenders};
use super::whole;
use crate::dataset::catalog::{AI_BASES, CATEGORIES, OBEDIENCE, STATUSES};
use crate::dataset::tables::agent_catalog::table;

/// Checks the table of the catalogue at `path`.
pub(super) fn check(path: &Path, is_as_written: bool) -> Check {
    let words = (
        "rows with a token of another row, an unknown value, or a reference to no row",
        "the next `robostat ingest` into this directory rewrites it",
    );
    whole::check(table(), (TABLE, path), is_as_written, words, offenders)
}

fn column<'b>(batch: &'b RecordBatch, name: &str) -> &'b StringArray {
    batch[name].as_string()
}

/// Rows whose product token another row has too, whose category is not the first purpose, with a
/// purpose, status, basis or obedience that does not exist, or whose fallback or successor has no
/// row.
fn offenders(batches: &[RecordBatch]) -> Offenders {
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
            for (name, words, known) in words {
                if let Some(word) = value(words, row).filter(|word| !known.contains(word)) {
                    offenders.add(|| format!("{token}: {name} {word}"));
                }
            }
        }
    }
    for batch in batches {
        let token = column(batch, "product_token");
        for name in ["fallback_token", "successor_token"] {
            let referred = column(batch, name);
            for (token, referred) in token.iter().flatten().zip(referred.iter()) {
                if let Some(referred) = referred.filter(|it| !tokens.contains(*it)) {
                    offenders.add(|| format!("{token}: {name} {referred}"));
                }
            }
        }
    }
    offenders
}
