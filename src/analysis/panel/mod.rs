//! Panels: sites that are chosen once, and the records of their robots.txt that the index of a
//! crawl names.

mod columns;
pub mod sites;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::duckdb::Session;
use crate::dataset::{LISTED, Panel, SiteDraw, Stratum, literal};
use crate::error::Error;

pub use columns::{ranges, ranges_of_file};
pub use sites::Sites;

use columns::COLUMNS;

const CHOOSE: &str = include_str!("choose.sql");
/// The site of a host, in SQL.
const SITE: &str = "if(url_host_name LIKE 'www.%.%', url_host_name[5:], url_host_name)";

/// How the sites of a panel are chosen.
#[derive(Debug)]
pub struct Choice<'c> {
    /// A list of ranks and domains.
    pub ranks: &'c Path,
    /// The last rank of each stratum; a last stratum has the ranks after them.
    pub borders: &'c [u64],
    /// Sites of each stratum, at most.
    pub per_stratum: u64,
    /// Decides which sites are drawn.
    pub seed: u64,
}

/// Records that were found in the index of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundRecords {
    /// Records.
    pub records: u64,
    /// Sites with a record, by their own name or with `www.`.
    pub sites: u64,
}

/// Sites that no crawl has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct UnfoundSites {
    /// How many there are.
    pub sites: u64,
    /// The first of them.
    pub first: Vec<String>,
}

/// Writes the sites of a panel as CSV: domain, rank, stratum, and weight: the sites of the
/// stratum, divided by those that were drawn. Returns how they were drawn.
///
/// # Errors
///
/// DuckDB is missing, or cannot read the list; the list is empty; `out` cannot be written.
pub fn choose(choice: &Choice<'_>, out: &mut dyn Write) -> Result<SiteDraw, Error> {
    let script = format!(
        "{LISTED}SET VARIABLE ranks = {};\nSET VARIABLE borders = {:?}::BIGINT[];\n\
         SET VARIABLE per_stratum = {};\nSET VARIABLE seed = {};\n{CHOOSE}FROM strata;\n\
         .mode csv\n.headers on\nFROM sites;\n",
        text(choice.ranks),
        choice.borders,
        choice.per_stratum,
        choice.seed
    );
    let mut strata = None;
    Session::run_through(&script, |line| {
        if strata.is_none() {
            strata = Some(parsed(line)?);
            return Ok(());
        }
        // DuckDB ends lines of CSV with CR LF.
        let line = line.trim_ascii_end();
        (out.write_all(line).and_then(|()| out.write_all(b"\n"))).map_err(Error::unwritten)
    })?;
    let strata: Vec<Stratum> = strata.unwrap_or_default();
    if strata.is_empty() {
        let empty = std::io::Error::other("there are no sites in the list");
        return Err(Error::io(choice.ranks)(empty));
    }
    let name = choice.ranks.file_name().unwrap_or_default();
    Ok(SiteDraw {
        ranks: name.to_string_lossy().into_owned(),
        ranks_sha256: Panel::sha256(choice.ranks)?,
        seed: choice.seed,
        per_stratum: choice.per_stratum,
        strata,
        robostat: env!("CARGO_PKG_VERSION").to_owned(),
    })
}

/// The list of sites at `sites`. How it was drawn is in the JSON file `drawn`, if that is of this
/// list.
///
/// # Errors
///
/// The list cannot be read.
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

/// Writes those rows of the columnar index `index` that are about the `sites`, to the Parquet file
/// `out`. Only the footer of the index and its [`ranges`] are read. The file `sites` has a column
/// `domain`, with names in the form of the index and without `www.`.
///
/// # Errors
///
/// DuckDB is missing, cannot read one of the files, or cannot write.
pub fn find(sites: &Path, index: &Path, out: &Path) -> Result<(), Error> {
    let script = format!(
        "COPY (
            SELECT {}
            FROM read_parquet({}, hive_partitioning = false)
            WHERE url_host_name IN (
                SELECT unnest([domain, 'www.' || domain]) FROM {}
            )
        ) TO {} (FORMAT parquet);\n",
        COLUMNS.join(", "),
        text(index),
        read_sites(sites),
        text(out)
    );
    Session::run_through(&script, |_| Ok(()))
}

/// Writes what was [found](find) in the files of an index, which are in the directory `parts`, to
/// one Parquet file.
///
/// # Errors
///
/// As [`find`].
pub fn unite(parts: &Path, out: &Path) -> Result<FoundRecords, Error> {
    let (parts, out) = (text(&parts.join("*.parquet")), text(out));
    let script = format!(
        "COPY (
            SELECT DISTINCT * FROM read_parquet({parts}) ORDER BY warc_filename, warc_record_offset
        ) TO {out} (FORMAT parquet);
        SELECT to_json([count(*), count(DISTINCT {SITE})])
        FROM read_parquet({out});\n"
    );
    let [records, sites] = answer(&script)?;
    Ok(FoundRecords { records, sites })
}

/// The `sites` that were [found](find) in none of the `crawls`.
///
/// # Errors
///
/// DuckDB is missing, or cannot read one of the files.
pub fn unfound(sites: &Path, crawls: &[PathBuf]) -> Result<UnfoundSites, Error> {
    let crawls: Vec<String> = crawls.iter().map(|it| text(it)).collect();
    answer(&format!(
        "SELECT to_json({{sites: count(*), first: coalesce(list(domain ORDER BY domain)[:5], [])}})
        FROM {}
        ANTI JOIN (
            SELECT {SITE} AS domain FROM read_parquet([{}], union_by_name = true)
        ) AS found USING (domain);\n",
        read_sites(sites),
        crawls.join(", ")
    ))
}

/// The answer, in JSON, of a script that prints one line.
fn answer<T: Default + DeserializeOwned>(script: &str) -> Result<T, Error> {
    let mut answer = T::default();
    Session::run_through(script, |line| {
        answer = parsed(line)?;
        Ok(())
    })?;
    Ok(answer)
}

fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(line).map_err(|error| super::query::unexpected(line, error))
}

/// The table of the sites in a file.
fn read_sites(sites: &Path) -> String {
    let columns = "{'domain': 'VARCHAR'}";
    format!(
        "read_csv({}, header = true, columns = {columns})",
        text(sites)
    )
}

/// A path as a literal; absolute, so that DuckDB takes it for a path, whatever it begins with.
fn text(path: &Path) -> String {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    literal(&path.to_string_lossy())
}
