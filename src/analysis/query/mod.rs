//! Questions put to a dataset: the shipped ones and the user's own, answered by DuckDB with the
//! views in place.

pub mod cell;
pub mod row;
pub mod shipped;
pub mod sql;

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::analysis::duckdb::{DuckDb, Session};
use crate::dataset::Snapshot;
use crate::error::Error;
use crate::escape;
use row::Row;

/// How an answer is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// DuckDB's boxes, for reading; control characters shown.
    Table {
        /// Columns of the terminal, where it is one.
        width: Option<u16>,
    },
    /// RFC 4180, but lines end with LF; formulas are defused.
    Csv,
    /// An array of objects, one a line.
    Json,
    /// A table of Markdown.
    Markdown,
}

/// Rows that a table shows, at most; DuckDB tells how many there are.
const TABLE_ROWS: usize = 1000;

/// A column of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, as DuckDB names it.
    #[serde(rename = "type")]
    pub sql_type: String,
}

impl Column {
    /// Whether its values are numbers.
    #[must_use]
    pub fn is_number(&self) -> bool {
        let name = self.sql_type.split('(').next().unwrap_or_default();
        let name = name.strip_prefix('U').unwrap_or(name);
        matches!(
            name,
            "TINYINT"
                | "SMALLINT"
                | "INTEGER"
                | "BIGINT"
                | "HUGEINT"
                | "FLOAT"
                | "DOUBLE"
                | "DECIMAL"
        )
    }
}

/// A dataset, its views, and the parameters of questions to it.
#[derive(Debug)]
pub struct Scope {
    prologue: String,
}

impl Scope {
    /// The dataset in `directory`, wherever it was when it was written.
    pub fn of(directory: &Path) -> Result<Self, Error> {
        let snapshot = Snapshot::open(directory)?;
        let place = std::path::absolute(directory).map_err(Error::io(directory))?;
        let place = place
            .to_str()
            .ok_or_else(|| Error::NotUtf8(directory.to_owned()))?;
        Ok(Self {
            prologue: format!(".mode trash\n{}\n", snapshot.views(place)),
        })
    }

    /// Sets a parameter, given as a literal.
    pub fn set(&mut self, name: &str, literal: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.prologue, "SET VARIABLE {name} = {literal};");
    }

    /// What every script begins with: the views, the parameters, and nothing printed yet.
    #[must_use]
    pub fn prologue(&self) -> &str {
        &self.prologue
    }

    /// Runs `script`, whose last statement is the answer, and writes that.
    pub fn answer(&self, script: &str, format: Format, out: &mut dyn Write) -> Result<(), Error> {
        let (before, last) = split(script)?;
        let text = match format {
            Format::Table { width } => {
                let width = width.map_or(String::new(), |width| format!(".maxwidth {width}\n"));
                format!(
                    "{}{before}{width}.maxrows {TABLE_ROWS}\n.mode duckbox\n{last}\n;\n",
                    self.prologue
                )
            }
            _ => format!("{}{before}{}", self.prologue, rows_of(last)),
        };
        let mut session = DuckDb::find()?.start(text)?;
        match format {
            Format::Table { .. } => copy_escaped(&mut session, out)?,
            Format::Csv => write_csv(&mut session, out)?,
            Format::Json => write_json(&mut session, out)?,
            Format::Markdown => write_markdown(&mut session, out)?,
        }
        session.finish()
    }

    /// Runs `script`, whose last statement is the answer, into the Parquet file `path`.
    pub fn answer_to_parquet(&self, script: &str, path: &Path) -> Result<(), Error> {
        let (before, last) = split(script)?;
        let aside = aside(path);
        let shown = aside
            .to_str()
            .ok_or_else(|| Error::NotUtf8(path.to_owned()))?;
        let text = format!(
            "{}{before}COPY (\n{last}\n) TO {} (FORMAT parquet, COMPRESSION zstd);\n",
            self.prologue,
            sql::text(shown)
        );
        let mut session = DuckDb::find()?.start(text)?;
        copy_escaped(&mut session, &mut std::io::sink())?;
        let written = session
            .finish()
            .and_then(|()| fs::rename(&aside, path).map_err(Error::io(path)));
        if written.is_err() {
            // It may not be there.
            let _ = fs::remove_file(&aside);
        }
        written
    }
}

