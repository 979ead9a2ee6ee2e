//! The manifest: which part files count.
//!
//! `out/manifest/` holds one JSON file per commit, numbered from 1. Together they name every part
//! that belongs to the dataset; a part that no commit names is not there. A commit exists from the
//! moment its file has been renamed into place.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use warc_recovery::input::{self, Input, Source};

use crate::dataset::tables::SCHEMA_VERSION;
use crate::error::Error;

/// Directory of the commits, within the dataset.
pub(super) const DIRECTORY: &str = "manifest";

/// What decides how bodies become rows; the same for every run into a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// Bytes of a body that are parsed.
    pub limit: usize,
    /// Rows in `sitemaps` per file.
    pub max_sitemaps: usize,
    /// Whether `files.body` is filled.
    pub keep_bodies: bool,
}

/// A part file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// The table.
    pub table: String,
    /// Path within the dataset, `/` between its components.
    pub path: String,
    /// Rows.
    pub rows: u64,
    /// Bytes.
    pub bytes: u64,
    /// XXH3-64 of these bytes, in hexadecimal digits.
    pub xxh3: String,
}

/// What tells one input file from another across runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Fingerprint {
    /// The path as it was given; `stream-` and the XXH3-64 hash of its content for standard input
    /// and pipes.
    pub path: String,
    /// Bytes.
    pub bytes: u64,
    /// Modification time, microseconds since 1970-01-01T00:00:00Z; 0 for a stream.
    pub modified: i64,
}

impl Fingerprint {
    /// The fingerprint of an open input.
    #[must_use]
    pub fn of(input: &Input) -> Self {
        Self {
            path: input.name().to_owned(),
            bytes: input.len(),
            modified: input.modified(),
        }
    }

    /// The fingerprint that `source` would have when opened, without opening it: none for what can
    /// be read only once.
    #[must_use]
    pub fn of_source(source: &Source) -> Option<Self> {
        let Source::Path(path) = source else {
            return None;
        };
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Some(Self {
            path: path.to_string_lossy().into_owned(),
            bytes: metadata.len(),
            modified: metadata.modified().map_or(0, input::micros),
        })
    }
}

/// An input that a commit brought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommittedInput {
    /// The file as it was.
    #[serde(flatten)]
    pub fingerprint: Fingerprint,
    /// Its crawl.
    pub crawl: String,
}

/// One step from one state of the dataset to the next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// Version of the tables.
    pub schema_version: u32,
    /// The program that wrote it.
    pub robostat: String,
    /// The Public Suffix List that registrable domains are of.
    pub public_suffix_list: String,
    /// Position, from 1.
    pub sequence: u64,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub committed_at: i64,
    /// How bodies become rows.
    pub settings: Settings,
    /// What was read.
    pub inputs: Vec<CommittedInput>,
    /// Parts that count from here on.
    pub added: Vec<Part>,
    /// Paths of parts that no longer count.
    pub removed: Vec<String>,
}

/// All commits of a dataset, and what follows from them.
#[derive(Debug, Default)]
pub struct Manifest {
    /// Commits, in order.
    pub commits: Vec<Commit>,
}

impl Manifest {
    /// Reads the manifest of the dataset in `directory`; empty where there is none.
    pub fn read(directory: &Path) -> Result<Self, Error> {
        let mut commits = Vec::new();
        loop {
            let path = commit_path(directory, commits.len() as u64 + 1);
            let text = match fs::read(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => break,
                Err(error) => return Err(Error::io(&path)(error)),
            };
            let commit = parse(&text).map_err(|unreadable| Error::Manifest {
                path: path.clone(),
                message: unreadable.to_string(),
            })?;
            commits.push(commit);
        }
        let (next, last) = (commits.len() as u64 + 1, last_number(directory)?);
        if next <= last {
            // To write this commit anew would put other parts in the places of the lost one's.
            return Err(Error::Manifest {
                path: commit_path(directory, next),
                message: format!(
                    "the commit is missing, though there is a commit {last}; put it back, or ingest into a new directory"
                ),
            });
        }
        Ok(Self { commits })
    }

    /// Parts that count, by path.
    #[must_use]
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

    /// The inputs that were read, each in its latest state, by path.
    #[must_use]
    pub fn inputs(&self) -> BTreeMap<&str, &CommittedInput> {
        self.commits
            .iter()
            .flat_map(|commit| &commit.inputs)
            .map(|input| (input.fingerprint.path.as_str(), input))
            .collect()
    }

    /// Makes `commit` exist in the dataset in `directory`; returns when it is durable.
    pub fn add(&mut self, directory: &Path, staging: &Path, commit: Commit) -> Result<(), Error> {
        let aside = staging.join("commit.json");
        let text =
            serde_json::to_vec_pretty(&commit).map_err(|error| Error::io(&aside)(error.into()))?;
        let mut file = File::create(&aside).map_err(Error::io(&aside))?;
        file.write_all(&text)
            .and_then(|()| file.sync_all())
            .map_err(Error::io(&aside))?;
        let path = commit_path(directory, commit.sequence);
        fs::rename(&aside, &path).map_err(Error::io(&path))?;
        super::sync_directory(&directory.join(DIRECTORY))?;
        self.commits.push(commit);
        Ok(())
    }
}

/// Why a commit cannot be read.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unreadable {
    /// It is of another version of the tables, or says none (0).
    #[error(
        "the dataset has tables of version {0}, this robostat has version {SCHEMA_VERSION}; \
         ingest into a new directory, or use the robostat that wrote it"
    )]
    Version(u64),
    /// It is no JSON, or not that of a commit.
    #[error("not a commit of robostat: {0}")]
    Text(#[from] serde_json::Error),
}

/// A commit from its file's content.
pub(super) fn parse(text: &[u8]) -> Result<Commit, Unreadable> {
    let value: serde_json::Value = serde_json::from_slice(text)?;
    let version = value
        .get("schema_version")
        .and_then(serde_json::Value::as_u64)
        .unwrap_or_default();
    if version == u64::from(SCHEMA_VERSION) {
        Ok(serde_json::from_value(value)?)
    } else {
        Err(Unreadable::Version(version))
    }
}

/// The highest number that a commit of the dataset in `directory` has; 0 where there is none.
pub(super) fn last_number(directory: &Path) -> Result<u64, Error> {
    let directory = directory.join(DIRECTORY);
    let mut last = 0;
    let entries = match fs::read_dir(&directory) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(0),
        entries => entries.map_err(Error::io(&directory))?,
    };
    for entry in entries {
        let name = entry.map_err(Error::io(&directory))?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_suffix(".json"))
            .and_then(|number| number.parse().ok());
        last = last.max(number.unwrap_or(0));
    }
    Ok(last)
}

/// Path of the commit numbered `sequence` of the dataset in `directory`.
pub(super) fn commit_path(directory: &Path, sequence: u64) -> PathBuf {
    directory
        .join(DIRECTORY)
        .join(format!("{sequence:06}.json"))
}
