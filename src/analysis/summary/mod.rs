//! Summaries of crawls: the sums that shares and their intervals take, without hosts and domains.
//!
//! A summary is a directory with a Parquet file for each crawl (`sums.sql`), and `summary.sql`, SQL
//! that makes the series of a report of the files next to it (`series.sql`).

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;

use xxhash_rust::xxh3::xxh3_128;

use super::query::{Scope, sql};
use crate::dataset::{CATALOG, Crawl, Snapshot, label};
use crate::error::Error;
use crate::threads;
use crate::whole_file::WholeFile;

/// Name of the file with SQL.
pub const SQL_FILE: &str = "summary.sql";

/// Its content: the arithmetic of intervals, and the series.
const SERIES: &str = concat!(
    "-- Summaries of crawls: how to read them is said below, before the series.\n\n",
    include_str!("../../dataset/views/intervals.sql"),
    "\n",
    include_str!("../../dataset/views/measures.sql"),
    "\n",
    include_str!("series.sql")
);

/// The version of the columns and of their meaning.
const VERSION: u32 = 1;

/// Crawls that are summed up at once, as far as there are processors: each in a session of DuckDB
/// with one thread, because the sum of fractions depends on their order.
const SESSIONS: usize = 2;

/// Memory for each.
const MEMORY: &str = "1GB";

/// Writes the summary of each crawl of the datasets in `directories` to the directory `out`, by
/// host, by domain and, with the file `weights`, by weight. Returns the paths of the files.
///
/// # Errors
///
/// A dataset cannot be read, DuckDB is missing or fails, or `out` cannot be written.
pub fn write(
    directories: &[PathBuf],
    weights: Option<&Path>,
    out: &Path,
) -> Result<Vec<PathBuf>, Error> {
    let snapshot = Snapshot::open_together(directories)?;
    fs::create_dir_all(out).map_err(Error::io(out))?;
    let crawls = snapshot.manifest().crawls();
    let path = |crawl: &Crawl| out.join(label::escape(&crawl.label) + ".parquet");
    let queue = Mutex::new(crawls.iter());
    let next = || queue.lock().ok().and_then(|mut crawls| crawls.next());
    let work = || {
        while let Some(crawl) = next() {
            write_crawl(&snapshot, crawl, weights, &path(crawl))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let sessions = SESSIONS.min(threads::available()).min(crawls.len());
        let running = (0..sessions).map(|_| threads::spawn_in(scope, work));
        let running = running.collect::<Result<Vec<_>, Error>>()?;
        running.into_iter().try_for_each(|it| {
            let resume = |panic| std::panic::resume_unwind(panic);
            it.join().unwrap_or_else(resume)
        })
    })?;
    let sql_path = out.join(SQL_FILE);
    WholeFile::write(&sql_path, SERIES.as_bytes())?;
    Ok(crawls.iter().map(path).chain([sql_path]).collect())
}

/// Writes the sums of one crawl to the Parquet file `path`.
fn write_crawl(
    snapshot: &Snapshot,
    crawl: &Crawl,
    weights: Option<&Path>,
    path: &Path,
) -> Result<(), Error> {
    let scope = Scope::of_snapshot(&snapshot.focused(&crawl.label), MEMORY)?;
    let label = sql::text(&crawl.label);
    let mut units = vec![("host", "NULL".to_owned()), ("domain", "NULL".to_owned())];
    if let Some(weights) = weights {
        units.push(("weight", sql::text(&weights.to_string_lossy())));
    }
    let units = units
        .iter()
        .map(|(unit, weights)| format!("FROM crawl_sums({label}, '{unit}', {weights})"));
    let sums = units.collect::<Vec<_>>().join("\nUNION ALL\n");
    let statement = format!(
        "SELECT sums.*, median_day FROM (\n{sums}\n) AS sums JOIN crawls ON label = crawl ORDER BY ALL"
    );
    let mut metadata = String::new();
    for (name, value) in metadata_of(snapshot, crawl, weights)? {
        // Writing to a String cannot fail.
        let comma = if metadata.is_empty() { "" } else { ", " };
        let _ = write!(metadata, "{comma}{name}: {}", sql::text(&value));
    }
    let before = format!("SET threads = 1;\n{}", include_str!("sums.sql"));
    scope.copy_to_parquet(
        &before,
        &statement,
        &format!(", KV_METADATA {{{metadata}}}"),
        path,
    )
}

/// What a file says about itself: the versions, and digests of everything that its sums depend on.
fn metadata_of(
    snapshot: &Snapshot,
    crawl: &Crawl,
    weights: Option<&Path>,
) -> Result<Vec<(&'static str, String)>, Error> {
    let digest = |bytes: &[u8]| format!("{:032x}", xxh3_128(bytes));
    let files = snapshot.manifest().files().into_values();
    let mut catalogs = files.filter(|file| file.path.ends_with(CATALOG));
    let catalog = catalogs.next().map(|file| file.xxh3.clone());
    let manifest = snapshot.manifest();
    let inputs = manifest.inputs().into_iter();
    let inputs = inputs.filter(|input| input.crawl == crawl.label);
    let mut inputs: Vec<String> = inputs.map(|input| input.fingerprint.to_string()).collect();
    inputs.sort_unstable();
    let last = manifest.commits.last();
    let settings = last.map(|commit| {
        (
            &commit.settings,
            commit.schema_version,
            &commit.public_suffix_list,
        )
    });
    let data = format!("{inputs:?} {settings:?}");
    let mut metadata = vec![
        ("summary", VERSION.to_string()),
        ("robostat", env!("CARGO_PKG_VERSION").to_owned()),
        ("crawl", crawl.label.clone()),
        ("catalog", catalog.unwrap_or_default()),
        ("data", digest(data.as_bytes())),
    ];
    if let Some(weights) = weights {
        let bytes = fs::read(weights).map_err(Error::io(weights))?;
        metadata.push(("weights", digest(&bytes)));
    }
    Ok(metadata)
}
