//! `views.sql`: SQL that gives DuckDB the tables of a dataset as views, and further views and
//! macros on them.
//!
//! Every view of a table lists the parts in the manifest, so that a missing part is an error and a
//! stray copy of a part is not read. The partition is stated for each table: otherwise DuckDB would
//! read every `name=value` in the dataset's own path as a column.

mod literals;
mod together;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use arrow_array::temporal_conversions::timestamp_us_to_datetime;
use askama::Template;
use chrono::NaiveDateTime;

use super::catalog::table::TABLE as CATALOG;
use super::input::SampleDraw;
use super::manifest::{Manifest, Part};
use super::seal::{SQL, State};
use super::tables::{self, Table, describe, policy_diffs};
use super::times::Crawl;

pub(crate) use literals::{list_of_texts, literal, pattern};
pub(crate) use together::DATASETS_OF_KEYS;

use literals::list;
pub(super) use together::is_within;

pub(super) const FILE: &str = "views.sql";
/// Macros that read lists of domains; only `encoded_name` needs a dataset.
pub(crate) const LISTED: &str = include_str!("listed.sql");
/// The views on the tables, in an order in which every view follows the views that it reads.
const BUILT_ON_TABLES: [&str; 24] = [
    LISTED,
    include_str!("contents.sql"),
    include_str!("responses.sql"),
    include_str!("agents.sql"),
    include_str!("signals.sql"),
    include_str!("changes.sql"),
    include_str!("probes.sql"),
    include_str!("crawls.sql"),
    include_str!("parameters.sql"),
    include_str!("populations.sql"),
    include_str!("edits.sql"),
    include_str!("answers.sql"),
    include_str!("names.sql"),
    include_str!("lists.sql"),
    include_str!("weights.sql"),
    include_str!("intervals.sql"),
    include_str!("shares.sql"),
    include_str!("choices.sql"),
    include_str!("measures.sql"),
    include_str!("marks.sql"),
    include_str!("panel.sql"),
    include_str!("patterns.sql"),
    include_str!("grouping_errors.sql"),
    include_str!("pages.sql"),
];
const QUERIES: &str = include_str!(concat!(env!("OUT_DIR"), "/queries.sql"));
/// The beginning of the first line; the program's version and the commit's number follow.
const HEAD: &str = "-- Views of a robostat dataset, made by robostat ";
/// The SQL before and after the dataset's directory, a literal.
const DIRECTORY: (&str, &str) = (
    "CREATE OR REPLACE MACRO dataset_path(path) AS coalesce(getvariable('dataset'), ",
    ") || '/' || path;\n",
);

/// SQL for a session that begins now; `directory` is the dataset's path for DuckDB. Paths are
/// literals: with a macro for each, counting a table of 1,500 parts takes twice the processor time.
pub(super) fn sql(manifest: &Manifest, directory: &str, roots: &[String]) -> String {
    let directory = pattern_of_directory(directory);
    let mut sql = first_line(manifest);
    // A user's SQL may name files of the dataset with this macro.
    sql.extend([DIRECTORY.0, &literal(&directory), DIRECTORY.1]);
    add_views(&mut sql, manifest, Some(&directory), roots);
    sql
}

/// The directory in DuckDB's notation, without a slash at its end.
fn pattern_of_directory(directory: &str) -> String {
    match directory.trim_end_matches('/') {
        "" => pattern(directory),
        trimmed => pattern(trimmed),
    }
}

fn movable_sql(manifest: &Manifest, directory: &str) -> String {
    let mut sql = first_line(manifest);
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        sql,
        "-- For DuckDB 1.4 or later:  duckdb -init out/views.sql
-- Each commit rewrites this file with the parts that the manifest names. A session that has read it
-- answers from these parts, or fails if a later commit has replaced one: then read it again.
-- A dataset that has moved: SET VARIABLE dataset = '/new/place'; then read this file again.

{}{directory}{}
",
        DIRECTORY.0, DIRECTORY.1
    );
    add_views(&mut sql, manifest, None, &[String::new()]);
    sql
}

