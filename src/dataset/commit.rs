//! Commits: how pushed rows become part of the dataset.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;

use super::manifest::{Commit, Part, StoredFile};
use super::part::{PartWriter, close_parts};
use super::tables::{self, Key, SCHEMA_VERSION, Table, policy_diffs};
use super::{Dataset, label, lock, replace_file, staged_name, stored, sync_directory, views};
use crate::error::Error;

impl Dataset {
    /// Makes everything pushed since the last commit part of the dataset; durable on return.
    /// Without `last`, derived tables stay behind, and another commit must follow; with `last`,
    /// they are rebuilt for every crawl that is behind. Setting `last` from outside ends the commit
    /// with [`Error::Interrupted`]. After an error nothing is committed, unless the commit exists
    /// already: the next run finishes it.
    pub fn commit(&mut self, last: Option<&AtomicBool>) -> Result<(), Error> {
        self.next.replaced_inputs.sort_unstable();
        self.next.replaced_inputs.dedup();
        let mut removed = self.leave_out_replaced()?;
        let first = self.next.inputs.first();
        let crawl = first.map_or_else(|| "default".to_owned(), |input| input.crawl.clone());
        for table in self.tables_without_parts(&removed, last.is_some()) {
            self.writer(table, &crawl)?;
        }
        let open = std::mem::take(&mut self.open).into_values();
        let mut added = close_parts(&self.pool, open.collect())?;
        let mut derived = BTreeSet::new();
        if let Some(stop) = last {
            derived = self.manifest.behind();
            derived.extend(changed_crawls(&added, &removed));
            let (made, replaced) = self.make_derived(&derived, (&added, &removed), stop)?;
            added.extend(made);
            removed.extend(replaced);
        }
        self.finish_commit(added, removed, &derived)
    }

    /// Pushes the other rows of parts that hold rows of replaced inputs to the next commit. Files
    /// and policies stay: they describe bodies, whichever input a body came from.
    fn leave_out_replaced(&mut self) -> Result<Vec<String>, Error> {
        let replaced = self.next.replaced_inputs.iter();
        let replaced: HashSet<i64> = replaced.map(|input| input.input_id()).collect();
        if replaced.is_empty() {
            return Ok(Vec::new());
        }
        let parts: Vec<Part> = self.manifest.parts().into_values().cloned().collect();
        let mut removed = Vec::new();
        for part in parts {
            let Some((table, Key::Input(column))) = part.table().and_then(|it| Some((it, it.key?)))
            else {
                continue;
            };
            let path = self.directory.join(&part.path);
            let mut is_touched = false;
            for batch in stored::open(&path, Some(&[column]))? {
                let batch = batch?;
                let mut ids = stored::bigint(&batch, column).values().iter();
                is_touched |= ids.any(|id| replaced.contains(id));
            }
            if !is_touched {
                continue;
            }
            let crawl = part.partition().unwrap_or_default();
            for batch in stored::open(&path, None)? {
                let batch = stored::filter(&batch?, column, |id| !replaced.contains(&id));
                if batch.num_rows() > 0 {
                    self.writer(table, &crawl)?.push(batch)?;
                }
            }
            removed.push(part.path);
        }
        Ok(removed)
    }

    /// Makes the derived tables of crawls that an earlier run left behind, and commits mirrors and
    /// replacements that came without an input.
    pub fn catch_up(&mut self, stop: &AtomicBool) -> Result<(), Error> {
        let is_changed = !self.next.replaced_inputs.is_empty() || !self.next.mirrors.is_empty();
        if self.manifest.behind().is_empty() && !is_changed {
            return Ok(());
        }
        self.commit(Some(stop))
    }

    /// The staged file `name`; if the dataset has the same file, removes it: `None`.
    pub(super) fn changed_file(&self, name: &str) -> Result<Option<StoredFile>, Error> {
        let aside = self.staging.join(name);
        let file = StoredFile::of(&aside, name)?;
        let is_known = self.manifest.files().get(name) == Some(&&file);
        if is_known && file.is_at(&self.directory.join(name)) {
            fs::remove_file(&aside).map_err(Error::io(&aside))?;
            return Ok(None);
        }
        Ok(Some(file))
    }

    /// Replaces the file of `policy_diffs` with the rows that `fill` pushes. Returns their number
    /// and the file's size in bytes. After an error the table stays as it was.
    pub(crate) fn replace_policy_diffs(
        &mut self,
        fill: impl FnOnce(&Self, &mut PartWriter) -> Result<(), Error>,
    ) -> Result<(u64, u64), Error> {
        let mut writer = self.part(policy_diffs::table(), policy_diffs::FILE.to_owned())?;
        fill(self, &mut writer)?;
        let written = writer.close()?;
        if let Some(file) = self.changed_file(policy_diffs::FILE)? {
            self.next.files.push(file);
            self.commit(None)?;
        }
        Ok((written.rows, written.bytes))
    }

