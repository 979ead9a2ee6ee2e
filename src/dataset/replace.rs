//! Replacing inputs: the rows that earlier commits have of an input are left out.
//!
//! Tables whose rows belong to an input are rewritten without them. Files and policies stay,
//! because they describe the body, wherever it came from.

use std::collections::HashSet;

use super::manifest::Part;
use super::{Dataset, stored};
use crate::dataset::tables::{self, Key};
use crate::error::Error;

/// Pushes what stays of the parts with rows of replaced inputs to the coming commit, and returns
/// these parts.
pub(super) fn rewrite(dataset: &mut Dataset) -> Result<Vec<String>, Error> {
    let replaced = dataset.next.replaced_inputs.iter();
    let replaced: HashSet<i64> = replaced.map(|input| input.input_id()).collect();
    if replaced.is_empty() {
        return Ok(Vec::new());
    }
    let parts: Vec<Part> = dataset.manifest.parts().into_values().cloned().collect();
    let mut removed = Vec::new();
    for table in tables::all() {
        let Some(Key::Input(column)) = table.key else {
            continue;
        };
        for part in parts.iter().filter(|part| part.table == table.name) {
            let path = dataset.directory.join(&part.path);
            let mut is_touched = false;
            for batch in stored::open(&path, Some(&[column]))? {
                let batch = batch?;
                let mut ids = stored::bigint(&batch, column).values().iter();
                is_touched |= ids.any(|id| replaced.contains(id));
            }
            if !is_touched {
                continue;
            }
            removed.push(part.path.clone());
            let crawl = part.partition().unwrap_or_default();
            for batch in stored::open(&path, None)? {
                let batch = stored::filter(&batch?, column, |id| !replaced.contains(&id));
                if batch.num_rows() > 0 {
                    dataset.writer(table, &crawl)?.push(batch)?;
                }
            }
        }
    }
    Ok(removed)
}