/// Where a file is written before it is put in place as a whole.
#[must_use]
pub fn aside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    // Absolute, so that DuckDB takes it for a path, whatever it begins with.
    let path = path.with_file_name(name);
    std::path::absolute(&path).unwrap_or(path)
}

/// The last statement of a script, and what comes before it.
pub(crate) fn split(script: &str) -> Result<(String, &str), Error> {
    let mut statements = sql::statements(script);
    let last = statements.pop().ok_or(Error::NoStatement)?;
    let before = statements
        .iter()
        .map(|statement| format!("{statement}\n;\n"));
    Ok((before.collect(), last))
}

/// Stands for a whole row; a column of this name would stand for itself.
const ROW: &str = "\"row of the answer\"";

/// SQL that prints the columns of a statement on one line, then every row on its own.
#[must_use]
pub fn rows_of(statement: &str) -> String {
    format!(
        ".mode list\n.headers off\n\
         SELECT to_json(list({{name: column_name, type: column_type}})) FROM (DESCRIBE FROM (\n{statement}\n));\n\
         SELECT to_json({ROW}) FROM (\n{statement}\n) AS {ROW};\n"
    )
}

/// Reads what [`rows_of`] prints first; nothing where DuckDB has failed.
pub fn read_columns(session: &mut Session) -> Result<Vec<Column>, Error> {
    let mut line = Vec::new();
    if !session.read_line(&mut line)? {
        return Ok(Vec::new());
    }
    serde_json::from_slice(&line).map_err(|error| unexpected(&line, error))
}

pub(crate) fn unexpected(line: &[u8], cause: serde_json::Error) -> Error {
    let line = String::from_utf8_lossy(&line[..line.len().min(200)]);
    Error::DuckDbAnswer {
        line: line.trim_end().to_owned(),
        cause,
    }
}

fn copy_escaped(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        out.write_all(escape::text(&String::from_utf8_lossy(&line)).as_bytes())
            .map_err(Error::unwritten)?;
    }
    Ok(())
}

fn write_json(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    read_columns(session)?;
    let (mut line, mut begin) = (Vec::new(), "[");
    while session.read_line(&mut line)? {
        let text = String::from_utf8_lossy(&line);
        let row = escape::json(text.trim_end());
        let is_json = serde_json::from_str::<serde::de::IgnoredAny>(&row).is_ok();
        let row = if is_json {
            row
        } else {
            row::without_nan(&row).into()
        };
        write!(out, "{begin}{row}").map_err(Error::unwritten)?;
        begin = ",\n ";
    }
    writeln!(out, "{}", if begin == "[" { "[]" } else { "]" }).map_err(Error::unwritten)?;
    Ok(())
}

fn write_csv(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let columns = read_columns(session)?;
    let names: Vec<_> = columns
        .iter()
        .map(|column| cell::csv(&column.name, true))
        .collect();
    if !names.is_empty() {
        writeln!(out, "{}", names.join(",")).map_err(Error::unwritten)?;
    }
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| {
                cell::csv(&row::text(value), value.get().starts_with('"')).into_owned()
            })
            .collect();
        writeln!(out, "{}", cells.join(","))
    })
}

fn write_markdown(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let columns = read_columns(session)?;
    if !columns.is_empty() {
        let names: Vec<_> = columns
            .iter()
            .map(|column| cell::markdown(&column.name))
            .collect();
        let rules = columns
            .iter()
            .map(|column| if column.is_number() { "--:" } else { "---" });
        writeln!(out, "| {} |", names.join(" | ")).map_err(Error::unwritten)?;
        writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | ")).map_err(Error::unwritten)?;
    }
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| cell::markdown(&row::text(value)))
            .collect();
        writeln!(out, "| {} |", cells.join(" | "))
    })
}

fn each_row(
    session: &mut Session,
    mut write: impl FnMut(&Row) -> std::io::Result<()>,
) -> Result<(), Error> {
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        let text = String::from_utf8_lossy(&line);
        let row = Row::read(&text).map_err(|error| unexpected(&line, error))?;
        write(&row).map_err(Error::unwritten)?;
    }
    Ok(())
}
