//! Queries of a dataset: the shipped ones and the user's own, run by DuckDB with the views in place.

pub mod cell;
pub mod row;
pub mod shipped;
pub mod sql;
mod table;

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
use table::Table;

/// How a result is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultFormat {
    /// A table for reading; control characters escaped.
    Table {
        /// Columns of the terminal, where it is one.
        width: Option<u16>,
    },
    /// RFC 4180, but lines end with LF; formulas are defused.
    Csv,
    /// Values set apart by tabs; tabs, line ends and backslashes in them are escaped.
    Tsv,
    /// An array of objects, one a line; ids are text.
    Json,
    /// A table of Markdown.
    Markdown,
    /// A `tabular` of LaTeX.
    Latex,
}

/// Rows that a table shows, at most.
const TABLE_ROWS: usize = 1000;

/// A column of a result.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its type, as DuckDB names it.
    #[serde(rename = "type")]
    pub sql_type: String,
}

impl Column {
    /// Whether its values are ids, which are hashes: programs that read numbers as floating point,
    /// as JavaScript and pandas do, would round them, so that they are text in JSON.
    #[must_use]
    pub fn is_id(&self) -> bool {
        self.sql_type == "BIGINT" && (self.name.ends_with("_id") || self.name.contains("_id_"))
    }

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

/// A dataset and what DuckDB reads before a query of it.
#[derive(Debug)]
pub struct Scope {
    prologue: String,
    crawls: Vec<String>,
}

impl Scope {
    /// The dataset in `directory`, wherever it was when it was written.
    ///
    /// # Errors
    /// Where there is no dataset, parts of it are not as written, or its path is not UTF-8.
    pub fn of(directory: &Path) -> Result<Self, Error> {
        let snapshot = Snapshot::open(directory)?;
        let place = std::path::absolute(directory).map_err(Error::io(directory))?;
        let place = place
            .to_str()
            .ok_or_else(|| Error::NotUtf8(directory.to_owned()))?;
        Ok(Self {
            prologue: format!(".mode trash\n{}\n", snapshot.views(place)),
            crawls: snapshot.crawls().into_iter().collect(),
        })
    }

    /// The labels of the dataset's crawls, in order; a query is about the last where it is about one.
    #[must_use]
    pub fn crawls(&self) -> &[String] {
        &self.crawls
    }

