//! A dataset as it was committed at one moment, for those who ask it something.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::manifest::Manifest;
use super::{STAGING, lock, staged_name, views};
use crate::error::Error;

/// The state of a dataset at one moment, whose files were all there, in the sizes that the manifest
/// says. A later commit may replace parts of it: reading them then fails.
#[derive(Debug)]
pub struct Snapshot {
    directory: PathBuf,
    manifest: Manifest,
}

impl Snapshot {
    /// The last committed state of the dataset in `directory`. Nothing is read but the manifest and
    /// the sizes of files.
    ///
    /// # Errors
    ///
    /// The directory holds no dataset, or one of another version; a commit is damaged; a file that
    /// answers depend on is missing or has another size.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let _settled = lock::settled(directory);
        let manifest = Manifest::read(directory)?;
        if manifest.commits.is_empty() {
            return Err(Error::NoDataset(directory.to_owned()));
        }
        let parts = manifest.parts().into_values();
        let parts = parts.map(|part| (part.path.as_str(), part.bytes));
        let files = manifest.files().into_values();
        let files = files.map(|file| (file.path.as_str(), file.bytes));
        for (path, bytes) in parts.chain(files) {
            check_size(directory, path, bytes)?;
        }
        let directory = directory.to_owned();
        Ok(Self {
            directory,
            manifest,
        })
    }

    /// Where it lies.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Its commits.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The labels of the crawls that its captures are from, in order.
    #[must_use]
    pub fn crawls(&self) -> BTreeSet<String> {
        let parts = self.manifest.parts();
        let crawls = parts.values().filter(|part| part.rows > 0);
        crawls.filter_map(|part| part.partition()).collect()
    }

    /// SQL that gives DuckDB its tables as views, and what is built on them. `place` is its
    /// directory as DuckDB is to find it.
    #[must_use]
    pub fn views(&self, place: &str) -> String {
        views::sql(&self.manifest, place)
    }
}

/// Checks that the file at `path` within the dataset has `bytes` bytes.
fn check_size(directory: &Path, path: &str, bytes: u64) -> Result<(), Error> {
    let full = directory.join(path);
    let message = match fs::metadata(&full) {
        Ok(metadata) if metadata.len() == bytes => return Ok(()),
        Ok(metadata) => format!(
            "{} bytes, {bytes} by the manifest: another file, or cut short; put the right one back \
             (`robostat verify` tells what else is wrong)",
            metadata.len()
        ),
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            return Err(Error::io(&full)(error));
        }
        Err(_) if directory.join(STAGING).join(staged_name(path)).exists() => {
            "not in its place yet: a run was interrupted as it committed; run the same `robostat` \
             command again, which puts it there"
                .to_owned()
        }
        Err(_) => "the file is missing; put it back, or ingest its inputs into a new directory \
                   (`robostat verify` tells what else is wrong)"
            .to_owned(),
    };
    Err(Error::NotAsWritten {
        path: full,
        message,
    })
}
