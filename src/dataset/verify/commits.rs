//! The manifest's commits: present, readable, and each a step from the state before.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::super::manifest::{self, Commit, Manifest, Unreadable};
use super::parts::{is_part_of, unreadable};
use super::report::Check;
use crate::dataset::no_dataset;
use crate::error::Error;

pub(super) struct Commits {
    pub(super) manifest: Manifest,
    /// Number of the last commit, readable or not.
    pub(super) last: u64,
    pub(super) check: Check,
}

impl Commits {
    /// A check that needs every commit.
    pub(super) fn begin(&self, name: &str, unit: &'static str) -> Check {
        let mut check = Check::new(name, unit);
        if !self.check.is_ok() {
            check.not_checked = Some("the manifest is broken".to_owned());
        }
        check
    }
}

/// Reads the manifest of the dataset in `directory`. An error means that it cannot be checked: no
/// commit yet, or all of another version.
pub(super) fn read(directory: &Path) -> Result<Commits, Error> {
    let last = manifest::last_number(directory)?;
    if last == 0 {
        return Err(no_dataset(directory));
    }
    let mut check = Check::new("manifest", "commits");
    let mut commits: Vec<Commit> = Vec::new();
    let mut of_other_version = None;
    for number in 1..=last {
        check.checked += 1;
        let path = manifest::commit_path(directory, number);
        let mut problem = |message: String| _ = check.fail(None, file(number), message);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) => {
                problem(match error.kind() {
                    io::ErrorKind::NotFound => {
                        format!("the commit is missing, though there is a commit {last}")
                    }
                    _ => unreadable(error),
                });
                continue;
            }
        };
        match manifest::parse(&text) {
            Ok(commit) => {
                if commit.sequence != number {
                    problem(format!("it says that it is commit {}", commit.sequence));
                }
                let first = commits.first();
                if first.is_some_and(|first| first.settings != commit.settings) {
                    problem("its settings differ from the first commit's".to_owned());
                }
                commits.push(commit);
            }
            Err(unreadable) => {
                problem(unreadable.to_string());
                if let Unreadable::Version(_) = unreadable {
                    of_other_version = Some(Error::unusable(path, unreadable.to_string()));
                }
            }
        }
    }
    if let Some(error) = of_other_version.filter(|_| commits.is_empty()) {
        return Err(error);
    }
    // After a gap every later step would be reported as well.
    if check.is_ok() {
        check_steps(&commits, &mut check);
    }
    Ok(Commits {
        manifest: Manifest { commits },
        last,
        check,
    })
}

fn file(number: u64) -> String {
    format!("{}/{number:06}.json", manifest::DIRECTORY)
}

/// Checks that each commit adds parts that were not there and removes parts that were.
fn check_steps(commits: &[Commit], check: &mut Check) {
    let mut live = BTreeSet::new();
    for commit in commits {
        let mut problem = |message: String| _ = check.fail(None, file(commit.sequence), message);
        for path in &commit.removed {
            if !live.remove(path.as_str()) {
                problem(format!("it removes {path}, which was not there"));
            }
        }
        for part in &commit.added {
            let (path, table) = (&part.path, &part.table);
            if !is_part_of(table, path) {
                problem(format!(
                    "it lists {path}, which is not a part of a table {table}"
                ));
            }
            if !live.insert(path.as_str()) {
                problem(format!("it adds {path}, which was there"));
            }
        }
    }
}
