//! Files other than live parts: files outside of the tables, each byte as written; `views.sql` from
//! the last commit; and files in the tables' directories that do not belong to the dataset, which
//! readers of whole directories would read.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::super::catalog::table::{GIVEN, TABLE};
use super::super::manifest::Manifest;
use super::super::tables::policy_diffs::FILE as DIFFS;
use super::super::{STAGING, views};
use super::commits::Commits;
use super::parts::{STAGED, open_as_written, unreadable};
use super::report::Check;

const NEXT_RUN: &str = "the next `robostat ingest` into this directory";

pub(super) fn check(directory: &Path, commits: &Commits) -> Check {
    let mut check = commits.begin("files outside of the tables are as written", "files");
    if check.not_checked.is_some() {
        return check;
    }
    let files = commits.manifest.files();
    for file in files.values() {
        check.checked += 1;
        if path(directory, commits, &file.path).starts_with(directory.join(STAGING)) {
            check.fail(None, &file.path, STAGED).is_interruption = true;
            continue;
        }
        let Err(message) = open_as_written(&directory.join(&file.path), file.bytes, &file.xxh3)
        else {
            continue;
        };
        let remedy = match file.path.as_str() {
            TABLE => &format!("{NEXT_RUN} rewrites it"),
            DIFFS => "put it back, or run `robostat diff` on this directory again",
            _ => "put it back, or give --catalog again",
        };
        check.fail(None, &file.path, format!("{message}; {remedy}"));
    }
    for name in [TABLE, GIVEN, DIFFS] {
        if !files.contains_key(name) && directory.join(name).exists() {
            let message = "no commit lists this file, and nothing reads it; move it away";
            check.fail(None, name, message);
        }
    }
    check
}

/// The path of the file that the manifest calls `name`: in its place, or still staged.
pub(super) fn path(directory: &Path, commits: &Commits, name: &str) -> PathBuf {
    let (place, aside) = (directory.join(name), directory.join(STAGING).join(name));
    let is_staged = commits
        .manifest
        .files()
        .get(name)
        .is_some_and(|file| !file.is_at(&place) && file.is_at(&aside));
    if is_staged { aside } else { place }
}

pub(super) fn check_views(directory: &Path, commits: &Commits) -> Check {
    let mut check = commits.begin("views.sql lists the parts of the manifest", "files");
    if check.not_checked.is_some() {
        return check;
    }
    check.checked = 1;
    let (message, is_interruption) = match fs::read(directory.join(views::FILE)) {
        Ok(text) => match views::problem(&commits.manifest, &text) {
            None => return check,
            Some(_) if is_of_last_but_one(&commits.manifest, &text) => {
                let message = "it is still from the commit before";
                (format!("{message}; {NEXT_RUN} writes it again"), true)
            }
            Some(message) => (message, false),
        },
        Err(error) if error.kind() != io::ErrorKind::NotFound => (unreadable(error), false),
        // The first commit was interrupted.
        Err(_) if commits.last == 1 => (format!("not written yet; {NEXT_RUN} writes it"), true),
        Err(_) => {
            let message = format!("the file is missing; {NEXT_RUN} writes it again");
            (message, false)
        }
    };
    check.fail(None, views::FILE, message).is_interruption = is_interruption;
    check
}

/// Whether `views.sql` with the content `text` belongs to the commit before the last.
fn is_of_last_but_one(manifest: &Manifest, text: &[u8]) -> bool {
    let [before @ .., _] = manifest.commits.as_slice() else {
        return false;
    };
    let before = Manifest {
        commits: before.to_vec(),
    };
    !before.commits.is_empty() && views::problem(&before, text).is_none()
}

/// Looks for files that no commit lists, and for removed parts. `on_disk` was listed while no
/// commit was being published.
pub(super) fn check_leftovers(commits: &Commits, on_disk: &BTreeSet<String>) -> [Check; 2] {
    let live = commits.manifest.parts();
    // Parts of a commit that cannot be read would look stray.
    let mut stray = commits.begin("no stray parts", "files");
    let mut replaced = Check::new("replaced parts are gone", "parts");
    let commits = &commits.manifest.commits;
    let removed: BTreeSet<&String> = commits.iter().flat_map(|it| &it.removed).collect();
    replaced.checked = removed.len() as u64;
    stray.checked = on_disk.len() as u64;
    let of_last = commits.last().map_or(&[][..], |last| &last.removed);
    let is_left = |path: &&String| !live.contains_key(path.as_str());
    for path in on_disk.iter().filter(is_left) {
        let table = path.split('/').next();
        if of_last.contains(path) {
            let message =
                format!("replaced by the last commit, and not yet removed; {NEXT_RUN} removes it");
            replaced.fail(table, path, message).is_interruption = true;
        } else if removed.contains(path) {
            replaced.fail(table, path, "replaced by an earlier commit; remove it");
        } else if stray.not_checked.is_none() {
            stray.fail(table, path, "no commit lists this file; move it away");
        }
    }
    [stray, replaced]
}
