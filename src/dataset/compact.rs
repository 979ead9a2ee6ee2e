//! Compaction: small parts of a table that follow each other become one.
//!
//! Every commit adds a part per table, so a dataset of many small runs has many small parts, and
//! every query opens them all. A merged part is named after the first and the last
//! commit whose rows it holds (`part-000003-000012.parquet`), so that parts sort as before, rows
//! stay in their order, and no path is used twice.
//!
//! The merged parts are one commit: a process that dies before it leaves the dataset as it was.
//! Until then they take as much room on the disk as the parts that they replace.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use super::manifest::{Commit, Manifest, Part};
use super::part_name::PartName;
use super::{Dataset, checksum, stored};
use crate::dataset::tables::{self, Table};
use crate::error::{Error, check_stop};

/// Parts of this many bytes and more stay as they are, so that a compaction does not write again
/// what the last one wrote.
const LARGE_BYTES: u64 = 128 * 1024 * 1024;
/// The maximum size in bytes of a merged part.
const MERGED_BYTES: u64 = 256 * 1024 * 1024;
/// Parts with fewer bytes than this are small.
pub const SMALL_BYTES: u64 = 8 * 1024 * 1024;

/// What a compaction did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    /// Parts of the dataset before, and their bytes.
    pub before: Size,
    /// Parts of the dataset after, and their bytes.
    pub after: Size,
    /// Parts that were merged into others.
    pub merged: u64,
}

/// The parts of a dataset.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    /// How many.
    pub parts: u64,
    /// Their bytes.
    pub bytes: u64,
}

impl Size {
    fn of(manifest: &Manifest) -> Self {
        let parts = manifest.parts();
        Self {
            parts: parts.len() as u64,
            bytes: parts.values().map(|part| part.bytes).sum(),
        }
    }
}

/// Parts that become one, in order, and its path.
struct Run {
    table: &'static Table,
    parts: Vec<Part>,
    path: String,
}

impl Dataset {
    /// Merges small parts, and makes derived tables that an interrupted run left behind. `stop` set
    /// from outside ends it with [`Error::Interrupted`].
    ///
    /// Fails if a part is not what the manifest says, or cannot be read or written; the dataset
    /// stays as it was.
    pub fn compact(&mut self, stop: &AtomicBool) -> Result<Compaction, Error> {
        self.catch_up(stop)?;
        let before = Size::of(&self.manifest);
        let runs = plan(&self.manifest);
        let mut added = Vec::with_capacity(runs.len());
        for run in &runs {
            added.push(self.merge(run, stop)?);
        }
        let removed: Vec<String> = runs
            .into_iter()
            .flat_map(|run| run.parts)
            .map(|part| part.path)
            .collect();
        let merged = removed.len() as u64;
        if merged > 0 {
            let commit = Commit {
                added,
                removed,
                ..Commit::default()
            };
            self.finish_commit(commit, &BTreeSet::new())?;
        }
        Ok(Compaction {
            before,
            after: Size::of(&self.manifest),
            merged,
        })
    }

    /// How many parts smaller than [`SMALL_BYTES`] a compaction would merge.
    pub fn small_parts(&self) -> usize {
        let runs = plan(&self.manifest);
        let parts = runs.iter().flat_map(|run| &run.parts);
        parts.filter(|part| part.bytes < SMALL_BYTES).count()
    }

    /// Writes the part that a run becomes, aside.
    fn merge(&self, run: &Run, stop: &AtomicBool) -> Result<Part, Error> {
        let mut writer = self.part(run.table, run.path.clone())?;
        for part in &run.parts {
            let file = self.directory.join(&part.path);
            checksum::check(&file, &part.xxh3)?;
            for batch in stored::open(&file, None)? {
                check_stop(stop)?;
                writer.push(batch?)?;
            }
        }
        writer.close()
    }
}

/// The parts that are to become one. Only neighbours in a directory are merged, so that rows stay
/// in their order.
fn plan(manifest: &Manifest) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for table in tables::all() {
        let mut open: Vec<&Part> = Vec::new();
        for part in manifest.parts_of(table.name) {
            let is_small = PartName::of(&part.path).is_some() && part.bytes < LARGE_BYTES;
            let directory = |part: &Part| part.path.rsplit_once('/').map(|(it, _)| it.to_owned());
            let is_beside = open
                .last()
                .is_some_and(|it| directory(it) == directory(part));
            let bytes = open.iter().map(|it| it.bytes).sum::<u64>() + part.bytes;
            if !(is_small && is_beside && bytes <= MERGED_BYTES) {
                runs.extend(run(table, &std::mem::take(&mut open)));
            }
            if is_small {
                open.push(part);
            }
        }
        runs.extend(run(table, &open));
    }
    runs
}

/// The merger of neighbours; none of a single part.
fn run(table: &'static Table, parts: &[&Part]) -> Option<Run> {
    let [first, .., last] = parts else {
        return None;
    };
    let (directory, _) = first.path.rsplit_once('/')?;
    let name = PartName::of(&first.path)?.through(PartName::of(&last.path)?);
    Some(Run {
        table,
        parts: parts.iter().map(|part| (*part).clone()).collect(),
        path: format!("{directory}/{name}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |_, directories| {
            let mut commit = Commit::default();
            for mut parts in directories.map(str::split_whitespace) {
                let directory = parts.next().unwrap_or_default();
                let part = |part: &str| {
                    let (commits, mib) = part.split_once(':').expect("commits and a size");
                    Part {
                        table: directory.split('/').next().unwrap_or_default().to_owned(),
                        path: format!("{directory}/part-{commits}.parquet"),
                        bytes: mib.parse::<u64>().expect("a size") * 1024 * 1024,
                        ..Part::default()
                    }
                };
                commit.added.extend(parts.map(part));
            }
            let commits = vec![commit];
            let runs = plan(&Manifest { commits }).into_iter();
            let merged: Vec<String> = runs.map(|run| run.path).collect();
            merged.join(" ")
        });
    }
}
