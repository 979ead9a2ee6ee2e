//! Joining the rows of splits in input order: what an earlier split brought is not brought again.

use crate::dataset::known::{Collision, KnownRows};
use crate::dataset::tables::{Batches, Key};
use crate::dataset::{DigestIndex, stored};
use crate::ingest::collector::{DigestEvent, SplitRows};

#[derive(Default)]
pub(super) struct Joiner {
    digests: DigestIndex,
    has_stored_digests: bool,
}

impl Joiner {
    /// Whether a split has a revisit whose digest only an earlier run can have seen. Only then are
    /// the digests of the dataset worth reading back.
    pub(super) fn needs_digests(&self, digests: &[DigestEvent]) -> bool {
        let is_unknown =
            |it: &DigestEvent| it.file_id.is_none() && !self.digests.contains_key(&it.key);
        !self.has_stored_digests && digests.iter().any(is_unknown)
    }

    pub(super) fn add_digests(&mut self, stored: DigestIndex) {
        // What earlier runs brought counts first.
        self.digests.extend(stored);
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
        let new = findings.new;
        let old_files = known.files.merge(new.files)?;
        let old_policies = known.policies.merge(new.policies)?;
        let old_page_policies = known.page_policies.merge(new.page_policies)?;
        for (table, batch) in batches.iter_mut() {
            let (column, old) = match table.key {
                Some(Key::File(column)) => (column, &old_files),
                Some(Key::Policy(column)) => (column, &old_policies),
                Some(Key::PagePolicy(column)) => (column, &old_page_policies),
                Some(Key::Input(_) | Key::Crawl(_)) | None => continue,
            };
            if !old.is_empty() {
                *batch = stored::filter(batch, column, |id| !old.contains(&id));
            }
        }
        let mut revisits = Vec::new();
        for DigestEvent { key, file_id, row } in findings.digests {
            if let Some(file_id) = file_id {
                self.digests.entry(key).or_insert(file_id);
            } else if let Some(file_id) = self.digests.get(&key) {
                revisits.push((row, *file_id));
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
