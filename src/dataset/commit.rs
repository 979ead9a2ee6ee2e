//! Commits: how pushed rows become part of the dataset.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;

use super::derived;
use super::input::CommittedInput;
use super::manifest::{Commit, Part, StoredFile, captures_crawl};
use super::part::close_parts;
use super::tables::{self, SCHEMA_VERSION};
use super::{Dataset, lock, replace, replace_file, staged_name, sync_directory, views};
use crate::error::Error;
use crate::threads;

impl Dataset {
    /// Makes everything pushed since the last commit part of the dataset; durable on return. The
    /// derived tables stay behind: another commit is to follow, and a last one.
    ///
    /// Fails if a part cannot be written or read. Nothing is committed then, or, where that failed
    /// later, the next run finishes the commit.
    pub fn commit(&mut self, inputs: Vec<CommittedInput>) -> Result<(), Error> {
        self.commit_with(inputs, Vec::new(), None)
    }

    /// The same, with the derived tables of every crawl that is behind. `stop` set from outside
    /// ends it with [`Error::Interrupted`], and nothing is committed.
    ///
    /// Fails as [`commit`](Self::commit).
    pub fn commit_last(
        &mut self,
        inputs: Vec<CommittedInput>,
        stop: &AtomicBool,
    ) -> Result<(), Error> {
        self.commit_with(inputs, Vec::new(), Some(stop))
    }

    /// Makes the derived tables of crawls that an earlier run left behind, and commits
    /// [mirrors](Self::note_mirror) and [replacements](Self::replace) that no input came with.
    ///
    /// Fails as [`commit_last`](Self::commit_last).
    pub fn catch_up(&mut self, stop: &AtomicBool) -> Result<(), Error> {
        let is_changed = !self.replaced.is_empty() || !self.mirrors.is_empty();
        if self.manifest.behind().is_empty() && !is_changed {
            return Ok(());
        }
        self.commit_with(Vec::new(), Vec::new(), Some(stop))
    }

    /// The files of the catalogue that the coming commit is to bring, staged.
    pub(super) fn stage_catalog(&self) -> Result<Vec<StoredFile>, Error> {
        let (directory, staging) = (&self.directory, &self.staging);
        match &self.catalog {
            Some(catalog) => catalog.stage(directory, staging, &self.manifest, &self.pool),
            None => Ok(Vec::new()),
        }
    }

    /// Makes a commit of everything pushed since the last one, and of `files`, which are staged;
    /// where `stop` is given, with derived tables. The first commit brings the catalogue.
    pub(super) fn commit_with(
        &mut self,
        inputs: Vec<CommittedInput>,
        mut files: Vec<StoredFile>,
        stop: Option<&AtomicBool>,
    ) -> Result<(), Error> {
        if self.manifest.commits.is_empty() {
            files.extend(self.stage_catalog()?);
        }
        let replaced = std::mem::take(&mut self.replaced);
        let mut removed = replace::rewrite(self, &replaced)?;
        let mut replaced_inputs = Vec::from_iter(replaced);
        replaced_inputs.sort_unstable();
        // Every table has a file, from the first commit on and whatever is replaced, so that every
        // view works; of those for pages, which are not asked for as a rule, the views do without.
        let crawl = inputs.first().map_or("default", |input| &input.crawl);
        let crawl = crawl.to_owned();
        let gone: HashSet<&str> = removed.iter().map(String::as_str).collect();
        let parts = self.manifest.parts().into_values();
        let stay = parts.filter(|part| !gone.contains(part.path.as_str()));
        let stay = stay.map(|part| part.table.as_str());
        let open = self.open.values().map(|writer| writer.table().name);
        let have: HashSet<&str> = open.chain(stay).collect();
        let mut without = tables::ingested().to_vec();
        without.retain(|table| !table.is_optional && !have.contains(table.name));
        for table in without {
            self.writer(table, &crawl)?;
        }
        let open = std::mem::take(&mut self.open).into_values();
        let (mut added, mut derived) = (Vec::new(), BTreeSet::new());
        if let Some(stop) = stop {
            let (sources, others): (Vec<_>, Vec<_>) =
                open.partition(|writer| derived::SOURCES.contains(&writer.table().name));
            added = close_parts(&self.pool, sources)?;
            derived = self.manifest.behind();
            derived.extend(changed_crawls(&added, &removed));
            let pool = &self.pool;
            // One thread makes the derived tables, while other parts are finished in parallel.
            let (made, others) = thread::scope(|scope| {
                let close = move || close_parts(pool, others);
                let others = threads::spawn_in(scope, close)?;
                let made = self.make_derived(&derived, (&added, &removed), &inputs, stop);
                Ok::<_, Error>((made, others.join()))
            })?;
            added.extend(others.unwrap_or_else(|panic| resume_unwind(panic))?);
            let made = made?;
            added.extend(made.added);
            removed.extend(made.removed);
        } else {
            added.extend(close_parts(&self.pool, open.collect())?);
            added.extend(self.stage_empty_derived(&crawl)?);
        }
        let commit = Commit {
            inputs,
            replaced_inputs,
            added,
            removed,
            files,
            ..Commit::default()
        };
        self.finish_commit(commit, &derived)
    }

