//! DuckDB, run as a program: found, checked, given a script, its answer read line by line.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use super::beside;
use crate::error::Error;

/// The oldest version that the views and the shipped questions are written for.
const OLDEST: (u32, u32) = (1, 4);
/// Names the program, where it is not the `duckdb` of the PATH.
const VARIABLE: &str = "ROBOSTAT_DUCKDB";
/// Has an empty file read in the place of `.duckdbrc`, which may print or fail. DuckDB 1.4 does not
/// know `-no-init`; 1.5 runs `.duckdbrc` even for `--version`.
const NO_INIT: [&str; 2] = ["-init", if cfg!(windows) { "NUL" } else { "/dev/null" }];
/// Bytes of what DuckDB says about a failure that are kept.
const MESSAGE_BYTES: u64 = 64 * 1024;

/// A DuckDB that is new enough.
#[derive(Debug)]
pub struct DuckDb {
    program: PathBuf,
}

impl DuckDb {
    /// The program that `ROBOSTAT_DUCKDB` names, else one that lies [beside] this program, else
    /// `duckdb` on the PATH.
    pub fn find() -> Result<Self, Error> {
        if let Some(named) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
            return Self::check(named.into(), "named by ROBOSTAT_DUCKDB");
        }
        // What was installed with this program is what it was tried with.
        let beside = beside::programs().into_iter();
        let mut usable = beside.filter_map(|program| Self::check(program, "beside robostat").ok());
        usable.next().map_or_else(
            || {
                Self::check(
                    "duckdb".into(),
                    "looked for beside robostat and on the PATH",
                )
            },
            Ok,
        )
    }

    /// `program`, if it is a DuckDB that is new enough.
    fn check(program: PathBuf, origin: &'static str) -> Result<Self, Error> {
        // It is run, not only looked for: a version manager's stand-in may have no program behind
        // it.
        match version_of(&program) {
            Ok(version) if version >= OLDEST => Ok(Self { program }),
            Ok(version) => Err(Error::DuckDbTooOld {
                program,
                origin,
                version,
                oldest: OLDEST,
            }),
            Err(reason) => Err(Error::DuckDbNotFound {
                program,
                origin,
                reason,
            }),
        }
    }

    /// Starts a session that runs `script`, SQL and commands of the shell, and ends at the first
    /// error. The user's `.duckdbrc` is not run.
    ///
    /// # Errors
    /// Where the program cannot be started.
    pub fn start(&self, script: String) -> Result<Session, Error> {
        let mut child = Command::new(&self.program)
            .args(NO_INIT)
            .args(["-batch", "-bail"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(Error::io(&self.program))?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let writer = std::thread::spawn(move || {
            // DuckDB may stop at an error before it has read everything, which it tells below.
            stdin.is_some_and(|mut stdin| stdin.write_all(script.as_bytes()).is_ok())
        });
        let messages = std::thread::spawn(move || {
            let mut kept = Vec::new();
            if let Some(mut stderr) = stderr {
                let _ = stderr.by_ref().take(MESSAGE_BYTES).read_to_end(&mut kept);
                // Read to the end: a full pipe would stop it.
                let _ = std::io::copy(&mut stderr, &mut std::io::sink());
            }
            String::from_utf8_lossy(&kept).into_owned()
        });
        Ok(Session {
            program: self.program.clone(),
            child,
            lines: stdout.map(BufReader::new),
            writer: Some(writer),
            messages: Some(messages),
        })
    }
}

/// A running DuckDB; ended where dropped.
#[derive(Debug)]
pub struct Session {
    program: PathBuf,
    child: Child,
    lines: Option<BufReader<ChildStdout>>,
    writer: Option<JoinHandle<bool>>,
    messages: Option<JoinHandle<String>>,
}

impl Session {
    /// Reads the next line of the answer into `line`, its end included; false after the last.
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

    /// Waits for the end, after the last line; what DuckDB says about a failure is the error.
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
        Err(Error::DuckDbFailed {
            query: None,
            message: match messages.trim() {
                "" => format!("{}: ended with {status}", self.program.display()),
                messages => messages.to_owned(),
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

/// The version of a DuckDB program: major and minor; else why it is none.
fn version_of(program: &PathBuf) -> Result<(u32, u32), String> {
    let output = Command::new(program)
        .args(NO_INIT)
        .arg("--version")
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    let told = String::from_utf8_lossy(&output.stdout);
    let version = version(&told).filter(|_| output.status.success());
    version.ok_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        let first = complaint
            .trim()
            .lines()
            .next()
            .unwrap_or("it prints no version");
        format!("`--version`: {}, {first}", output.status)
    })
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
    fn a_program_that_is_none_is_told() {
        assert!(version_of(&PathBuf::from("/nowhere/duckdb")).is_err());
    }
}
