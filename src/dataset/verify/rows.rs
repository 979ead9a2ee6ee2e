//! Rows: every reference has its row in another table, and counts in two tables are equal.
//!
//! Each check reads the columns that it needs, from all parts of a table in parallel. A column
//! `policy_id` or `file_id` of any table is a reference.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Int32Type, Int64Type};
use arrow_array::{Int64Array, RecordBatch};
use rayon::prelude::*;
use robots_dialects::identity::Id;

use super::super::manifest::Manifest;
use super::super::stored::{ids, value};
use super::super::tables::{self, Table};
use super::inputs;
use super::parts::{LocatedPart, Parts};
use super::report::{Check, CheckedRows};

/// Columns that refer to another table, and that table.
const REFERENCES: [(&str, &str); 4] = [
    ("policy_id", "policies"),
    ("owner_policy_id", "policies"),
    ("file_id", "files"),
    ("page_policy_id", "page_policies"),
];
/// Counts in both `policies` and `files`.
const COUNTS: [&str; 2] = ["n_groups", "n_agents"];
const DOUBLE_ID: &str = "rows with the id of another row";

/// Rows by their ids, each with the values of two further columns.
type KnownRows = HashMap<i64, [i64; 2]>;

pub(super) fn check(parts: &Parts<'_>, manifest: &Manifest) -> Vec<Check> {
    let known = |table: &str, columns: [&'static str; 3]| {
        let name = format!("{table}.{} is unique", columns[0]);
        parts.unique((table, &columns), name, DOUBLE_ID, |batch| {
            let rows = integers(batch, columns).map(|row| row.map(Option::unwrap_or_default));
            rows.map(|[id, one, other]| (id, [one, other], true))
                .collect()
        })
    };
    let (unique_files, files) = known("files", ["file_id", "policy_id", "owner_policy_id"]);
    let (unique_policies, policies) = known("policies", ["policy_id", COUNTS[0], COUNTS[1]]);
    let columns = ["page_policy_id", "page_policy_id_high", "canonical"];
    let name = "page_policies.page_policy_id is unique, and the hash of the canonical form";
    let message = "rows with the id of another row or content";
    let (unique_page_policies, page_policies) = parts.unique(
        ("page_policies", &columns),
        name.to_owned(),
        message,
        |batch| {
            let canonical = batch["canonical"].as_binary::<i32>();
            let rows = ids(batch, "page_policy_id").zip(canonical);
            rows.map(|(id, canonical)| (id.low, (), canonical.map(Id::of) == Some(id)))
                .collect()
        },
    );
    let mut checks = vec![unique_files, unique_policies];
    for table in tables::all() {
        for (column, target) in REFERENCES {
            if table.name != target && has_column(table, column) {
                let has = |id: i64| match target {
                    "policies" => policies.contains_key(&id),
                    "files" => files.contains_key(&id),
                    _ => page_policies.contains_key(&id),
                };
                checks.push(references(parts, table.name, column, target, has));
            }
        }
    }
    checks.push(captures(parts, &files));
    checks.push(exemplars(parts, &files));
    checks.push(counts_of_files(parts, &policies));
    checks.extend(complete(parts, tables::policies::table(), &policies));
    checks.push(unique_page_policies);
    let owner = tables::page_policies::table();
    checks.extend(complete(parts, owner, &KnownRows::new()));
    checks.extend(inputs::check(parts, manifest));
    checks
}

fn has_column(table: &Table, column: &str) -> bool {
    table.schema.column_with_name(column).is_some()
}

fn integers<const N: usize>(
    batch: &RecordBatch,
    columns: [&str; N],
) -> impl Iterator<Item = [Option<i64>; N]> + use<N> {
    let columns: [Int64Array; N] = columns.map(|column| {
        let column = &batch[column];
        match column.as_primitive_opt::<Int32Type>() {
            Some(column) => column.unary(i64::from),
            None => column.as_primitive::<Int64Type>().clone(),
        }
    });
    (0..batch.num_rows()).map(move |row| columns.each_ref().map(|column| value(column, row)))
}

impl<'m> Parts<'m> {
    /// A check that needs these tables intact.
    pub(super) fn begin(&self, name: impl Into<String>, needed: &[&str]) -> Check {
        let broken = needed.iter().find_map(|table| self.broken.get(table));
        Check {
            not_checked: broken.cloned(),
            ..Check::new(name, "rows")
        }
    }

