//! SIGINT, SIGTERM and SIGHUP: a run ends within a second, and prints how to continue.
//!
//! A run stops at the next split of its input. If it cannot (it waits for a pipe, or decodes a
//! frame of gigabytes), the process ends all the same. Nothing is lost: a dataset stays consistent
//! whenever its writer ends. A second signal ends the process at once.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::sleep;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use super::outcome::{FAILED, tell};
use crate::error::Error;
use crate::threads;

const STOP_TIMEOUT: Duration = Duration::from_millis(700);
const INTERVAL: Duration = Duration::from_millis(50);

static SIGNALS: OnceLock<Signals> = OnceLock::new();

#[derive(Default)]
struct Signals {
    stop: Arc<AtomicBool>,
    number: Arc<AtomicUsize>,
}

/// Watches for signals; the first sets the flag. Fails if the system refuses a handler or a thread.
pub(super) fn watch() -> Result<&'static AtomicBool, Error> {
    if let Some(signals) = SIGNALS.get() {
        return Ok(&signals.stop);
    }
    let signals = SIGNALS.get_or_init(Signals::default);
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        register(signals, signal).map_err(Error::io("signal handler"))?;
    }
    threads::spawn(|| end_the_process(signals))?;
    Ok(&signals.stop)
}

fn register(signals: &Signals, signal: i32) -> io::Result<()> {
    flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&signals.stop))?;
    let number = usize::try_from(signal).unwrap_or_default();
    flag::register_usize(signal, Arc::clone(&signals.number), number)?;
    flag::register(signal, Arc::clone(&signals.stop))?;
    Ok(())
}

/// The exit code of a run that a signal ended: 128 plus the number of the signal, as in shells.
pub(super) fn exit_code() -> u8 {
    let number = |signals: &Signals| signals.number.load(Ordering::Relaxed);
    let code = 128 + SIGNALS.get().map_or(0, number);
    u8::try_from(code).unwrap_or(FAILED)
}

fn end_the_process(signals: &Signals) {
    while !signals.stop.load(Ordering::Relaxed) {
        sleep(INTERVAL);
    }
    sleep(STOP_TIMEOUT);
    tell!("robostat: {}", Error::Interrupted);
    std::process::exit(i32::from(exit_code()));
}
