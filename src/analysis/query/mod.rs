//! Queries of a dataset: the shipped ones and the user's own, run by DuckDB with the views in
//! place.

pub mod cell;
pub mod plan;
pub mod row;
mod scope;
pub mod shipped;
pub mod sql;
mod table;
#[cfg(test)]
mod tests;
pub mod views;
mod write;

use clap::ValueEnum;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::analysis::duckdb::Session;
use crate::error::Error;
use crate::escape;
pub use scope::{Call, Output, Scope};

/// The default memory limit of DuckDB. It is the same on every machine, so that a query that works
/// on one works on another. DuckDB spills larger data to disk.
pub const DEFAULT_MEMORY: &str = "2GB";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ResultFormat {
    /// For reading: a table, at most 1000 rows (.txt).
    Table,
    /// Comma-separated values (.csv).
    Csv,
    /// Tab-separated values (.tsv, .tab).
    Tsv,
    /// An array of objects (.json).
    Json,
    /// A Markdown table (.md).
    Markdown,
    /// A LaTeX table (.tex).
    Latex,
    /// A Parquet file (.parquet); needs --output.
    Parquet,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Column {
    pub name: String,
    #[serde(rename = "type")]
    pub sql_type: String,
}

impl Column {
    /// Whether its values are ids. Ids are hashes: programs that read numbers as floating point,
    /// such as JavaScript and pandas, would round them, so they are text in JSON.
    pub fn is_id(&self) -> bool {
        self.sql_type == "BIGINT" && (self.name.ends_with("_id") || self.name.contains("_id_"))
    }

    pub fn is_number(&self) -> bool {
        const NAMES: &str = "TINYINT SMALLINT INTEGER BIGINT HUGEINT FLOAT DOUBLE DECIMAL";
        let name = self.sql_type.split('(').next().unwrap_or_default();
        let name = name.strip_prefix('U').unwrap_or(name);
        NAMES.split(' ').any(|it| it == name)
    }
}

/// The statements of a script before the last one, and the last one, each on one line.
fn split(script: &str) -> Result<(String, String), Error> {
    let refused = |reason: String| Error::Failed(escape::text(&reason).into_owned());
    let mut lines = Vec::new();
    for statement in sql::statements(script) {
        let line = sql::one_line(statement).map_err(refused)?;
        if let Some(reason) = sql::refusal(&line) {
            return Err(refused(reason));
        }
        lines.push(line);
    }
    let nothing = || refused("the SQL has no statement to run".to_owned());
    let last = lines.pop().ok_or_else(nothing)?;
    let before = lines.iter().map(|line| format!("{line}\n;\n"));
    Ok((before.collect(), last))
}

/// SQL that prints the texts in a statement's only column as a list on one line; without a
/// statement, the list is empty.
fn notes_of(statement: Option<&str>) -> String {
    let statement = statement.unwrap_or("SELECT NULL WHERE false");
    format!(
        ".mode list\n.headers off\n\
         SELECT to_json(coalesce(list(note), [])) FROM (\n{statement}\n) AS notes(note);\n.mode trash\n"
    )
}

/// Reads the list that [`notes_of`], or first [`row::rows_of`], prints; empty if DuckDB has failed.
fn read_list<T: DeserializeOwned>(session: &mut Session) -> Result<Vec<T>, Error> {
    let mut line = Vec::new();
    if !session.read_line(&mut line)? {
        return Ok(Vec::new());
    }
    parsed(&line)
}

pub fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(line).map_err(|cause| {
        let line = String::from_utf8_lossy(&line[..line.len().min(200)]);
        let line = escape::line(line.trim_end());
        Error::Failed(format!(
            "DuckDB's answer cannot be read ({cause}): {line}; try another version of DuckDB"
        ))
    })
}
