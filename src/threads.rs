//! Pools of threads: each run has its own, so that two in one process do not share one.

use std::num::NonZeroUsize;
use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// A pool of `jobs` threads.
///
/// # Errors
///
/// Fails where the system gives no more threads.
pub fn pool(jobs: usize) -> Result<Arc<ThreadPool>, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    let no_threads = |error| Error::io("the threads of the run")(std::io::Error::other(error));
    Ok(Arc::new(pool.map_err(no_threads)?))
}

/// Threads that the machine runs at once.
#[must_use]
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
