//! The results of a command: an exit code or an error, text on the standard streams, and files.
//! Text from the web is escaped, and a closed pipe is not a failure.

use std::error::Error as StdError;
use std::fmt::Arguments;
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::Path;

use serde::Serialize;

use crate::error::{Error, shown};
use crate::escape;
use crate::whole_file::WholeFile;

/// The result of a subcommand: its exit code, or why it failed.
pub(super) type Result<T, E = Box<dyn StdError>> = std::result::Result<T, E>;

pub(super) const COMPLETE: u8 = 0;
pub(super) const FAILED: u8 = 1;
/// The run is complete, but something in the input was damaged or inconsistent.
pub(super) const DAMAGED: u8 = 3;

/// The meanings of the exit codes, unless the help of a command gives others.
pub(super) const EXIT_CODES: &str = include_str!("help/exit-codes.txt");

pub(super) fn usage<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::Argument(message.into()).into())
}

/// Fails if a file that the user names does not exist, with [`Error::Argument`] for a directory.
pub(super) fn check_file(path: &Path) -> Result<()> {
    if fs::metadata(path).map_err(Error::io(path))?.is_dir() {
        return usage(format!("{}: a directory, not a file", shown(path)));
    }
    Ok(())
}

/// A macro's reason for refusing an argument, taken from DuckDB's message.
pub(super) fn refusal(error: &Error) -> Option<&str> {
    let Error::DuckDbFailed { message, .. } = error else {
        return None;
    };
    let message = message.strip_prefix("Invalid Input Error: ")?;
    message.lines().next()
}

/// [`Error::Argument`] if a macro refused an argument; else the error.
pub(super) fn refused(error: Error) -> Error {
    match refusal(&error) {
        Some(message) => Error::Argument(message.to_owned()),
        None => error,
    }
}

macro_rules! tell {
    ($($line:tt)*) => { $crate::cli::outcome::tell_line(format_args!($($line)*)) };
}
pub(super) use tell;

/// [`tell!`]. A closed standard error is not a reason to stop: the exit code says how the run went.
pub(super) fn tell_line(line: Arguments<'_>) {
    let line = format!("{line}\n");
    let _ = io::stderr().write_all(escape::text(&line).as_bytes());
}

/// Prints `text` on standard output as it is. A closed pipe does not change the exit code.
pub(super) fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(Error::unwritten),
    }
}

pub(super) fn print_text(text: &str) -> Result<(), Error> {
    print(&escape::text(text))
}

pub(super) fn print_json(value: &impl Serialize) -> Result<()> {
    Ok(print(&(printable_json(value)? + "\n"))?)
}

/// `value` as JSON on one line, with the characters that [`escape::json`] escapes as `\u` escapes:
/// a JSON parser reads the value unchanged, a terminal shows the escapes.
pub(super) fn printable_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape::json(&serde_json::to_string(value)?).into_owned())
}

/// The file that `--output` names; `None` for `-`, standard output.
pub(super) fn file(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

pub(super) fn put(path: Option<&Path>, text: &str) -> Result<(), Error> {
    to_output(path, |out| {
        out.write_all(text.as_bytes()).map_err(Error::unwritten)
    })
}

/// Lets `write` write to standard output (no path, or `-`), or to a file that is put in place when
/// it is whole. A path that is not a file, such as a device, is written to directly. On a terminal,
/// control characters are escaped, whatever the format is.
pub(super) fn to_output<T>(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Error>,
) -> Result<T, Error> {
    let Some(path) = file(path) else {
        return write_to(io::stdout().lock(), write);
    };
    let whole = WholeFile::at(path)?;
    let file = File::create(whole.as_ref().map_or(path, WholeFile::aside));
    let file = file.map_err(Error::io(path))?;
    let written = write_to(file, write).map_err(|error| match error {
        // The output that failed is this file.
        Error::Unwritten { cause } => Error::io(path)(cause),
        error => error,
    })?;
    if let Some(whole) = whole {
        whole.put_in_place()?;
    }
    Ok(written)
}

fn write_to<T>(
    out: impl Write + IsTerminal,
    write: impl FnOnce(&mut dyn Write) -> Result<T, Error>,
) -> Result<T, Error> {
    let is_terminal = out.is_terminal();
    let mut out = BufWriter::new(out);
    let mut escaped = TerminalWriter::new(&mut out);
    let written = if is_terminal {
        write(&mut escaped)
    } else {
        write(&mut *escaped.out)
    };
    // The answer so far is shown before the error that stopped it.
    let flushed = escaped.finish().map_err(Error::unwritten);
    written.and_then(|written| flushed.map(|()| written))
}

/// Writes text to a terminal, escaped: see [`escape::text`].
pub(super) struct TerminalWriter<'o> {
    out: &'o mut dyn Write,
    /// The line that has not ended: a character may come in two pieces, so lines are escaped whole.
    line: Vec<u8>,
}

impl<'o> TerminalWriter<'o> {
    pub(super) fn new(out: &'o mut dyn Write) -> Self {
        let line = Vec::new();
        Self { out, line }
    }

    /// Writes the last line, which may not have an end.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.put()?;
        self.out.flush()
    }

    fn put(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.line);
        self.out.write_all(escape::text(&text).as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

impl Write for TerminalWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
        if end > 0 {
            self.line.extend_from_slice(&bytes[..end]);
            self.put()?;
        }
        self.line.extend_from_slice(&bytes[end..]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
