//! Opens a dataset for writing: creates it, or finishes or rolls back an interrupted run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPool;

use super::catalog::table::DatasetCatalog;
use super::manifest::{self, Commit, Manifest, Settings};
use super::snapshot::check_size;
use super::{DOWNLOADS, Dataset, STAGING, listing, lock, no_dataset, sync_directory};
use crate::error::Error;

impl Dataset {
    /// Opens or creates the dataset in `directory`, and finishes or rolls back an interrupted run.
    /// `given` has rows for its catalogue of crawlers; if `None`, it keeps those given before.
    ///
    /// Fails if the directory holds other things, a dataset of another schema version or with other
    /// settings, or a dataset that another process writes or whose parts differ from its manifest.
    pub fn open(
        directory: &Path,
        settings: Settings,
        given: Option<DatasetCatalog>,
        pool: Arc<ThreadPool>,
    ) -> Result<Self, Error> {
        let refuse = |message: &str| Error::unusable(directory, message);
        let manifest_directory = directory.join(manifest::DIRECTORY);
        match fs::metadata(directory) {
            Ok(metadata) if !metadata.is_dir() => {
                return Err(refuse(
                    "not a directory; the last argument is the output directory",
                ));
            }
            Ok(_) if !manifest_directory.is_dir() && !is_empty(directory)? => {
                return Err(refuse(
                    "the directory holds other things and no robostat dataset; choose a new or an \
                     empty one",
                ));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Error::io(directory)(error));
            }
            Err(_) if directory.is_symlink() => {
                return Err(refuse(
                    "a symbolic link whose target does not exist; create the target, or choose \
                     another directory",
                ));
            }
            _ => {}
        }
        let is_new = !directory.exists();
        // The lock file is created only once it is certain that the directory is ours to use.
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
        let mut dataset = Self::locked(directory, pool)?;
        dataset.is_new = is_new;
        fs::create_dir_all(&manifest_directory).map_err(Error::io(&manifest_directory))?;
        sync_directory(directory)?;
        let last = dataset.manifest.commits.last();
        if let Some(last) = last.filter(|last| last.settings != settings) {
            let made = last.settings.other_than(&settings);
            let message =
                format!("the dataset was made {made}; do the same, or use a new directory");
            return Err(refuse(&message));
        }
        dataset.next.settings = settings;
        dataset.recover()?;
        let catalog = match given {
            Some(given) => given,
            None => DatasetCatalog::of(directory, &dataset.manifest)?,
        };
        // A new dataset gets the catalogue with its first rows, in one commit.
        dataset.next.files = catalog.stage(&dataset)?;
        if !dataset.manifest.commits.is_empty() && !dataset.next.files.is_empty() {
            dataset.commit(None)?;
        }
        Ok(dataset)
    }

    /// Opens the dataset with the settings and the catalogue that it has; fails without one, and as
    /// [`open`](Self::open) does.
    pub fn reopen(directory: &Path, pool: Arc<ThreadPool>) -> Result<Self, Error> {
        if Manifest::read(directory)?.commits.is_empty() {
            return Err(no_dataset(directory));
        }
        // Another process may have committed until here.
        let mut dataset = Self::locked(directory, pool)?;
        if dataset.manifest.commits.is_empty() {
            return Err(no_dataset(directory));
        }
        dataset.recover()?;
        Ok(dataset)
    }

    /// Locks the dataset and reads its settings; its last commit may be unfinished.
    fn locked(directory: &Path, pool: Arc<ThreadPool>) -> Result<Self, Error> {
        let lock = lock::lock(directory)?;
        let manifest = Manifest::read(directory)?;
        listing::refuse_lost_commits(directory, &listing::list(directory)?, &manifest)?;
        let last = manifest.commits.last();
        let next = Commit {
            settings: last.map(|last| last.settings.clone()).unwrap_or_default(),
            public_suffix_list: crate::url_parts::PUBLIC_SUFFIX_LIST.to_owned(),
            ..Commit::default()
        };
        Ok(Self {
            directory: directory.to_owned(),
            staging: directory.join(STAGING),
            manifest,
            next,
            next_bytes: 0,
            open: BTreeMap::new(),
            is_publishing: true,
            is_new: false,
            pool,
            _lock: lock,
        })
    }

    /// Finishes the last commit if it was left half published, and empties the staging directory.
    fn recover(&mut self) -> Result<(), Error> {
        let _publishing = lock::publishing(&self.directory)?;
        self.publish()?;
        if self.staging.is_dir() {
            fs::remove_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        }
        self.is_publishing = false;
        fs::create_dir_all(&self.staging).map_err(Error::io(&self.staging))?;
        let mut parts = self.manifest.parts().into_values();
        parts.try_for_each(|part| check_size(&self.directory, &part.path, part.bytes))
    }

    /// Removes the files that [`open`](Self::open) made, from a dataset without a commit.
    pub(super) fn leave_nothing(&self) {
        // A directory that is not empty stays; a directory that cannot be removed does no harm.
        let _ = fs::remove_dir(self.directory.join(manifest::DIRECTORY));
        let _ = fs::remove_file(self.directory.join(lock::PUBLISHING));
        let _ = fs::remove_file(self.directory.join(lock::LOCK));
        if self.is_new {
            let _ = fs::remove_dir(&self.directory);
        }
    }
}

fn is_empty(directory: &Path) -> Result<bool, Error> {
    let mut entries = fs::read_dir(directory).map_err(Error::io(directory))?;
    // A run that failed before its first commit leaves only a lock file.
    let ours = [lock::LOCK, lock::PUBLISHING, STAGING, DOWNLOADS];
    let is_ours = |entry: fs::DirEntry| ours.iter().any(|ours| entry.file_name() == *ours);
    Ok(entries.all(|entry| entry.is_ok_and(is_ours)))
}
