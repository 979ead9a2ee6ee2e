//! Policies, of files or of pages, and the rows that they have in other tables.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use robots_dialects::identity::Id;

use super::super::stored::{bigint, ids, value};
use super::report::Offenders;
use crate::dataset::tables::{self, Table};

/// A table with rows of a policy that the table of policies counts.
pub(super) struct Counted {
    pub(super) table: &'static Table,
    /// The column of the table of policies with the count.
    column: String,
    /// The column that numbers a policy's rows from 0, where it is checked.
    position: Option<&'static str>,
}

/// The tables with rows of a policy that `policies` counts.
pub(super) static COUNTED: LazyLock<Vec<Counted>> =
    LazyLock::new(|| counted_by(tables::policies::table()));
/// The tables with rows of a policy that `page_policies` counts.
pub(super) static PAGES_COUNTED: LazyLock<Vec<Counted>> =
    LazyLock::new(|| counted_by(tables::page_policies::table()));

/// The tables with rows of a policy that the table `owner` counts, in a column `n_<table>`.
fn counted_by(owner: &'static Table) -> Vec<Counted> {
    let counted = |table: &'static Table| {
        let column = format!("n_{}", table.name.trim_start_matches("page_"));
        let position = match table.name {
            "groups" => Some("group_index"),
            "rules" => Some("rule_index"),
            _ => None,
        };
        let is_counted = owner.schema.field_with_name(&column).is_ok();
        is_counted.then_some(Counted {
            table,
            column,
            position,
        })
    };
    let tables = tables::all().filter(|table| table.key == owner.key && table.name != owner.name);
    tables.filter_map(counted).collect()
}

/// A row of a table of policies.
pub(super) struct Policy {
    /// 0 for pages.
    pub(super) exemplar_file_id: i64,
    /// For each counted table the rows that it says it has, and those found; the latter are counted
    /// by the threads that read the parts, in parallel.
    counts: Box<[(i32, AtomicU32)]>,
}

/// The policies of a dataset, by id.
pub(super) struct Policies {
    /// Their table.
    pub(super) table: &'static Table,
    /// The column of their ids, in every table.
    pub(super) column: &'static str,
    pub(super) counted: &'static [Counted],
    by_id: HashMap<i64, Policy>,
}

impl Policies {
    /// None yet.
    pub(super) fn new(table: &'static Table, counted: &'static [Counted]) -> Self {
        Self {
            table,
            column: table.key.expect("the id of a policy").column(),
            counted,
            by_id: HashMap::new(),
        }
    }

    /// The policies in a batch of their table, and whether the id of each is the hash of its
    /// canonical form, which is checked for pages only.
    pub(super) fn read(&self, batch: &RecordBatch) -> impl Iterator<Item = (i64, (Policy, bool))> {
        let is_of_pages = self.table.name == "page_policies";
        let ids = ids(batch, self.column).zip(batch["canonical"].as_binary::<i32>());
        let exemplars = batch.column_by_name("exemplar_file_id");
        let exemplars = exemplars.map(|_| bigint(batch, "exemplar_file_id"));
        let counts: Vec<_> = self
            .counted
            .iter()
            .map(|counted| batch[&*counted.column].as_primitive::<Int32Type>())
            .collect();
        ids.enumerate().map(move |(row, (id, canonical))| {
            let is_hash = !is_of_pages || canonical.map(Id::of) == Some(id);
            let counts = counts.iter();
            let policy = Policy {
                exemplar_file_id: exemplars.map_or(0, |exemplars| exemplars.value(row)),
                counts: counts
                    .map(|counts| (counts.value(row), AtomicU32::new(0)))
                    .collect(),
            };
            (id.low, (policy, is_hash))
        })
    }

    /// Adds a policy; false, and nothing is changed, where its id is there already.
    pub(super) fn add(&mut self, id: i64, policy: Policy) -> bool {
        match self.by_id.entry(id) {
            Entry::Occupied(_) => false,
            Entry::Vacant(entry) => {
                entry.insert(policy);
                true
            }
        }
    }

