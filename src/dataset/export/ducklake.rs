//! DuckLake: one file with a catalogue of the tables, which DuckDB attaches. The catalogue refers
//! to the parts where they are, and copies nothing.
//!
//! Source: <https://ducklake.select/docs/stable/specification/introduction>. DuckDB's extension
//! `ducklake` writes the catalogue, a database of DuckDB. It records the paths of this machine,
//! which are then made relative to the data path of the catalogue.

use std::path::Path;

use askama::Template;

use super::duckdb::no_escaped_label;
use super::{Card, DescribedFile, meaning, rendered};
use crate::dataset::tables::describe::columns;
use crate::dataset::{Snapshot, literal};
use crate::error::Error;

pub const FILE: &str = "robots.ducklake";

#[derive(Template)]
#[template(path = "ducklake.sql.jinja", escape = "none")]
struct Script<'c> {
    card: &'c Card,
    /// The dataset's directory on this machine, with a slash at its end.
    directory: String,
    // Literals.
    lake: String,
    aside: String,
    out: String,
    base: String,
}

impl Script<'_> {
    fn place(&self, file: &DescribedFile) -> String {
        literal(&format!("{}{}", self.directory, file.path))
    }
}

/// The SQL that writes the catalogue to the file `out`, which does not exist yet, for readers who
/// find the dataset at its base URL, or else in their current directory. In the directory `aside`,
/// the extension makes empty folders for its own parts.
///
/// Fails if a crawl's label is escaped in paths: DuckLake would take the escapes for the label.
pub fn script(snapshot: &Snapshot, card: &Card, out: &Path, aside: &Path) -> Result<String, Error> {
    no_escaped_label(snapshot, "by DuckLake")?;
    let directory = &snapshot.directory;
    let directory = std::path::absolute(directory).map_err(Error::io(directory))?;
    let [directory, out, aside] = [&*directory, out, aside].map(Path::to_string_lossy);
    let base = card.details.base_url.as_deref().unwrap_or(".");
    let base = base.trim_end_matches('/');
    Ok(rendered(&Script {
        card,
        directory: format!("{directory}/"),
        lake: literal(&format!("ducklake:{out}")),
        aside: literal(&format!("{aside}/")),
        out: literal(&out),
        base: literal(&format!("{base}/")),
    }))
}
