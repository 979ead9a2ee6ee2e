//! Limits of the system that would end the program without a useful message.

use std::panic::{self, PanicHookInfo};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::SIGXFSZ;
use signal_hook::flag;
use warc_recovery::memory;

/// Installs handlers for these limits.
///
/// A write beyond a limit on the size of files (`ulimit -f`) raises SIGXFSZ. With a handler for
/// that signal, the write fails with an error, as on a full disk. The `zstd` crate panics when zstd
/// gets no memory for an encoder; the hook then ends the program as any lack of memory does.
pub(crate) fn watch() {
    // If no handler can be registered, the signal ends the process.
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
