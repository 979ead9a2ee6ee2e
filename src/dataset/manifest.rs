//! The manifest: which part files belong to the dataset.
//!
//! `out/manifest/` holds one JSON file per commit, numbered from 1. Together they list every part
//! of the dataset, and the files outside of the tables, with their sizes and checksums. A part that
//! no commit lists does not belong to the dataset. A commit exists from the moment its file has
//! been renamed into place. The file holds a [checksum](super::seal) of itself.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::durable::replace_file;
use super::input::{CommittedInput, Fingerprint, Location, SampleDraw};
use super::panel::Panel;
use super::times::{Crawl, Times};
use super::{checksum, label, seal};
use crate::dataset::tables::{self, SCHEMA_VERSION, Table};
use crate::error::Error;

pub(super) const DIRECTORY: &str = "manifest";

/// The options that decide how bodies become rows; the same for every run into a dataset.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Most bytes of a body that are parsed.
    pub limit: usize,
    /// Most rows in `sitemaps` per file.
    pub max_sitemaps: usize,
    /// Whether `files.body` is filled.
    pub keep_bodies: bool,
}

impl Settings {
    pub(super) fn other_than(&self, other: &Self) -> String {
        let options = |it: &Self| {
            let bodies = if it.keep_bodies { "with" } else { "without" };
            [
                format!("with --limit {}", it.limit),
                format!("with --max-sitemaps {}", it.max_sitemaps),
                format!("{bodies} --keep-bodies"),
            ]
        };
        let mut own = Vec::from(options(self));
        own.retain(|option| !options(other).contains(option));
        own.join(" and ")
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    pub table: String,
    /// Path within the dataset, `/` between its components.
    pub path: String,
    pub rows: u64,
    pub bytes: u64,
    /// XXH3-64 of these bytes, in hexadecimal digits.
    pub xxh3: String,
    /// When its rows were fetched, if its table records that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
}

impl Part {
    /// Its table; `None` if this program has no such table.
    pub fn table(&self) -> Option<&'static Table> {
        tables::named(&self.table)
    }

    /// The value of its partition, decoded; `None` if its table has no partitions.
    pub fn partition(&self) -> Option<String> {
        let (column, value) = self.path.rsplit('/').nth(1)?.split_once('=')?;
        (self.table()?.partition == Some(column)).then(|| label::unescape(value))
    }
}

/// A file outside of the tables, which a commit replaces as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredFile {
    pub path: String,
    pub bytes: u64,
    /// XXH3-64 of these bytes, in hexadecimal digits.
    pub xxh3: String,
}

impl StoredFile {
    /// The file at `file`, that is or will be at `path` within the dataset.
    pub(super) fn of(file: &Path, path: &str) -> Result<Self, Error> {
        let mut opened = File::open(file).map_err(Error::io(file))?;
        Ok(Self {
            path: path.to_owned(),
            bytes: opened.metadata().map_err(Error::io(file))?.len(),
            xxh3: checksum::of(&mut opened).map_err(Error::io(file))?,
        })
    }

    pub(super) fn is_at(&self, file: &Path) -> bool {
        Self::of(file, &self.path).is_ok_and(|found| found == *self)
    }
}

/// Another place on the network that has the content of an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mirror {
    pub fingerprint: Fingerprint,
    pub location: Location,
}

/// One step from one state of the dataset to the next.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    pub schema_version: u32,
    pub robostat: String,
    /// The Public Suffix List that registrable domains were found with.
    pub public_suffix_list: String,
    /// Version of the shipped catalogue of crawlers that `agent_catalog` was made from.
    #[serde(default)]
    pub agent_catalog: String,
    pub sequence: u64,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub committed_at: i64,
    pub settings: Settings,
    /// The sites to which its captures are limited, if sites were chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub panel: Option<Panel>,
    pub inputs: Vec<CommittedInput>,
    /// Inputs of earlier commits whose rows no longer count; an input that is also in `inputs` was
    /// read again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced_inputs: Vec<Fingerprint>,
    /// Other places on the network with the content of inputs; they are not requested again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mirrors: Vec<Mirror>,
    pub added: Vec<Part>,
    /// Paths of parts that no longer count.
    pub removed: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<StoredFile>,
    /// Crawls whose captures have changed since their derived tables were made. A later commit of
    /// this run, or the next run, rebuilds the tables.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub behind: BTreeSet<String>,
}

