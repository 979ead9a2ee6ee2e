//! Compaction: small parts of a table that follow each other become one.
//!
//! Every query opens all the small parts that many small runs leave. A merged part is named after
//! the first and the last commit whose rows it holds, so that parts sort as before, rows stay in
//! their order, and no path is used twice. The merged parts are one commit. Until the replaced
//! parts are deleted, both take up space on the disk.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use super::manifest::{Manifest, Part};
use super::part_name::{commits_of, part_name};
use super::{Dataset, checksum, stored};
use crate::dataset::tables;
use crate::error::{Error, check_stop};

/// Larger parts stay as they are, so that repeated compactions do not rewrite them.
const LARGE_BYTES: u64 = 128 * 1024 * 1024;
const MERGED_BYTES: u64 = 256 * 1024 * 1024;
pub const SMALL_BYTES: u64 = 8 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    pub before: Size,
    pub after: Size,
    pub merged: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Size {
    pub parts: u64,
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

impl Dataset {
    /// Merges small parts, and makes derived tables that an interrupted run left behind. After an
    /// error, such as [`Error::Interrupted`] by `stop`, the parts stay as they were.
    pub fn compact(&mut self, stop: &AtomicBool) -> Result<Compaction, Error> {
        self.catch_up(stop)?;
        let before = Size::of(&self.manifest);
        let runs = plan(&self.manifest);
        let mut added = Vec::with_capacity(runs.len());
        for run in &runs {
            added.push(self.merge(run, stop)?);
        }
        let removed = runs.into_iter().flatten().map(|part| part.path);
        let removed: Vec<String> = removed.collect();
        let merged = removed.len() as u64;
        if merged > 0 {
            self.finish_commit(added, removed, &BTreeSet::new())?;
        }
        Ok(Compaction {
            before,
            after: Size::of(&self.manifest),
            merged,
        })
    }

    /// How many parts smaller than [`SMALL_BYTES`] a compaction would merge.
    pub fn small_parts(&self) -> usize {
        let parts = plan(&self.manifest).into_iter().flatten();
        parts.filter(|part| part.bytes < SMALL_BYTES).count()
    }

    fn merge(&self, parts: &[Part], stop: &AtomicBool) -> Result<Part, Error> {
        let table = parts[0].table().expect("a part of a table");
        let mut writer = self.part(table, merged_path(parts))?;
        for part in parts {
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

/// Groups of parts to merge: neighbours in a directory, so that rows keep their order.
fn plan(manifest: &Manifest) -> Vec<Vec<Part>> {
    let mut runs: Vec<Vec<Part>> = Vec::new();
    for part in tables::all().flat_map(|table| manifest.parts_of(table.name)) {
        if commits_of(&part.path).is_none() || part.bytes >= LARGE_BYTES {
            runs.push(Vec::new());
            continue;
        }
        let joins = |run: &&mut Vec<Part>| {
            let bytes = run.iter().map(|it| it.bytes).sum::<u64>() + part.bytes;
            let last = run.last();
            last.is_some_and(|it| directory(it) == directory(part)) && bytes <= MERGED_BYTES
        };
        match runs.last_mut().filter(joins) {
            Some(run) => run.push(part.clone()),
            None => runs.push(vec![part.clone()]),
        }
    }
    runs.retain(|run| run.len() > 1);
    runs
}

fn directory(part: &Part) -> &str {
    part.path.rsplit_once('/').map_or("", |(it, _)| it)
}

fn merged_path(parts: &[Part]) -> String {
    let commits = |part: &Part| commits_of(&part.path).expect("the path of a part");
    let (first, _) = commits(&parts[0]);
    let (_, last) = commits(&parts[parts.len() - 1]);
    format!("{}/{}", directory(&parts[0]), part_name(first, last))
}

#[cfg(test)]
mod tests;