    /// The tables that would have no part. Every table has one from the first commit on, even if
    /// all its rows are replaced, so that every view works; except tables of pages, whose views
    /// need no file, and derived tables in the last commit of a run, which makes them itself.
    fn tables_without_parts(&self, removed: &[String], is_last: bool) -> Vec<&'static Table> {
        let gone: HashSet<&String> = removed.iter().collect();
        let parts = self.manifest.parts().into_values();
        let stay = parts.filter(|part| !gone.contains(&part.path));
        let stay = stay.map(|part| part.table.as_str());
        let open = self.open.values().map(|writer| writer.table().name);
        let have: HashSet<&str> = open.chain(stay).collect();
        let lacks = |table: &&Table| !table.is_optional && !have.contains(table.name);
        let without = tables::all().filter(lacks);
        without
            .filter(|table| !is_last || !table.is_derived())
            .collect()
    }

    pub(super) fn next_sequence(&self) -> u64 {
        self.manifest.commits.len() as u64 + 1
    }

    /// Commits what is staged. `derived`: the crawls whose derived tables are among it.
    pub(super) fn finish_commit(
        &mut self,
        added: Vec<Part>,
        removed: Vec<String>,
        derived: &BTreeSet<String>,
    ) -> Result<(), Error> {
        sync_directory(&self.staging)?;
        let mut behind = self.manifest.behind();
        if !self.next.inputs.is_empty() || !self.next.replaced_inputs.is_empty() {
            behind.extend(changed_crawls(&added, &removed));
        }
        behind.retain(|crawl| !derived.contains(crawl));
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.unwrap_or_default().as_micros();
        let after = self.next.emptied();
        self.next_bytes = 0;
        let commit = Commit {
            schema_version: SCHEMA_VERSION,
            robostat: env!("CARGO_PKG_VERSION").to_owned(),
            agent_catalog: crate::dataset::catalog::VERSION.to_owned(),
            sequence: self.next_sequence(),
            committed_at: i64::try_from(now).unwrap_or(i64::MAX),
            added,
            removed,
            behind,
            ..std::mem::replace(&mut self.next, after)
        };
        let _publishing = lock::publishing(&self.directory)?;
        self.is_publishing = true;
        self.manifest.add(&self.directory, &self.staging, commit)?;
        self.publish()?;
        self.is_publishing = false;
        Ok(())
    }

    /// Moves the last commit's parts into place, lists them in `views.sql`, and then deletes the
    /// parts that the commit replaces. So every part in `views.sql` exists at every moment, also
    /// for readers, who cannot finish an interrupted commit.
    pub(super) fn publish(&self) -> Result<(), Error> {
        let Some(commit) = self.manifest.commits.last() else {
            return Ok(());
        };
        self.place_parts(commit)?;
        // The file contains the directory as it was given.
        let text = views::file(&self.manifest, &self.directory.to_string_lossy());
        let path = self.directory.join(views::FILE);
        if !fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            replace_file(&self.staging, &path, text.as_bytes())?;
        }
        for path in &commit.removed {
            let path = self.directory.join(path);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::io(&path)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn place_parts(&self, commit: &Commit) -> Result<(), Error> {
        let rank = |part: &&Part| tables::all().position(|table| table.name == part.table);
        let mut parts: Vec<&Part> = commit.added.iter().collect();
        parts.sort_by_key(rank);
        let parts = parts.iter().map(|it| (staged_name(&it.path), &it.path));
        // A later run may have been interrupted while it staged another file of that name.
        let files = commit.files.iter();
        let files = files.filter(|it| it.is_at(&self.staging.join(&it.path)));
        let files = files.map(|it| (it.path.clone(), &it.path));
        let mut directories = BTreeSet::new();
        for (aside, path) in parts.chain(files) {
            let (aside, path) = (self.staging.join(aside), self.directory.join(path));
            if !aside.try_exists().map_err(Error::io(&aside))? {
                continue; // already in place
            }
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(Error::io(parent))?;
                let new = parent.ancestors().take_while(|it| *it != self.directory);
                directories.extend(new.map(Path::to_owned));
                directories.insert(self.directory.clone());
            }
            fs::rename(&aside, &path).map_err(Error::io(&path))?;
        }
        let sync = || directories.par_iter().try_for_each(|it| sync_directory(it));
        self.pool.install(sync)
    }
}

fn changed_crawls(added: &[Part], removed: &[String]) -> BTreeSet<String> {
    let paths = added.iter().map(|part| &part.path).chain(removed);
    let crawls = paths.filter_map(|path| {
        let (value, _) = path.strip_prefix("captures/crawl=")?.split_once('/')?;
        Some(label::unescape(value))
    });
    crawls.collect()
}
