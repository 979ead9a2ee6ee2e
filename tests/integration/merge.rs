//! `robostat merge`: the same rows as one ingest of the same archives in the same order, and the
//! same bytes if that ingest was one run. `tests/cases/merge.md` has more.
//!
//! `ROBOSTAT_KILLS=200` kills 200 times instead of a few times.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::inputs::kills;
use crate::support::program::{assert_consistent, parts, robostat, sample, text};
use crate::support::warc::{self, Packing};

/// The second half of the sample crawl in many archives, one of them damaged and one not a WARC
/// file. A revisit is not in the archive of the capture that it repeats.
fn archives(directory: &Path) -> Vec<PathBuf> {
    let inputs = directory.join("robotstxt");
    fs::create_dir(&inputs).expect("space");
    let records = warc::records(&sample("crawl.warc"));
    let mut paths = Vec::new();
    for (number, records) in records[331..].chunks(35).enumerate() {
        let mut bytes = Packing::GzipPerRecord.pack(records);
        if number == 3 {
            let middle = bytes.len() / 2;
            bytes[middle..middle + 40].fill(0);
        }
        paths.push(inputs.join(format!("{number:02}.warc.gz")));
        fs::write(paths.last().expect("a path"), bytes).expect("space");
    }
    paths.push(inputs.join("page.warc.gz"));
    fs::write(paths.last().expect("a path"), "<html>not found</html>").expect("space");
    paths
}

fn ingest(options: &[&str], inputs: &[PathBuf], out: &Path) {
    let output = robostat(["ingest", "--quiet", "--keep-bodies"])
        .args(options)
        .args(inputs)
        .arg(out)
        .output()
        .expect("a program");
    let code = output.status.code();
    assert!(matches!(code, Some(0 | 3)), "{code:?} {}", text(&output));
}

/// Merges; the exit code must be `code`.
#[track_caller]
fn merge(options: &[&str], datasets: &[PathBuf], out: &Path, code: i32) -> Value {
    let output = robostat(["merge", "--json"])
        .args(options)
        .args(datasets)
        .arg("-o")
        .arg(out)
        .output()
        .expect("a program");
    assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[track_caller]
fn assert_same_parts(one: &Path, other: &Path, what: &str) {
    let (one, other) = (parts(one), parts(other));
    assert_eq!(
        one.keys().collect::<Vec<_>>(),
        other.keys().collect::<Vec<_>>(),
        "{what}"
    );
    for (path, bytes) in &one {
        assert!(other[path] == *bytes, "{what}: {}", path.display());
    }
}

/// Archives, divided into datasets that follow each other, and how often each run commits.
fn divided() -> impl Strategy<Value = (Vec<usize>, BTreeSet<usize>, [&'static str; 2], bool)> {
    let every = || prop::sample::select(vec!["1", "30000", "100000000"]);
    (
        Just((0..12).collect::<Vec<usize>>()).prop_shuffle(),
        prop::collection::btree_set(1..12_usize, 1..5),
        [every(), every()],
        any::<bool>(),
    )
}

#[test]
fn any_division_into_datasets_gives_what_one_ingest_gives() {
    let directory = tempdir().expect("a directory");
    let archives = archives(directory.path());
    assert!(archives.len() == 12, "{}", archives.len());
    let mut runner = TestRunner::new(Config {
        cases: 6,
        failure_persistence: None,
        ..Config::default()
    });
    let check = |(order, borders, [every, commit_every], compacted): (
        Vec<usize>,
        BTreeSet<usize>,
        [&str; 2],
        bool,
    )| {
        let folder = TempDir::new_in(directory.path()).expect("a folder");
        let order: Vec<PathBuf> = (order.iter())
            .map(|number| archives[*number].clone())
            .collect();
        let whole = folder.path().join("whole");
        ingest(&["--commit-every", commit_every], &order, &whole);
        // A file that is not WARC cannot make a dataset alone.
        let page = order.iter().position(|path| path.ends_with("page.warc.gz"));
        let page = page.expect("one of them");
        let joined = if page == 11 { page } else { page + 1 };
        let borders = borders.into_iter().filter(|border| *border != joined);
        let mut datasets = Vec::new();
        let mut start = 0;
        for end in borders.chain([order.len()]) {
            let out = folder.path().join(format!("part-{start}"));
            ingest(&["--commit-every", every], &order[start..end], &out);
            start = end;
            if compacted {
                let output = robostat(["compact", "-q"]).arg(&out).status();
                assert!(output.expect("a program").success());
            }
            datasets.push(out);
        }
        let out = folder.path().join("out");
        let options = ["--commit-every", commit_every];
        let summary = merge(&options, &datasets, &out, 3);
        prop_assert_eq!(&summary["inputs"], order.len());
        assert_same_parts(&whole, &out, "merged");
        assert_consistent(&out);
        Ok(())
    };
    runner.run(&divided(), check).expect("the same datasets");
}

fn begin(datasets: &[PathBuf], out: &Path) -> Child {
    robostat(["merge", "--quiet", "--commit-every", "1"])
        .args(datasets)
        .arg("-o")
        .arg(out)
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a program")
}

#[test]
fn a_killed_merge_resumes_where_it_stopped() {
    let kills = kills(8);
    let folder = tempdir().expect("a folder");
    let archives = archives(folder.path());
    let datasets: Vec<PathBuf> = (archives.chunks(4).enumerate())
        .map(|(number, archives)| {
            let out = folder.path().join(format!("part-{number}"));
            ingest(&[], archives, &out);
            out
        })
        .collect();
    let undisturbed = folder.path().join("undisturbed");
    let begun = Instant::now();
    assert_eq!(
        begin(&datasets, &undisturbed)
            .wait()
            .expect("an end")
            .code(),
        Some(3)
    );
    let whole = begun.elapsed();
    let out = folder.path().join("out");
    for kill in 0..kills {
        // Moments spread over a run by the golden ratio; each run continues from the last commit.
        let moment = whole.mul_f64((f64::from(kill) * 0.618_034).fract());
        let mut child = begin(&datasets, &out);
        sleep(moment.min(Duration::from_secs(20)));
        child.kill().expect("a process");
        child.wait().expect("an end");
        if kill % 4 == 3 {
            let code = begin(&datasets, &out).wait().expect("an end").code();
            assert!(matches!(code, Some(0 | 3)));
            assert_same_parts(&undisturbed, &out, &format!("after kill {kill}"));
            assert_consistent(&out);
            assert!(!out.join(".staging").exists(), "nothing is left aside");
            fs::remove_dir_all(&out).expect("a dataset");
        }
    }
    // Merging once more changes nothing.
    let summary = merge(&["--commit-every", "1"], &datasets, &undisturbed, 0);
    assert_eq!(summary["inputs"], 0);
    assert_eq!(summary["inputs_merged_before"], archives.len());
}
