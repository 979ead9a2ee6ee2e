//! Runs DuckDB as a program: finds it next to this program or on the PATH, checks its version,
//! gives it a script and reads its answer line by line.

use std::fs;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use crate::error::{Error, remedy, shown};
use crate::threads;

const OLDEST: (u32, u32) = (1, 4);
const VARIABLE: &str = "ROBOSTAT_DUCKDB";
/// Makes DuckDB read an empty file instead of `.duckdbrc`, which may print or fail. DuckDB 1.4 does
/// not know `-no-init`; 1.5 runs `.duckdbrc` even for `--version`.
const NO_INIT: [&str; 2] = ["-init", "/dev/null"];
/// The beginning of the names of directories for data that does not fit into memory.
pub const SPILL: &str = "robostat-duckdb";
const NAME: &str = "duckdb";
const MESSAGE_BYTES: u64 = 64 * 1024;

/// The beginning of every session: DuckDB prints its version on the first line. Running the program
/// once more for `--version` would take as long as many queries do.
const ASK_VERSION: &str = ".mode list\n.headers off\nSELECT version();\n";

#[derive(Debug)]
pub struct Session {
    program: PathBuf,
    process: Process,
    lines: BufReader<ChildStdout>,
    writer: JoinHandle<bool>,
    messages: JoinHandle<String>,
}

#[derive(Debug)]
struct Process(Child);