impl Commit {
    /// An empty commit of the same run.
    pub(super) fn emptied(&self) -> Self {
        Self {
            public_suffix_list: self.public_suffix_list.clone(),
            settings: self.settings.clone(),
            panel: self.panel.clone(),
            ..Self::default()
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Manifest {
    pub commits: Vec<Commit>,
}

impl Manifest {
    /// Empty without commits. Fails if one is unreadable, damaged, missing or of another version.
    pub fn read(directory: &Path) -> Result<Self, Error> {
        let mut commits = Vec::new();
        loop {
            let number = commits.len() as u64 + 1;
            let path = commit_path(directory, number);
            let text = match fs::read(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == io::ErrorKind::NotFound => break,
                Err(error) => return Err(Error::io(&path)(error)),
            };
            let commit = parse(&text).map_err(|error| Error::unusable(&path, error.to_string()))?;
            if commit.sequence != number {
                let message = format!(
                    "it is commit {}, copied or renamed; remove it, or put commit {number} back",
                    commit.sequence
                );
                return Err(Error::unusable(path, message));
            }
            commits.push(commit);
        }
        let (next, last) = (commits.len() as u64 + 1, last_number(directory)?);
        if next <= last {
            // A new commit of this number would overwrite the lost commit's parts.
            let message = format!(
                "the commit is missing, though there is a commit {last}; put it back, or ingest \
                 into a new directory"
            );
            return Err(Error::unusable(commit_path(directory, next), message));
        }
        Ok(Self { commits })
    }

    pub fn parts(&self) -> BTreeMap<&str, &Part> {
        let mut parts = BTreeMap::new();
        for commit in &self.commits {
            for path in &commit.removed {
                parts.remove(path.as_str());
            }
            parts.extend(commit.added.iter().map(|part| (part.path.as_str(), part)));
        }
        parts
    }

    pub fn parts_of(&self, table: &str) -> impl Iterator<Item = &Part> {
        let parts = self.parts().into_values();
        parts.filter(move |part| part.table == table)
    }

    /// The crawls that have rows, in order of time.
    pub fn crawls(&self) -> Vec<Crawl> {
        let mut crawls: BTreeMap<String, Crawl> = BTreeMap::new();
        for part in self.parts().into_values().filter(|part| part.rows > 0) {
            let Some(label) = part.partition() else {
                continue;
            };
            let crawl = crawls.entry(label.clone()).or_default();
            crawl.label = label;
            Times::merge(&mut crawl.times, part.times.as_ref());
            if part.table == "captures" {
                crawl.captures += part.rows;
            }
        }
        let mut crawls: Vec<Crawl> = crawls.into_values().collect();
        crawls.sort_by(|one, other| one.place().cmp(&other.place()));
        crawls
    }

    pub(super) fn leave_out(&mut self, crawls: &BTreeSet<String>) {
        let is_of = |part: &Part| part.partition().is_some_and(|it| crawls.contains(&it));
        for commit in &mut self.commits {
            commit.added.retain(|part| !is_of(part));
            commit.inputs.retain(|input| !crawls.contains(&input.crawl));
            commit.behind.retain(|crawl| !crawls.contains(crawl));
        }
    }

    pub fn files(&self) -> BTreeMap<&str, &StoredFile> {
        let files = self.commits.iter().flat_map(|commit| &commit.files);
        files.map(|file| (file.path.as_str(), file)).collect()
    }

    pub fn behind(&self) -> BTreeSet<String> {
        let last = self.commits.last();
        last.map(|commit| commit.behind.clone()).unwrap_or_default()
    }

    /// The inputs that have rows, in the order in which they were committed.
    pub fn inputs(&self) -> Vec<&CommittedInput> {
        let mut inputs: Vec<&CommittedInput> = Vec::new();
        for commit in &self.commits {
            let replaced: HashSet<&Fingerprint> = commit.replaced_inputs.iter().collect();
            if !replaced.is_empty() {
                inputs.retain(|input| !replaced.contains(&input.fingerprint));
            }
            inputs.extend(&commit.inputs);
        }
        inputs
    }

    /// The draws at random by which inputs of each crawl were chosen: for each, the numbers of
    /// inputs and of their captures.
    pub fn draws(&self) -> BTreeMap<(&str, SampleDraw), [u64; 2]> {
        let mut draws = BTreeMap::new();
        for input in self.inputs() {
            if let Some(drawn) = input.drawn {
                let [taken, captures] = draws.entry((&*input.crawl, drawn)).or_default();
                *taken += 1;
                *captures += input.captures;
            }
        }
        draws
    }

    /// For each crawl that has a list of which a part was drawn at random: the smallest such part,
    /// with which no interval is too narrow.
    pub fn drawn_parts(&self) -> BTreeMap<&str, f64> {
        let mut parts = BTreeMap::new();
        for ((crawl, draw), [taken, _]) in self.draws() {
            #[expect(
                clippy::cast_precision_loss,
                reason = "lists have fewer than 2^53 inputs"
            )]
            let part = taken as f64 / draw.of as f64;
            let smallest = parts.entry(crawl).or_insert(part);
            *smallest = part.min(*smallest);
        }
        parts.retain(|_, part| *part < 1.0);
        parts
    }

    /// The sites to which all captures are limited; `None` if commits differ in their sites.
    pub fn panel(&self) -> Option<&Panel> {
        // A commit without inputs, such as a compaction, adds no captures.
        let commits = self.commits.iter().filter(|it| !it.inputs.is_empty());
        let mut panels = commits.map(|commit| commit.panel.as_ref());
        let first = panels.next()?;
        first.filter(|_| panels.all(|other| other == first))
    }

    /// Other places of inputs, in the order found; some of these inputs may have no rows by now.
    pub fn mirrors(&self) -> impl Iterator<Item = &Mirror> {
        self.commits.iter().flat_map(|commit| &commit.mirrors)
    }

    /// Durable on return. After a failed sync it may be on the disk; the next run then reads it.
    pub fn add(&mut self, directory: &Path, staging: &Path, commit: Commit) -> Result<(), Error> {
        let path = commit_path(directory, commit.sequence);
        let text = serde_json::to_string_pretty(&commit)
            .map_err(|error| Error::io(&path)(error.into()))?;
        // The checksum becomes its last member.
        let text = seal::JSON.close(text.trim_end_matches("\n}"));
        replace_file(staging, &path, text.as_bytes())?;
        self.commits.push(commit);
        Ok(())
    }
}

#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    #[error(
        "the dataset has tables of version {0}, this robostat has version {SCHEMA_VERSION}; \
         ingest into a new directory, or use the robostat that wrote it"
    )]
    Version(u64),
    #[error(
        "the commit is damaged: {0}; put back the file as it was, or ingest into a new directory"
    )]
    Damaged(&'static str),
    #[error("not a commit of robostat: {0}")]
    Text(#[from] serde_json::Error),
}

pub(super) fn parse(text: &[u8]) -> Result<Commit, Unreadable> {
    /// The member that every version of a commit has.
    #[derive(Deserialize)]
    struct VersionField {
        #[serde(default)]
        schema_version: u64,
    }
    let state = seal::JSON.check(text);
    if state == seal::State::Changed {
        return Err(Unreadable::Damaged("its checksum is wrong"));
    }
    let VersionField { schema_version } = serde_json::from_slice(text)?;
    if schema_version != u64::from(SCHEMA_VERSION) {
        return Err(Unreadable::Version(schema_version));
    }
    if state == seal::State::Missing {
        return Err(Unreadable::Damaged("it has no checksum"));
    }
    Ok(serde_json::from_slice(text)?)
}

/// The highest number of a commit of the dataset in `directory`; 0 without a commit.
pub(super) fn last_number(directory: &Path) -> Result<u64, Error> {
    let directory = directory.join(DIRECTORY);
    let mut last = 0;
    let entries = match fs::read_dir(&directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(Error::io(&directory))?,
    };
    for entry in entries {
        let name = entry.map_err(Error::io(&directory))?.file_name();
        let number = name.to_str().and_then(|name| name.strip_suffix(".json"));
        let number = number.and_then(|number| number.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}

pub(super) fn commit_path(directory: &Path, sequence: u64) -> PathBuf {
    directory.join(format!("{DIRECTORY}/{sequence:06}.json"))
}
