//! Word of a query that takes long: on a terminal, from the second second on, how long it has taken.

use std::io::{self, IsTerminal as _, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What stands on the line before the seconds.
const TEXT: &str = "robostat: DuckDB has worked for";
/// Time until the first word, and between two.
const INTERVAL: Duration = Duration::from_secs(1);

/// Tells on standard error how long something has taken, until it is dropped.
struct Waiting {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Waiting {
    fn begin() -> Self {
        let (stop, stopped) = mpsc::channel();
        let begun = Instant::now();
        let thread = std::thread::spawn(move || {
            let mut is_told = false;
            // Nobody sends: the channel closes.
            while stopped.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
                is_told = true;
                let _ = write!(io::stderr(), "\r{TEXT} {} s", begun.elapsed().as_secs());
            }
            if is_told {
                let _ = write!(io::stderr(), "\r\x1b[K");
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        drop(self.stop.take());
        // The line is cleared before anything else is printed.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Passes a result on; the word of waiting for it ends where it begins, and with this.
pub(super) struct Awaited<'o> {
    out: &'o mut dyn Write,
    waiting: Option<Waiting>,
}

impl<'o> Awaited<'o> {
    /// Waits for what is to be written to `out`; silent where standard error is no terminal.
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        let waiting = io::stderr().is_terminal().then(Waiting::begin);
        Self { out, waiting }
    }
}

impl Write for Awaited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting = None;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
