//! Data cards: descriptions of a dataset for publication, in formats that other programs read.
//!
//! A card lists every Parquet part with its size and SHA-256, every table and column with its
//! meaning, the licence, and how the dataset was made. Search engines for datasets and
//! machine-learning hubs read [`Croissant`](croissant); research data tools read a [Data
//! Package](data_package). Both describe the parts in place: nothing is copied. The cards of the
//! [Hugging Face Hub](hugging_face) and of [Zenodo](zenodo) are a [`readme`] with the metadata that
//! each of them requires. [`duckdb`] and [`ducklake`] are not cards: they write `views.sql`, or a
//! catalogue to attach, for readers of a copy elsewhere.

pub mod croissant;
pub mod data_package;
pub mod duckdb;
pub mod ducklake;
pub mod hugging_face;
pub mod readme;
pub mod zenodo;

use std::collections::BTreeMap;

use arrow_array::temporal_conversions::timestamp_us_to_datetime;
use askama::Template;
use clap::Args;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde_json::Value;

use super::tables::describe::Column;
use super::tables::{self, Table, damage};
use super::{Commit, Panel, Snapshot, checksum, no_dataset};
use crate::error::Error;

/// The description of a dataset if its publisher gives none.
const DESCRIPTION: &str = "Archived robots.txt files as tables: what each site allowed which \
                           crawler to fetch, and when.";

const KEYWORDS: [&str; 5] = [
    "robots.txt",
    "web crawlers",
    "AI training",
    "opt-out",
    "web archive",
];

/// The publisher's description of the dataset: arguments of `robostat export`.
#[derive(Debug, Clone, Default, Args)]
pub struct Details {
    /// The licence of the dataset: an SPDX identifier such as CC-BY-4.0, or a URL. A card needs it.
    #[arg(long, value_name = "LICENCE")]
    pub license: Option<String>,
    /// A short name of lower-case letters, digits, `-`, `_` and `.`, such as robots-2026-08. A
    /// card needs it.
    #[arg(long)]
    pub name: Option<String>,
    /// A title [default: the name].
    #[arg(long)]
    pub title: Option<String>,
    /// What the dataset is; a text on how it was made follows.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Who made the dataset, a person or an organisation; may be repeated. Zenodo needs one.
    #[arg(long = "creator", value_name = "NAME")]
    pub creators: Vec<String>,
    /// The page of the dataset.
    #[arg(long)]
    pub url: Option<String>,
    /// Where the files will be published; without it, paths are relative to OUT.
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// The day of publication [default: day of the last commit].
    #[arg(long, value_name = "YYYY-MM-DD")]
    pub published: Option<String>,
    /// The version of the dataset, such as 1.0.0.
    #[arg(long, value_name = "VERSION")]
    pub dataset_version: Option<String>,
    /// How to cite the dataset [default: a BibTeX entry of the above].
    #[arg(long, value_name = "TEXT")]
    pub citation: Option<String>,
}

impl Details {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }

    fn license(&self) -> &str {
        self.license.as_deref().unwrap_or_default()
    }

    fn has_license_url(&self) -> bool {
        self.license().contains("://")
    }

    fn license_url(&self) -> String {
        if self.has_license_url() {
            self.license().to_owned()
        } else {
            format!("https://spdx.org/licenses/{}.html", self.license())
        }
    }

    fn place(&self, path: &str) -> String {
        match &self.base_url {
            // The path may have escapes of a label, which a URL escapes once more.
            Some(base) => [base.trim_end_matches('/'), &path.replace('%', "%25")].join("/"),
            None => path.to_owned(),
        }
    }

    /// The creators as `described` renders them; `None` without creators.
    fn creators(&self, described: impl Fn(&String) -> Value) -> Option<Vec<Value>> {
        let creators: Vec<Value> = self.creators.iter().map(described).collect();
        (!creators.is_empty()).then_some(creators)
    }

    fn title(&self) -> &str {
        self.title.as_deref().unwrap_or(self.name())
    }
}

#[derive(Debug)]
pub struct Card {
    pub details: Details,
    pub tables: Vec<DescribedTable>,
    /// The crawls with their labels, in order of time.
    pub crawls: Vec<(String, Crawl)>,
    total: Crawl,
    /// The first and the last fetch time, microseconds since 1970-01-01T00:00:00Z.
    pub period: Option<[i64; 2]>,
    pub last: Commit,
    pub panel: Option<Panel>,
}

#[derive(Debug)]
pub struct DescribedTable {
    pub table: &'static Table,
    pub files: Vec<DescribedFile>,
}

impl DescribedTable {
    /// Rows; `None` if the manifest does not count them.
    fn rows(&self) -> Option<u64> {
        self.files.iter().map(|file| file.rows).sum()
    }

    fn description(&self) -> String {
        match self.rows() {
            Some(rows) => format!("{} Rows: {rows}.", self.table.comment),
            None => self.table.comment.clone(),
        }
    }
}

#[derive(Debug)]
pub struct DescribedFile {
    pub path: String,
    pub bytes: u64,
    /// Rows; `None` if the manifest does not count them.
    pub rows: Option<u64>,
    pub sha256: String,
}

#[derive(Debug, Default)]
pub struct Crawl {
    pub inputs: u64,
    pub bytes: u64,
    pub captures: u64,
    pub damaged: u64,
}

