//! Verification: whether a dataset matches its manifest, and its tables fit each other.
//!
//! It goes from the outside in: [`commits`], [`parts`] (the files), their [`rows`], the tables
//! [`derived`] from these, [`inputs`] against the rows made from them, the other [`files`] and the
//! tables that are one [`whole`] file. A check that depends on a broken part is reported as
//! skipped, so that a missing part is one problem, not a million dangling keys.
//!
//! Another process may commit meanwhile. The files to check are listed while it publishes nothing
//! (see [`super::lock`]), which blocks it only for that time. Files that it adds later are not
//! checked; if it removes files under verification, verification starts again. Memory grows with
//! the number of distinct files (some 30 bytes each) and policies (some 70), and of inputs.

mod commits;
mod derived;
mod files;
mod inputs;
mod parts;
mod report;
mod rows;
#[cfg(test)]
mod tests;
mod whole;

use std::path::Path;

use super::catalog::table::TABLE as CATALOG;
use super::manifest::{self, Manifest};
use super::tables::{self, policy_diffs::FILE as DIFFS};
use super::{listing, lock, no_dataset};
use crate::error::Error;

pub use report::{Check, Problem, State, Verification};

/// Attempts at a verification while another process keeps removing files under it.
const ATTEMPTS: usize = 10;

/// Fails without a dataset of this version, and if another process keeps replacing its files.
pub fn verify(directory: &Path) -> Result<Verification, Error> {
    for _ in 0..ATTEMPTS {
        let (report, manifest, last) = verify_once(directory)?;
        if report.state() != State::Inconsistent || !has_lost_parts(directory, &manifest, last)? {
            return Ok(report);
        }
    }
    Err(Error::unusable(
        directory,
        "another robostat keeps replacing parts of this dataset; verify it when that one \
         has ended",
    ))
}

/// Whether a commit after `seen` has replaced a part or file that `manifest` lists.
fn has_lost_parts(directory: &Path, manifest: &Manifest, seen: u64) -> Result<bool, Error> {
    let _settled = lock::settled(directory);
    let (parts, files) = (manifest.parts(), manifest.files());
    for number in seen + 1..=manifest::last_number(directory)? {
        let commit = std::fs::read(manifest::commit_path(directory, number)).ok();
        let commit = commit.and_then(|text| manifest::parse(&text).ok());
        // A commit that cannot be read is reported when verification starts again.
        let is_lost = commit.is_none_or(|commit| {
            let (mut removed, mut replaced) = (commit.removed.iter(), commit.files.iter());
            removed.any(|path| parts.contains_key(path.as_str()))
                || replaced.any(|file| files.contains_key(file.path.as_str()))
        });
        if is_lost {
            return Ok(true);
        }
    }
    Ok(false)
}

fn verify_once(directory: &Path) -> Result<(Verification, Manifest, u64), Error> {
    let has_manifest = std::fs::metadata(directory)
        .map_err(Error::io(directory))
        .map(|_| directory.join(manifest::DIRECTORY).is_dir())?;
    if !has_manifest {
        return Err(no_dataset(directory));
    }
    let settled = lock::settled(directory);
    let on_disk = listing::list(directory)?;
    let commits = commits::read(directory)?;
    let is_whole = commits.check.is_ok();
    let located = parts::locate(directory, &commits.manifest, is_whole);
    let files = files::check(directory, &commits);
    let catalog = files::path(directory, &commits, CATALOG);
    let diffs = commits.manifest.files().contains_key(DIFFS);
    let diffs = diffs.then(|| files::path(directory, &commits, DIFFS));
    let views = files::check_views(directory, &commits);
    drop(settled);
    let leftovers = files::check_leftovers(&commits, &on_disk);
    let (mut parts, [as_written, places, columns, n_rows, values]) = parts::check(located);
    if !is_whole {
        for table in tables::all() {
            let why = "the manifest is broken".to_owned();
            parts.broken.insert(table.name, why);
        }
    }
    let mut broken = parts.broken.iter();
    let unreadable = broken.find(|(table, _)| derived::depends_on(table));
    let mut unreadable = unreadable.map(|(_, why)| why.clone());
    let rows = rows::check(&parts, &commits.manifest);
    let problems = rows.iter().flat_map(|check| &check.problems);
    let mut tables = problems.filter_map(|problem| problem.table.as_deref());
    if tables.any(|table| derived::depends_on(table) || table == "inputs") {
        unreadable.get_or_insert_with(|| "a table that they depend on is broken".to_owned());
    }
    let made = derived::check(&parts.readable, &commits.manifest, unreadable);
    let is_as_written = files.is_ok() || files.is_interrupted();
    let whole = [
        Some(whole::check_catalog(&catalog, is_as_written)),
        diffs.map(|path| whole::check_diffs(&path, is_as_written)),
    ];
    let mut checks = vec![commits.check, as_written, places, columns, n_rows];
    checks.extend(leftovers);
    checks.push(values);
    checks.extend(rows);
    checks.extend([made, files, views]);
    checks.extend(whole.into_iter().flatten());
    Ok((Verification { checks }, commits.manifest, commits.last))
}
