//! Word of a query that takes long: on a terminal, from the second second on, how long it has
//! taken.

use std::io::{self, IsTerminal as _, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::threads;

/// The text before the seconds.
const TEXT: &str = "robostat: DuckDB has worked for";
/// Ends the line: it is empty again.
const CLEAR_LINE: &str = "\r\x1b[K";
/// Time until the first word, and between two.
const INTERVAL: Duration = Duration::from_secs(1);

/// Tells on standard error how long something has taken, until it is dropped.
struct WaitNotice {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl WaitNotice {
    /// Tells on `terminal` every `interval`.
    fn begin(interval: Duration, mut terminal: impl Write + Send + 'static) -> Self {
        let (stop, stopped) = mpsc::channel();
        let begun = Instant::now();
        let thread = threads::spawn(move || {
            let mut is_told = false;
            // Without a sender the channel closes.
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                is_told = true;
                let line = format!("\r{TEXT} {} s", begun.elapsed().as_secs());
                let _ = terminal.write_all(line.as_bytes());
            }
            if is_told {
                let _ = terminal.write_all(CLEAR_LINE.as_bytes());
            }
        });
        Self {
            stop: Some(stop),
            thread: thread.ok(),
        }
    }
}

impl Drop for WaitNotice {
    fn drop(&mut self) {
        drop(self.stop.take());
        // The line is cleared before anything else is printed.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Passes a result on; the word of waiting for it ends where it begins, and with this.
pub(super) struct WaitingWriter<'o> {
    out: &'o mut dyn Write,
    waiting: Option<WaitNotice>,
}

impl<'o> WaitingWriter<'o> {
    /// Waits for what is to be written to `out`; silent where standard error is not a terminal.
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        let begin = || WaitNotice::begin(INTERVAL, io::stderr());
        Self {
            out,
            waiting: io::stderr().is_terminal().then(begin),
        }
    }
}

impl Write for WaitingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting = None;
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;

    /// Hands on what is written, write by write.
    struct Terminal(Sender<String>);

    impl Write for Terminal {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn awaited(out: &mut dyn Write, interval: Duration) -> (WaitingWriter<'_>, Receiver<String>) {
        let (terminal, told) = mpsc::channel();
        let waiting = Some(WaitNotice::begin(interval, Terminal(terminal)));
        (WaitingWriter { out, waiting }, told)
    }

    #[test]
    fn a_long_wait_is_told_and_the_line_is_empty_before_the_result_begins() {
        let mut out = Vec::new();
        let (mut awaited, told) = awaited(&mut out, Duration::from_millis(1));
        // However slow the machine is, the first word comes.
        assert_eq!(
            told.recv().as_deref(),
            Ok("\rrobostat: DuckDB has worked for 0 s")
        );
        awaited.write_all(b"result\n").expect("written");
        // The thread has ended, so nothing comes after this.
        assert_eq!(told.iter().last().as_deref(), Some(CLEAR_LINE));
        awaited.write_all(b"more\n").expect("written");
        drop(awaited);
        assert_eq!(out, b"result\nmore\n");
    }

    #[test]
    fn what_is_answered_at_once_is_not_waited_for() {
        let mut out = Vec::new();
        let (mut awaited, told) = awaited(&mut out, Duration::from_secs(3600));
        awaited.write_all(b"result\n").expect("written");
        assert_eq!(told.iter().count(), 0);
    }
}
