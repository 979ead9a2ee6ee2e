//! CPU time of a thread, for tests that bound the work: on a busy machine, wall-clock time would
//! include other processes.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A moment in the calling thread's CPU time.
pub(crate) struct ThreadTime(Duration);

impl ThreadTime {
    /// Now.
    pub(crate) fn now() -> Self {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        // Linux counts the nanoseconds that a thread ran; other systems have only the clock.
        let ran = fs::read_to_string("/proc/thread-self/schedstat")
            .ok()
            .and_then(|text| text.split(' ').next()?.parse().ok())
            .map_or_else(|| BEGIN.elapsed(), Duration::from_nanos);
        Self(ran)
    }

    /// The CPU time of the thread since then.
    pub(crate) fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}