/// Adds all views; `roots` are the directories of several datasets. The parts are below the
/// directory `place`, a pattern; if `None`, below the path of the macro `dataset_path`.
fn add_views(sql: &mut String, manifest: &Manifest, place: Option<&str>, roots: &[String]) {
    let parts = manifest.parts();
    let parts_of = |table: &Table| {
        let is_of_view =
            |part: &&Part| part.table == table.name && together::is_read(table, part, roots);
        in_view(parts.values().copied().filter(is_of_view))
    };
    // With one dataset, no row can be in two.
    let is_together = roots.len() > 1;
    if is_together {
        together::add_datasets(sql, parts_of, place);
    }
    let guard = guard(&manifest.behind());
    for table in tables::all() {
        let parts = parts_of(table);
        if is_together && together::add(sql, table, &parts, place) {
            continue;
        }
        let paths = parts.iter().map(|part| part.path.as_str()).collect();
        let more = if table.is_derived() { &guard } else { "" };
        view(sql, table, paths, place, more);
    }
    sql.push_str("-- Well-known crawlers: who runs them, what for, whose group they take.\n");
    // Datasets that are queried together have the same catalogue.
    let catalog = format!("{}/{CATALOG}", roots[0]);
    let catalog = vec![catalog.trim_start_matches('/')];
    view(sql, tables::agent_catalog::table(), catalog, place, "");
    sql.push_str(
        "-- What changes from policy to policy, as `robostat diff DATASET` computes it.\n",
    );
    let mut diffs = vec![policy_diffs::FILE];
    diffs.retain(|file| manifest.files().contains_key(file));
    view(sql, policy_diffs::table(), diffs, place, "");
    sql.push('\n');
    let order = OrderOfCrawls {
        crawls: manifest.crawls(),
        drawn: manifest.drawn_parts(),
        draws: manifest.draws(),
    };
    sql.push_str(&order.render().expect("a template that cannot fail"));
    sql.push_str(&BUILT_ON_TABLES.join("\n"));
    sql.push_str(QUERIES);
}

/// Parts of a table as its view lists them: those with rows if there are any, and first the part
/// whose number of rows is nearest to the mean.
///
/// DuckDB estimates the rows of all files from the first, and chooses by this estimate which side
/// of a join it keeps in memory. After an empty part, counting responses took 1.7 times the
/// processor time, and twice the memory.
fn in_view<'p>(parts: impl Iterator<Item = &'p Part>) -> Vec<&'p Part> {
    let mut parts: Vec<&Part> = parts.collect();
    if parts.iter().any(|part| part.rows > 0) {
        parts.retain(|part| part.rows > 0);
    }
    let rows: u64 = parts.iter().map(|part| part.rows).sum();
    let mean = rows / (parts.len() as u64).max(1);
    let nearest = (0..parts.len()).min_by_key(|&number| parts[number].rows.abs_diff(mean));
    if let Some(nearest) = nearest {
        parts[..=nearest].rotate_right(1);
    }
    parts
}

/// The content of the file, for the dataset in `directory` and wherever it may move.
pub(super) fn file(manifest: &Manifest, directory: &str) -> String {
    let directory = literal(&pattern_of_directory(directory));
    SQL.close(&movable_sql(manifest, &directory))
}

/// What is wrong with the file's content `text`, and what to do; `None` if nothing is wrong.
pub(super) fn problem(manifest: &Manifest, text: &[u8]) -> Option<String> {
    let remedy = "the next `robostat ingest` into this directory writes it again";
    let problem = match SQL.check(text) {
        State::Intact if is_of(manifest, text) => return None,
        State::Intact => "it lists other parts than the manifest",
        State::Changed => "its checksum is wrong: bytes have changed since it was written",
        State::Missing => "it has no checksum: cut short, or written by something else",
    };
    Some(format!("{problem}; {remedy}"))
}

/// The view `crawls`, and its rows as constants, so that a query of one crawl reads only that
/// crawl's parts.
#[derive(Template)]
#[template(path = "order_of_crawls.sql.jinja", escape = "none")]
struct OrderOfCrawls<'m> {
    crawls: Vec<Crawl>,
    drawn: BTreeMap<&'m str, f64>,
    draws: BTreeMap<(&'m str, SampleDraw), [u64; 2]>,
}

impl OrderOfCrawls<'_> {
    fn overlaps(&self, crawl: &Crawl) -> String {
        let others = self.crawls.iter().filter(|it| it.label != crawl.label);
        labels(others.filter(|it| it.overlaps(crawl)))
    }

    fn untimed(&self) -> String {
        labels(self.crawls.iter().filter(|crawl| crawl.times.is_none()))
    }
}

