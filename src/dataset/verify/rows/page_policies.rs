//! Policies of pages: that each is what its id says, and has the rows that it counts.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use robots_dialects::identity::Id;

use super::super::super::stored::bigint;
use super::super::parts::ReadablePart;
use super::super::report::Offenders;
use super::finding::{CheckFinding, decode};

const UNIQUE: &str = "page_policies.page_policy_id is unique, and the hash of the canonical form";

/// The tables with rows of a policy of pages, and the columns that count them.
const COUNTED: [(&str, &str); 3] = [
    ("page_rules", "n_rules"),
    ("page_agents", "n_agents"),
    ("page_preferences", "n_preferences"),
];

/// The checks, with the tables that each needs whole.
pub(super) fn checks() -> Vec<(String, Vec<&'static str>)> {
    let complete = COUNTED.map(|(table, _)| (complete(table), vec![table, "page_policies"]));
    let unique = (UNIQUE.to_owned(), vec!["page_policies"]);
    std::iter::once(unique).chain(complete).collect()
}

fn complete(table: &str) -> String {
    format!("{table} of each policy are complete")
}

/// For each of [`COUNTED`] the rows that a policy says it has, and those that were found; the
/// latter are counted by the threads that read the parts, in parallel.
type Counts = [(i32, AtomicU32); COUNTED.len()];

/// The policies of pages, by id.
#[derive(Default)]
pub(super) struct PagePolicies(HashMap<i64, Counts>);

/// Reads the parts of `page_policies` among `parts`.
pub(super) fn read(parts: &[&ReadablePart<'_>], findings: &mut Vec<CheckFinding>) -> PagePolicies {
    let mut policies = PagePolicies::default();
    for part in parts
        .iter()
        .filter(|part| part.table.name == "page_policies")
    {
        let message = "rows with the id of another row or content";
        let mut unique = CheckFinding::new(UNIQUE, "page_policies", Some(part), message);
        let decoded = decode(part, |batch, first_row| {
            policies.add(batch, first_row, &mut unique.offenders);
            unique.checked += batch.num_rows() as u64;
        });
        findings.extend([decoded, unique]);
    }
    policies
}

impl PagePolicies {
    fn add(&mut self, batch: &RecordBatch, first_row: u64, offenders: &mut Offenders) {
        let (low, high) = (
            bigint(batch, "page_policy_id"),
            bigint(batch, "page_policy_id_high"),
        );
        let canonical = batch["canonical"].as_binary::<i32>();
        let counts = COUNTED.map(|(_, name)| batch[name].as_primitive::<Int32Type>());
        for (row, number) in (0..batch.num_rows()).zip(first_row..) {
            let id = low.value(row);
            let of_row = counts.map(|counts| (counts.value(row), AtomicU32::new(0)));
            let is_double = self.0.insert(id, of_row).is_some();
            let said = Id {
                low: id,
                high: high.value(row),
            };
            if is_double || Id::of(canonical.value(row)) != said {
                offenders.add(|| format!("page_policy_id {id} (row {number})"));
            }
        }
    }

    pub(super) fn has(&self, id: i64) -> bool {
        self.0.contains_key(&id)
    }

    /// Counts the rows of a batch of `table`, where that is one of [`COUNTED`].
    pub(super) fn count(&self, table: &str, batch: &RecordBatch) {
        let Some(at) = COUNTED.iter().position(|(counted, _)| *counted == table) else {
            return;
        };
        for id in bigint(batch, "page_policy_id").iter().flatten() {
            if let Some(counts) = self.0.get(&id) {
                counts[at].1.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Policies that have more or fewer rows than they say.
    pub(super) fn compare_counts(&self) -> Vec<CheckFinding> {
        let mut ids: Vec<i64> = self.0.keys().copied().collect();
        ids.sort_unstable();
        let compare = |(at, (table, column)): (usize, (&'static str, &str))| {
            let message = "policies with more or fewer rows than they say";
            let mut finding = CheckFinding::new(complete(table), table, None, message);
            for id in &ids {
                let (said, found) = &self.0[id][at];
                let found = found.load(Ordering::Relaxed);
                finding.checked += 1;
                if u32::try_from(*said) != Ok(found) {
                    let text = || format!("page_policy_id {id}: {found} rows, {column} is {said}");
                    finding.offenders.add(text);
                }
            }
            finding
        };
        COUNTED.into_iter().enumerate().map(compare).collect()
    }
}
