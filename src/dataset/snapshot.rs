//! A dataset as it was committed at one moment, for reading.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::catalog::table::{GIVEN, TABLE as CATALOG};
use super::manifest::{Commit, Manifest};
use super::tables::policy_diffs::FILE as DIFFS;
use super::views::is_within;
use super::{STAGING, listing, lock, no_dataset, staged_name, views};
use crate::error::Error;

/// The state of a dataset at one moment, when all its files had the sizes in the manifest. A later
/// commit may replace parts of it: reading them then fails.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub directory: PathBuf,
    pub manifest: Manifest,
    /// The paths within `directory` of datasets that are queried together; for one dataset, the
    /// empty path.
    pub(super) roots: Vec<String>,
    /// Whether a run was interrupted after its commit and before all its parts were in place.
    pub(super) is_interrupted: bool,
}

impl Snapshot {
    /// The last complete state of the dataset in `directory`; no rows are read. A commit that was
    /// interrupted before all its parts were in place is left out: the parts that it replaces are
    /// still there.
    ///
    /// Fails if the directory holds no dataset of this version, if a commit is damaged or missing,
    /// or if a file that answers depend on is missing or has another size.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let _settled = lock::settled(directory);
        let on_disk = listing::list(directory)?;
        let mut snapshot = Self::of_manifest(directory)?;
        let manifest = &mut snapshot.manifest;
        listing::refuse_lost_commits(directory, &on_disk, manifest)?;
        let has_earlier = manifest.commits.len() > 1;
        let is_half = |commit: &mut Commit| has_earlier && is_staged(directory, commit);
        let half = manifest.commits.pop_if(is_half);
        let parts = manifest.parts().into_values();
        let parts = parts.map(|part| (part.path.as_str(), part.bytes));
        let files = manifest.files().into_values();
        // The interrupted commit may have replaced some of these files.
        let replaced = half.as_ref().map_or(&[][..], |commit| &commit.files);
        let files = files.filter(|file| replaced.iter().all(|it| it.path != file.path));
        let files = files.map(|file| (file.path.as_str(), file.bytes));
        for (path, bytes) in parts.chain(files) {
            check_size(directory, path, bytes)?;
        }
        snapshot.is_interrupted = half.is_some();
        Ok(snapshot)
    }

    /// The last state of the dataset by its manifest alone: its parts may be elsewhere.
    pub fn of_manifest(directory: &Path) -> Result<Self, Error> {
        let manifest = Manifest::read(directory)?;
        if manifest.commits.is_empty() {
            return Err(no_dataset(directory));
        }
        Ok(Self {
            directory: directory.to_owned(),
            manifest,
            roots: vec![String::new()],
            is_interrupted: false,
        })
    }

    /// This snapshot with the files and policies only of the dataset that has the crawl `label`,
    /// which suffice for an answer about that crawl. The order of crawls stays the same.
    pub fn focused(&self, label: &str) -> Self {
        let mut focused = self.clone();
        let parts = self.manifest.parts().into_values();
        let mut of_crawl = parts.filter(|part| part.partition().as_deref() == Some(label));
        if let Some(part) = of_crawl.next() {
            focused.roots.retain(|root| is_within(root, &part.path));
        }
        focused
    }

    /// As [`open`](Self::open), for a copy of the dataset: fails if a commit was interrupted.
    pub fn open_whole(directory: &Path) -> Result<Self, Error> {
        let snapshot = Self::open(directory)?;
        if snapshot.is_interrupted {
            let message = format!(
                "a run was interrupted as it made commit {}; run the same `robostat` command \
                 again, which finishes it",
                snapshot.manifest.commits.len() + 1
            );
            return Err(Error::unusable(directory, message));
        }
        Ok(snapshot)
    }

    /// The datasets in `directories` as if they were merged in this order. They must have the same
    /// settings, and no crawl or input in common: hosts are counted from all captures of a crawl.
    pub fn open_together(directories: &[PathBuf]) -> Result<Self, Error> {
        if let [directory] = directories {
            return Self::open(directory);
        }
        let sources = directories.iter().map(|directory| Self::open(directory));
        let sources: Vec<Self> = sources.collect::<Result<_, _>>()?;
        Self::agree(&sources)?;
        let mut manifest = Manifest::default();
        let (mut roots, mut behind) = (Vec::new(), BTreeSet::new());
        for source in &sources {
            let directory = &source.directory;
            let place = std::path::absolute(directory).map_err(Error::io(directory))?;
            let place = place.to_str();
            let place = place.ok_or_else(|| Error::not_utf8(directory))?;
            let root = place.trim_matches('/').to_owned();
            let within = |path: &mut String| *path = format!("{root}/{path}");
            for mut commit in source.manifest.commits.clone() {
                let added = commit.added.iter_mut().map(|part| &mut part.path);
                let files = commit.files.iter_mut().map(|file| &mut file.path);
                let paths = added.chain(&mut commit.removed).chain(files);
                paths.for_each(within);
                manifest.commits.push(commit);
            }
            behind.extend(source.manifest.behind());
            roots.push(root);
        }
        if let Some(last) = manifest.commits.last_mut() {
            last.behind = behind;
        }
        Ok(Self {
            directory: PathBuf::from("/"),
            manifest,
            roots,
            is_interrupted: false,
        })
    }

    pub fn crawls(&self) -> Vec<String> {
        let crawls = self.manifest.crawls().into_iter();
        crawls.map(|crawl| crawl.label).collect()
    }

    /// This snapshot without the crawls after `label`; fails if there is no such crawl.
    pub fn until(mut self, label: Option<&str>) -> Result<Self, Error> {
        let Some(label) = label else {
            return Ok(self);
        };
        let crawls = self.crawls();
        let Some(place) = crawls.iter().position(|crawl| crawl == label) else {
            return Err(Error::no_crawl(label, &crawls.join(", ")));
        };
        let later = crawls.into_iter().skip(place + 1).collect();
        self.manifest.leave_out(&later);
        Ok(self)
    }

    /// SQL that creates its views in DuckDB; `place` is the path of its directory for DuckDB.
    pub fn views(&self, place: &str) -> String {
        views::sql(&self.manifest, place, &self.roots)
    }
}

