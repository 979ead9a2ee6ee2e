//! Joining the rows of splits in input order: files and policies of an earlier split are not added
//! again.

use super::Run;
use crate::dataset::known::{Collision, KnownRows};
use crate::dataset::stored;
use crate::dataset::tables::{Batches, Key};
use crate::error::Error;
use crate::ingest::collector::{DigestEvent, SplitRows};
use crate::ingest::input::open::OpenInput;

impl Run<'_> {
    /// Takes the rows of a split that are new; revisits get the files that they repeat.
    pub(super) fn accept(&mut self, open: &OpenInput, rows: SplitRows) -> Result<(), Error> {
        let SplitRows {
            mut batches,
            findings,
        } = rows;
        self.tally += &findings.tally;
        self.watcher.advance(&findings.tally);
        for damage in &findings.reported {
            self.watcher.damage(&open.path, damage);
        }
        leave_new(&mut batches, findings.new, &self.workers.known)
            .map_err(|it| it.of(&open.path))?;
        self.resolve_revisits(&mut batches, findings.digests)?;
        self.push(&open.identity.crawl, &batches)
    }

    pub(super) fn push(&mut self, crawl: &str, batches: &Batches) -> Result<(), Error> {
        for ((_, total), (_, batch)) in self.totals.rows.iter_mut().zip(batches.iter()) {
            *total += batch.num_rows() as u64;
        }
        self.dataset.push(crawl, batches)
    }

    fn resolve_revisits(
        &mut self,
        batches: &mut Batches,
        events: Vec<DigestEvent>,
    ) -> Result<(), Error> {
        let digests = &mut self.digests;
        // The digests of the dataset are read only for a revisit whose digest this run has not
        // seen.
        let is_unknown = |it: &DigestEvent| it.file_id.is_none() && !digests.contains_key(&it.key);
        let has_commits = !self.dataset.manifest.commits.is_empty();
        if has_commits && !self.has_stored_digests && events.iter().any(is_unknown) {
            // Captures of earlier runs count first.
            digests.extend(self.dataset.digests()?);
            self.has_stored_digests = true;
        }
        let (mut files, mut policies) = (Vec::new(), Vec::new());
        for DigestEvent { key, file_id, row } in events {
            if let Some(file_id) = file_id {
                digests.entry(key).or_insert(file_id);
            } else if let Some(file_id) = digests.get(&key) {
                files.push((row, Some(*file_id)));
                policies.push((row, self.workers.known.files.get_low(*file_id)));
            }
        }
        stored::set_bigints(&mut batches.captures, "file_id", files);
        stored::set_bigints(&mut batches.captures, "policy_id", policies);
        Ok(())
    }
}

/// Drops the rows of files and policies that are no longer `new`: an earlier split added them.
///
/// Fails if one of their ids has the same low 64 bits as another known id, which may have been
/// added after the split was read.
fn leave_new(batches: &mut Batches, new: KnownRows, known: &KnownRows) -> Result<(), Collision> {
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
    Ok(())
}