    pub(super) fn has(&self, id: i64) -> bool {
        self.by_id.contains_key(&id)
    }

    /// The place among the counted tables of the table with this name.
    pub(super) fn place_of(&self, table: &str) -> Option<usize> {
        let mut counted = self.counted.iter();
        counted.position(|counted| counted.table.name == table)
    }

    /// Policies in the order of their ids.
    pub(super) fn in_order(&self) -> Vec<(i64, &Policy)> {
        let by_id = self.by_id.iter();
        let mut policies: Vec<_> = by_id.map(|(id, policy)| (*id, policy)).collect();
        policies.sort_unstable_by_key(|(id, _)| *id);
        policies
    }

    /// Files in a batch of `files` that count groups and agents otherwise than their policy.
    pub(super) fn compare_files(
        &self,
        batch: &RecordBatch,
        first_row: u64,
        offenders: &mut Offenders,
    ) {
        let (files, policies) = (bigint(batch, "file_id"), bigint(batch, "policy_id"));
        for (at, Counted { column, .. }) in self.counted.iter().enumerate() {
            // `files` has the counts that studies ask for, not all.
            let Some(counts) = batch.column_by_name(column) else {
                continue;
            };
            let counts = counts.as_primitive::<Int32Type>();
            for (row, number) in (0..batch.num_rows()).zip(first_row..) {
                // One without its policy is another check's.
                let Some(policy) = self.by_id.get(&policies.value(row)) else {
                    continue;
                };
                let (counted, said) = (counts.value(row), policy.counts[at].0);
                if counted != said {
                    let file = files.value(row);
                    offenders.add(|| {
                        format!(
                            "file_id {file} (row {number}): {column} is {counted}, {said} by \
                             its policy"
                        )
                    });
                }
            }
        }
    }

    /// Counts the rows in a batch of the counted table at `at`, and looks whether they
    /// number their groups and rules in order.
    pub(super) fn count(
        &self,
        at: usize,
        batch: &RecordBatch,
        first_row: u64,
        offenders: &mut Offenders,
    ) {
        let ids = bigint(batch, self.column);
        let position = self.counted[at].position;
        let position = position.map(|column| (column, batch[column].as_primitive::<Int32Type>()));
        let groups = self.place_of("groups").and_then(|of_groups| {
            let groups = batch.column_by_name("group_index")?;
            Some((of_groups, groups.as_primitive::<Int32Type>()))
        });
        // Rows of one policy stand together.
        let mut last: Option<(i64, &Policy)> = None;
        for (row, number) in (0..batch.num_rows()).zip(first_row..) {
            let id = ids.value(row);
            if last.is_none_or(|(of_last, _)| of_last != id) {
                last = self.by_id.get(&id).map(|policy| (id, policy));
            }
            let Some((_, policy)) = last else {
                continue;
            };
            let before = policy.counts[at].1.fetch_add(1, Ordering::Relaxed);
            if let Some((column, indices)) = &position {
                let index = indices.value(row);
                if u32::try_from(index) != Ok(before) {
                    offenders.add(|| {
                        format!(
                            "policy_id {id} (row {number}): {column} is {index}, {before} expected"
                        )
                    });
                }
            }
            if let Some((of_groups, groups)) = groups
                && let Some(group) = value(groups, row)
            {
                let n_groups = policy.counts[of_groups].0;
                if !(0..n_groups).contains(&group) {
                    offenders.add(|| {
                        format!(
                            "policy_id {id} (row {number}): group_index is {group}, of \
                             {n_groups} groups"
                        )
                    });
                }
            }
        }
    }

    /// Policies that have more or fewer rows in the counted table at `at` than they say.
    pub(super) fn compare_counts(&self, at: usize) -> Offenders {
        let mut offenders = Offenders::default();
        let (key, column) = (self.column, &self.counted[at].column);
        for (id, policy) in self.in_order() {
            let (said, found) = &policy.counts[at];
            let found = found.load(Ordering::Relaxed);
            if u32::try_from(*said) != Ok(found) {
                offenders.add(|| format!("{key} {id}: {found} rows, {column} is {said}"));
            }
        }
        offenders
    }
}