fn is_staged(directory: &Path, commit: &Commit) -> bool {
    let staging = directory.join(STAGING);
    let is_part_staged =
        |path: &String| staging.join(staged_name(path)).exists() && !directory.join(path).exists();
    (commit.added.iter()).any(|part| is_part_staged(&part.path))
        || (commit.files.iter())
            .any(|it| !it.is_at(&directory.join(&it.path)) && it.is_at(&staging.join(&it.path)))
}

pub(super) fn check_size(directory: &Path, path: &str, bytes: u64) -> Result<(), Error> {
    let full = directory.join(path);
    let wrong = match fs::metadata(&full) {
        Ok(metadata) if metadata.len() == bytes => return Ok(()),
        Ok(metadata) => {
            let found = metadata.len();
            format!("{found} bytes, {bytes} in the manifest: another file, or cut short")
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Error::io(&full)(error));
        }
        Err(_) if directory.join(STAGING).join(staged_name(path)).exists() => {
            let interrupted = "not in its place yet: a run was interrupted as it committed; run \
                               the same `robostat` command again, which puts it there";
            return Err(Error::unusable(full, interrupted));
        }
        Err(_) => "the file is missing".to_owned(),
    };
    let remedy = match path {
        DIFFS => "run `robostat diff` on the dataset",
        CATALOG => "the next `robostat ingest` into this directory rewrites it",
        GIVEN => "put the right file back, or give --catalog again",
        _ => {
            "put the right file back, or ingest its inputs into a new directory (`robostat verify` \
             lists what else is wrong)"
        }
    };
    Err(Error::unusable(full, format!("{wrong}; {remedy}")))
}