/// The times of the first and the last capture of a crawl, and the day of the last one.
fn times(crawl: &Crawl) -> (String, String, String) {
    let times = crawl.times.as_ref().map(|it| [it.first, it.last]);
    let times = times.map(|times| times.map(timestamp_us_to_datetime));
    let [first, last] = times.unwrap_or_default();
    let time = |time: Option<NaiveDateTime>| or_null(time.map(|it| literal(&format!("{it}+00"))));
    let day = last.map(|it| literal(&it.date().to_string()));
    (time(first), time(last), or_null(day))
}

fn median_day(crawl: &Crawl) -> String {
    let times = crawl.times.as_ref();
    or_null(times.map(|it| it.median_day().to_string()))
}

fn or_null(value: Option<String>) -> String {
    value.unwrap_or_else(|| "NULL".to_owned())
}

fn labels<'c>(crawls: impl IntoIterator<Item = &'c Crawl>) -> String {
    list_of_texts(crawls.into_iter().map(|crawl| &crawl.label))
}

fn first_line(manifest: &Manifest) -> String {
    format!("{}of commit {}.\n", made_by(), last_commit(manifest))
}

/// Whether a file with a correct checksum belongs to the last commit. If another version of the
/// program wrote it, only the number of the commit is compared.
fn is_of(manifest: &Manifest, text: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(text) else {
        return false;
    };
    if !text.starts_with(&first_line(manifest)) {
        let line = text.lines().next().unwrap_or_default();
        let commit = format!(" of commit {}.", last_commit(manifest));
        return line.starts_with(HEAD) && line.ends_with(&commit) && !line.starts_with(&made_by());
    }
    let rest = text.split_once(DIRECTORY.0).map(|(_, rest)| rest);
    let directory = rest.and_then(|rest| rest.split_once(DIRECTORY.1));
    directory.is_some_and(|(directory, _)| SQL.close(&movable_sql(manifest, directory)) == text)
}

fn made_by() -> String {
    format!("{HEAD}{} ", env!("CARGO_PKG_VERSION"))
}

fn last_commit(manifest: &Manifest) -> u64 {
    manifest.commits.last().map_or(0, |commit| commit.sequence)
}

/// Makes a view of a derived table fail for crawls whose derived rows are older than captures.
fn guard(behind: &BTreeSet<String>) -> String {
    if behind.is_empty() {
        return String::new();
    }
    let crawls = behind.iter().map(|crawl| format!("({})", literal(crawl)));
    let crawls: Vec<String> = crawls.collect();
    format!(
        "
UNION ALL BY NAME SELECT crawl FROM (VALUES {}) AS behind(crawl)
WHERE error('the tables resolved, origins and hosts do not match the captures of crawl ' || crawl
    || ': the run that writes them is still going, or was interrupted; run it again') IS NULL",
        crawls.join(", ")
    )
}

/// The view of a table in the files at `paths` within the dataset; `more` follows it.
fn view(sql: &mut String, table: &Table, paths: Vec<&str>, place: Option<&str>, more: &str) {
    let query = if paths.is_empty() {
        let columns = describe::columns(table).map(|column| {
            let kind = describe::sql_name(&column.data_type);
            format!("NULL::{kind} AS {}", column.name)
        });
        let mut columns: Vec<String> = columns.collect();
        // The partition is last where a view reads parts.
        columns.rotate_left(usize::from(table.partition.is_some()));
        format!("SELECT {} WHERE false", columns.join(", "))
    } else {
        let (columns, filename) = match table.partition {
            None => ("*".to_owned(), ""),
            // The directory's name contains the value as `label::escape` writes it. With a filter
            // on the value, files of other values are not read.
            Some(partition) => (
                format!(
                    "* EXCLUDE (filename), url_decode(regexp_extract(filename, \
                     '/{partition}=([^/]*)/[^/]*$', 1)) AS {partition}"
                ),
                ", filename = true",
            ),
        };
        let parts = list(paths, place);
        format!(
            "SELECT {columns} FROM read_parquet([{parts}], hive_partitioning = false{filename}){more}"
        )
    };
    // Writing to a String cannot fail.
    let _ = writeln!(sql, "CREATE OR REPLACE VIEW {} AS {query};", table.name);
}

#[cfg(test)]
mod tests;
