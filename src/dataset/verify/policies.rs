//! Policies and the rows that they have in other tables.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{Array as _, PrimitiveArray, RecordBatch};

use super::super::stored::bigint;
use super::report::Offenders;

/// Tables with rows of a policy, with the column of `policies` that counts them.
pub(super) const TABLES: [(&str, &str); 4] = [
    ("groups", "n_groups"),
    ("rules", "n_rules"),
    ("agents", "n_agents"),
    ("directives", "n_directives"),
];
const GROUPS: usize = 0;
const AGENTS: usize = 2;

/// A row of `policies`.
pub(super) struct Policy {
    pub(super) exemplar_file_id: i64,
    /// Rows in each of [`TABLES`] that it says it has.
    said: [i32; TABLES.len()],
    /// Rows met; counted by whoever reads the parts, in parallel.
    met: [AtomicU32; TABLES.len()],
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
        let counts = TABLES.map(|(_, column)| integer(batch, column));
        (0..batch.num_rows()).map(move |row| {
            let policy = Policy {
                exemplar_file_id: exemplars.value(row),
                said: counts.map(|counts| counts.value(row)),
                met: std::array::from_fn(|_| AtomicU32::new(0)),
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
        for (table, column) in [(GROUPS, "n_groups"), (AGENTS, "n_agents")] {
            let counts = integer(batch, column);
            for (row, number) in (0..batch.num_rows()).zip(first_row..) {
                // One without its policy is another check's.
                let Some(policy) = self.0.get(&policies.value(row)) else {
                    continue;
                };
                let (counted, said) = (counts.value(row), policy.said[table]);
                if counted != said {
                    let file = files.value(row);
                    offenders.add(|| {
                        format!("file_id {file} (row {number}): {column} is {counted}, {said} by its policy")
                    });
                }
            }
        }
    }

    /// Counts the rows in a batch of the table at `table` in [`TABLES`], and looks whether they
    /// number their groups and rules in order.
    pub(super) fn count(
        &self,
        table: usize,
        batch: &RecordBatch,
        first_row: u64,
        offenders: &mut Offenders,
    ) {
        let ids = bigint(batch, "policy_id");
        let position = match TABLES[table].0 {
            "groups" => Some("group_index"),
            "rules" => Some("rule_index"),
            _ => None,
        };
        let position = position.map(|column| (column, integer(batch, column)));
        let groups = batch
            .column_by_name("group_index")
            .map(arrow_array::cast::AsArray::as_primitive::<Int32Type>);
        for (row, number) in (0..batch.num_rows()).zip(first_row..) {
            let id = ids.value(row);
            let Some(policy) = self.0.get(&id) else {
                continue;
            };
            let before = policy.met[table].fetch_add(1, Ordering::Relaxed);
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
            if let Some(groups) = groups.filter(|groups| groups.is_valid(row)) {
                let (group, n_groups) = (groups.value(row), policy.said[GROUPS]);
                if !(0..n_groups).contains(&group) {
                    offenders.add(|| {
                        format!("policy_id {id} (row {number}): group_index is {group}, of {n_groups} groups")
                    });
                }
            }
        }
    }

    /// Policies that have more or fewer rows in the table at `table` than they say.
    pub(super) fn compare_counts(&self, table: usize) -> Offenders {
        let mut offenders = Offenders::default();
        let column = TABLES[table].1;
        for (id, policy) in self.in_order() {
            let met = policy.met[table].load(Ordering::Relaxed);
            let said = policy.said[table];
            if u32::try_from(said) != Ok(met) {
                offenders.add(|| format!("policy_id {id}: {met} rows, {column} is {said}"));
            }
        }
        offenders
    }
}

/// The values of an INTEGER column.
fn integer<'b>(batch: &'b RecordBatch, column: &str) -> &'b PrimitiveArray<Int32Type> {
    batch
        .column_by_name(column)
        .expect("a column of the table")
        .as_primitive()
}
