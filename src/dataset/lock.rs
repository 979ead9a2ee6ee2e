//! Locks: one process at a time writes a dataset, and readers wait while a commit is published.
//!
//! A writer holds [`lock`] as long as it lives. It holds [`publishing`] only while a commit is
//! published: from before its file appears in the manifest until every part is in place. A reader
//! that holds [`settled`] finds every part that the manifest lists.

use std::fs::{self, File, TryLockError};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Error;

pub(crate) const LOCK: &str = ".lock";
pub(super) const PUBLISHING: &str = ".publishing";
/// The system releases the lock of a killed process only after freeing its memory.
const LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// Locks a dataset for writing until the file is dropped. Fails if another process has the lock.
pub(crate) fn lock(directory: &Path) -> Result<File, Error> {
    let path = directory.join(LOCK);
    let begun = Instant::now();
    let mut lock = File::create(&path).map_err(Error::io(&path))?;
    loop {
        match lock.try_lock() {
            Ok(()) if is_at(&lock, &path) => return Ok(lock),
            // A run that leaves nothing behind deletes its lock file.
            Ok(()) => {
                fs::create_dir_all(directory).map_err(Error::io(directory))?;
                lock = File::create(&path).map_err(Error::io(&path))?;
            }
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => {
                thread::sleep(LOCK_TIMEOUT / 50);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(Error::unusable(
                    directory,
                    "another robostat is using it; wait for it, or use another directory",
                ));
            }
            Err(TryLockError::Error(error)) => return Err(Error::io(&path)(error)),
        }
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(file), Ok(found)) => id(file) == id(found),
        _ => false,
    }
}

/// Waits until no reader holds [`settled`], which is never long, and keeps new ones out until the
/// file is dropped.
pub(super) fn publishing(directory: &Path) -> Result<File, Error> {
    let path = directory.join(PUBLISHING);
    let lock = File::create(&path).map_err(Error::io(&path))?;
    lock.lock().map_err(Error::io(&path))?;
    Ok(lock)
}

/// Waits until no commit is being published, and keeps the next one back until the file is dropped:
/// to be held for as long as it takes to list the dataset, not to read it. `None` if no writer has
/// opened this copy of the dataset, or the file system does not support locks.
pub(super) fn settled(directory: &Path) -> Option<File> {
    let lock = File::open(directory.join(PUBLISHING)).ok()?;
    lock.lock_shared().ok()?;
    Some(lock)
}
