//! What lies in the tables' directories and does not belong to the dataset: readers that take
//! every file of a directory would read it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use super::commits::Commits;
use super::report::{Check, Problem};
use crate::dataset::tables;
use crate::error::Error;

/// Time that another process may need between a commit and its publication.
pub(super) const PATIENCE: Duration = Duration::from_secs(1);
/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// Waits, but for [`PATIENCE`] from `begun` at most, until `is_settled`; whether it is.
pub(super) fn wait_until(begun: Instant, is_settled: impl Fn() -> bool) -> bool {
    while !is_settled() {
        if begun.elapsed() >= PATIENCE {
            return false;
        }
        std::thread::sleep(PAUSE);
    }
    true
}

/// Paths within the dataset of the Parquet files in its tables' directories.
pub(super) fn list(directory: &Path) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    for table in tables::all() {
        add(&directory.join(table.name), table.name, &mut found)?;
    }
    Ok(found)
}

fn add(directory: &Path, within: &str, found: &mut BTreeSet<String>) -> Result<(), Error> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        // A table without any part; where there should be one, it is missed elsewhere.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(Error::io(directory)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(Error::io(directory))?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let kind = entry.file_type().map_err(Error::io(entry.path()))?;
        let within = format!("{within}/{name}");
        if kind.is_dir() {
            add(&entry.path(), &within, found)?;
        } else if Path::new(&name)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
        {
            found.insert(within);
        }
    }
    Ok(())
}

/// Looks for files that no commit names, and for parts that a commit has removed.
pub(super) fn check(directory: &Path, commits: &Commits, on_disk: &BTreeSet<String>) -> [Check; 2] {
    let begun = Instant::now();
    let live = commits.manifest.parts();
    let mut stray = Check::new("no stray parts", "files");
    let mut replaced = Check::new("replaced parts are gone", "parts");
    let mut removed: BTreeSet<&str> = BTreeSet::new();
    let mut last_removed: BTreeSet<&str> = BTreeSet::new();
    for commit in &commits.manifest.commits {
        last_removed = commit.removed.iter().map(String::as_str).collect();
        removed.extend(&last_removed);
    }
    replaced.checked = removed.len() as u64;
    for path in on_disk {
        stray.checked += 1;
        if live.contains_key(path.as_str()) {
            continue;
        }
        let table = path.split('/').next();
        if !removed.contains(path.as_str()) {
            let message = "no commit names this file; move it away";
            stray.problems.push(Problem::of_file(table, path, message));
        } else if !wait_until(begun, || !directory.join(path).exists()) {
            let message = if last_removed.contains(path.as_str()) {
                "replaced by the last commit, which was interrupted; the next `robostat ingest` into this directory removes it"
            } else {
                "replaced by an earlier commit; remove it"
            };
            replaced
                .problems
                .push(Problem::of_file(table, path, message));
        }
    }
    if !commits.check.is_ok() {
        // Parts of a commit that cannot be read would look stray.
        stray.problems.clear();
        stray.not_checked = Some("the manifest is broken".to_owned());
    }
    [stray, replaced]
}
