//! Summaries of crawls: the sums that shares and their intervals need, without hosts and domains.
//!
//! A summary is a directory with a Parquet file for each crawl (`sums.sql`), and `summary.sql`, SQL
//! that makes the series of a report from the files next to it (`series.sql`). Series of the same
//! sites cannot be made from sums of single crawls: another file has the answer of
//! `panel-over-time` about all crawls.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_128;

use super::query::{DEFAULT_MEMORY, Scope, sql};
use crate::dataset::{CATALOG, Crawl, Snapshot, label};
use crate::error::Error;
use crate::threads;
use crate::whole_file::WholeFile;

pub const SQL_FILE: &str = "summary.sql";

/// Name of the file with the series of the same sites. It has its own directory: a crawl may be
/// named `panel`.
pub const PANEL_FILE: &str = "series/panel.parquet";

/// The most crawlers in [`PANEL_FILE`]: the AI crawlers that the most policies name.
const PANEL_AGENTS: usize = 20;

/// Content of [`SQL_FILE`]: the arithmetic of intervals, and the series.
const SERIES: &str = concat!(
    "-- Summaries of crawls: how to read them is described below, before the series.\n\n",
    include_str!("../../dataset/views/intervals.sql"),
    "\n",
    include_str!("../../dataset/views/measures.sql"),
    "\n",
    include_str!("series.sql")
);

const VERSION: u32 = 1;

/// The most crawls that are summed up at once, each in a session of DuckDB with one thread: the sum
/// of fractions depends on their order.
const SESSIONS: usize = 2;

const MEMORY: &str = "1GB";

/// Writes the summary of each crawl of the datasets in `directories` to `out`, by host, by domain
/// and, with the file `weights`, by weight; for several crawls also the series of the same sites,
/// with `sites` by the strata in that file. Returns the paths of the files.
pub fn write(
    directories: &[PathBuf],
    weights: Option<&Path>,
    sites: Option<&Path>,
    out: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let snapshot = &Snapshot::open_together(directories)?;
    let summary = Summary {
        snapshot,
        weights,
        sites,
    };
    summary.check_lists()?;
    let crawls = snapshot.manifest.crawls();
    if crawls.is_empty() {
        // DuckDB cannot load a summary without a file.
        return Err(Error::Failed(
            "the dataset has no crawl to sum up".to_owned(),
        ));
    }
    fs::create_dir_all(out).map_err(Error::io(out))?;
    let path = |crawl: &Crawl| out.join(label::escape(&crawl.label) + ".parquet");
    let pool = threads::pool(SESSIONS.min(threads::available()))?;
    pool.install(|| {
        let each = crawls.par_iter();
        each.try_for_each(|crawl| summary.write_crawl(crawl, &path(crawl)))
    })?;
    let mut paths: Vec<PathBuf> = crawls.iter().map(path).collect();
    if crawls.len() > 1 {
        let panel_path = out.join(PANEL_FILE);
        summary.write_panel(&panel_path)?;
        paths.push(panel_path);
    }
    let sql_path = out.join(SQL_FILE);
    WholeFile::write(&sql_path, SERIES.as_bytes())?;
    paths.push(sql_path);
    Ok(paths)
}

struct Summary<'s> {
    snapshot: &'s Snapshot,
    weights: Option<&'s Path>,
    sites: Option<&'s Path>,
}

