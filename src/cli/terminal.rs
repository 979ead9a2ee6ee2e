//! Standard output and standard error: text from the web is escaped, a reader that went away is no
//! failure.

use std::borrow::Cow;
use std::io::{self, BufWriter, StdoutLock, Write};

use crate::error::Error;
use crate::escape;

/// `text` with everything escaped that a terminal would obey.
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    escape::text(text)
}

/// Prints `text` on standard error, escaped. A closed standard error is not a reason to stop: the
/// exit code says how the run went.
pub(super) fn tell(text: &str) {
    let _ = io::stderr().lock().write_all(printable(text).as_bytes());
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

/// Writes text to a terminal, escaped: see [`printable`].
pub(super) struct TerminalWriter<'o> {
    out: &'o mut dyn Write,
    /// The line that has not ended. A line is escaped as a whole, because a character may be
    /// written in two pieces.
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
        self.out.write_all(printable(&text).as_bytes())?;
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

/// `value` as JSON on one line, with the same characters as `\u` escapes: a reader of the JSON gets
/// the value unchanged, a terminal does not.
pub(super) fn printable_json(value: &serde_json::Value) -> String {
    escape::json(&value.to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_escape_code_however_text_is_cut() {
        let text = "a\u{1b}]0;x\u{7}\nü\u{9b}31m";
        for cut in 0..text.len() {
            let mut out = Vec::new();
            let mut writer = TerminalWriter::new(&mut out);
            let (first, rest) = text.as_bytes().split_at(cut);
            writer.write_all(first).expect("written");
            writer.write_all(rest).expect("written");
            writer.finish().expect("written");
            let shown = String::from_utf8(out).expect("UTF-8");
            assert_eq!(shown, "a\\u{1b}]0;x\\u{7}\nü\\u{9b}31m");
        }
    }
}
