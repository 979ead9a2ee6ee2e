//! One process at a time has a dataset.

use std::fs::{File, TryLockError};
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
    let lock = File::create(&path).map_err(Error::io(&path))?;
    let begun = Instant::now();
    loop {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
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
