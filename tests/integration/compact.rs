//! `robostat compact`: fewer parts, the same rows, and every promise of an ingest.
//! tests/cases/compact.md has datasets that are refused.
//!
//! `ROBOSTAT_KILLS=200` kills 200 times instead of 20 times.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use arrow_array::RecordBatch;
use arrow_select::concat::concat_batches;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::duckdb;
use crate::support::inputs::{copy, kills, split_sample};
use crate::support::program::{assert_consistent, ingest, parts, robostat, sample, text};

/// A dataset of many commits, two crawls and a replaced input.
fn dataset() -> TempDir {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path());
    let out = directory.path().join("out");
    let options = ["--commit-every", "1", "--keep-bodies", "--crawl"];
    ingest(&[&options[..], &["first"]].concat(), &inputs, &out, 0);
    let again = inputs.join("00.warc.gz");
    ingest(
        &[&options[..], &["second", "--force"]].concat(),
        &again,
        &out,
        0,
    );
    directory
}

fn compact(out: &Path, options: &[&str]) -> Value {
    let output = robostat(["compact", "--json"])
        .args(options)
        .arg(out)
        .output()
        .expect("a program");
    assert!(output.status.success(), "{}", text(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The rows of every directory of parts, in the order of the parts.
fn rows(out: &Path) -> BTreeMap<PathBuf, RecordBatch> {
    let mut batches: BTreeMap<PathBuf, Vec<RecordBatch>> = BTreeMap::new();
    for part in parts(out).into_keys() {
        let file = fs::File::open(out.join(&part)).expect("a part");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let reader = reader.build().expect("a reader");
        let directory = part.parent().expect("a directory").to_owned();
        let found = batches.entry(directory).or_default();
        found.extend(reader.map(|batch| batch.expect("rows")));
    }
    let one = |batches: Vec<RecordBatch>| {
        let schema = batches.first().map(RecordBatch::schema);
        schema.map(|schema| concat_batches(&schema, &batches).expect("one schema"))
    };
    let rows = batches.into_iter();
    rows.filter_map(|(directory, batches)| Some((directory, one(batches)?)))
        .collect()
}

#[test]
fn parts_become_few_and_rows_stay_as_they_are() {
    let directory = dataset();
    let out = directory.path().join("out");
    let before = parts(&out).len();
    let rows_before = rows(&out);
    let answer = |sql: &str| duckdb::of(&out, sql);
    let sql = "SELECT crawl, count(*) FROM captures GROUP BY ALL ORDER BY ALL";
    let answered = answer(sql);
    let summary = compact(&out, &[]);
    assert_eq!(summary["parts_before"].as_u64(), Some(before as u64 - 1));
    // One part for each of 18 tables, and four more for the second crawl. The catalogue is a file,
    // but not a part.
    assert_eq!(summary["parts_after"].as_u64(), Some(22));
    assert_eq!(parts(&out).len(), 23);
    assert!(summary["bytes_after"].as_u64() < summary["bytes_before"].as_u64());
    assert!(rows(&out) == rows_before);
    assert_eq!(answer(sql), answered);
    assert_consistent(&out);
    let compacted = parts(&out);
    let summary = compact(&out, &[]);
    assert_eq!(summary["parts_merged"], 0, "once is enough");
    assert!(parts(&out) == compacted);
    // And it can be extended like any dataset.
    let more = directory.path().join("more.warc");
    fs::copy(sample("crawl.warc.zst"), &more).expect("space");
    ingest(&["--keep-bodies", "--crawl", "third"], &more, &out, 0);
    assert_consistent(&out);
    compact(&out, &[]);
    assert_consistent(&out);
}

#[test]
fn parts_are_the_same_for_any_number_of_jobs() {
    let directory = dataset();
    let out = directory.path().join("out");
    let other = directory.path().join("other");
    copy(&out, &other);
    compact(&out, &["--jobs", "1"]);
    compact(&other, &["--jobs", "3"]);
    assert!(parts(&out) == parts(&other));
}

fn begin(out: &Path) -> Child {
    robostat(["compact", "--quiet"])
        .arg(out)
        .stderr(Stdio::inherit())
        .spawn()
        .expect("a program")
}

#[test]
fn a_killed_compaction_leaves_the_old_parts_or_the_new_ones() {
    let kills = kills(20);
    let directory = dataset();
    let original = directory.path().join("out");
    let rows_before = rows(&original);
    let undisturbed = directory.path().join("undisturbed");
    copy(&original, &undisturbed);
    let begun = Instant::now();
    assert!(begin(&undisturbed).wait().expect("an end").success());
    let whole = begun.elapsed() + Duration::from_millis(10);
    let expected = parts(&undisturbed);
    assert!(rows(&undisturbed) == rows_before);

    for kill in 0..kills {
        let out = directory.path().join(format!("killed-{kill}"));
        copy(&original, &out);
        // Moments spread over a run by the golden ratio.
        let moment = whole.mul_f64((f64::from(kill) * 0.618_034).fract());
        let mut child = begin(&out);
        sleep(moment);
        child.kill().expect("a process");
        child.wait().expect("an end");
        // Whatever was reached, the next run finishes it.
        if kill % 2 == 0 {
            compact(&out, &[]);
            assert!(parts(&out) == expected, "after kill {kill} at {moment:?}");
        } else {
            let input = directory.path().join("robotstxt/01.warc.gz");
            ingest(&["--keep-bodies"], &input, &out, 0);
            assert!(rows(&out) == rows_before, "after kill {kill} at {moment:?}");
        }
        assert_consistent(&out);
        assert!(!out.join(".staging").exists(), "nothing is left aside");
        fs::remove_dir_all(&out).expect("a dataset");
    }
}
