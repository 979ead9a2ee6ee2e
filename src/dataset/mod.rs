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
//! next run finishes 3.

pub mod catalog;
mod checksum;
mod encoding;
mod input;
pub mod known;
pub(crate) mod label;
pub(crate) mod lock;
mod manifest;
mod part;
mod replace;
pub(crate) mod stored;
pub mod tables;
pub mod verify;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use rayon::ThreadPool;
use rayon::prelude::*;

use crate::dataset::known::Known;
use crate::error::Error;
use tables::{Batches, PerTable, SCHEMA_VERSION, Table};

pub use catalog::table::GivenCatalog;
pub use input::{CommittedInput, Fingerprint, Location, Locations, WHOLE_BYTES};
pub use manifest::{Commit, Manifest, Part, Settings};
pub(crate) use part::PartWriter;
pub use stored::DigestIndex;

const STAGING: &str = ".staging";
/// The views of `out/views.sql`; `$DATASET` stands for the directory.
const VIEWS: &str = include_str!("views.sql");

/// Refuses a directory without a dataset that this version can read.
pub fn check(directory: &Path) -> Result<(), Error> {
    if Manifest::read(directory)?.commits.is_empty() {
        return Err(Error::NoDataset(directory.to_owned()));
    }
    Ok(())
}

/// Whether `directory` holds a dataset, of whatever version.
#[must_use]
pub fn is_dataset(directory: &Path) -> bool {
    manifest::commit_path(directory, 1).is_file()
}

/// How many crawls the captures of a dataset are from.
pub fn count_crawls(directory: &Path) -> Result<usize, Error> {
    let manifest = Manifest::read(directory)?;
    let parts = manifest.parts();
    let crawls = parts
        .values()
        .filter(|part| part.table == "captures")
        .filter_map(|part| part.path.rsplit_once('/').map(|(directory, _)| directory));
    Ok(crawls.collect::<HashSet<_>>().len())
}

/// SQL that gives DuckDB the views of a dataset in `directory`.
#[must_use]
pub fn views(directory: &str) -> String {
    // DuckDB takes what it reads for a pattern: what would stand for other characters is put in
    // brackets, where it stands for itself.
    let mut place = String::with_capacity(directory.len());
    for character in directory.trim_end_matches('/').chars() {
        match character {
            '[' | '*' | '?' => place.extend(['[', character, ']']),
            '\'' => place.push_str("''"),
            _ => place.push(character),
        }
    }
    VIEWS.replace("$DATASET", &place)
}

/// An output directory, open for writing by this process alone.
pub struct Dataset {
    directory: PathBuf,
    staging: PathBuf,
    manifest: Manifest,
    settings: Settings,
    catalog: catalog::table::DatasetCatalog,
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
            catalog: catalog::table::DatasetCatalog::new(directory, given)?,
            open: PerTable::default(),
            replaced: HashSet::new(),
            is_publishing: true,
            is_new,
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
        let sequence = self.manifest.commits.len() as u64 + 1;
        let replaced = std::mem::take(&mut self.replaced);
        let removed = replace::rewrite(self, &replaced)?;
        let mut replaced_inputs = Vec::from_iter(replaced);
        replaced_inputs.sort_unstable();
        // Every table has a file, from the first commit on and whatever is replaced, so that every
        // view works.
        let crawl = inputs.first().map_or("default", |input| &input.crawl);
        for table in tables::all() {
            let stays = |part: &&Part| part.table == table.name && !removed.contains(&part.path);
            let is_open = self
                .open
                .get_mut(table)
                .is_some_and(|open| !open.is_empty());
            let has_part = is_open || self.manifest.parts().into_values().any(|part| stays(&part));
            if !has_part {
                self.writer(table, crawl)?;
            }
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
        sync_directory(&self.staging)?;
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let commit = Commit {
            schema_version: SCHEMA_VERSION,
            robostat: env!("CARGO_PKG_VERSION").to_owned(),
            public_suffix_list: crate::url_parts::PUBLIC_SUFFIX_LIST.to_owned(),
            sequence,
            committed_at: i64::try_from(now.as_micros()).unwrap_or(i64::MAX),
            settings: self.settings.clone(),
            inputs,
            replaced_inputs,
            added,
            removed,
        };
        if self.manifest.commits.is_empty() {
            self.catalog
                .write(&self.directory, &self.staging, &self.pool)?;
        }
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
        if self.staging.is_dir() {
            self.publish()?;
            fs::remove_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        }
        self.is_publishing = false;
        fs::create_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        if self.manifest.commits.is_empty() {
            Ok(())
        } else {
            self.catalog
                .write(&self.directory, &self.staging, &self.pool)?;
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

    /// Writes `views.sql`, which names the directory as it was given to this run.
    fn write_views(&self) -> Result<(), Error> {
        let views = views(&self.directory.to_string_lossy());
        let (aside, path) = (
            self.staging.join("views.sql"),
            self.directory.join("views.sql"),
        );
        fs::create_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        fs::write(&aside, views).map_err(Error::io(&aside))?;
        fs::rename(&aside, &path).map_err(Error::io(&path))
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

/// Path of a part within the dataset.
fn part_path(table: &Table, crawl: &str, sequence: u64) -> String {
    match table.partition {
        None => format!("{}/part-{sequence:06}.parquet", table.name),
        Some(partition) => format!(
            "{}/{partition}={}/part-{sequence:06}.parquet",
            table.name,
            label::escape(crawl)
        ),
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
        entry.is_ok_and(|entry| entry.file_name() == lock::LOCK || entry.file_name() == STAGING)
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
