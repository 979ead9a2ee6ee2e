//! The dataset: the output directory, and how it gets from one consistent state to the next.
//!
//! Last stage of the flow, and the only one that knows the directory. A commit goes so:
//!
//! 1. parts are written to `.staging/`, each synced;
//! 2. a commit file that names them is synced and renamed into `manifest/`: from here on the
//!    commit exists;
//! 3. the parts are renamed to their places, those that others refer to first, so that whoever
//!    reads the directory meanwhile finds for every capture its file and policy.
//!
//! A process that dies before 2 leaves only `.staging/`, which the next run empties; after 2, the
//! next run finishes 3. `views.sql`, which lists the parts, is renamed into its place last. Readers
//! take a [`Snapshot`], for which nothing is published during 2 and 3. A part's path is never used
//! again, so that whoever knows an older state finds its parts or an error.
//!
//! Rows do not depend on the number of threads, nor on how the inputs are split into runs. They
//! depend on the order of the inputs in three things: which file of a policy is its exemplar
//! (`policies.exemplar_file_id`), and so the line numbers of its groups, rules, directives and
//! preferences; of which body `files.content_length` is, where several were cut to one file; and
//! whether a revisit finds the file that it repeats, which only an earlier capture can have brought.

pub mod catalog;
mod checksum;
mod compact;
mod encoding;
mod input;
pub mod known;
pub(crate) mod label;
mod listing;
pub(crate) mod lock;
mod manifest;
mod part;
mod part_name;
mod replace;
mod seal;
mod snapshot;
pub(crate) mod stored;
pub mod tables;
pub mod verify;
mod views;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::dataset::known::Known;
use crate::error::Error;
use tables::{Batches, PerTable, SCHEMA_VERSION, Table};

pub use catalog::table::GivenCatalog;
pub use compact::{Compaction, SMALL_BYTES, Size};
pub use input::{CommittedInput, Fingerprint, Location, Locations, WHOLE_BYTES};
pub use manifest::{Commit, Manifest, Part, Settings, StoredFile};
pub(crate) use part::PartWriter;
pub use snapshot::Snapshot;
pub use stored::DigestIndex;

const STAGING: &str = ".staging";

/// Whether `directory` holds a dataset, of whatever version.
#[must_use]
pub fn is_dataset(directory: &Path) -> bool {
    manifest::commit_path(directory, 1).is_file()
}

/// What a commit changes.
#[derive(Default)]
struct Change {
    inputs: Vec<CommittedInput>,
    replaced_inputs: Vec<Fingerprint>,
    added: Vec<Part>,
    removed: Vec<String>,
    files: Vec<StoredFile>,
}

/// An output directory, open for writing by this process alone.
pub struct Dataset {
    directory: PathBuf,
    staging: PathBuf,
    manifest: Manifest,
    settings: Settings,
    catalog: Option<catalog::table::DatasetCatalog>,
    /// Parts of the coming commit, by the value of their partition: empty for none.
    open: PerTable<BTreeMap<String, part::PartWriter>>,
    /// Inputs whose rows of earlier commits are to go.
    replaced: HashSet<Fingerprint>,
    /// Whether `.staging` may hold parts of a commit that exists: it must not be removed then.
    is_publishing: bool,
    /// Whether the directory was not there before.
    is_new: bool,
    /// Threads that encode.
    pool: Arc<ThreadPool>,
    _lock: File,
}

