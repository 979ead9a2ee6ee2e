//! Policies and the rows that they have in other tables.

use std::collections::HashMap;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;

use super::super::stored::{bigint, value};
use super::report::Offenders;
use crate::dataset::tables::{self, Key, Table};

/// A table with rows of a policy that `policies` counts.
pub(super) struct Counted {
    pub(super) table: &'static Table,
    /// The column of `policies` with the count.
    column: String,
    /// The column that numbers a policy's rows from 0, where the table has one.
    position: Option<&'static str>,
}

/// The tables with rows of a policy that `policies` counts, in a column `n_<table>`.
pub(super) static COUNTED: LazyLock<Vec<Counted>> = LazyLock::new(|| {
    let counts = &tables::policies::table().schema;
    let is_of_policy = |table: &&'static Table| matches!(table.key, Some(Key::Policy(_)));
    let counted = |table: &'static Table| {
        let column = format!("n_{}", table.name);
        let position = match table.name {
            "groups" => Some("group_index"),
            "rules" => Some("rule_index"),
            _ => None,
        };
        counts.field_with_name(&column).is_ok().then_some(Counted {
            table,
            column,
            position,
        })
    };
    let tables = tables::all().filter(is_of_policy);
    tables.filter_map(counted).collect()
});

/// A row of `policies`.
pub(super) struct Policy {
    pub(super) exemplar_file_id: i64,
    /// Groups that it says it has.
    n_groups: i32,
    /// Rows in each of [`COUNTED`] that it says it has, and those found; the latter are counted
    /// by the threads that read the parts, in parallel.
    counts: Box<[(i32, AtomicU32)]>,
}

/// The policies of a dataset, by id.
#[derive(Default)]
pub(super) struct Policies(HashMap<i64, Policy>);

impl Policies {
    /// The policies in a batch of `policies`.
    pub(super) fn read(batch: &RecordBatch) -> impl Iterator<Item = (i64, Policy)> {
        let (ids, exemplars) = (
            bigint(batch, "policy_id"),
            bigint(batch, "exemplar_file_id"),
        );
        let groups = batch["n_groups"].as_primitive::<Int32Type>();
        let counts: Vec<_> = COUNTED
            .iter()
            .map(|counted| batch[&*counted.column].as_primitive::<Int32Type>())
            .collect();
        (0..batch.num_rows()).map(move |row| {
            let policy = Policy {
                exemplar_file_id: exemplars.value(row),
                n_groups: groups.value(row),
                counts: counts
                    .iter()
                    .map(|counts| (counts.value(row), AtomicU32::new(0)))
                    .collect(),
            };
            (ids.value(row), policy)
        })
    }

    /// Adds a policy; false, and nothing is changed, where its id is there already.
    pub(super) fn add(&mut self, id: i64, policy: Policy) -> bool {
        match self.0.entry(id) {
            std::collections::hash_map::Entry::Occupied(_) => false,
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(policy);
                true
            }
        }
    }

    pub(super) fn has(&self, id: i64) -> bool {
        self.0.contains_key(&id)
    }

    /// Policies in the order of their ids.
    pub(super) fn in_order(&self) -> Vec<(i64, &Policy)> {
        let mut policies: Vec<_> = self.0.iter().map(|(id, policy)| (*id, policy)).collect();
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
        for (at, Counted { column, .. }) in COUNTED.iter().enumerate() {
            // `files` has the counts that studies ask for, not all.
            let Some(counts) = batch.column_by_name(column) else {
                continue;
            };
            let counts = counts.as_primitive::<Int32Type>();
            for (row, number) in (0..batch.num_rows()).zip(first_row..) {
                // One without its policy is another check's.
                let Some(policy) = self.0.get(&policies.value(row)) else {
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

    /// Counts the rows in a batch of the table at `at` in [`COUNTED`], and looks whether they
    /// number their groups and rules in order.
    pub(super) fn count(
        &self,
        at: usize,
        batch: &RecordBatch,
        first_row: u64,
        offenders: &mut Offenders,
    ) {
        let ids = bigint(batch, "policy_id");
        let position = COUNTED[at].position;
        let position = position.map(|column| (column, batch[column].as_primitive::<Int32Type>()));
        let groups = batch
            .column_by_name("group_index")
            .map(arrow_array::cast::AsArray::as_primitive::<Int32Type>);
        // Rows of one policy stand together.
        let mut last: Option<(i64, &Policy)> = None;
        for (row, number) in (0..batch.num_rows()).zip(first_row..) {
            let id = ids.value(row);
            if last.is_none_or(|(of_last, _)| of_last != id) {
                last = self.0.get(&id).map(|policy| (id, policy));
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
            if let Some(group) = groups.and_then(|groups| value(groups, row)) {
                let n_groups = policy.n_groups;
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

    /// Policies that have more or fewer rows in the table at `at` in [`COUNTED`] than they say.
    pub(super) fn compare_counts(&self, at: usize) -> Offenders {
        let mut offenders = Offenders::default();
        let column = &COUNTED[at].column;
        for (id, policy) in self.in_order() {
            let (said, found) = &policy.counts[at];
            let found = found.load(Ordering::Relaxed);
            if u32::try_from(*said) != Ok(found) {
                offenders.add(|| format!("policy_id {id}: {found} rows, {column} is {said}"));
            }
        }
        offenders
    }
}
