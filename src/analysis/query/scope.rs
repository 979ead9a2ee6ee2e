//! A dataset as queries see it: its views in place, memory and disk that DuckDB may use.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::row::rows_of;
use super::{ResultFormat, notes_of, read_list, split, sql, views, write};
use crate::analysis::duckdb::{SPILL, Session};
use crate::dataset::{Crawl, Snapshot, pattern};
use crate::error::Error;
use crate::whole_file::WholeFile;

static N_SCOPES: AtomicUsize = AtomicUsize::new(0);

#[derive(Debug, Clone)]
pub struct Call {
    pub sql: String,
    /// The crawl of the query, if the files and policies of that crawl's dataset suffice.
    pub crawl: Option<String>,
}

#[derive(Debug)]
pub struct Scope {
    snapshot: Snapshot,
    place: String,
    settings: String,
    views: String,
    variables: String,
    /// Files that the user's SQL may read: the files of the dataset, and allowed ones.
    files: Vec<String>,
    directories: Vec<String>,
    /// For data that does not fit into memory. By default DuckDB spills into the working directory,
    /// where two sessions would use the same file names.
    spill: PathBuf,
}

impl Scope {
    /// The scope of a dataset, which may have moved. `memory` is DuckDB's limit, as in `2GB`.
    pub fn of(snapshot: &Snapshot, memory: &str) -> Result<Self, Error> {
        let directory = &snapshot.directory;
        let place = std::path::absolute(directory).map_err(Error::io(directory))?;
        let utf8 = |path: &Path| {
            let path = path.to_str().map(str::to_owned);
            path.ok_or_else(|| Error::not_utf8(directory))
        };
        let place = utf8(&place)?;
        let number = N_SCOPES.fetch_add(1, Ordering::Relaxed);
        let spill = format!("{SPILL}-{}-{number}", std::process::id());
        let spill = std::env::temp_dir().join(spill);
        let settings = format!(
            ".mode trash\nSET memory_limit = {};\nSET temp_directory = {};\n",
            sql::text(memory),
            sql::text(&utf8(&spill)?)
        );
        let manifest = &snapshot.manifest;
        let parts = manifest.parts().into_values().map(|part| &part.path);
        let files = manifest.files().into_values().map(|file| &file.path);
        let files = parts.chain(files).cloned().chain(probes(directory));
        let files = files.flat_map(|path| {
            let path = format!("{place}/{path}");
            // The views name files by patterns, and DuckDB compares patterns as plain text.
            [pattern(&path), path]
        });
        Ok(Self {
            settings,
            files: files.collect(),
            directories: Vec::new(),
            views: snapshot.views(&place),
            snapshot: snapshot.clone(),
            place,
            variables: String::new(),
            spill,
        })
    }

    /// The crawls in order of time. A query of one crawl is about the last by default.
    pub fn crawls(&self) -> Vec<Crawl> {
        self.snapshot.manifest.crawls()
    }

    /// Sets a variable of DuckDB, given as a literal, for the user's SQL.
    pub fn set(&mut self, name: &str, literal: &str) {
        let set = ["SET VARIABLE ", name, " = ", literal, ";\n"];
        self.variables.extend(set);
    }

    /// Lets the user's SQL read a file, or the files of a directory.
    pub fn allow(&mut self, path: &Path) -> Result<(), Error> {
        let metadata = fs::metadata(path).map_err(Error::io(path))?;
        let absolute = std::path::absolute(path).map_err(Error::io(path))?;
        // DuckDB compares paths as they are written.
        for path in [path, &absolute] {
            let text = path.to_str().ok_or_else(|| Error::not_utf8(path))?;
            if metadata.is_dir() {
                // DuckDB 1.4 takes the working directory for an empty name.
                if !text.trim_matches(['.', '/']).is_empty() {
                    self.directories.push(text.to_owned());
                }
            } else {
                self.files.push(text.to_owned());
            }
        }
        Ok(())
    }

