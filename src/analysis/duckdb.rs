//! DuckDB, run as a program: found, checked, given a script, its answer read line by line.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use super::bundled_duckdb;
use crate::error::Error;
use crate::threads;

/// The oldest version that the views and the shipped queries are written for.
const OLDEST: (u32, u32) = (1, 4);
/// Names the program, where it is not the `duckdb` of the PATH.
const VARIABLE: &str = "ROBOSTAT_DUCKDB";
/// Makes DuckDB read an empty file instead of `.duckdbrc`, which may print or fail. DuckDB 1.4 does
/// not know `-no-init`; 1.5 runs `.duckdbrc` even for `--version`.
const NO_INIT: [&str; 2] = ["-init", if cfg!(windows) { "NUL" } else { "/dev/null" }];
/// Bytes of what DuckDB says about a failure that are kept.
const MESSAGE_BYTES: u64 = 64 * 1024;

/// What every session begins with: DuckDB's version is the first line that it prints.
/// To run the program once more for `--version` would take as long as many a query.
const ASK_VERSION: &str = ".mode list\n.headers off\nSELECT version();\n";

/// A running DuckDB; ended where dropped.
#[derive(Debug)]
pub struct Session {
    program: PathBuf,
    child: Child,
    /// None once it has been given its script.
    stdin: Option<ChildStdin>,
    lines: Option<BufReader<ChildStdout>>,
    writer: Option<JoinHandle<bool>>,
    messages: Option<JoinHandle<String>>,
}

impl Session {
    /// Starts DuckDB and gives it a script, SQL and commands of the shell, which ends at the first
    /// error. The user's `.duckdbrc` is not run.
    ///
    /// DuckDB is the program that `ROBOSTAT_DUCKDB` names, else [the DuckDB installed with
    /// robostat](bundled_duckdb), else `duckdb` on the PATH.
    ///
    /// Fails if DuckDB is missing or too old.
    pub fn start(script: &str) -> Result<Self, Error> {
        let mut session = Self::open()?;
        let (stdin, script) = (session.stdin.take(), script.to_owned());
        session.writer = Some(threads::spawn(move || {
            // DuckDB may stop at an error before it has read everything, which `finish` tells.
            stdin.is_some_and(|mut stdin| stdin.write_all(script.as_bytes()).is_ok())
        })?);
        Ok(session)
    }

    /// Runs a [script](Self::start) to its end, and hands on the lines that it prints.
    ///
    /// Fails as [`start`](Self::start) and `take`, and if DuckDB reports a failure.
    pub fn run_through(
        script: &str,
        mut take: impl FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut session = Self::start(script)?;
        let mut line = Vec::new();
        while session.read_line(&mut line)? {
            take(&line)?;
        }
        session.finish()
    }