impl Session {
    /// Starts DuckDB with a script of SQL and shell commands, which stops at the first error.
    ///
    /// DuckDB is the program that `ROBOSTAT_DUCKDB` names, else the DuckDB installed with robostat,
    /// else `duckdb` on the PATH.
    pub fn start(script: &str) -> Result<Self, Error> {
        if let Some(named) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
            return Self::start_program(named.into(), "named by ROBOSTAT_DUCKDB", script);
        }
        // robostat is tested with the DuckDB that is installed with it.
        let own = std::env::current_exe();
        for program in own.map_or_else(|_| Vec::new(), |own| next_to(&own)) {
            if let Ok(session) = Self::start_program(program, "next to robostat", script) {
                return Ok(session);
            }
        }
        let origin = "looked for next to robostat and on the PATH";
        Self::start_program(NAME.into(), origin, script)
    }

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

    fn start_program(program: PathBuf, origin: &'static str, script: &str) -> Result<Self, Error> {
        let started = Command::new(&program)
            .args(NO_INIT)
            .args(["-batch", "-bail"])
            .env("TZ", "UTC") // the zone in which DuckDB prints timestamps and takes their days
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let not_found = |reason: String| Error::DuckDbNotFound {
            program: program.clone(),
            origin,
            reason,
        };
        let mut process = Process(started.map_err(|error| not_found(error.to_string()))?);
        let child = &mut process.0;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(mut stderr)) = pipes else {
            return Err(not_found("it has no pipes".to_owned()));
        };
        // Fails if DuckDB has exited; the read shows that.
        let _ = stdin.write_all(ASK_VERSION.as_bytes());
        let messages = threads::spawn(move || {
            let mut kept = Vec::new();
            let _ = stderr.by_ref().take(MESSAGE_BYTES).read_to_end(&mut kept);
            // Read to the end: a full pipe would block DuckDB.
            let _ = io::copy(&mut stderr, &mut io::sink());
            String::from_utf8_lossy(&kept).into_owned()
        })?;
        let (mut lines, mut line) = (BufReader::new(stdout), Vec::new());
        let read = lines.read_until(b'\n', &mut line);
        read.map_err(Error::io(&program))?;
        let Some(version) = version(&String::from_utf8_lossy(&line)) else {
            // A version manager's shim may have no program to run.
            drop((stdin, lines));
            if !line.is_empty() {
                // The program may be waiting for something other than SQL.
                let _ = process.0.kill();
            }
            let status = process.0.wait().map_err(Error::io(&program))?;
            let messages = messages.join().unwrap_or_default();
            let first = messages.trim().lines().next();
            let reason = first.unwrap_or("it prints no version");
            return Err(not_found(format!("{status}, {reason}")));
        };
        if version < OLDEST {
            let (oldest, program) = (OLDEST, shown(&program));
            return Err(Error::Failed(format!(
                "queries need DuckDB {}.{} or later; {program} ({origin}) is {}.{}\nGet a newer one \
                 with `pip install duckdb-cli` or from https://duckdb.org, or name it in \
                 ROBOSTAT_DUCKDB.",
                oldest.0, oldest.1, version.0, version.1
            )));
        }
        let script = script.to_owned();
        // DuckDB may stop at an error before it has read everything, which `finish` reports.
        let writer = threads::spawn(move || stdin.write_all(script.as_bytes()).is_ok())?;
        Ok(Self {
            program,
            process,
            lines,
            writer,
            messages,
        })
    }

    /// Reads the next line of the answer into `line`, its end included; false after the last.
    /// If DuckDB fails, the answer ends here and [`finish`](Self::finish) returns the error.
    pub fn read_line(&mut self, line: &mut Vec<u8>) -> Result<bool, Error> {
        line.clear();
        let read = self.lines.read_until(b'\n', line);
        Ok(read.map_err(Error::io(&self.program))? > 0)
    }

    /// Waits for DuckDB to end, after the last line.
    /// [`Error::DuckDbFailed`]: DuckDB refused a statement, or ended before it had read them all.
    pub fn finish(mut self) -> Result<(), Error> {
        drop(self.lines);
        let messages = self.messages.join().unwrap_or_default();
        let status = self.process.0.wait().map_err(Error::io(&self.program))?;
        let is_written = self.writer.join().unwrap_or(false);
        if status.success() && is_written {
            return Ok(());
        }
        let message = match messages.trim() {
            "" if status.to_string().contains("SIGXFSZ") => {
                let remedy = remedy(&io::ErrorKind::FileTooLarge.into());
                format!("{}: a file is too large{remedy}", self.program.display())
            }
            "" => format!("{}: ended with {status}", self.program.display()),
            messages if messages.contains(SPILL) => format!(
                "{messages}\nDuckDB writes data there that does not fit into memory; set TMPDIR to \
                 another directory."
            ),
            messages if is_about_file(messages) => format!(
                "{messages}\nIf this is a part of the dataset, `robostat verify` lists every part \
                 that is damaged."
            ),
            messages => messages.to_owned(),
        };
        Err(match message.strip_prefix("Out of Memory Error: ") {
            Some(message) => Error::Failed(format!(
                "DuckDB ran out of memory; give it more with --memory, as in --memory 8GB: {}",
                message.lines().next().unwrap_or_default()
            )),
            None => Error::DuckDbFailed {
                query: None,
                message,
            },
        })
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Nothing can be done about an error. Without `wait`, a zombie process would remain.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether DuckDB's message is about an unreadable file. If only values are damaged, the message
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

/// The DuckDB programs next to `program`, where an installer of Python packages puts both, the best
/// first: those next to `program` as it was called, then, if that is a link, those next to its
/// target.
///
/// The wheel depends on `duckdb-cli`. pipx and uv keep a program's dependencies off the PATH, and
/// an environment may be used without being activated.
fn next_to(program: &Path) -> Vec<PathBuf> {
    let resolved = program.canonicalize().ok();
    let resolved = resolved.as_deref().filter(|resolved| *resolved != program);
    let programs = [Some(program), resolved].into_iter().flatten();
    let places = programs.filter_map(Path::parent).flat_map(|directory| {
        let script = directory.join(NAME);
        packaged(directory).into_iter().chain([script])
    });
    places.filter(|place| place.is_file()).collect()
}

/// The program in the package `duckdb-cli` of the environment whose programs are in `directory`. It
/// is called rather than the script `duckdb` in that directory, which starts Python first: that
/// takes longer than most queries, and DuckDB keeps running if the script is killed.
fn packaged(directory: &Path) -> Vec<PathBuf> {
    let libraries = directory.join("../lib");
    let entries = fs::read_dir(&libraries).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut versions: Vec<String> = names.filter(|name| name.starts_with("python")).collect();
    versions.sort();
    let places = versions.iter().flat_map(|version| {
        // Debian's own Python uses `dist-packages`.
        ["site-packages", "dist-packages"]
            .map(|packages| libraries.join(version).join(packages).join("duckdb_cli"))
    });
    places.map(|place| place.join(NAME)).collect()
}

#[cfg(test)]
mod tests;