    /// Settings for the user's SQL, which another person may have written: DuckDB opens the
    /// dataset, the files that the user has allowed, the spill directory and `output`, and no other
    /// file; it loads no extension and stores no secret, and SQL cannot change these settings.
    fn lock(&self, output: Option<&str>) -> String {
        let files = self.files.iter().map(String::as_str).chain(output);
        let files = sql::list_of_texts(files);
        let directories = sql::list_of_texts(&self.directories);
        format!(
            "SET autoinstall_known_extensions = false;\nSET autoload_known_extensions = false;\n\
             SET allow_persistent_secrets = false;\n\
             SET allowed_paths = {files};\nSET allowed_directories = {directories};\n\
             SET enable_external_access = false;\nSET lock_configuration = true;\n"
        )
    }

    /// The beginning of a script: all views and the variables. It prints nothing.
    pub fn prologue(&self) -> String {
        format!("{}{}\n{}", self.settings, self.views, self.variables)
    }

    pub fn prologue_for(&self, scripts: &[&str]) -> String {
        let views = views::needed_by(&self.views, scripts);
        format!("{}{views}\n{}", self.settings, self.variables)
    }

    /// Runs calls of a shipped query in order, writes their rows, and returns the notes on them.
    pub fn run_shipped(
        &self,
        calls: &[Call],
        notes: Option<&str>,
        output: &mut Output<'_>,
    ) -> Result<Vec<String>, Error> {
        let mut run = |calls: &[Call]| {
            let (before, rows) = self.answers(calls, notes);
            output.write(|_| before + &notes_of(notes), &rows)
        };
        match run(calls) {
            // Perhaps only another dataset names the crawler: all datasets are tried. Nothing has
            // been written yet.
            Err(Error::DuckDbFailed { .. }) if calls.iter().any(|it| it.crawl.is_some()) => {
                let mut of_all = calls.to_vec();
                for call in &mut of_all {
                    call.crawl = None;
                }
                run(&of_all)
            }
            result => result,
        }
    }

    /// SQL that answers calls, with the views that they need, and a statement for their rows.
    fn answers(&self, calls: &[Call], notes: Option<&str>) -> (String, String) {
        let mut before = self.settings.clone();
        let mut tables = Vec::new();
        for (number, call) in calls.iter().enumerate() {
            let views = match &call.crawl {
                Some(crawl) => &self.snapshot.focused(crawl).views(&self.place),
                None => &self.views,
            };
            let views = views::needed_by(views, &[&call.sql, notes.unwrap_or_default()]);
            // A table, so that it is bound once: on small datasets, binding takes most of the time.
            let table = format!("\"answer {number}\"");
            before.extend([views.as_str(), "\n", &self.variables]);
            before.extend(["CREATE TEMP TABLE ", &table, " AS ", &call.sql, ";\n"]);
            tables.push(format!("FROM {table}"));
        }
        if let (Some(notes), [_, _, ..]) = (notes, calls) {
            // They are about all calls.
            before.push_str(&views::needed_by(&self.views, &[notes]));
        }
        (before, tables.join("\nUNION ALL BY NAME\n"))
    }

    /// Runs a statement only to find its errors; returns the texts in the only column of `notes`.
    pub fn check(&self, statement: &str, notes: Option<&str>) -> Result<Vec<String>, Error> {
        let before = self.prologue_for(&[statement, notes.unwrap_or_default()]);
        let script = format!("{before}{statement};\n{}", notes_of(notes));
        read_result(&script, |_| Ok(()))
    }

    /// Runs the user's SQL and writes the result of its last statement. No statement may write, or
    /// be a command of DuckDB's shell.
    pub fn run(&self, script: &str, output: &mut Output<'_>) -> Result<(), Error> {
        let (before, last) = split(script)?;
        let mut write = |views: String| {
            let script = |aside: Option<&str>| {
                let (lock, no_notes) = (self.lock(aside), notes_of(None));
                format!("{views}{lock}{before}{no_notes}")
            };
            output.write(script, &last).map(drop).map_err(with_remedy)
        };
        if before.is_empty() && sql::has_rows(&last) && !views::is_catalogue_asked(&last) {
            match write(self.prologue_for(&[script])) {
                // The SQL builds a name while it runs, or a name is wrong: with all views, DuckDB
                // can find it or suggest another. Nothing has been written.
                Err(Error::DuckDbFailed { message, .. })
                    if message.starts_with("Catalog Error") => {}
                result => return result,
            }
        }
        write(self.prologue())
    }

