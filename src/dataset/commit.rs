//! Commits: how what was pushed becomes part of the dataset.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::prelude::*;

use super::input::{CommittedInput, Fingerprint};
use super::manifest::{Commit, Part, StoredFile};
use super::tables::{self, SCHEMA_VERSION, Table};
use super::{Dataset, PartWriter, lock, part_path, replace, staged_name, sync_directory, views};
use crate::error::Error;

/// What a commit changes.
#[derive(Default)]
pub(super) struct Change {
    pub(super) inputs: Vec<CommittedInput>,
    pub(super) replaced_inputs: Vec<Fingerprint>,
    pub(super) added: Vec<Part>,
    pub(super) removed: Vec<String>,
    pub(super) files: Vec<StoredFile>,
}

impl Dataset {
    /// Makes everything pushed since the last commit part of the dataset; durable on return.
    ///
    /// # Errors
    ///
    /// A part cannot be written or read. Nothing is committed then, or, where that failed later, the
    /// next run finishes the commit.
    pub fn commit(&mut self, inputs: Vec<CommittedInput>) -> Result<(), Error> {
        let files = if self.manifest.commits.is_empty() {
            self.stage_catalog()?
        } else {
            Vec::new()
        };
        self.commit_with(inputs, files)
    }

    /// The files of the catalogue that the coming commit is to bring, staged.
    pub(super) fn stage_catalog(&self) -> Result<Vec<StoredFile>, Error> {
        let (directory, staging) = (&self.directory, &self.staging);
        match &self.catalog {
            Some(catalog) => catalog.stage(directory, staging, &self.manifest, &self.pool),
            None => Ok(Vec::new()),
        }
    }

    /// Makes a commit of everything pushed since the last one, and of `files`, which are staged.
    pub(super) fn commit_with(
        &mut self,
        inputs: Vec<CommittedInput>,
        files: Vec<StoredFile>,
    ) -> Result<(), Error> {
        let replaced = std::mem::take(&mut self.replaced);
        let removed = replace::rewrite(self, &replaced)?;
        let mut replaced_inputs = Vec::from_iter(replaced);
        replaced_inputs.sort_unstable();
        // Every table has a file, from the first commit on and whatever is replaced, so that every
        // view works.
        let crawl = inputs.first().map_or("default", |input| &input.crawl);
        let gone: HashSet<&str> = removed.iter().map(String::as_str).collect();
        let stay: HashSet<&str> = self
            .manifest
            .parts()
            .into_values()
            .filter(|part| !gone.contains(part.path.as_str()))
            .map(|part| part.table.as_str())
            .collect();
        let has_part = |table: &Table, open: &BTreeMap<String, PartWriter>| {
            !open.is_empty() || stay.contains(table.name)
        };
        let without_part: Vec<&'static Table> = self
            .open
            .iter()
            .filter(|(table, open)| !has_part(table, open))
            .map(|(table, _)| table)
            .collect();
        for table in without_part {
            self.writer(table, crawl)?;
        }
        let added = self.close_parts()?;
        self.finish_commit(Change {
            inputs,
            replaced_inputs,
            added,
            removed,
            files,
        })
    }

    /// Ends the parts of the coming commit; returns when they are durable.
    fn close_parts(&mut self) -> Result<Vec<Part>, Error> {
        let sequence = self.manifest.commits.len() as u64 + 1;
        let mut open = Vec::new();
        for (table, writers) in std::mem::take(&mut self.open) {
            open.extend(
                writers
                    .into_iter()
                    .map(|(crawl, writer)| (table, crawl, writer)),
            );
        }
        for (_, _, writer) in &mut open {
            writer.wait()?;
        }
        let close = |(table, crawl, writer): (&Table, String, PartWriter)| {
            let path = part_path(table, &crawl, sequence);
            let written = writer.close()?;
            Ok(Part {
                table: table.name.to_owned(),
                path,
                rows: written.rows,
                bytes: written.bytes,
                xxh3: written.xxh3,
            })
        };
        // Parts end at once: their last columns keep every core busy, and one waits for the disk
        // while others are written.
        self.pool.install(|| {
            open.into_par_iter()
                .map(close)
                .collect::<Result<Vec<_>, Error>>()
        })
    }

    /// Makes a commit of parts and files that are staged, and puts them in their places.
    pub(super) fn finish_commit(&mut self, change: Change) -> Result<(), Error> {
        sync_directory(&self.staging)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let commit = Commit {
            schema_version: SCHEMA_VERSION,
            robostat: env!("CARGO_PKG_VERSION").to_owned(),
            public_suffix_list: self.public_suffix_list.clone(),
            agent_catalog: crate::dataset::catalog::VERSION.to_owned(),
            sequence: self.manifest.commits.len() as u64 + 1,
            committed_at: i64::try_from(now.as_micros()).unwrap_or(i64::MAX),
            settings: self.settings.clone(),
            inputs: change.inputs,
            replaced_inputs: change.replaced_inputs,
            added: change.added,
            removed: change.removed,
            files: change.files,
        };
        let _publishing = lock::publishing(&self.directory)?;
        self.is_publishing = true;
        self.manifest.add(&self.directory, &self.staging, commit)?;
        self.publish()?;
        self.is_publishing = false;
        self.write_views()
    }

    /// Renames the last commit's parts to their places and deletes those that it replaces.
    pub(super) fn publish(&self) -> Result<(), Error> {
        let Some(commit) = self.manifest.commits.last() else {
            return Ok(());
        };
        let rank = |part: &&Part| {
            tables::all()
                .iter()
                .position(|table| table.name == part.table)
        };
        let mut parts: Vec<&Part> = commit.added.iter().collect();
        parts.sort_by_key(rank);
        let mut directories = BTreeSet::from([self.directory.clone()]);
        for part in parts {
            let (aside, path) = (
                self.staging.join(staged_name(&part.path)),
                self.directory.join(&part.path),
            );
            if !aside.try_exists().map_err(Error::io(&aside))? {
                continue; // in its place already
            }
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(Error::io(parent))?;
                let new = parent.ancestors().take_while(|it| *it != self.directory);
                directories.extend(new.map(Path::to_owned));
            }
            fs::rename(&aside, &path).map_err(Error::io(&path))?;
        }
        for file in &commit.files {
            let aside = self.staging.join(&file.path);
            if aside.try_exists().map_err(Error::io(&aside))? {
                let path = self.directory.join(&file.path);
                fs::rename(&aside, &path).map_err(Error::io(&path))?;
            }
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
        let sync = || directories.par_iter().try_for_each(|it| sync_directory(it));
        self.pool.install(sync)
    }

    /// Writes `views.sql`, which names the directory as it was given to this run, unless it is
    /// there already.
    pub(super) fn write_views(&self) -> Result<(), Error> {
        let text = views::file(&self.manifest, &self.directory.to_string_lossy());
        let (aside, path) = (
            self.staging.join(views::FILE),
            self.directory.join(views::FILE),
        );
        if fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            return Ok(());
        }
        fs::create_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        let mut file = File::create(&aside).map_err(Error::io(&aside))?;
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(Error::io(&aside))?;
        fs::rename(&aside, &path).map_err(Error::io(&path))?;
        sync_directory(&self.directory)
    }
}