    /// What `visit` finds in each part of a table, given each batch and the number of its first
    /// row. Empty if the check cannot be made.
    pub(super) fn scan<T: Default + Send>(
        &self,
        check: &mut Check,
        table: &str,
        columns: &[&str],
        visit: impl Fn(&mut T, &RecordBatch, u64) + Sync,
    ) -> Vec<(&LocatedPart<'m>, T)> {
        let parts = self.readable.iter().filter(|part| part.table.name == table);
        let parts: Vec<_> = parts.filter(|_| check.not_checked.is_none()).collect();
        let read = |part: &'_ LocatedPart<'m>| {
            let mut found = T::default();
            let result = part.read(Some(columns), |batch, row| visit(&mut found, batch, row));
            (found, result)
        };
        let read: Vec<_> = parts.par_iter().map(|part| read(part)).collect();
        let mut found = Vec::new();
        for (part, (of_part, result)) in parts.into_iter().zip(read) {
            if let Err(message) = result {
                check.fail(Some(table), &part.part.path, message);
            }
            found.push((part, of_part));
        }
        found
    }

    /// Passes each row of one table to `look`: its number, and its values in some integer columns.
    /// `message` describes the wrong rows that `look` finds.
    fn each<const N: usize>(
        &self,
        mut check: Check,
        (table, columns): (&str, [&str; N]),
        message: &str,
        look: impl Fn(&mut CheckedRows, u64, [Option<i64>; N]) + Sync,
    ) -> Check {
        let visit = |rows: &mut CheckedRows, batch: &RecordBatch, first_row: u64| {
            for (number, row) in (first_row..).zip(integers(batch, columns)) {
                look(rows, number, row);
            }
        };
        for (part, rows) in self.scan(&mut check, table, &columns, visit) {
            check.add_rows(table, Some(&part.part.path), message, rows);
        }
        check
    }

    /// Checks that the ids in the first of these columns of a table are unique. For each row,
    /// `read` returns its id, the values to keep, and whether the row itself is right.
    fn unique<T: Send>(
        &self,
        (table, columns): (&str, &[&str]),
        name: String,
        message: &str,
        read: impl Fn(&RecordBatch) -> Vec<(i64, T, bool)> + Sync,
    ) -> (Check, HashMap<i64, T>) {
        let mut check = self.begin(name, &[table]);
        let visit = |rows: &mut Vec<_>, batch: &RecordBatch, _| rows.extend(read(batch));
        let mut known = HashMap::new();
        for (part, of_part) in self.scan(&mut check, table, columns, visit) {
            let mut rows = CheckedRows::default();
            for (row, (id, of_row, is_right)) in of_part.into_iter().enumerate() {
                let is_new = known.insert(id, of_row).is_none();
                rows.add(is_new && is_right, || {
                    format!("{} {id} (row {row})", columns[0])
                });
            }
            check.add_rows(table, Some(&part.part.path), message, rows);
        }
        (check, known)
    }
}

fn references(
    parts: &Parts<'_>,
    table: &str,
    column: &str,
    target: &str,
    has: impl Fn(i64) -> bool + Sync,
) -> Check {
    let check = parts.begin(format!("{table}.{column} is in {target}"), &[table, target]);
    let message = "rows that refer to nothing";
    parts.each(check, (table, [column]), message, |rows, row, [id]| {
        if let Some(id) = id {
            rows.add(has(id), || format!("{column} {id} (row {row})"));
        }
    })
}

fn captures(parts: &Parts<'_>, files: &KnownRows) -> Check {
    let name = "captures.policy_id is the policy of the file";
    let check = parts.begin(name, &["captures", "files"]);
    let message = "captures with another policy than their file, or only one of the two";
    let columns = ("captures", ["file_id", "policy_id"]);
    parts.each(check, columns, message, |rows, row, [file, policy]| {
        let is_right = match file.map(|file| files.get(&file)) {
            None => policy.is_none(),
            Some(None) => true, // another check reports the missing file
            Some(Some([whole, _])) => policy == Some(*whole),
        };
        rows.add(is_right, || {
            let [file, policy] =
                [file, policy].map(|id| id.map_or_else(|| "null".to_owned(), |id| id.to_string()));
            format!("file_id {file}, policy_id {policy} (row {row})")
        });
    })
}

/// Finds policies that their exemplar file does not have, neither as a whole nor for its owner's
/// part.
fn exemplars(parts: &Parts<'_>, files: &KnownRows) -> Check {
    let name = "policies.exemplar_file_id is a file with the policy";
    let check = parts.begin(name, &["policies", "files"]);
    let message = "exemplars without the policy";
    let columns = ("policies", ["policy_id", "exemplar_file_id"]);
    parts.each(check, columns, message, |rows, _, row| {
        let [id, file] = row.map(Option::unwrap_or_default);
        let policies = files.get(&file);
        let is_right = policies.is_some_and(|policies| policies.contains(&id));
        rows.add(is_right, || {
            format!("policy_id {id}: exemplar_file_id {file}")
        });
    })
}