    /// Runs the SQL `before`, then writes the rows of a statement to the Parquet file `path`, with
    /// more options of `COPY`.
    pub fn copy_to_parquet(
        &self,
        before: &str,
        statement: &str,
        options: &str,
        path: &Path,
    ) -> Result<(), Error> {
        let views = self.prologue_for(&[before, statement]);
        let script = |_: Option<&str>| format!("{views}{before}{}", notes_of(None));
        let mut output = Output::Parquet { path, options };
        output.write(script, statement).map(drop)
    }
}

pub enum Output<'o> {
    Text {
        /// Any format but Parquet.
        format: ResultFormat,
        /// Columns of the terminal, if `out` is a terminal.
        width: Option<u16>,
        out: &'o mut dyn Write,
    },
    /// A Parquet file, with more options of `COPY`.
    Parquet { path: &'o Path, options: &'o str },
}

impl Output<'_> {
    /// Writes the output of a statement after the SQL that `before` makes, which gets the temporary
    /// path of a Parquet file. Returns the [notes](notes_of) that this SQL prints.
    fn write(
        &mut self,
        before: impl FnOnce(Option<&str>) -> String,
        statement: &str,
    ) -> Result<Vec<String>, Error> {
        match self {
            Self::Text { format, width, out } if sql::has_rows(statement) => {
                read_result(&(before(None) + &rows_of(statement)), |session| {
                    write::rows(session, *format, *width, *out)
                })
            }
            Self::Text { out, .. } => {
                let script = format!("{}.mode list\n{statement}\n;\n", before(None));
                read_result(&script, |session| write::escaped(session, *out))
            }
            Self::Parquet { path, options } => {
                let file = WholeFile::required_at(path)?;
                let aside = file.aside().to_str();
                let aside = aside.ok_or_else(|| Error::not_utf8(path))?;
                let script = format!(
                    "{}COPY (\n{statement}\n) TO {} (FORMAT parquet, \
                     COMPRESSION zstd{options});\n",
                    before(Some(aside)),
                    sql::text(aside)
                );
                let notes =
                    read_result(&script, |session| write::escaped(session, &mut io::sink()))?;
                file.put_in_place().map(|()| notes)
            }
        }
    }
}

fn read_result(
    script: &str,
    read: impl FnOnce(&mut Session) -> Result<(), Error>,
) -> Result<Vec<String>, Error> {
    let mut session = Session::start(script)?;
    let notes = read_list(&mut session)?;
    read(&mut session)?;
    // DuckDB's message about a failure is more useful than an error about truncated output.
    session.finish().map(|()| notes)
}

/// The tables of `robostat probe`, which the manifest does not list.
fn probes(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory.join("probes")).into_iter().flatten();
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.map(|name| format!("probes/{name}")).collect()
}

/// The same error, with a remedy if the SQL tried to read a file that it may not read.
fn with_remedy(mut error: Error) -> Error {
    if let Error::DuckDbFailed { message, .. } = &mut error
        && message.contains("disabled by configuration")
    {
        let file = message.split('"').nth(1).unwrap_or_default();
        let probe = file.rsplit_once("/probes/");
        if let Some(name) = probe.and_then(|(_, file)| file.strip_suffix(".parquet")) {
            return Error::Failed(format!(
                "the dataset does not have the table probes('{name}'); `robostat probe --name \
                 {name}` writes it"
            ));
        }
        message.push_str(
            "\nSQL reads the dataset only; --read FILE lets it read a file or directory too, named \
             as in the SQL.",
        );
    }
    error
}

impl Drop for Scope {
    fn drop(&mut self) {
        // DuckDB removes it, unless DuckDB was killed; usually nothing was spilled.
        let _ = fs::remove_dir_all(&self.spill);
    }
}
