//! SIGINT, SIGTERM and SIGHUP: a run ends within a second, and says how to go on.
//!
//! The run is asked to stop and does so at the next split of its input. Where it cannot (it waits
//! for a pipe, or a frame of gigabytes is under way), the process ends without it, which costs
//! nothing: a dataset survives its writer's end at any moment. A second signal ends it at once.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::INTERRUPTED;
use super::terminal;
use crate::error::Error;
use crate::threads;

/// Time that a run has to stop by itself.
const GRACE: Duration = Duration::from_millis(700);
/// Time between two looks whether a signal came.
const INTERVAL: Duration = Duration::from_millis(50);

/// The signals that ask a run to stop.
#[derive(Clone)]
pub(super) struct Signals {
    stop: Arc<AtomicBool>,
    number: Arc<AtomicUsize>,
}

impl Signals {
    /// Watches for signals from here on.
    ///
    /// Fails if the system takes no handler, or gives no thread.
    pub(super) fn watch() -> Result<Self, Error> {
        let signals = Self {
            stop: Arc::default(),
            number: Arc::default(),
        };
        let register = |signals: &Self, signal| -> io::Result<()> {
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&signals.stop))?;
            let number = usize::try_from(signal).unwrap_or_default();
            flag::register_usize(signal, Arc::clone(&signals.number), number)?;
            flag::register(signal, Arc::clone(&signals.stop))?;
            Ok(())
        };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            register(&signals, signal).map_err(Error::io("signal handler"))?;
        }
        let watched = signals.clone();
        threads::spawn(move || watched.end_the_process())?;
        Ok(signals)
    }

    /// Set once a signal came.
    pub(super) fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    /// The exit code of a run that a signal ended: 128 and its number, as shells have it.
    pub(super) fn exit_code(&self) -> u8 {
        u8::try_from(128 + self.number.load(Ordering::Relaxed)).unwrap_or(INTERRUPTED)
    }

    fn end_the_process(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            sleep(INTERVAL);
        }
        sleep(GRACE);
        terminal::tell(&format!("robostat: {}\n", Error::Interrupted));
        std::process::exit(i32::from(self.exit_code()));
    }
}
