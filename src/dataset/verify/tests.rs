//! No byte of a file outside of the tables changes unseen, and no part is outside of its table.

use std::fs;
use std::path::Path;

use super::commits::{self, Commits};
use super::files::{check, check_views};
use super::parts::is_part_of;
use crate::dataset::catalog::table::{GIVEN, TABLE};
use crate::dataset::{Dataset, DatasetCatalog, Settings, seal, views};

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
    dataset.commit(None).expect("a commit");
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
        // In large files, every 7th byte takes half a minute in a debug build.
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
    let changed = seal::SQL.close(&changed);
    fs::write(other.join(views::FILE), changed).expect("space");
    assert!(!check_views(&other, &commits).is_ok());
}

#[test]
fn cases() {
    crate::tests::check(file!(), |_, [table, path, _]| {
        is_part_of(table, path).to_string()
    });
}