impl Dataset {
    /// Opens or creates the dataset in `directory`, and finishes or rolls back what an earlier
    /// run left half done. `given` are rows for its catalogue of crawlers; without, it keeps those
    /// that it was given before. Parts are encoded on the threads of `pool`.
    ///
    /// Refused: a directory that holds other things, a dataset of another schema version or with
    /// other settings, one that another process writes.
    pub fn open(
        directory: &Path,
        settings: Settings,
        given: Option<GivenCatalog>,
        pool: Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        let refuse = |message: &str| Error::Output {
            path: directory.to_owned(),
            message: message.to_owned(),
        };
        let manifest_directory = directory.join(manifest::DIRECTORY);
        match fs::metadata(directory) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(refuse(
                    "not a directory; the last argument is the output directory",
                ));
            }
            Ok(_) if !manifest_directory.is_dir() && !is_empty(directory)? => {
                return Err(refuse(
                    "the directory holds other things and no robostat dataset; choose a new or an empty one",
                ));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io(directory)(error));
            }
            _ => {}
        }
        let is_new = !directory.exists();
        // The lock file is created only once it is sure that the directory is ours to use.
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
        let lock = lock::lock(directory)?;
        fs::create_dir_all(&manifest_directory).map_err(Error::io(&manifest_directory))?;
        sync_directory(directory)?;
        let manifest = Manifest::read(directory)?;
        listing::refuse_lost_commits(directory, &manifest)?;
        if let Some(last) = manifest
            .commits
            .last()
            .filter(|last| last.settings != settings)
        {
            return Err(refuse(&last.settings.mismatch(&settings)));
        }
        let staging = directory.join(STAGING);
        let mut dataset = Self {
            directory: directory.to_owned(),
            staging,
            manifest,
            settings,
            catalog: None,
            open: PerTable::default(),
            replaced: HashSet::new(),
            is_publishing: true,
            is_new,
            pool,
            _lock: lock,
        };
        dataset.recover()?;
        let catalog = catalog::table::DatasetCatalog::new(directory, &dataset.manifest, given)?;
        dataset.catalog = Some(catalog);
        if !dataset.manifest.commits.is_empty() {
            let files = dataset.stage_catalog()?;
            if !files.is_empty() {
                dataset.commit_with(Vec::new(), files)?;
            }
        }
        Ok(dataset)
    }

    /// Opens the dataset in `directory` to change nothing that an ingest would: with the settings and
    /// the catalogue that it has.
    ///
    /// # Errors
    ///
    /// There is no dataset of this version, or another process writes it.
    pub fn reopen(directory: &Path, pool: Arc<ThreadPool>) -> Result<Self, Error> {
        if Manifest::read(directory)?.commits.is_empty() {
            return Err(Error::NoDataset(directory.to_owned()));
        }
        let lock = lock::lock(directory)?;
        // Until here another process may have committed.
        let manifest = Manifest::read(directory)?;
        let Some(last) = manifest.commits.last() else {
            return Err(Error::NoDataset(directory.to_owned()));
        };
        let settings = last.settings.clone();
        listing::refuse_lost_commits(directory, &manifest)?;
        let mut dataset = Self {
            directory: directory.to_owned(),
            staging: directory.join(STAGING),
            manifest,
            settings,
            catalog: None,
            open: PerTable::default(),
            replaced: HashSet::new(),
            is_publishing: true,
            is_new: false,
            pool,
            _lock: lock,
        };
        dataset.recover()?;
        Ok(dataset)
    }

    /// Where copies of inputs that can be read only once may go.
    #[must_use]
    pub fn staging(&self) -> &Path {
        &self.staging
    }

    /// The state that is committed.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The files and policies that have rows.
    pub fn known(&self) -> Result<Known, Error> {
        stored::known(&self.directory, &self.manifest)
    }

    /// The files that captures of the dataset brought, by payload digest.
    pub fn digests(&self) -> Result<DigestIndex, Error> {
        stored::digests(&self.directory, &self.manifest)
    }

    /// Lets the next commit drop the rows that earlier commits have of an input.
    pub fn replace(&mut self, input: Fingerprint) {
        self.replaced.insert(input);
    }

    /// Appends rows to the coming commit; captures go to the partition of `crawl`.
    pub fn push(&mut self, crawl: &str, batches: Batches) -> Result<(), Error> {
        for (table, batch) in batches {
            if batch.num_rows() > 0 {
                self.writer(table, crawl)?.push(batch)?;
            }
        }
        Ok(())
    }

    /// Makes everything pushed since the last commit part of the dataset; durable on return.
    pub fn commit(&mut self, inputs: Vec<CommittedInput>) -> Result<(), Error> {
        let files = if self.manifest.commits.is_empty() {
            self.stage_catalog()?
        } else {
            Vec::new()
        };
        self.commit_with(inputs, files)
    }

    /// The files of the catalogue that the coming commit is to bring, staged.
    fn stage_catalog(&self) -> Result<Vec<StoredFile>, Error> {
        let (directory, staging) = (&self.directory, &self.staging);
        match &self.catalog {
            Some(catalog) => catalog.stage(directory, staging, &self.manifest, &self.pool),
            None => Ok(Vec::new()),
        }
    }

    fn commit_with(
        &mut self,
        inputs: Vec<CommittedInput>,
        files: Vec<StoredFile>,
    ) -> Result<(), Error> {
        let sequence = self.manifest.commits.len() as u64 + 1;
        let replaced = std::mem::take(&mut self.replaced);
        let removed = replace::rewrite(self, &replaced)?;
        let mut replaced_inputs = Vec::from_iter(replaced);
        replaced_inputs.sort_unstable();
        // Every table has a file, from the first commit on and whatever is replaced, so that every
        // view works.
        let crawl = inputs.first().map_or("default", |input| &input.crawl);
        let stay: HashSet<&str> = self
            .manifest
            .parts()
            .into_values()
            .filter(|part| !removed.contains(&part.path))
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
        let close = |(table, crawl, writer): (&Table, String, part::PartWriter)| {
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
        let added = self.pool.install(|| {
            open.into_par_iter()
                .map(close)
                .collect::<Result<Vec<_>, Error>>()
        })?;
        self.finish_commit(Change {
            inputs,
            replaced_inputs,
            added,
            removed,
            files,
        })
    }

    /// Makes a commit of parts and files that are staged, and puts them in their places.
    fn finish_commit(&mut self, change: Change) -> Result<(), Error> {
        sync_directory(&self.staging)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let commit = Commit {
            schema_version: SCHEMA_VERSION,
            robostat: env!("CARGO_PKG_VERSION").to_owned(),
            public_suffix_list: crate::url_parts::PUBLIC_SUFFIX_LIST.to_owned(),
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

    /// Drops everything pushed since the last commit.
    pub fn roll_back(&mut self) {
        self.open = PerTable::default();
        self.replaced.clear();
        self.clear_staging();
    }

    /// Takes away what [`open`](Self::open) made for a dataset that got no commit.
    fn leave_nothing(&self) {
        // A directory that is not empty stays; what cannot be removed is in nobody's way.
        let _ = fs::remove_dir(self.directory.join(manifest::DIRECTORY));
        let _ = fs::remove_file(self.directory.join(lock::PUBLISHING));
        let _ = fs::remove_file(self.directory.join(lock::LOCK));
        if self.is_new {
            let _ = fs::remove_dir(&self.directory);
        }
    }

    /// Empties the staging directory, unless parts that count may lie there: those are for the
    /// next run to publish.
    fn clear_staging(&self) {
        if !self.is_publishing {
            // What cannot be removed now, the next run removes.
            let _ = fs::remove_dir_all(&self.staging);
        }
    }

    /// The writer of the coming commit's part of `table`, in the partition of `crawl` where the
    /// table has partitions.
    fn writer(
        &mut self,
        table: &'static Table,
        crawl: &str,
    ) -> Result<&mut part::PartWriter, Error> {
        let sequence = self.manifest.commits.len() as u64 + 1;
        let crawl = if table.partition.is_some() { crawl } else { "" };
        let open = self
            .open
            .get_mut(table)
            .expect("a table that commits extend");
        match open.entry(crawl.to_owned()) {
            std::collections::btree_map::Entry::Occupied(entry) => Ok(entry.into_mut()),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let aside = self
                    .staging
                    .join(staged_name(&part_path(table, crawl, sequence)));
                Ok(entry.insert(part::PartWriter::create(
                    &aside,
                    table,
                    Arc::clone(&self.pool),
                )?))
            }
        }
    }

    /// Finishes the last commit if it was left half published, and empties the staging directory.
    fn recover(&mut self) -> Result<(), Error> {
        let _publishing = lock::publishing(&self.directory)?;
        if self.staging.is_dir() {
            self.publish()?;
            fs::remove_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        }
        self.is_publishing = false;
        fs::create_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        if self.manifest.commits.is_empty() {
            Ok(())
        } else {
            self.write_views()
        }
    }

    /// Renames the last commit's parts to their places and deletes those that it replaces.
    fn publish(&self) -> Result<(), Error> {
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
    fn write_views(&self) -> Result<(), Error> {
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

impl Drop for Dataset {
    fn drop(&mut self) {
        self.open = PerTable::default();
        self.clear_staging();
        if self.manifest.commits.is_empty() && !self.is_publishing {
            self.leave_nothing();
        }
    }
}

/// Path within the dataset of the part of `table` that the commit numbered `sequence` adds.
fn part_path(table: &Table, crawl: &str, sequence: u64) -> String {
    let name = part_name::PartName::new(sequence);
    match table.partition {
        None => format!("{}/{name}", table.name),
        Some(partition) => format!("{}/{partition}={}/{name}", table.name, label::escape(crawl)),
    }
}

/// Name of a part while it is staged: its path as one component.
fn staged_name(path: &str) -> String {
    path.replace('/', "!")
}

fn is_empty(directory: &Path) -> Result<bool, Error> {
    let mut entries = fs::read_dir(directory).map_err(Error::io(directory))?;
    // A lock file alone is what a run leaves that failed before its first commit.
    Ok(entries.all(|entry| {
        entry.is_ok_and(|entry| {
            let name = entry.file_name();
            [lock::LOCK, lock::PUBLISHING, STAGING]
                .iter()
                .any(|ours| name == *ours)
        })
    }))
}

pub(crate) fn sync_directory(path: &Path) -> Result<(), Error> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(Error::io(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_cannot_lead_out_of_the_dataset() {
        let captures = tables::captures::table();
        assert_eq!(
            part_path(captures, "CC-MAIN-2026-33", 1),
            "captures/crawl=CC-MAIN-2026-33/part-000001.parquet"
        );
        assert_eq!(
            part_path(captures, "../../etc", 1),
            "captures/crawl=..%2F..%2Fetc/part-000001.parquet"
        );
        assert_eq!(
            part_path(tables::files::table(), "", 12),
            "files/part-000012.parquet"
        );
    }
}
