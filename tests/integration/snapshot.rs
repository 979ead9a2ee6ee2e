//! Readers answer from the parts that the manifest names, or not at all.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use tempfile::tempdir;

use crate::support::duckdb;
use crate::support::inputs::{copy, split_sample};
use crate::support::program::{Run as _, assert_contains, ingest, robostat, sample, text};

const RULES: &str = "rules/part-000001.parquet";
const CAPTURES: &str = "captures/crawl=MADE-UP/part-000001.parquet";
const COUNTS: &str = "SELECT (SELECT count(*) FROM captures), (SELECT count(*) FROM rules), \
                      (SELECT string_agg(DISTINCT crawl, ',') FROM captures), \
                      (SELECT count(*) FROM (DESCRIBE captures)), (SELECT count(*) FROM hosts), \
                      (SELECT count(*) FROM agent_catalog) > 100";

fn query(out: &Path, sql: &str) -> Output {
    robostat(["query", "--format", "csv", "--execute", sql])
        .arg(out)
        .output()
        .expect("a program")
}

#[track_caller]
fn answer(out: &Path, sql: &str) -> String {
    let output = query(out, sql);
    assert!(output.status.success(), "{}", text(&output));
    let rows = String::from_utf8(output.stdout).expect("UTF-8");
    rows.lines().skip(1).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_part_that_is_gone_or_cut_is_told_before_anything_is_answered() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    let refuses = |word: &str| {
        for output in [
            query(&out, "SELECT 1"),
            robostat(["report"]).arg(&out).output().expect("a program"),
        ] {
            assert_eq!(output.status.code(), Some(1));
            assert!(output.stdout.is_empty());
            let said = text(&output);
            assert_contains(&said, &[RULES, word]);
        }
    };
    let part = out.join(RULES);
    let bytes = fs::read(&part).expect("a part");
    fs::write(&part, &bytes[1..]).expect("space");
    refuses("by the manifest");
    fs::remove_file(&part).expect("a part");
    refuses("put it back");
    let staging = out.join(".staging");
    fs::create_dir(&staging).expect("space");
    fs::write(staging.join(RULES.replace('/', "!")), &bytes).expect("space");
    refuses("run the same `robostat` command again");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    assert_eq!(answer(&out, "SELECT 1"), "1");
}

#[test]
fn a_stray_copy_of_a_part_changes_no_answer() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    let before = answer(&out, COUNTS);
    for part in [RULES, CAPTURES] {
        let copy = part.replace("part-000001", "part-000001-copy");
        fs::copy(out.join(part), out.join(copy)).expect("space");
    }
    assert_eq!(answer(&out, COUNTS), before);
    assert_eq!(
        duckdb::lines(&out.join("views.sql"), "SELECT count(*) FROM rules"),
        [before.split(',').nth(1).expect("a count")]
    );
}

#[test]
fn a_dataset_can_lie_anywhere() {
    let directory = tempdir().expect("a directory");
    let home = directory.path().join("home");
    ingest(&["--crawl", "a b=c/ü%"], &sample("crawl.warc"), &home, 0);
    let expected = answer(&home, COUNTS);
    assert!(expected.contains(",a b=c/ü%,"), "{expected}");
    for place in [
        "crawl=outer",
        "date=2026-01-01",
        "crawl=1/date=x/y=null",
        "back\\slash",
        "quo'te",
        "\"quoted\"",
        "gl[ob]*?",
        "back\\slash and [brackets]",
        "%20",
        "sp ace",
        "$DATASET",
    ] {
        let out = directory.path().join(place).join("out");
        copy(&home, &out);
        assert_eq!(answer(&out, COUNTS), expected, "{place}");
        // The next run names the place where the dataset is now.
        ingest(&["--crawl", "a b=c/ü%"], &sample("crawl.warc"), &out, 0);
        let rows = duckdb::lines(&out.join("views.sql"), COUNTS);
        assert_eq!(rows.join("\n").replace('|', ","), expected, "{place}");
    }
}

#[test]
fn views_of_an_older_state_answer_from_it_or_not_at_all() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    let (views, old) = (out.join("views.sql"), directory.path().join("old.sql"));
    fs::copy(&views, &old).expect("space");
    let before = duckdb::lines(&views, COUNTS);
    ingest(&["--crawl", "more"], &sample("crawl.warc.zst"), &out, 0);
    assert_eq!(duckdb::lines(&old, COUNTS), before);
    assert_ne!(duckdb::lines(&views, COUNTS), before);
    ingest(&["--force"], &sample("crawl.warc"), &out, 0);
    let output = std::process::Command::new(duckdb::program())
        .args(["-bail", "-init"])
        .arg(&old)
        .args(["-c", "SELECT count(*) FROM captures"])
        .stdin(Stdio::null())
        .output()
        .expect("duckdb");
    assert!(text(&output).contains(CAPTURES), "{}", text(&output));
}

#[test]
fn parts_of_lost_commits_are_not_written_over() {
    let directory = tempdir().expect("a directory");
    let out = directory.path().join("out");
    ingest(&[], &sample("crawl.warc"), &out, 0);
    ingest(&["--crawl", "more"], &sample("crawl.warc.zst"), &out, 0);
    let refuses = |word: &str| {
        let before = crate::support::program::parts(&out);
        let errors = robostat(["ingest", "--force"])
            .args([&sample("crawl.warc"), &out])
            .fail(1);
        assert!(errors.contains(word), "{}", errors);
        assert!(crate::support::program::parts(&out) == before);
    };
    let manifest = out.join("manifest");
    fs::remove_file(manifest.join("000002.json")).expect("a commit");
    refuses("put manifest/000002.json back");
    fs::remove_file(manifest.join("000001.json")).expect("a commit");
    refuses("manifest/ has no commit that names them");
}

#[test]
fn verify_beside_a_running_ingest_finds_nothing() {
    let directory = tempdir().expect("a directory");
    let inputs = split_sample(directory.path(), 40);
    let out = directory.path().join("out");
    let options = ["--commit-every", "1", "--jobs", "1"];
    ingest(&options, &inputs, &out, 0);
    // A busy machine may take so long that every attempt meets a replacement.
    let mut verified = 0;
    for _ in 0..20 {
        if verified > 1 {
            break;
        }
        let mut child = robostat(["ingest", "--quiet", "--force"])
            .args(options)
            .args([&inputs, &out])
            .spawn()
            .expect("a program");
        while child.try_wait().expect("a process").is_none() {
            let output = robostat(["verify", "--quiet"])
                .arg(&out)
                .output()
                .expect("a program");
            let said = String::from_utf8_lossy(&output.stdout);
            let is_busy = text(&output).contains("keeps replacing parts");
            assert!(
                output.status.success() || is_busy,
                "{said}{}",
                text(&output)
            );
            verified += usize::from(output.status.success());
        }
        assert!(child.wait().expect("an end").success());
    }
    assert!(verified > 0);
}
