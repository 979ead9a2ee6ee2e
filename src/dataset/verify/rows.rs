//! Rows: every value is decoded, and what refers to a row of another table finds it.
//!
//! Each check reads the columns that it needs, from all parts of a table in parallel. A column
//! `policy_id` or `file_id` of any table is a reference.

use std::collections::{BTreeMap, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use rayon::prelude::*;
use robots_dialects::identity::Id;

use super::super::manifest::Manifest;
use super::super::stored::{self, bigint, ids, value};
use super::super::tables::{self, Table};
use super::inputs;
use super::parts::LocatedPart;
use super::report::{Check, Offenders};

/// Columns that refer to another table, and that table.
const REFERENCES: [(&str, &str); 4] = [
    ("policy_id", "policies"),
    ("owner_policy_id", "policies"),
    ("file_id", "files"),
    ("page_policy_id", "page_policies"),
];
/// What `policies` and `files` both count.
const COUNTS: [&str; 2] = ["n_groups", "n_agents"];
/// What is wrong with ids that are not unique.
const DOUBLE_ID: &str = "rows with an id that another has";

/// Tables that are broken, and why.
pub(super) type BrokenTables = BTreeMap<&'static str, String>;

/// The rows of a dataset.
pub(super) struct Rows<'r> {
    parts: &'r [LocatedPart<'r>],
    broken: BrokenTables,
}

/// The policies of a file: of the whole file, and of its owner's part.
struct FilePolicies {
    whole: i64,
    owner: i64,
}