    /// The number of the coming commit.
    pub(super) fn next_sequence(&self) -> u64 {
        self.manifest.commits.len() as u64 + 1
    }

    /// Makes a commit of parts and files that are staged, and puts them in their places. `derived`
    /// are the crawls whose derived tables it brings.
    pub(super) fn finish_commit(
        &mut self,
        change: Commit,
        derived: &BTreeSet<String>,
    ) -> Result<(), Error> {
        sync_directory(&self.staging)?;
        let mut behind = self.manifest.behind();
        if !change.inputs.is_empty() || !change.replaced_inputs.is_empty() {
            behind.extend(changed_crawls(&change.added, &change.removed));
        }
        behind.retain(|crawl| !derived.contains(crawl));
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let commit = Commit {
            schema_version: SCHEMA_VERSION,
            robostat: env!("CARGO_PKG_VERSION").to_owned(),
            public_suffix_list: self.public_suffix_list.clone(),
            agent_catalog: crate::dataset::catalog::VERSION.to_owned(),
            sequence: self.next_sequence(),
            committed_at: i64::try_from(now.as_micros()).unwrap_or(i64::MAX),
            settings: self.settings.clone(),
            panel: self.panel.clone(),
            mirrors: std::mem::take(&mut self.mirrors),
            behind,
            ..change
        };
        let _publishing = lock::publishing(&self.directory)?;
        self.is_publishing = true;
        self.manifest.add(&self.directory, &self.staging, commit)?;
        self.publish()?;
        self.is_publishing = false;
        Ok(())
    }

    /// Puts the last commit's parts in their places, lists them in `views.sql`, and then deletes
    /// the parts that it replaces. So every part that `views.sql` names is there at every moment,
    /// also for readers who cannot finish what an interrupted run left.
    pub(super) fn publish(&self) -> Result<(), Error> {
        let Some(commit) = self.manifest.commits.last() else {
            return Ok(());
        };
        self.place_parts(commit)?;
        self.write_views()?;
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

    /// Renames the parts and files of `commit` that are still staged to their places.
    fn place_parts(&self, commit: &Commit) -> Result<(), Error> {
        let rank = |part: &&Part| tables::all().position(|table| table.name == part.table);
        let mut parts: Vec<&Part> = commit.added.iter().collect();
        parts.sort_by_key(rank);
        let parts = parts
            .into_iter()
            .map(|it| (staged_name(&it.path), &it.path));
        let files = commit.files.iter().map(|it| (it.path.clone(), &it.path));
        let mut directories = BTreeSet::new();
        for (aside, path) in parts.chain(files) {
            let (aside, path) = (self.staging.join(aside), self.directory.join(path));
            if !aside.try_exists().map_err(Error::io(&aside))? {
                continue; // in its place already
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

    /// Writes `views.sql`, which names the directory as it was given to this run, unless it is
    /// there already.
    pub(super) fn write_views(&self) -> Result<(), Error> {
        let text = views::file(&self.manifest, &self.directory.to_string_lossy());
        let path = self.directory.join(views::FILE);
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        replace_file(&self.staging, &path, text.as_bytes())
    }
}

/// The crawls that captures are added to or removed from.
fn changed_crawls<'p>(
    added: &'p [Part],
    removed: &'p [String],
) -> impl Iterator<Item = String> + 'p {
    let added = added.iter().map(|part| part.path.as_str());
    added
        .chain(removed.iter().map(String::as_str))
        .filter_map(captures_crawl)
}
