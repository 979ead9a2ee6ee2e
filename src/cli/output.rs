//! Results of any size: to standard output, or to a file.

use std::fs::File;
use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::path::Path;

use crate::error::Error;
use crate::escape;
use crate::whole_file::WholeFile;

/// The file that `--output` names; none for `-`, standard output.
pub(super) fn file(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

/// Lets `write` write to standard output (no path, or `-`), or to a file that is put in place when
/// it is whole. A path that is not a file, such as a device, is written to. On a terminal, control
/// characters are escaped, whatever the format is.
pub(super) fn to_output(
    path: Option<&Path>,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    let Some(path) = file(path) else {
        let stdout = io::stdout().lock();
        let is_terminal = stdout.is_terminal();
        let mut out = BufWriter::new(stdout);
        let written = to_reader(&mut out, is_terminal, write);
        // The answer so far is shown before the error that stopped it.
        return written.and(out.flush().map_err(Error::unwritten));
    };
    let whole = WholeFile::at(path);
    let file = File::create(whole.as_ref().map_or(path, WholeFile::aside));
    let file = file.map_err(Error::io(path))?;
    let is_terminal = file.is_terminal();
    let mut out = BufWriter::new(file);
    let written = to_reader(&mut out, is_terminal, write);
    let mut written = written.and_then(|()| out.flush().map_err(Error::io(path)));
    if let Some(whole) = whole {
        written = written.and_then(|()| whole.put_in_place());
    }
    written.map_err(|error| match error {
        // What took no more is this file.
        Error::Unwritten { cause } => Error::io(path)(cause),
        error => error,
    })
}

/// Writes `text` as [`to_output`] does.
pub(super) fn put(path: Option<&Path>, text: &str) -> Result<(), Error> {
    to_output(path, |out| {
        out.write_all(text.as_bytes()).map_err(Error::unwritten)
    })
}

/// Lets `write` write to `out`, escaped if `out` is a terminal.
fn to_reader(
    out: &mut dyn Write,
    is_terminal: bool,
    write: impl FnOnce(&mut dyn Write) -> Result<(), Error>,
) -> Result<(), Error> {
    if !is_terminal {
        return write(out);
    }
    let mut escaped = TerminalWriter::new(out);
    let written = write(&mut escaped);
    written.and(escaped.finish().map_err(Error::unwritten))
}

/// Writes text to a terminal, escaped: see [`escape::text`].
struct TerminalWriter<'o> {
    out: &'o mut dyn Write,
    /// The line that has not ended. A line is escaped as a whole, because a character may be
    /// written in two pieces.
    line: Vec<u8>,
}

impl<'o> TerminalWriter<'o> {
    fn new(out: &'o mut dyn Write) -> Self {
        let line = Vec::new();
        Self { out, line }
    }

    /// Writes the last line, which may not have an end.
    fn finish(mut self) -> io::Result<()> {
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
