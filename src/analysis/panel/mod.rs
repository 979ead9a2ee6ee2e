//! Panels: sites that are chosen once, and the records of their robots.txt that a crawl's index
//! lists.

mod choose;
mod columns;
pub mod sites;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::duckdb::Session;
use super::query::{parsed, sql};
use crate::dataset::{LISTED, Panel};
use crate::error::Error;

pub use choose::{Choice, choose};
pub use columns::{ranges, ranges_of_file};
pub use sites::Sites;

use columns::COLUMNS;

const COVERAGE: &str = include_str!("coverage.sql");
const FOUND: &str = include_str!("found.sql");

#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Coverage {
    /// For each crawl with records: numbers of sites (with or without `www.`) and of records.
    pub crawls: BTreeMap<String, (u64, u64)>,
    pub unfound: u64,
    pub first_unfound: Vec<String>,
}

/// The panel of the list `sites`. The JSON file `drawn` records how the list was drawn, if it
/// describes this list.
pub fn of_list(sites: &Path, drawn: &Path) -> Result<Panel, Error> {
    let sha256 = Panel::sha256(sites)?;
    let written = fs::read(drawn).ok();
    let written = written.and_then(|text| serde_json::from_slice::<Panel>(&text).ok());
    match written.filter(|panel| panel.sha256 == sha256) {
        Some(panel) => Ok(panel),
        None => Ok(Panel {
            sites: sites::read(sites)?.len() as u64,
            sha256,
            draw: None,
        }),
    }
}

/// Writes the rows about `sites` in the columnar index `index` to the Parquet file `out`. Only the
/// footer of the index and its [`ranges`] are read. The file `sites` has a column `domain`, with
/// names in the form of the index and without `www.`.
pub fn find(sites: &Path, index: &Path, out: &Path) -> Result<(), Error> {
    let script = format!(
        "SET VARIABLE index = {};\nSET VARIABLE sites = {};\n\
         COPY (SELECT {} FROM ({FOUND})) TO {} (FORMAT parquet);\n",
        text(index),
        text(sites),
        COLUMNS.join(", "),
        text(out)
    );
    Session::run_through(&script, |_| Ok(()))
}

/// Merges the rows that were [found](find) in the files of an index, now in the directory `parts`,
/// into one Parquet file.
pub fn unite(parts: &Path, out: &Path) -> Result<(), Error> {
    let (parts, out) = (text(&parts.join("*.parquet")), text(out));
    let script = format!(
        "COPY (
            SELECT DISTINCT * FROM read_parquet({parts}) ORDER BY warc_filename, warc_record_offset
        ) TO {out} (FORMAT parquet);\n"
    );
    Session::run_through(&script, |_| Ok(()))
}

/// How many of `sites` were [found](find). The files `crawls` are named after their crawls.
pub fn coverage(sites: &Path, crawls: &[PathBuf]) -> Result<Coverage, Error> {
    let crawls: Vec<String> = crawls.iter().map(|it| text(it)).collect();
    let script = format!(
        "{LISTED}SET VARIABLE sites = {};\nSET VARIABLE crawls = [{}];\n{COVERAGE}",
        text(sites),
        crawls.join(", ")
    );
    let mut coverage = Coverage::default();
    Session::run_through(&script, |line| {
        coverage = parsed(line)?;
        Ok(())
    })?;
    Ok(coverage)
}

/// A path as a literal; absolute, so that DuckDB reads it as a path, whatever it begins with.
fn text(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    sql::text(&path.to_string_lossy())
}
