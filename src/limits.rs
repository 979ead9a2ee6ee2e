//! Limits of the system that would end the program without a message: they become errors.

use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use warc_recovery::memory;

/// Turns limits into errors from here on.
///
/// A write beyond a limit on the size of files (`ulimit -f`) raises SIGXFSZ. With a handler of that
/// signal, the write fails with an error, as it does on a full disk. The `zstd` crate panics when
/// zstd gets no memory for an encoder.
pub(crate) fn watch() {
    // Where the system takes no handler, the signal ends the process as it does without one.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        let message = info.to_string();
        if message.contains("null pointer when creating") {
            memory::exhausted();
        }
        usual(info);
    }));
}