/// Reads all rows of `parts`. A check that needs a table in `broken` is not made.
pub(super) fn check(
    parts: &[LocatedPart<'_>],
    manifest: &Manifest,
    broken: BrokenTables,
) -> Vec<Check> {
    let mut rows = Rows { parts, broken };
    let decoded = rows.decode();
    let columns = ["file_id", "policy_id", "owner_policy_id"];
    let (unique_files, files) = rows.unique("files", "", &columns, DOUBLE_ID, |batch| {
        let [id, whole, owner] = columns.map(|column| bigint(batch, column).values());
        let policies = whole.iter().zip(owner);
        let policies = policies.map(|(&whole, &owner)| FilePolicies { whole, owner });
        let rows = id.iter().zip(policies);
        rows.map(|(id, policies)| (*id, policies, true)).collect()
    });
    let [n_groups, n_agents] = COUNTS;
    let columns = ["policy_id", n_groups, n_agents];
    let (unique_policies, policies) = rows.unique("policies", "", &columns, DOUBLE_ID, |batch| {
        let counts = COUNTS.map(|column| batch[column].as_primitive::<Int32Type>());
        let ids = bigint(batch, "policy_id").values().iter().enumerate();
        ids.map(|(row, id)| (*id, counts.map(|it| it.value(row)), true))
            .collect()
    });
    let columns = ["page_policy_id", "page_policy_id_high", "canonical"];
    let (unique_page_policies, page_policies) = rows.unique(
        "page_policies",
        ", and the hash of the canonical form",
        &columns,
        "rows with the id of another row or content",
        |batch| {
            let canonical = batch["canonical"].as_binary::<i32>();
            let ids = ids(batch, "page_policy_id").zip(canonical);
            ids.map(|(id, canonical)| (id.low, (), canonical.map(Id::of) == Some(id)))
                .collect()
        },
    );
    let mut checks = vec![decoded, unique_files, unique_policies];
    for table in tables::all() {
        for (column, target) in REFERENCES {
            if table.name != target && table.schema.column_with_name(column).is_some() {
                let has = |id: i64| match target {
                    "policies" => policies.contains_key(&id),
                    "files" => files.contains_key(&id),
                    _ => page_policies.contains_key(&id),
                };
                checks.push(rows.references(table, column, target, has));
            }
        }
    }
    checks.push(rows.captures(&files));
    checks.push(rows.exemplars(&files));
    checks.push(rows.counts_of_files(&policies));
    let n_groups = |policy: i64| policies.get(&policy).map(|[n_groups, _]| *n_groups);
    checks.extend(rows.complete(tables::policies::table(), n_groups));
    checks.push(unique_page_policies);
    checks.extend(rows.complete(tables::page_policies::table(), |_| None));
    checks.extend(inputs::check(&rows, manifest));
    checks
}

impl<'r> Rows<'r> {
    /// A check that needs these tables whole.
    pub(super) fn begin(&self, name: impl Into<String>, needed: &[&str]) -> Check {
        let broken = needed.iter().find_map(|table| self.broken.get(table));
        Check {
            not_checked: broken.cloned(),
            ..Check::new(name, "rows")
        }
    }

    /// What `visit` finds in each part of a table, shown its batches with the numbers of their
    /// first rows; nothing if the check cannot be made.
    pub(super) fn scan<T: Default + Send>(
        &self,
        check: &mut Check,
        table: &str,
        columns: &[&str],
        visit: impl Fn(&mut T, &RecordBatch, u64) + Sync,
    ) -> Vec<(&'r LocatedPart<'r>, T)> {
        let parts = self.parts.iter().filter(|part| part.table.name == table);
        let parts: Vec<_> = parts.filter(|_| check.not_checked.is_none()).collect();
        let read = |part: &'r LocatedPart<'r>| {
            let mut found = T::default();
            let result = read(part, Some(columns), |batch, row| {
                visit(&mut found, batch, row);
            });
            (part, found, result)
        };
        let read: Vec<_> = parts.into_par_iter().map(read).collect();
        let mut found = Vec::new();
        for (part, of_part, result) in read {
            if let Err(message) = result {
                check.fail(Some(table), &part.part.path, message);
            }
            found.push((part, of_part));
        }
        found
    }

    /// Makes a check of the rows of one table. `find` adds those that are wrong, and returns how
    /// many rows it has looked at.
    fn each(
        &self,
        mut check: Check,
        (table, columns): (&str, &[&str]),
        message: &str,
        find: impl Fn(&RecordBatch, u64, &mut Offenders) -> usize + Sync,
    ) -> Check {
        type Found = (usize, Offenders);
        let visit = |(checked, offenders): &mut Found, batch: &RecordBatch, first_row| {
            *checked += find(batch, first_row, offenders);
        };
        for (part, (checked, offenders)) in self.scan(&mut check, table, columns, visit) {
            check.checked += checked as u64;
            check.fail_rows(table, Some(&part.part.path), message, offenders);
        }
        check
    }

    /// Decodes all columns of all rows. Tables with rows that cannot be read are broken.
    fn decode(&mut self) -> Check {
        let mut check = Check::new("every value can be read", "rows");
        let decode = |part| {
            let mut rows = 0;
            let result = read(part, None, |batch, _| rows += batch.num_rows() as u64);
            (part, rows, result)
        };
        let decoded: Vec<_> = self.parts.par_iter().map(decode).collect();
        for (part, rows, result) in decoded {
            check.checked += rows;
            if let Err(message) = result {
                let (table, path) = (part.table.name, &part.part.path);
                let mut offenders = Offenders::default();
                offenders.add(|| format!("from row {rows} on: {message}"));
                let message = "rows that cannot be decoded";
                check.fail_rows(table, Some(path), message, offenders);
                let why = || format!("{path} cannot be read");
                self.broken.entry(table).or_insert_with(why);
            }
        }
        check
    }

    /// Looks whether the ids in the first of these columns of a table are unique. `read` gives for
    /// each row its id, what is to be known of it, and whether it is right in itself.
    fn unique<T: Send>(
        &self,
        table: &str,
        further: &str,
        columns: &[&str],
        message: &str,
        read: impl Fn(&RecordBatch) -> Vec<(i64, T, bool)> + Sync,
    ) -> (Check, HashMap<i64, T>) {
        let column = columns[0];
        let mut check = self.begin(format!("{table}.{column} is unique{further}"), &[table]);
        let visit = |rows: &mut Vec<_>, batch: &RecordBatch, _| rows.extend(read(batch));
        let mut known = HashMap::new();
        for (part, rows) in self.scan(&mut check, table, columns, visit) {
            let mut offenders = Offenders::default();
            check.checked += rows.len() as u64;
            for (row, (id, of_row, is_right)) in rows.into_iter().enumerate() {
                if known.insert(id, of_row).is_some() || !is_right {
                    offenders.add(|| format!("{column} {id} (row {row})"));
                }
            }
            check.fail_rows(table, Some(&part.part.path), message, offenders);
        }
        (check, known)
    }

    /// Looks every id of a column up.
    fn references(
        &self,
        table: &Table,
        column: &str,
        target: &str,
        has: impl Fn(i64) -> bool + Sync,
    ) -> Check {
        let name = table.name;
        let check = self.begin(format!("{name}.{column} is in {target}"), &[name, target]);
        let message = "rows that refer to nothing";
        let find = |batch: &RecordBatch, first_row: u64, offenders: &mut Offenders| {
            let mut looked_up = 0;
            for (id, number) in bigint(batch, column).iter().zip(first_row..) {
                let Some(id) = id else { continue };
                looked_up += 1;
                if !has(id) {
                    offenders.add(|| format!("{column} {id} (row {number})"));
                }
            }
            looked_up
        };
        self.each(check, (name, &[column]), message, find)
    }

    /// Captures with another policy than their file.
    fn captures(&self, files: &HashMap<i64, FilePolicies>) -> Check {
        let name = "captures.policy_id is the policy of the file";
        let check = self.begin(name, &["captures", "files"]);
        let message = "captures with another policy than their file, or only one of the two";
        let columns = ["file_id", "policy_id"];
        let find = |batch: &RecordBatch, first_row: u64, offenders: &mut Offenders| {
            let [ids, policies] = columns.map(|column| bigint(batch, column));
            for (row, number) in (0..batch.num_rows()).zip(first_row..) {
                let (file, policy) = (value(ids, row), value(policies, row));
                let is_right = match file.map(|file| files.get(&file)) {
                    None => policy.is_none(),
                    Some(None) => true, // the missing file is another check's
                    Some(Some(wanted)) => policy == Some(wanted.whole),
                };
                if !is_right {
                    let show = |id: Option<i64>| id.map_or("null".to_owned(), |id| id.to_string());
                    let (file, policy) = (show(file), show(policy));
                    offenders.add(|| format!("file_id {file}, policy_id {policy} (row {number})"));
                }
            }
            batch.num_rows()
        };
        self.each(check, ("captures", &columns), message, find)
    }

    /// Policies whose exemplar has another policy.
    fn exemplars(&self, files: &HashMap<i64, FilePolicies>) -> Check {
        let name = "policies.exemplar_file_id is a file with the policy";
        let check = self.begin(name, &["policies", "files"]);
        let message = "exemplars without the policy";
        let columns = ["policy_id", "exemplar_file_id"];
        let find = |batch: &RecordBatch, _: u64, offenders: &mut Offenders| {
            let [ids, exemplars] = columns.map(|column| bigint(batch, column).values());
            for (&id, file) in ids.iter().zip(exemplars) {
                let policies = files.get(file);
                if !policies.is_some_and(|it| it.whole == id || it.owner == id) {
                    offenders.add(|| format!("policy_id {id}: exemplar_file_id {file}"));
                }
            }
            batch.num_rows()
        };
        self.each(check, ("policies", &columns), message, find)
    }

    /// Files that count groups and agents otherwise than their policy.
    fn counts_of_files(&self, policies: &HashMap<i64, [i32; 2]>) -> Check {
        let name = "files.n_groups and n_agents are the policy's";
        let check = self.begin(name, &["files", "policies"]);
        let message = "files that count otherwise than their policy";
        let [n_groups, n_agents] = COUNTS;
        let columns = ["file_id", "policy_id", n_groups, n_agents];
        let find = |batch: &RecordBatch, first_row: u64, offenders: &mut Offenders| {
            let (files, of_files) = (bigint(batch, "file_id"), bigint(batch, "policy_id"));
            let counts = COUNTS.map(|column| batch[column].as_primitive::<Int32Type>());
            for (row, number) in (0..batch.num_rows()).zip(first_row..) {
                // One without its policy is another check's.
                let Some(policy) = policies.get(&of_files.value(row)) else {
                    continue;
                };
                for ((column, counts), said) in COUNTS.iter().zip(counts).zip(policy) {
                    let (file, counted) = (files.value(row), counts.value(row));
                    if counted != *said {
                        offenders.add(|| {
                            format!(
                                "file_id {file} (row {number}): {column} is {counted}, {said} by \
                             its policy"
                            )
                        });
                    }
                }
            }
            batch.num_rows()
        };
        self.each(check, ("files", &columns), message, find)
    }

    /// For each table with rows of a policy that the table `owner` counts, in a column `n_<table>`:
    /// whether they are as many, and number their groups and rules in order. `n_groups` has the
    /// groups of a policy.
    fn complete(
        &self,
        owner: &'static Table,
        n_groups: impl Fn(i64) -> Option<i32> + Sync,
    ) -> Vec<Check> {
        let key = owner.key.expect("the id of a policy").column();
        let is_of_owner = |table: &&Table| table.key == owner.key && table.name != owner.name;
        let tables = tables::all().filter(is_of_owner).map(|table| {
            let counts = format!("n_{}", table.name.trim_start_matches("page_"));
            (table, counts)
        });
        let has = |table: &Table, column: &str| table.schema.field_with_name(column).is_ok();
        let counted = tables.filter(|(_, counts)| has(owner, counts));
        let check = |(table, counts): (&'static Table, String)| {
            let name = table.name;
            let position = match name {
                "groups" => Some("group_index"),
                "rules" => Some("rule_index"),
                _ => None,
            };
            // Positions are not checked for pages.
            let order = if table.is_optional {
                ""
            } else {
                " and in order"
            };
            let title = format!("{name} of each policy are complete{order}");
            let mut check = self.begin(title, &[name, owner.name]);
            let visit = |said: &mut Vec<(i64, i32)>, batch: &RecordBatch, _| {
                let ids = bigint(batch, key).values().iter().copied();
                let counts = batch[&*counts].as_primitive::<Int32Type>().values();
                said.extend(ids.zip(counts.iter().copied()));
            };
            let said = self.scan(&mut check, owner.name, &[key, &counts], visit);
            let said = said.into_iter().flat_map(|(_, said)| said);
            // The rows that each policy says it has, and those found, counted by several threads.
            let policies = said.map(|(id, said)| (id, (said, AtomicU32::new(0))));
            let policies: HashMap<i64, (i32, AtomicU32)> = policies.collect();
            let group = Some("group_index").filter(|column| has(table, column));
            let columns = [Some(key), position, group];
            let columns: Vec<&str> = columns.into_iter().flatten().collect();
            let message = "rows that are double, missing or out of order";
            let find = |batch: &RecordBatch, first_row: u64, offenders: &mut Offenders| {
                let ids = bigint(batch, key);
                let indices = |column| batch[column].as_primitive::<Int32Type>();
                let positions = position.map(|column| (column, indices(column)));
                let groups = group.map(indices);
                for (row, number) in (0..batch.num_rows()).zip(first_row..) {
                    let id = ids.value(row);
                    let Some((_, found)) = policies.get(&id) else {
                        continue;
                    };
                    let before = found.fetch_add(1, Ordering::Relaxed);
                    if let Some((column, indices)) = positions {
                        let index = indices.value(row);
                        if u32::try_from(index) != Ok(before) {
                            offenders.add(|| {
                                format!(
                                    "policy_id {id} (row {number}): {column} is {index}, {before} \
                                     expected"
                                )
                            });
                        }
                    }
                    if let Some(group) = groups.and_then(|groups| value(groups, row))
                        && let Some(n_groups) = n_groups(id)
                        && !(0..n_groups).contains(&group)
                    {
                        offenders.add(|| {
                            format!(
                                "policy_id {id} (row {number}): group_index is {group}, of \
                                 {n_groups} groups"
                            )
                        });
                    }
                }
                batch.num_rows()
            };
            let mut check = self.each(check, (name, &columns), message, find);
            let policies = policies.into_iter();
            let policies = policies.map(|(id, (said, found))| (id, said, found.into_inner()));
            let wrong = policies.filter(|(_, said, found)| u32::try_from(*said) != Ok(*found));
            let mut wrong: Vec<_> = wrong.collect();
            wrong.sort_unstable();
            let mut offenders = Offenders::default();
            for (id, said, found) in wrong {
                offenders.add(|| format!("{key} {id}: {found} rows, {counts} is {said}"));
            }
            let message = "policies with more or fewer rows than they say";
            check.fail_rows(name, None, message, offenders);
            check
        };
        counted.map(check).collect()
    }
}

/// Shows each batch of a part, with the number of its first row; or why they cannot be read.
fn read(
    part: &LocatedPart<'_>,
    columns: Option<&[&str]>,
    mut visit: impl FnMut(&RecordBatch, u64),
) -> Result<(), String> {
    let read = || {
        let mut row = 0;
        for batch in stored::open(&part.path, columns).map_err(|error| error.to_string())? {
            let batch = batch.map_err(|error| error.to_string())?;
            visit(&batch, row);
            row += batch.num_rows() as u64;
        }
        Ok(())
    };
    // Bytes under the checksum were written by robostat. If they are wrong nevertheless, the
    // Parquet reader may panic instead of returning an error.
    let read = catch_unwind(AssertUnwindSafe(read));
    read.unwrap_or_else(|_| Err("the reader panicked".to_owned()))
}
