//! One process at a time has a dataset.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;

/// Name of the file that is locked, within the dataset.
pub(crate) const LOCK: &str = ".lock";
/// How long to wait for the lock: the system frees that of a killed process only when it has
/// cleared its memory away.
const PATIENCE: Duration = Duration::from_secs(3);

/// Locks the dataset in `directory`, which exists, until the file is dropped.
pub(crate) fn lock(directory: &Path) -> Result<File, Error> {
    let path = directory.join(LOCK);
    let begun = Instant::now();
    let mut lock = File::create(&path).map_err(Error::io(&path))?;
    loop {
        match lock.try_lock() {
            Ok(()) if is_at(&lock, &path) => return Ok(lock),
            // A run that leaves nothing behind takes its lock file away.
            Ok(()) => {
                fs::create_dir_all(directory).map_err(Error::io(directory))?;
                lock = File::create(&path).map_err(Error::io(&path))?;
            }
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                thread::sleep(PATIENCE / 50);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Busy(directory.to_owned()));
            }
            Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
        }
    }
}

/// Whether `file` is what lies at `path` now.
fn is_at(file: &File, path: &Path) -> bool {
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(file), Ok(found)) => id(file) == id(found),
        _ => false,
    }
}
