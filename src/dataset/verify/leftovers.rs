//! Files in the tables' directories that do not belong to the dataset. Readers that take every file
//! of a directory would read them.

use std::collections::BTreeSet;

use super::commits::Commits;
use super::report::Check;

/// Looks for files that no commit names, and for parts that a commit has removed. `on_disk` was
/// listed while no commit was being published.
pub(super) fn check(commits: &Commits, on_disk: &BTreeSet<String>) -> [Check; 2] {
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
        if removed.contains(path.as_str()) {
            let is_interruption = last_removed.contains(path.as_str());
            let message = if is_interruption {
                "replaced by the last commit, and not yet removed; the next `robostat ingest` into \
                 this directory removes it"
            } else {
                "replaced by an earlier commit; remove it"
            };
            replaced.fail(table, path, message).is_interruption = is_interruption;
        } else {
            stray.fail(table, path, "no commit names this file; move it away");
        }
    }
    if !commits.check.is_ok() {
        // Parts of a commit that cannot be read would look stray.
        stray.problems.clear();
        stray.not_checked = Some("the manifest is broken".to_owned());
    }
    [stray, replaced]
}
