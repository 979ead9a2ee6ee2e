//! Verification: whether a dataset is what its manifest says, and its tables fit each other.
//!
//! It goes from the outside in: [`commits`], then [`parts`] (files as they lie there), then their
//! [`rows`], then [`inputs`] against the rows that came of them, and the [`catalog`] last. A check that would need what an
//! earlier one found broken is not made, and says so: one missing part is one problem, not a
//! million dangling keys.
//!
//! No lock is taken. Another process may commit meanwhile: what it adds is not looked at, and
//! where it takes away what was being looked at, verification begins anew. Memory grows with the
//! number of distinct files (some 20 bytes each) and policies (some 60), and of inputs.

mod catalog;
mod commits;
mod inputs;
mod leftovers;
mod parts;
mod policies;
mod report;
mod rows;

use std::path::Path;

use super::manifest;
use crate::error::Error;

pub use report::{Check, Problem, Report};

/// Verifications begun when another process keeps changing what they look at.
const ATTEMPTS: usize = 3;

/// Verifies the dataset in `directory`. What is wrong with it is in the report; an error is a
/// directory that cannot be checked: it is none, holds no dataset, or one of another version.
pub fn verify(directory: &Path) -> Result<Report, Error> {
    let mut attempt = 1;
    loop {
        let (report, commits) = verify_once(directory)?;
        let is_settled = report.is_consistent()
            || attempt == ATTEMPTS
            || !manifest::commit_path(directory, commits + 1).exists();
        if is_settled {
            return Ok(report);
        }
        attempt += 1;
    }
}

/// The report, and the number of the last commit that it is about.
fn verify_once(directory: &Path) -> Result<(Report, u64), Error> {
    let has_manifest = std::fs::metadata(directory)
        .map_err(Error::io(directory))
        .map(|_| directory.join(manifest::DIRECTORY).is_dir())?;
    if !has_manifest {
        return Err(Error::Output {
            path: directory.to_owned(),
            message: "not a robostat dataset: it has no directory `manifest`".to_owned(),
        });
    }
    // Listed before the manifest is read: a part is published after the commit that names it, so
    // what lies there now and is not named then is stray.
    let on_disk = leftovers::list(directory)?;
    let commits = commits::read(directory)?;
    let parts = parts::check(directory, &commits.manifest);
    let leftovers = leftovers::check(directory, &commits, &on_disk);

    let mut broken = parts.broken;
    if !commits.check.is_ok() {
        for table in crate::dataset::tables::all() {
            broken.insert(table.name, "the manifest is broken".to_owned());
        }
    }
    let rows = rows::check(&parts.readable, &commits.manifest, broken);
    let mut checks = vec![commits.check];
    checks.extend(parts.checks);
    checks.extend(leftovers);
    checks.extend(rows);
    checks.push(catalog::check(directory));
    Ok((Report { checks }, commits.last))
}