impl Card {
    /// Describes the dataset. Every part is read, on the threads of `pool`.
    ///
    /// Fails if a part cannot be read, or has changed since it was committed.
    pub fn of(snapshot: &Snapshot, details: Details, pool: &ThreadPool) -> Result<Self, Error> {
        let manifest = &snapshot.manifest;
        let Some(last) = manifest.commits.last() else {
            return Err(no_dataset(&snapshot.directory));
        };
        let describe = |(path, bytes, rows, xxh3): (&String, _, _, &String)| {
            Ok::<_, Error>(DescribedFile {
                path: path.clone(),
                bytes,
                rows,
                sha256: checksum::sha256_of(&snapshot.directory.join(path), xxh3)?,
            })
        };
        let mut tables = Vec::new();
        for table in tables::documented() {
            let parts = manifest.parts_of(table.name);
            let parts = parts.map(|it| (&it.path, it.bytes, Some(it.rows), &it.xxh3));
            // A table that is written as a whole is one file.
            let whole = format!("{}.parquet", table.name);
            let whole = manifest.files().get(whole.as_str()).copied();
            let whole = whole.map(|it| (&it.path, it.bytes, None, &it.xxh3));
            let files: Vec<_> = parts.chain(whole).collect();
            if !files.is_empty() {
                let files = files.into_par_iter().map(describe);
                let files = pool.install(|| files.collect::<Result<_, _>>())?;
                tables.push(DescribedTable { table, files });
            }
        }
        let mut crawls: BTreeMap<String, Crawl> = BTreeMap::new();
        let mut total = Crawl::default();
        for input in manifest.inputs() {
            let crawl = crawls.entry(input.crawl.clone()).or_default();
            for count in [crawl, &mut total] {
                count.inputs += 1;
                count.bytes += input.bytes;
                count.captures += input.captures;
                count.damaged += u64::from(input.is_damaged || input.is_missing());
            }
        }
        let in_time = manifest.crawls();
        let mut crawls = Vec::from_iter(crawls);
        crawls.sort_by_key(|(label, _)| in_time.iter().position(|it| it.label == *label));
        let times = in_time.iter().filter_map(|crawl| crawl.times.as_ref());
        let times = times.map(|times| [times.first, times.last]);
        let period = times.reduce(|one, other| [one[0].min(other[0]), one[1].max(other[1])]);
        Ok(Self {
            details,
            tables,
            crawls,
            total,
            period,
            last: last.clone(),
            panel: manifest.panel().cloned(),
        })
    }

    fn making(&self) -> String {
        let rows = |name| {
            let table = self.tables.iter().find(|it| it.table.name == name);
            table.and_then(DescribedTable::rows).unwrap_or(0)
        };
        rendered(&Making {
            card: self,
            labels: self.crawls.iter().map(|(label, _)| &**label).collect(),
            days: self.period.map(|period| period.map(day)),
            damage: rows(damage::table().name),
            pages: rows("pages"),
        })
    }

    /// The unit of the bytes that were read.
    fn read_bytes(&self) -> &'static str {
        if self.panel.is_some() {
            "bytes of these captures"
        } else {
            "bytes"
        }
    }

    fn description(&self) -> String {
        let given = self.details.description.as_deref().map(str::trim);
        let given = given.filter(|text| !text.is_empty());
        let given = given.unwrap_or(DESCRIPTION);
        format!("{given} {}", self.making())
    }

    fn published(&self) -> String {
        let given = self.details.published.clone();
        given.unwrap_or_else(|| day(self.last.committed_at))
    }

    fn citation(&self) -> String {
        let details = &self.details;
        if let Some(citation) = &details.citation {
            return citation.clone();
        }
        let published = self.published();
        let year = published.split('-').next().unwrap_or_default();
        let mut fields = format!("title = {{{}}}", details.title());
        if !details.creators.is_empty() {
            fields = format!("author = {{{}}}, {fields}", details.creators.join(" and "));
        }
        if let Some(url) = &details.url {
            fields = format!("{fields}, url = {{{url}}}");
        }
        format!("@misc{{{}, {fields}, year = {{{year}}}}}", details.name())
    }
}

/// How and from which archives the dataset was made, and how much could not be read.
#[derive(Template)]
#[template(path = "making.txt.jinja", escape = "none")]
struct Making<'c> {
    card: &'c Card,
    labels: Vec<&'c str>,
    days: Option<[String; 2]>,
    /// Rows in tables.
    damage: u64,
    pages: u64,
}

fn meaning(column: &Column<'_>) -> String {
    let words = column.words.iter().flatten().map(|word| word.name);
    let words: Vec<&str> = words.collect();
    if words.is_empty() {
        column.meaning.to_owned()
    } else {
        format!("{} Values: {}.", column.meaning, words.join(", "))
    }
}

/// A card or a part of one, without the members that are null.
fn without_nulls(mut card: Value) -> Value {
    if let Some(members) = card.as_object_mut() {
        members.retain(|_, value| !value.is_null());
    }
    card
}

/// Text in quotes for YAML, which accepts JSON.
fn quoted(text: impl AsRef<str>) -> String {
    Value::from(text.as_ref()).to_string()
}

fn rendered(template: &impl Template) -> String {
    template.render().expect("a template that cannot fail")
}

fn key(table: &Table) -> Option<&'static str> {
    match table.name {
        "files" => Some("file_id"),
        "policies" => Some("policy_id"),
        "agent_catalog" => Some("product_token"),
        _ => None,
    }
}

fn archives(number: u64) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} archive{s}")
}

/// The day of a point in time, microseconds since 1970-01-01T00:00:00Z, in UTC: `YYYY-MM-DD`.
fn day(micros: i64) -> String {
    timestamp_us_to_datetime(micros).map_or_else(String::new, |time| time.date().to_string())
}

#[cfg(test)]
mod tests;
