//! Time that a thread has computed, for tests that bound the work: on a busy machine, wall-clock
//! time would include the work of others.

use std::fs;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// A moment of the calling thread.
pub(crate) struct ThreadTime(Duration);

impl ThreadTime {
    /// Now.
    pub(crate) fn now() -> Self {
        static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);
        // Linux counts the nanoseconds that a thread ran; elsewhere there is only the clock.
        let ran = fs::read_to_string("/proc/thread-self/schedstat")
            .ok()
            .and_then(|text| text.split(' ').next()?.parse().ok())
            .map_or_else(|| BEGIN.elapsed(), Duration::from_nanos);
        Self(ran)
    }

    /// The time that the thread has computed since.
    pub(crate) fn elapsed(&self) -> Duration {
        Self::now().0.saturating_sub(self.0)
    }
}
