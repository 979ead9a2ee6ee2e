//! Joining the rows of splits in input order: what an earlier split brought is not brought again.

use std::collections::HashSet;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int64Type;
use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;

use crate::dataset::known::{Collision, Known};
use crate::dataset::tables::{Batches, Key};
use crate::dataset::{Commit, DigestIndex, stored};
use crate::ingest::collector::{DigestEvent, SplitRows};

/// Joins the rows of splits, one after the other.
#[derive(Default)]
pub(super) struct Joiner {
    digests: DigestIndex,
    has_stored_digests: bool,
}

impl Joiner {
    /// A joiner that has seen nothing.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// Whether the split has a revisit whose digest only an earlier run can have seen. Only then
    /// are the digests of the dataset worth reading back.
    pub(super) fn needs_digests(&self, split: &SplitRows, commits: &[Commit]) -> bool {
        let is_unknown = |event: &DigestEvent| matches!(event, DigestEvent::Repeats { key, .. } if self.digests.get(*key).is_none());
        !self.has_stored_digests && !commits.is_empty() && split.digests.iter().any(is_unknown)
    }

    /// Adds the digests of the dataset.
    pub(super) fn add_digests(&mut self, stored: DigestIndex) {
        self.digests.merge_under(stored);
        self.has_stored_digests = true;
    }

    /// The rows of `split` that are new; revisits get the files that they repeat.
    ///
    /// Fails if a file or policy of the split has the low 64 bits of another known one, which may
    /// have been added after the split was read.
    pub(super) fn join(&mut self, split: SplitRows, known: &Known) -> Result<Batches, Collision> {
        let SplitRows {
            mut batches,
            files,
            policies,
            page_policies,
            digests,
            ..
        } = split;
        let mut old_files = HashSet::new();
        let mut old_policies = HashSet::new();
        for (id, policy_id) in files {
            if !known.files.add(id, policy_id)? {
                old_files.insert(id.low);
            }
        }
        for id in policies {
            if !known.policies.add(id, ())? {
                old_policies.insert(id.low);
            }
        }
        let mut old_page_policies = HashSet::new();
        for id in page_policies {
            if !known.page_policies.add(id, ())? {
                old_page_policies.insert(id.low);
            }
        }
        for (table, batch) in &mut batches {
            match table.key {
                Some(Key::File(column)) => drop_rows(batch, column, &old_files),
                Some(Key::Policy(column)) => drop_rows(batch, column, &old_policies),
                Some(Key::PagePolicy(column)) => drop_rows(batch, column, &old_page_policies),
                Some(Key::Input(_) | Key::Crawl(_)) | None => {}
            }
        }
        let mut revisits = Vec::new();
        for event in digests {
            match event {
                DigestEvent::Brought { key, file_id } => self.digests.add(key, file_id),
                DigestEvent::Repeats { key, row } => {
                    if let Some(file_id) = self.digests.get(key) {
                        revisits.push((row, file_id));
                    }
                }
            }
        }
        let captures = &mut batches.captures;
        let files = revisits.iter().map(|(row, file)| (*row, Some(*file)));
        stored::set_bigints(captures, "file_id", files);
        let policies = revisits.iter();
        let policies = policies.map(|(row, file)| (*row, known.files.get_low(*file)));
        stored::set_bigints(captures, "policy_id", policies);
        Ok(batches)
    }
}

/// Drops the rows whose id is in `old`.
fn drop_rows(batch: &mut RecordBatch, column: &str, old: &HashSet<i64>) {
    if old.is_empty() {
        return;
    }
    let ids = batch
        .column_by_name(column)
        .expect("a key column")
        .as_primitive::<Int64Type>();
    // Rows of one file, or of one policy, follow each other.
    let mut last = (None, true);
    let is_new: BooleanArray = ids
        .iter()
        .map(|id| {
            if last.0 != id {
                last = (id, id.is_none_or(|id| !old.contains(&id)));
            }
            Some(last.1)
        })
        .collect();
    *batch = filter_record_batch(batch, &is_new).expect("a value for each row");
}
