//! Thread pools. Each run has its own pool, so that two runs in one process do not share one.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// A pool of `jobs` threads. Fails if the system cannot start more threads.
pub fn pool(jobs: usize) -> Result<Arc<ThreadPool>, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(jobs).build();
    Ok(Arc::new(pool.map_err(|error| {
        Error::NoThreads(std::io::Error::other(error))
    })?))
}

pub fn spawn<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<JoinHandle<T>, Error> {
    Builder::new().spawn(work).map_err(Error::NoThreads)
}

/// Number of threads that the machine runs at once.
pub fn available() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}
