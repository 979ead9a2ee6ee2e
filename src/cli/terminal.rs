//! Standard output and standard error: text from the web is escaped, a reader that went away is no
//! failure.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::exit::Result;
use crate::error::Error;
use crate::escape;

/// Prints `text` on standard error, escaped. A closed standard error is not a reason to stop: the
/// exit code says how the run went.
pub(super) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(escape::text(text).as_bytes());
}

/// Lets `write` write to standard output, in large pieces. A reader that has seen enough and closed
/// the pipe changes neither the run nor its exit code.
pub(super) fn print(
    write: impl FnOnce(&mut BufWriter<StdoutLock<'static>>) -> io::Result<()>,
) -> Result<(), Error> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.map_err(Error::unwritten),
    }
}

/// Prints `text` on standard output, escaped.
pub(super) fn print_text(text: &str) -> Result<(), Error> {
    print(|out| out.write_all(escape::text(text).as_bytes()))
}

/// Prints `value` on standard output, as [`printable_json`].
pub(super) fn print_json(value: &impl Serialize) -> Result<()> {
    let json = printable_json(value)?;
    Ok(print(|out| writeln!(out, "{json}"))?)
}

/// `value` as JSON on one line, with the same characters as `\u` escapes: a reader of the JSON gets
/// the value unchanged, a terminal does not.
pub(super) fn printable_json(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(escape::json(&serde_json::to_string(value)?).into_owned())
}