    fn open() -> Result<Self, Error> {
        if let Some(named) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
            return Self::open_program(named.into(), "named by ROBOSTAT_DUCKDB");
        }
        // What was installed with this program is what it was tried with.
        for program in bundled_duckdb::programs() {
            if let Ok(session) = Self::open_program(program, "next to robostat") {
                return Ok(session);
            }
        }
        let origin = "looked for next to robostat and on the PATH";
        Self::open_program("duckdb".into(), origin)
    }

    fn open_program(program: PathBuf, origin: &'static str) -> Result<Self, Error> {
        let started = Command::new(&program)
            .args(NO_INIT)
            .args(["-batch", "-bail"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match started {
            Ok(child) => child,
            Err(error) => {
                return Err(Error::DuckDbNotFound {
                    program,
                    origin,
                    reason: error.to_string(),
                });
            }
        };
        let (mut stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let Some(stdin) = &mut stdin {
            // Fails where it has ended, which its answer tells.
            let _ = stdin.write_all(ASK_VERSION.as_bytes());
        }
        let messages = threads::spawn(move || {
            let mut kept = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.by_ref().take(MESSAGE_BYTES).read_to_end(&mut kept);
                // Read to the end: a full pipe would stop it.
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            }
            String::from_utf8_lossy(&kept).into_owned()
        })?;
        let mut session = Self {
            program,
            child,
            stdin,
            lines: stdout.map(BufReader::new),
            writer: None,
            messages: Some(messages),
        };
        let mut line = Vec::new();
        session.read_line(&mut line)?;
        match version(&String::from_utf8_lossy(&line)) {
            Some(version) if version >= OLDEST => Ok(session),
            Some(version) => Err(Error::DuckDbTooOld {
                program: session.program.clone(),
                origin,
                version,
                oldest: OLDEST,
            }),
            None => Err(session.no_duckdb(origin, line.is_empty())),
        }
    }

    /// The error for a program that prints no version. A version manager's shim may have no program
    /// to run.
    fn no_duckdb(mut self, origin: &'static str, has_ended: bool) -> Error {
        (self.stdin, self.lines) = (None, None);
        if !has_ended {
            // It may wait for something else than SQL. Killing fails where it has ended meanwhile.
            let _ = self.child.kill();
        }
        let status = self.child.wait();
        let status = status.map_or_else(|error| error.to_string(), |status| status.to_string());
        let messages = self.messages.take().map(JoinHandle::join);
        let messages = messages.and_then(Result::ok).unwrap_or_default();
        let first = messages.trim().lines().next();
        Error::DuckDbNotFound {
            program: self.program.clone(),
            origin,
            reason: format!("{status}, {}", first.unwrap_or("it prints no version")),
        }
    }

    /// Reads the next line of the answer into `line`, its end included; false after the last.
    ///
    /// [`Error::Io`]: the pipe from DuckDB cannot be read. If DuckDB itself fails, the answer ends
    /// here and [`finish`](Self::finish) returns the error.
    pub fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        line.clear();
        let Some(lines) = &mut self.lines else {
            return Ok(false);
        };
        let read = lines
            .read_until(b'\n', line)
            .map_err(Error::io(&self.program))?;
        Ok(read > 0)
    }

    /// Waits for DuckDB to end, after the last line.
    ///
    /// [`Error::DuckDbFailed`] with DuckDB's message, if it refused a statement or ended before it
    /// read all of them; [`Error::DuckDbOutOfMemory`] if that is the cause. [`Error::Io`]: the exit
    /// status is unknown.
    pub fn finish(mut self) -> Result<(), Error> {
        self.lines = None;
        let messages = self.messages.take().map(JoinHandle::join);
        let status = self.child.wait().map_err(Error::io(&self.program))?;
        let is_written = self
            .writer
            .take()
            .is_none_or(|it| it.join().unwrap_or(false));
        let messages = messages.and_then(Result::ok).unwrap_or_default();
        if status.success() && is_written {
            return Ok(());
        }
        let message = match messages.trim() {
            "" => format!("{}: ended with {status}", self.program.display()),
            messages if is_about_file(messages) => format!(
                "{messages}\nIf this is a part of the dataset, `robostat verify` lists every part \
                 that is damaged."
            ),
            messages => messages.to_owned(),
        };
        Err(match message.strip_prefix("Out of Memory Error: ") {
            Some(message) => Error::DuckDbOutOfMemory {
                message: message.to_owned(),
            },
            None => Error::DuckDbFailed {
                query: None,
                message,
            },
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Both fail where it has ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether DuckDB's message is about a file that it cannot read: where only values are damaged, it
/// does not name the file.
fn is_about_file(message: &str) -> bool {
    let begins = ["IO Error", "Invalid Error", "INTERNAL Error"];
    let holds = ["parquet", "Parquet", "corrupted", "Decompression"];
    begins.iter().any(|it| message.starts_with(it)) || holds.iter().any(|it| message.contains(it))
}

/// Major and minor version in text such as `v1.5.0 (Name) 0123abc`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(version("v1.5.6 (Variegata) 069cc9f9b5\n"), Some((1, 5)));
        assert_eq!(version("v2.0.0-dev12"), Some((2, 0)));
        assert_eq!(version("pyenv: duckdb"), None);
    }

    #[test]
    fn messages_about_damaged_files_are_known() {
        for message in [
            "IO Error: Could not read enough bytes from file",
            "Invalid Error: TProtocolException: Invalid data",
            "Invalid Input Error: Failed to read file \"x.parquet\": ZSTD Decompression failure",
            "Invalid Input Error: The width (103) of the bitpacked data exceeds the supported max \
             width (65), the file might be corrupted.",
        ] {
            assert!(is_about_file(message), "{message}");
        }
        assert!(!is_about_file(
            "Catalog Error: Table with name x does not exist!"
        ));
    }

    #[test]
    fn a_program_that_is_none_is_told() {
        for program in ["/nowhere/duckdb", "true", "false"] {
            let started = Session::open_program(program.into(), "a test");
            let is_told = matches!(started, Err(Error::DuckDbNotFound { .. }));
            assert!(is_told, "{program}");
        }
    }
}