impl Summary<'_> {
    /// Reads the lists once, so that nothing is written if one of them is wrong.
    fn check_lists(&self) -> Result<(), Error> {
        let reads = [
            (self.weights, "max(weight) FROM weights_of"),
            (self.sites, "max(site_stratum) FROM sites_of"),
        ];
        let reads = reads.into_iter();
        let reads =
            reads.filter_map(|(list, read)| Some(format!("SELECT {read}({})", literal(list?))));
        let reads: Vec<String> = reads.collect();
        if reads.is_empty() {
            return Ok(());
        }
        let scope = Scope::of(self.snapshot, DEFAULT_MEMORY)?;
        scope.check(&reads.join(";\n"), None).map(drop)
    }

    /// The units that are summed up, and SQL that names the file of their weights.
    fn units(&self) -> impl Iterator<Item = (&'static str, String)> {
        let by_weight = self.weights.map(|weights| ("weight", literal(weights)));
        let units = [("host", "NULL".to_owned()), ("domain", "NULL".to_owned())];
        units.into_iter().chain(by_weight)
    }

    fn write_crawl(&self, crawl: &Crawl, path: &Path) -> Result<(), Error> {
        let scope = Scope::of(&self.snapshot.focused(&crawl.label), MEMORY)?;
        let label = sql::text(&crawl.label);
        let sums = self.units();
        let sums =
            sums.map(|(unit, weights)| format!("FROM crawl_sums({label}, '{unit}', {weights})"));
        let metadata = self.metadata(Some(crawl))?;
        copy(&scope, include_str!("sums.sql"), sums, &metadata, path)
    }

    fn write_panel(&self, path: &Path) -> Result<(), Error> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(Error::io(directory))?;
        }
        let scope = Scope::of(self.snapshot, DEFAULT_MEMORY)?;
        let agents =
            format!("SET VARIABLE agents = (SELECT usual_agents({PANEL_AGENTS}, true));\n");
        let of_sites = self.sites.map_or_else(|| "NULL".to_owned(), literal);
        let series = self.units().map(|(unit, weights)| {
            format!(
                "FROM panel_over_time(agents := getvariable('agents'), \"by\" := '{unit}', \
                 weights := {weights}, sites := {of_sites})"
            )
        });
        copy(&scope, &agents, series, &self.metadata(None)?, path)
    }

    /// The metadata in the file of a crawl, or of the panel: the versions, and digests of
    /// everything that the file's numbers depend on.
    fn metadata(&self, crawl: Option<&Crawl>) -> Result<Vec<(&'static str, String)>, Error> {
        let digest = |bytes: &[u8]| format!("{:032x}", xxh3_128(bytes));
        let manifest = &self.snapshot.manifest;
        let files = manifest.files().into_values();
        let mut catalogs = files.filter(|file| file.path.ends_with(CATALOG));
        let catalog = catalogs.next().map(|file| file.xxh3.clone());
        let inputs = manifest.inputs().into_iter();
        let inputs = inputs.filter(|input| crawl.is_none_or(|it| input.crawl == it.label));
        let mut inputs: Vec<String> = inputs.map(|input| input.fingerprint.to_string()).collect();
        inputs.sort_unstable();
        let last = manifest.commits.last();
        let settings = last.map(|it| (&it.settings, it.schema_version, &it.public_suffix_list));
        let data = format!("{inputs:?} {settings:?}");
        let mut metadata = vec![
            ("summary", VERSION.to_string()),
            ("robostat", env!("CARGO_PKG_VERSION").to_owned()),
            ("catalog", catalog.unwrap_or_default()),
            ("data", digest(data.as_bytes())),
        ];
        metadata.extend(crawl.map(|crawl| ("crawl", crawl.label.clone())));
        metadata.extend(manifest.panel().map(|it| ("panel", it.description())));
        let sites = self.sites.filter(|_| crawl.is_none());
        for (name, file) in [("weights", self.weights), ("sites", sites)] {
            if let Some(file) = file {
                let bytes = fs::read(file).map_err(Error::io(file))?;
                metadata.push((name, digest(&bytes)));
            }
        }
        Ok(metadata)
    }
}

fn literal(path: &Path) -> String {
    sql::text(&path.to_string_lossy())
}

/// Writes the rows of some queries to the Parquet file `path`, with the day of their crawl. The
/// session begins with `before`.
fn copy(
    scope: &Scope,
    before: &str,
    queries: impl Iterator<Item = String>,
    metadata: &[(&str, String)],
    path: &Path,
) -> Result<(), Error> {
    let rows = queries.collect::<Vec<_>>().join("\nUNION ALL\n");
    let statement = format!(
        "SELECT rows.*, median_day FROM (\n{rows}\n) AS rows JOIN crawls ON label = crawl ORDER BY ALL"
    );
    let metadata = metadata.iter();
    let metadata = metadata.map(|(name, value)| format!("{name}: {}", sql::text(value)));
    let metadata = metadata.collect::<Vec<_>>().join(", ");
    scope.copy_to_parquet(
        &format!("SET threads = 1;\n{before}"),
        &statement,
        &format!(", KV_METADATA {{{metadata}}}"),
        path,
    )
}
