//! Replacing inputs: the rows that earlier commits have of an input are left out.
//!
//! Tables whose rows belong to an input are rewritten without them. Files and policies stay,
//! because they describe the body, wherever it came from.

use std::collections::HashSet;

use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;

use super::input::Fingerprint;
use super::manifest::Part;
use super::{Dataset, label, stored};
use crate::dataset::tables::{self, Key, Table};
use crate::error::Error;

/// Pushes the rows of replaced inputs' parts that stay to the coming commit; returns the parts
/// that it replaces.
pub(super) fn rewrite(
    dataset: &mut Dataset,
    replaced: &HashSet<Fingerprint>,
) -> Result<Vec<String>, Error> {
    if replaced.is_empty() {
        return Ok(Vec::new());
    }
    let replaced: HashSet<i64> = replaced.iter().map(|input| input.input_id()).collect();
    let parts: Vec<Part> = dataset.manifest.parts().into_values().cloned().collect();
    let mut removed = Vec::new();
    for table in tables::all() {
        let Some(Key::Input(column)) = table.key else {
            continue;
        };
        for part in parts.iter().filter(|part| part.table == table.name) {
            if rewrite_part(dataset, table, column, part, &replaced)? {
                removed.push(part.path.clone());
            }
        }
    }
    Ok(removed)
}

/// Pushes what stays of `part`; false where all of it stays, and nothing is pushed.
fn rewrite_part(
    dataset: &mut Dataset,
    table: &'static Table,
    column: &str,
    part: &Part,
    replaced: &HashSet<i64>,
) -> Result<bool, Error> {
    let path = dataset.directory.join(&part.path);
    let stays = |batch: &RecordBatch| -> Vec<bool> {
        let ids = stored::bigint(batch, column).values();
        ids.iter().map(|id| !replaced.contains(id)).collect()
    };
    let mut is_touched = false;
    for batch in stored::open(&path, Some(&[column]))? {
        let batch = batch?;
        is_touched |= stays(&batch).contains(&false);
    }
    if !is_touched {
        return Ok(false);
    }
    let crawl = part
        .path
        .split('/')
        .find_map(|component| component.strip_prefix("crawl="))
        .map(label::unescape);
    for batch in stored::open(&path, None)? {
        let batch = batch?;
        let stays = BooleanArray::from(stays(&batch));
        let batch = filter_record_batch(&batch, &stays).expect("a value for each row");
        if batch.num_rows() > 0 {
            dataset
                .writer(table, crawl.as_deref().unwrap_or_default())?
                .push(batch)?;
        }
    }
    Ok(true)
}
