//! Joining the rows of splits in input order: what an earlier split brought is not brought again.

use std::collections::HashSet;

use robots_dialects::identity::Id;

use crate::dataset::known::{Collision, KnownIds, KnownRows};
use crate::dataset::tables::{Batches, Key};
use crate::dataset::{DigestIndex, stored};
use crate::ingest::collector::{DigestEvent, SplitRows};

/// Joins the rows of splits, one after the other.
#[derive(Default)]
pub(super) struct Joiner {
    digests: DigestIndex,
    has_stored_digests: bool,
}

impl Joiner {
    /// Whether a split has a revisit whose digest only an earlier run can have seen. Only then are
    /// the digests of the dataset worth reading back.
    pub(super) fn needs_digests(&self, digests: &[DigestEvent]) -> bool {
        let is_unknown = |event: &DigestEvent| match event {
            DigestEvent::Repeats { key, .. } => self.digests.get(*key).is_none(),
            DigestEvent::Brought { .. } => false,
        };
        !self.has_stored_digests && digests.iter().any(is_unknown)
    }

    pub(super) fn add_digests(&mut self, stored: DigestIndex) {
        self.digests.merge_under(stored);
        self.has_stored_digests = true;
    }

    /// The rows of `split` that are new; revisits get the files that they repeat.
    ///
    /// Fails if a file or policy of the split has the low 64 bits of another known one, which may
    /// have been added after the split was read.
    pub(super) fn join(
        &mut self,
        split: SplitRows,
        known: &KnownRows,
    ) -> Result<Batches, Collision> {
        let SplitRows {
            mut batches,
            findings,
        } = split;
        let old_files = old_ids(&known.files, findings.files)?;
        let without_value = |ids: Vec<Id>| ids.into_iter().map(|id| (id, ()));
        let old_policies = old_ids(&known.policies, without_value(findings.policies))?;
        let of_pages = without_value(findings.page_policies);
        let old_page_policies = old_ids(&known.page_policies, of_pages)?;
        for (table, batch) in batches.iter_mut() {
            let (column, old) = match table.key {
                Some(Key::File(column)) => (column, &old_files),
                Some(Key::Policy(column)) => (column, &old_policies),
                Some(Key::PagePolicy(column)) => (column, &old_page_policies),
                Some(Key::Input(_) | Key::Crawl(_)) | None => continue,
            };
            if !old.is_empty() {
                *batch = stored::filter(batch, column, |id| !old.contains(id));
            }
        }
        let mut revisits = Vec::new();
        for event in findings.digests {
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

/// The ids among these that are known; the others are from now on.
fn old_ids<V: Copy>(
    known: &KnownIds<V>,
    ids: impl IntoIterator<Item = (Id, V)>,
) -> Result<HashSet<i64>, Collision> {
    let mut old = HashSet::new();
    for (id, value) in ids {
        if !known.add(id, value)? {
            old.insert(id.low);
        }
    }
    Ok(old)
}
