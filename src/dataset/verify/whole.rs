//! Tables that are one file each: present, with their columns, and consistent in themselves.

use std::collections::BTreeSet;
use std::path::Path;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{Array as _, RecordBatch, StringArray};
use robots_dialects::dialect::Dialect;

use super::super::stored::value;
use super::parts::{open_file, open_table, unreadable};
use super::report::{Check, CheckedRows};
use crate::dataset::tables::agent_catalog::{AI_BASES, CATEGORIES, OBEDIENCE, STATUSES};
use crate::dataset::tables::{Table, agent_catalog, policy_diffs};

pub(super) fn check_catalog(path: &Path, is_as_written: bool) -> Check {
    let message =
        "rows with a token of another row, an unknown value, or a reference to a missing row";
    let remedy = "the next `robostat ingest` into this directory rewrites it";
    let table = agent_catalog::table();
    check(table, path, is_as_written, message, remedy, wrong_agents)
}

pub(super) fn check_diffs(path: &Path, is_as_written: bool) -> Check {
    let message = "rows with the key of another row or out of order, or whose class does not fit \
                   their witnesses";
    let remedy = "run `robostat diff` on this directory again";
    let table = policy_diffs::table();
    check(table, path, is_as_written, message, remedy, wrong_diffs)
}

/// Checks a table that is one file. If not `is_as_written`, it is not decoded. `message` describes
/// the rows that `find` finds; `remedy` is how to rewrite an unreadable file.
fn check(
    table: &Table,
    path: &Path,
    is_as_written: bool,
    message: &str,
    remedy: &str,
    find: impl FnOnce(&[RecordBatch]) -> CheckedRows,
) -> Check {
    let file = format!("{}.parquet", table.name);
    let mut check = Check::new(format!("{} is sound", table.name), "rows");
    if !is_as_written {
        check.not_checked = Some(format!("{file} is not as written"));
        return check;
    }
    match read(path, table) {
        Ok(batches) => {
            let mut rows = find(&batches);
            rows.checked = batches.iter().map(|batch| batch.num_rows() as u64).sum();
            check.add_rows(table.name, Some(&file), message, rows);
        }
        Err(error) => {
            check.fail(Some(table.name), file, format!("{error}; {remedy}"));
        }
    }
    check
}

fn read(path: &Path, table: &Table) -> Result<Vec<RecordBatch>, String> {
    let reader = open_table(open_file(path)?, table)?.build();
    let batches: Result<_, _> = reader.map_err(unreadable)?.collect();
    batches.map_err(unreadable)
}

fn text<'b>(batch: &'b RecordBatch, column: &str) -> &'b StringArray {
    batch[column].as_string()
}

/// Rows with a repeated token, an unknown word, or a fallback or successor without a row.
fn wrong_agents(batches: &[RecordBatch]) -> CheckedRows {
    let mut tokens = BTreeSet::new();
    let mut rows = CheckedRows::default();
    for batch in batches {
        let (token, category) = (text(batch, "product_token"), text(batch, "category"));
        let purposes = batch["purposes"].as_list::<i32>();
        for row in 0..batch.num_rows() {
            let (token, category) = (token.value(row), category.value(row));
            if !tokens.insert(token) {
                rows.add_wrong(|| format!("{token}: a second row"));
            }
            let purposes = purposes.value(row);
            let purposes: Vec<&str> = purposes.as_string::<i32>().iter().flatten().collect();
            if purposes.first() != Some(&category) {
                rows.add_wrong(|| format!("{token}: category {category}"));
            }
            let purposes = purposes
                .into_iter()
                .map(|it| ("purpose", it, &CATEGORIES[..]));
            let words = [
                ("status", &STATUSES[..]),
                ("obeys_robots", &OBEDIENCE),
                ("is_ai_basis", &AI_BASES),
            ];
            let words = words
                .into_iter()
                .filter_map(|(name, known)| Some((name, value(text(batch, name), row)?, known)));
            for (name, word, known) in purposes.chain(words) {
                if !known.contains(&word) {
                    rows.add_wrong(|| format!("{token}: {name} {word}"));
                }
            }
        }
    }
    for batch in batches {
        let token = text(batch, "product_token");
        for name in ["fallback_token", "successor_token"] {
            for (token, referred) in token.iter().flatten().zip(text(batch, name)) {
                if let Some(referred) = referred.filter(|it| !tokens.contains(it)) {
                    rows.add_wrong(|| format!("{token}: {name} {referred}"));
                }
            }
        }
    }
    rows
}

/// Rows with a repeated key, out of order, or with a class that their witnesses do not show.
fn wrong_diffs(batches: &[RecordBatch]) -> CheckedRows {
    let mut rows = CheckedRows::default();
    let mut last = None;
    for batch in batches {
        for row in 0..batch.num_rows() {
            let sides = ["before", "after"].map(|side| {
                let policies = &batch[&*format!("policy_id_{side}")];
                let access = text(batch, &format!("access_{side}")).value(row);
                // Policies sort first, although `parse` is last in the alphabet.
                let order = if access == "parse" { "" } else { access };
                (order, value(policies.as_primitive::<Int64Type>(), row))
            });
            let dialect = text(batch, "dialect").value(row);
            let dialect = Dialect::ALL.iter().position(|it| it.name() == dialect);
            let class = text(batch, "class").value(row);
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
            let token = text(batch, "product_token").value(row);
            // The sort key of rows: answers (policies first), dialect, crawler.
            let key = Some((sides, dialect.unwrap_or(usize::MAX), token));
            if !is_sound || key <= last {
                rows.add_wrong(|| format!("{:?} -> {:?}: {token}", sides[0].1, sides[1].1));
            }
            last = key;
        }
    }
    rows
}
