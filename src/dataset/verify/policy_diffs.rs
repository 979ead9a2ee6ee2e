//! `policy_diffs.parquet`: its columns, its keys, and classes that agree with their witnesses.

use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, RecordBatch};
use robots_dialects::dialect::Dialect;

use super::super::stored::value;
use super::report::{Check, Offenders};
use super::whole;
use crate::dataset::tables::policy_diffs::{FILE, table};

/// Checks the table of changes of policies at `path`.
pub(super) fn check(path: &Path, is_as_written: bool) -> Check {
    let words = (
        "rows with the key of another row or out of order, or whose class is not the one of their \
         witnesses",
        "run `robostat diff` on this directory again",
    );
    whole::check(table(), (FILE, path), is_as_written, words, offenders)
}

/// What a row is sorted by: the answers before and after, policies first, then dialect and crawler.
type RowKey = ([(String, Option<i64>); 2], usize, String);

fn offenders(batches: &[RecordBatch]) -> Offenders {
    let mut offenders = Offenders::default();
    let mut last: Option<RowKey> = None;
    for batch in batches {
        let text = |column: &str| batch[column].as_string::<i32>();
        for row in 0..batch.num_rows() {
            let side = |policy: &str, access: &str| {
                let policies = batch[policy].as_primitive::<Int64Type>();
                let policy = value(policies, row);
                // As words, `parse` comes last.
                let access = text(access).value(row);
                let order = if access == "parse" { "" } else { access };
                (order.to_owned(), policy)
            };
            let sides = [
                side("policy_id_before", "access_before"),
                side("policy_id_after", "access_after"),
            ];
            let dialect = text("dialect").value(row);
            let dialect = Dialect::ALL.iter().position(|it| it.name() == dialect);
            let class = text("class").value(row);
            let has = |column: &str| batch[column].is_valid(row);
            let witnessed = match (has("witness_blocked"), has("witness_opened")) {
                (false, false) => ["equal", "undecided"],
                (true, false) => ["stricter", "undecided"],
                (false, true) => ["looser", "undecided"],
                (true, true) => ["mixed", "mixed"],
            };
            let is_exact = batch["is_exact"].as_boolean().value(row);
            let is_sound = sides
                .iter()
                .all(|(order, id)| order.is_empty() == id.is_some())
                && witnessed.contains(&class)
                && is_exact == (class != "undecided");
            let token = text("product_token").value(row).to_owned();
            let key = (sides, dialect.unwrap_or(usize::MAX), token);
            let is_next = last.as_ref().is_none_or(|last| *last < key);
            if !is_sound || !is_next {
                offenders.add(|| format!("{:?} -> {:?}: {}", key.0[0].1, key.0[1].1, key.2));
            }
            last = Some(key);
        }
    }
    offenders
}