fn counts_of_files(parts: &Parts<'_>, policies: &KnownRows) -> Check {
    let name = "files.n_groups and n_agents are the policy's";
    let check = parts.begin(name, &["files", "policies"]);
    let message = "files with other counts than their policy";
    let columns = ("files", ["file_id", "policy_id", COUNTS[0], COUNTS[1]]);
    parts.each(check, columns, message, |rows, number, row| {
        rows.checked += 1;
        let [file, policy, n_groups, n_agents] = row.map(Option::unwrap_or_default);
        // Another check reports a file without its policy.
        let said = policies.get(&policy).into_iter().flatten();
        for ((column, counted), said) in COUNTS.iter().zip([n_groups, n_agents]).zip(said) {
            if counted != *said {
                rows.add_wrong(|| {
                    format!(
                        "file_id {file} (row {number}): {column} is {counted}, {said} by its policy"
                    )
                });
            }
        }
    })
}

/// Checks that each policy has as many rows as its column `n_<table>` counts, and that groups and
/// rules are numbered in order. `counts` has the number of groups of each policy.
fn complete(parts: &Parts<'_>, owner: &Table, counts: &KnownRows) -> Vec<Check> {
    let mut checks = Vec::new();
    for table in tables::all().filter(|table| table.key == owner.key) {
        let count = format!("n_{}", table.name.trim_start_matches("page_"));
        if table.name != owner.name && has_column(owner, &count) {
            checks.push(complete_table(parts, table, (owner, &count), counts));
        }
    }
    checks
}

fn complete_table(
    parts: &Parts<'_>,
    table: &Table,
    (owner, count): (&Table, &str),
    counts: &KnownRows,
) -> Check {
    let key = owner.key.expect("the id of a policy").column();
    let position = match table.name {
        "groups" => Some("group_index"),
        "rules" => Some("rule_index"),
        _ => None,
    };
    let group = Some("group_index").filter(|column| has_column(table, column));
    // Positions are not checked for pages.
    let order = if table.is_optional {
        ""
    } else {
        " and in order"
    };
    let title = format!("{} of each policy are complete{order}", table.name);
    let mut check = parts.begin(title, &[table.name, owner.name]);
    let visit = |said: &mut Vec<_>, batch: &RecordBatch, _| {
        said.extend(integers(batch, [key, count]).map(|row| row.map(Option::unwrap_or_default)));
    };
    let said = parts.scan(&mut check, owner.name, &[key, count], visit);
    let said = said.into_iter().flat_map(|(_, said)| said);
    // Each policy's own count of its rows, and the rows found, which several threads count.
    let policies = said.map(|[id, said]| (id, (said, AtomicI64::new(0))));
    let policies: HashMap<i64, (i64, AtomicI64)> = policies.collect();
    let columns = [key, position.unwrap_or(key), group.unwrap_or(key)];
    let message = "rows that are double, missing or out of order";
    let look = |rows: &mut CheckedRows, number: u64, [id, index, in_group]: [Option<i64>; 3]| {
        rows.checked += 1;
        let id = id.unwrap_or_default();
        let Some((_, found)) = policies.get(&id) else {
            return;
        };
        let before = found.fetch_add(1, Ordering::Relaxed);
        if let (Some(column), Some(index)) = (position, index)
            && index != before
        {
            rows.add_wrong(|| {
                format!("policy_id {id} (row {number}): {column} is {index}, {before} expected")
            });
        }
        if let (Some(_), Some(group), Some([n_groups, _])) = (group, in_group, counts.get(&id))
            && !(0..*n_groups).contains(&group)
        {
            rows.add_wrong(|| {
                format!(
                    "policy_id {id} (row {number}): group_index is {group}, of {n_groups} groups"
                )
            });
        }
    };
    let mut check = parts.each(check, (table.name, columns), message, look);
    let found = policies.into_iter();
    let found = found.map(|(id, (said, found))| (id, said, found.into_inner()));
    let mut wrong: Vec<_> = found.filter(|(_, said, found)| said != found).collect();
    wrong.sort_unstable();
    let mut rows = CheckedRows::default();
    for (id, said, found) in wrong {
        rows.add_wrong(|| format!("{key} {id}: {found} rows, {count} is {said}"));
    }
    let message = "policies with more or fewer rows than they count";
    check.add_rows(table.name, None, message, rows);
    check
}
