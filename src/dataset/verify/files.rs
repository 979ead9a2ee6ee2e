//! The files outside of the tables: each byte as written, and `views.sql` from the last commit.

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

/// Checks the files that the manifest of the dataset in `directory` names in addition to parts.
pub(super) fn check(directory: &Path, commits: &Commits) -> Check {
    let mut check = Check::new("files outside of the tables are as written", "files");
    if !commits.check.is_ok() {
        check.not_checked = Some("the manifest is broken".to_owned());
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
            TABLE => "; the next `robostat ingest` into this directory rewrites it",
            DIFFS => "; put it back, or run `robostat diff` on this directory again",
            _ => "; put it back, or give --catalog again",
        };
        check.fail(None, &file.path, format!("{message}{remedy}"));
    }
    for name in [TABLE, GIVEN, DIFFS] {
        if !files.contains_key(name) && directory.join(name).exists() {
            let message = "no commit names this file, and nothing reads it; move it away";
            check.fail(None, name, message);
        }
    }
    check
}

/// Where the file lies that the manifest calls `name`: in its place, or still staged.
pub(super) fn path(directory: &Path, commits: &Commits, name: &str) -> PathBuf {
    let (place, aside) = (directory.join(name), directory.join(STAGING).join(name));
    let is_staged = commits
        .manifest
        .files()
        .get(name)
        .is_some_and(|file| !file.is_at(&place) && file.is_at(&aside));
    if is_staged { aside } else { place }
}

/// Looks at `views.sql` of the dataset in `directory`.
pub(super) fn check_views(directory: &Path, commits: &Commits) -> Check {
    let mut check = Check::new("views.sql lists the parts of the manifest", "files");
    if !commits.check.is_ok() {
        check.not_checked = Some("the manifest is broken".to_owned());
        return check;
    }
    check.checked = 1;
    let (message, is_interruption) = match fs::read(directory.join(views::FILE)) {
        Ok(text) => match views::problem(&commits.manifest, &text) {
            None => return check,
            Some(_) if is_of_last_but_one(&commits.manifest, &text) => {
                let message = "it is still that of the commit before; the next `robostat ingest` \
                               into this directory writes it again";
                (message.to_owned(), true)
            }
            Some(message) => (message, false),
        },
        // The first commit was interrupted.
        Err(error) if error.kind() == io::ErrorKind::NotFound && commits.last == 1 => {
            let message = "not written yet; the next `robostat ingest` into this directory \
                           writes it";
            (message.to_owned(), true)
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => (
            "the file is missing; the next `robostat ingest` into this directory writes it again"
                .to_owned(),
            false,
        ),
        Err(error) => (unreadable(error), false),
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

#[cfg(test)]
mod tests {
    use super::super::commits;
    use super::*;
    use crate::dataset::{Dataset, DatasetCatalog, Settings};

    const CATALOG: &str = "product_token,name,operator,purposes,is_ai,fallback_token,\
                           obeys_wildcard,since,source\n\
                           mybot,MyBot,,other,false,,true,,https://my.example/\n";

    /// An empty dataset with a catalogue of its own.
    fn dataset() -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        let given = directory.path().join("given.csv");
        fs::write(&given, CATALOG).expect("space");
        let given = DatasetCatalog::read(&given).expect("a catalogue");
        let settings = Settings {
            limit: 512_000,
            max_sitemaps: 1000,
            keep_bodies: false,
        };
        let out = directory.path().join("out");
        let pool = crate::threads::pool(1).expect("a thread");
        let mut dataset = Dataset::open(&out, settings, Some(given), pool).expect("a dataset");
        dataset.commit(Vec::new()).expect("a commit");
        directory
    }

    fn manifest(out: &Path) -> Option<Commits> {
        let commits = commits::read(out).ok()?;
        commits.check.is_ok().then_some(commits)
    }

    #[test]
    fn no_byte_that_an_answer_depends_on_changes_unseen() {
        let directory = dataset();
        let out = directory.path().join("out");
        let commits = manifest(&out).expect("a manifest");
        let files = || check(&out, &commits).is_ok();
        let views = || check_views(&out, &commits).is_ok();
        let commit = || manifest(&out).is_some();
        let checks: [(&str, &dyn Fn() -> bool); 4] = [
            (TABLE, &files),
            (GIVEN, &files),
            (views::FILE, &views),
            ("manifest/000001.json", &commit),
        ];
        for (name, is_as_written) in checks {
            let path = out.join(name);
            assert!(is_as_written(), "{name}");
            let bytes = fs::read(&path).expect("a file");
            assert!(bytes.len() > 100, "{name}");
            // Of large files every 7th byte takes half a minute in a debug build.
            let step = match std::env::var_os("ROBOSTAT_FLIPS") {
                None if bytes.len() > 8192 => 7 * 13,
                _ => 7,
            };
            for at in (0..bytes.len()).step_by(step) {
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << (at % 8);
                fs::write(&path, &flipped).expect("space");
                assert!(!is_as_written(), "{name}: byte {at}");
            }
            for length in [0, bytes.len() / 2, bytes.len() - 1] {
                fs::write(&path, &bytes[..length]).expect("space");
                assert!(!is_as_written(), "{name}: cut at {length}");
            }
            fs::remove_file(&path).expect("a file");
            assert!(!is_as_written(), "{name} is missing");
            fs::write(&path, &bytes).expect("space");
            assert!(is_as_written(), "{name} is back");
        }
    }

    #[test]
    fn views_of_another_dataset_are_told() {
        let (one, other) = (dataset(), dataset());
        let (one, other) = (one.path().join("out"), other.path().join("out"));
        // The directory may differ, for a dataset may be moved; the parts may not.
        fs::copy(one.join(views::FILE), other.join(views::FILE)).expect("space");
        let commits = manifest(&other).expect("a manifest");
        assert!(check_views(&other, &commits).is_ok());
        let text = fs::read_to_string(other.join(views::FILE)).expect("the views");
        let (above, _) = text.rsplit_once("-- XXH3").expect("a checksum");
        let changed = above.replace("files/part-000001", "files/part-000002");
        assert_ne!(changed, above);
        let changed = super::super::super::seal::SQL.close(&changed);
        fs::write(other.join(views::FILE), changed).expect("space");
        assert!(!check_views(&other, &commits).is_ok());
    }
}
