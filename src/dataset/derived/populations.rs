//! Which files have lines of a robots.txt, and which policies have rules: some 20 bytes of memory
//! each.

use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;

use super::Sources;
use super::capture::StoredAnswer;
use crate::dataset::stored::{self, bigint};
use crate::error::{Error, check_stop};

/// Files that have lines, and policies that have rules.
pub(super) struct Populations {
    files_with_lines: HashSet<i64>,
    policies_with_rules: HashSet<i64>,
}

impl Populations {
    /// Reads the tables `files` and `policies`.
    pub(super) fn read(sources: &Sources<'_>, stop: &AtomicBool) -> Result<Self, Error> {
        let with_lines = |batch: &RecordBatch, row| {
            let class = batch["content_class"].as_string::<i32>().value(row);
            matches!(class, "rules" | "no_rules")
        };
        let with_rules = |batch: &RecordBatch, row| {
            let rules = batch["n_rules"].as_primitive::<Int32Type>();
            rules.value(row) > 0
        };
        let ids = |table, columns: [&str; 2], is_wanted: &dyn Fn(&RecordBatch, usize) -> bool| {
            let mut ids = HashSet::new();
            for (_, path) in sources.iter().filter(|(part, _)| part.table == table) {
                for batch in stored::open(path, Some(&columns))? {
                    check_stop(stop)?;
                    let batch = batch?;
                    let rows = bigint(&batch, columns[0]).values().iter().enumerate();
                    let wanted = rows.filter(|(row, _)| is_wanted(&batch, *row));
                    ids.extend(wanted.map(|(_, id)| *id));
                }
            }
            Ok::<_, Error>(ids)
        };
        Ok(Self {
            files_with_lines: ids("files", ["file_id", "content_class"], &with_lines)?,
            policies_with_rules: ids("policies", ["policy_id", "n_rules"], &with_rules)?,
        })
    }

    /// Whether an answer is a robots.txt by its file alone: it has rules, or other lines of one.
    pub(super) fn has_lines(&self, answer: StoredAnswer) -> bool {
        let file = answer.file_id;
        file.is_some_and(|id| self.files_with_lines.contains(&id))
    }

    /// Whether crawlers find rules in an answer, in a group.
    pub(super) fn has_rules(&self, answer: StoredAnswer) -> bool {
        let policy = answer.policy_id;
        policy.is_some_and(|id| self.policies_with_rules.contains(&id))
    }
}