    /// Sets a variable of DuckDB, given as a literal, for SQL of the user's own.
    pub fn set(&mut self, name: &str, literal: &str) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.prologue, "SET VARIABLE {name} = {literal};");
    }

    /// What every script begins with: the views, the variables, and nothing printed yet.
    #[must_use]
    pub fn prologue(&self) -> &str {
        &self.prologue
    }

    /// Runs `script`, writes the result of its last statement, and returns what the statement
    /// `notes` says about it: the texts of its one column.
    ///
    /// # Errors
    /// Where DuckDB is missing or reports an error, or `out` cannot be written.
    pub fn run(
        &self,
        script: &str,
        notes: Option<&str>,
        format: ResultFormat,
        out: &mut dyn Write,
    ) -> Result<Vec<String>, Error> {
        let (before, last) = split(script)?;
        let is_rows = sql::has_rows(last);
        let result = if is_rows {
            rows_of(last)
        } else {
            format!(".mode list\n{last}\n;\n")
        };
        let notes = notes.unwrap_or("SELECT NULL WHERE false");
        let text = format!("{}{before}{}{result}", self.prologue, notes_of(notes));
        let mut session = DuckDb::find()?.start(text)?;
        let written = read_notes(&mut session).and_then(|notes| {
            match format {
                _ if !is_rows => copy_escaped(&mut session, out)?,
                ResultFormat::Table { width } => write_table(&mut session, width, out)?,
                ResultFormat::Csv => write_csv(&mut session, out)?,
                ResultFormat::Tsv => write_tsv(&mut session, out)?,
                ResultFormat::Json => write_json(&mut session, out)?,
                ResultFormat::Markdown => write_markdown(&mut session, out)?,
                ResultFormat::Latex => write_latex(&mut session, out)?,
            }
            Ok(notes)
        });
        match written {
            // What DuckDB says about a failure is worth more than that its output ended early.
            Ok(notes) => session.finish().map(|()| notes),
            Err(error) => Err(error),
        }
    }

    /// Runs `script`, whose last statement has the result, into the Parquet file `path`.
    ///
    /// # Errors
    /// Where DuckDB is missing or reports an error, or the file cannot be put in place.
    pub fn run_to_parquet(&self, script: &str, path: &Path) -> Result<(), Error> {
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

/// SQL that prints the texts of a statement's one column on one line.
fn notes_of(statement: &str) -> String {
    format!(
        ".mode list\n.headers off\n\
         SELECT to_json(coalesce(list(note), [])) FROM (\n{statement}\n) AS notes(note);\n.mode trash\n"
    )
}

/// Reads what [`notes_of`] prints; nothing where DuckDB has failed.
fn read_notes(session: &mut Session) -> Result<Vec<String>, Error> {
    let mut line = Vec::new();
    if !session.read_line(&mut line)? {
        return Ok(Vec::new());
    }
    serde_json::from_slice(&line).map_err(|error| unexpected(&line, error))
}

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

fn write_table(
    session: &mut Session,
    width: Option<u16>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let columns = read_columns(session)?;
    if columns.is_empty() {
        return Ok(());
    }
    let (mut rows, mut total) = (Vec::new(), 0_usize);
    each_row(session, |row| {
        total += 1;
        if rows.len() < TABLE_ROWS {
            let cells = row.0.iter();
            rows.push(
                cells
                    .map(|(_, value)| match value.get() {
                        "null" => "NULL".to_owned(),
                        _ => escape::text(&row::text(value)).replace('\t', "    "),
                    })
                    .collect(),
            );
        }
        Ok(())
    })?;
    let shown = rows.len();
    let (columns, rows, below) = table::with_constants_below(&columns, &rows);
    let table = Table {
        columns: &columns,
        rows,
    };
    let mut text = table.to_text(width.map(usize::from));
    text.push_str(&below);
    if shown < total {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{shown} of {total} rows; --format csv has them all");
    } else if total == 0 {
        text.push_str("no rows\n");
    }
    out.write_all(text.as_bytes()).map_err(Error::unwritten)
}

fn write_json(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let columns = read_columns(session)?;
    let ids: Vec<bool> = columns.iter().map(Column::is_id).collect();
    let (mut line, mut begin) = (Vec::new(), "[");
    while session.read_line(&mut line)? {
        let text = String::from_utf8_lossy(&line);
        let mut text = text.trim_end().to_owned();
        if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
            text = row::without_nan(&text);
        }
        if ids.contains(&true) {
            let row = Row::read(&text).map_err(|error| unexpected(&line, error))?;
            text = row::with_text(&row, &ids);
        }
        write!(out, "{begin}{}", escape::json(&text)).map_err(Error::unwritten)?;
        begin = ",\n ";
    }
    writeln!(out, "{}", if begin == "[" { "[]" } else { "]" }).map_err(Error::unwritten)?;
    Ok(())
}

/// Every row on a line, its cells made by `cell` and set apart by `separator`.
fn write_lines(
    session: &mut Session,
    separator: &str,
    cell: fn(&str) -> String,
    out: &mut dyn Write,
) -> Result<(), Error> {
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| cell(&row::text(value)))
            .collect();
        writeln!(out, "{}", cells.join(separator))
    })
}

fn write_tsv(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let columns = read_columns(session)?;
    let names: Vec<String> = columns
        .iter()
        .map(|column| cell::tsv(&column.name))
        .collect();
    if !names.is_empty() {
        writeln!(out, "{}", names.join("\t")).map_err(Error::unwritten)?;
    }
    write_lines(session, "\t", cell::tsv, out)
}

fn write_latex(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let columns = read_columns(session)?;
    let names: Vec<String> = columns
        .iter()
        .map(|column| cell::latex(&column.name))
        .collect();
    let aligned = columns
        .iter()
        .map(|column| if column.is_number() { 'r' } else { 'l' });
    let aligned: String = aligned.collect();
    writeln!(
        out,
        "\\begin{{tabular}}{{{aligned}}}\n\\hline\n{} \\\\\n\\hline",
        names.join(" & ")
    )
    .map_err(Error::unwritten)?;
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| cell::latex(&row::text(value)))
            .collect();
        writeln!(out, "{} \\\\", cells.join(" & "))
    })?;
    writeln!(out, "\\hline\n\\end{{tabular}}").map_err(Error::unwritten)
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
