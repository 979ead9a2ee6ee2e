//! `robostat merge`: the rows, and where one ingest wrote them the bytes, of one ingest of the same
//! archives in the same order. `tests/cases/merge.md` has datasets that are refused.
//!
//! `ROBOSTAT_KILLS=200` kills that often; without it a few times.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use tempfile::{TempDir, tempdir};

use crate::support::duckdb;
use crate::support::inputs::kills;
use crate::support::mini_warc::MiniWarc;
use crate::support::program::{assert_consistent, parts, robostat, sample, seal, text};
use crate::support::warc::{self, Packing};

/// The sample crawl in many archives, one of them damaged and one no WARC file.
fn archives(directory: &Path) -> Vec<PathBuf> {
    let inputs = directory.join("robotstxt");
    fs::create_dir(&inputs).expect("space");
    let records = warc::records(&sample("crawl.warc"));
    let mut paths = Vec::new();
    for (number, records) in records.chunks(70).enumerate() {
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

fn run(options: &[&str], datasets: &[PathBuf], out: &Path) -> Output {
    robostat(["merge"])
        .args(options)
        .args(datasets)
        .arg("-o")
        .arg(out)
        .output()
        .expect("a program")
}

/// Merges; the exit code must be `code`.
#[track_caller]
fn merge(options: &[&str], datasets: &[PathBuf], out: &Path, code: i32) -> Value {
    let output = run(&[&["--json"], options].concat(), datasets, out);
    assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// What a merge that must fail says; the output is not made.
#[track_caller]
fn refused(datasets: &[PathBuf], out: &Path) -> String {
    let was_there = out.exists();
    let output = run(&[], datasets, out);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert_eq!(out.exists(), was_there);
    text(&output)
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

/// The rows of every table, without the order.
fn rows(out: &Path) -> BTreeSet<String> {
    let tables = crate::support::program::stdout(&["schema", "--json"]);
    let tables: Value = serde_json::from_str(&tables).expect("JSON");
    let names = tables.as_array().expect("tables").iter();
    let names = names.map(|table| table["name"].as_str().expect("a name").to_owned());
    let names = names.filter(|name| out.join(name).is_dir() && name != "probes");
    let selects = names.map(|name| format!("SELECT '{name} ' || to_json(t) FROM {name} t"));
    let sql = selects.collect::<Vec<_>>().join(" UNION ALL ");
    let rows = duckdb::lines(&out.join("views.sql"), &sql);
    rows.into_iter().collect()
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
        // What is not a WARC file makes no dataset by itself.
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

/// A revisit of `host`, without a body, that repeats what has `digest`.
fn revisit(host: &str, digest: &str) -> String {
    let block = "HTTP/1.1 304 Not Modified\r\n\r\n";
    format!(
        "WARC/1.0\r\nWARC-Type: revisit\r\nWARC-Target-URI: http://{host}/robots.txt\r\n\
         WARC-Date: 2026-01-03T00:00:00Z\r\nWARC-Payload-Digest: {digest}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
         {block}\r\n\r\n",
        block.len()
    )
}

/// A response of `host` that says to have `digest`.
fn response(host: &str, digest: &str, body: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\n\r\n{body}");
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://{host}/robots.txt\r\n\
         WARC-Date: 2026-01-02T00:00:00Z\r\nWARC-Payload-Digest: {digest}\r\n\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
         {block}\r\n\r\n",
        block.len()
    )
}

#[test]
fn revisits_get_the_file_that_one_ingest_gives_them() {
    let folder = tempdir().expect("a folder");
    let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(format!("{name}.warc")));
    let body = |path: &str| format!("User-agent: *\nDisallow: /{path}\n");
    fs::write(
        &a,
        // A revisit of a later capture stays without a file.
        revisit("early.example", "sha1:LATER")
            + &response("one.example", "sha1:ONE", &body("one"))
            + &response("both.example", "sha1:BOTH", &body("first")),
    )
    .expect("space");
    fs::write(
        &b,
        revisit("across.example", "sha1:ONE")
            + &response("later.example", "sha1:LATER", &body("later"))
            + &revisit("within.example", "sha1:LATER")
            // By itself it repeats the second file of this digest, after the first dataset the
            // first.
            + &response("both2.example", "sha1:BOTH", &body("second"))
            + &revisit("either.example", "sha1:BOTH"),
    )
    .expect("space");
    let mut last = MiniWarc::new().bytes();
    last.extend(revisit("again.example", "sha1:BOTH").bytes());
    last.extend(revisit("never.example", "sha1:NEVER").bytes());
    fs::write(&c, last).expect("space");
    let archives = [a, b, c];
    let [whole, out] = ["whole", "out"].map(|name| folder.path().join(name));
    ingest(&[], &archives, &whole);
    let datasets = archives.clone().map(|archive| {
        let out = archive.with_extension("");
        ingest(&[], &[archive], &out);
        out
    });
    merge(&[], &datasets, &out, 0);
    assert_same_parts(&whole, &out, "at once");
    assert_consistent(&out);
    let answer = duckdb::lines(
        &out.join("views.sql"),
        "SELECT url_host_name, regexp_extract(decode(body), '/([a-z]+)', 1) FROM captures
         LEFT JOIN files USING (file_id) WHERE warc_type = 'revisit' ORDER BY 1",
    );
    let expected = [
        "across.example|one",
        "again.example|first",
        "early.example|NULL",
        "either.example|first",
        "never.example|NULL",
        "within.example|later",
    ];
    assert_eq!(answer, expected);
    // One after the other, each run finds what those before it wrote.
    let steps = folder.path().join("steps");
    for dataset in &datasets {
        merge(&[], std::slice::from_ref(dataset), &steps, 0);
    }
    assert_consistent(&steps);
    assert!(rows(&steps) == rows(&out));
}

#[test]
fn an_archive_of_two_datasets_counts_once_and_the_output_says_so() {
    let folder = tempdir().expect("a folder");
    let archives = archives(folder.path());
    let [a, b, c, whole, out] =
        ["a", "b", "c", "whole", "out"].map(|name| folder.path().join(name));
    ingest(&[], &archives[..3], &a);
    ingest(&[], &archives[1..3], &b);
    ingest(&["--crawl", "other"], &archives[2..6], &c);
    let summary = merge(&[], &[a.clone(), b, c.clone()], &out, 3);
    assert_eq!(summary["inputs"], 6);
    let duplicates = summary["duplicates"].as_array().expect("a list");
    let names = duplicates
        .iter()
        .map(|it| it["path"].as_str().expect("a path"));
    let expected = ["01.warc.gz", "02.warc.gz", "02.warc.gz"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    assert_eq!(duplicates[0]["kept_from"].as_str(), a.to_str());
    assert_eq!(duplicates[0]["crawl"], Value::Null);
    assert_eq!(duplicates[2]["crawl"], "other");
    assert_consistent(&out);
    // The labels stand side by side, as if both runs had written one dataset.
    ingest(&[], &archives[..3], &whole);
    ingest(&["--crawl", "other"], &archives[2..6], &whole);
    assert!(rows(&whole) == rows(&out));
    let labels = duckdb::lines(
        &out.join("views.sql"),
        "FROM (SELECT unnest(crawl_labels()))",
    );
    assert_eq!(labels, ["MADE-UP", "default", "other"]);
    let said = text(&run(&[], &[a, c], &folder.path().join("again")));
    assert!(said.contains("skipped: 02.warc.gz of "), "{said}");
    assert!(said.contains("not of crawl other too"), "{said}");
}

#[test]
fn files_of_replaced_archives_stay() {
    let folder = tempdir().expect("a folder");
    let archives = archives(folder.path());
    let [a, b, out] = ["a", "b", "out"].map(|name| folder.path().join(name));
    ingest(&["--commit-every", "1"], &archives[..3], &a);
    // The second archive has other content now; the rows of the third stay before it.
    let records = warc::records(&sample("crawl.warc"));
    fs::write(&archives[1], Packing::GzipPerRecord.pack(&records[..20])).expect("space");
    ingest(&["--commit-every", "1"], &archives[..3], &a);
    ingest(&[], &archives[4..6], &b);
    let expected = rows(&a);
    merge(&[], &[a.clone(), b], &out, 0);
    assert_consistent(&out);
    let found = rows(&out);
    assert!(expected.is_subset(&found));
    let again = folder.path().join("again");
    merge(&[], &[a], &again, 0);
    assert!(rows(&again) == expected);
}

#[test]
fn rows_of_an_archive_that_the_manifest_does_not_name_are_refused() {
    let folder = tempdir().expect("a folder");
    let archives = archives(folder.path());
    let out = folder.path().join("out");
    // What is not a WARC file is damage; a header is an input without captures.
    let header = folder.path().join("header.warc");
    let records = warc::records(&sample("crawl.warc"));
    fs::write(&header, Packing::Plain.pack(&records[..1])).expect("space");
    let page = archives.last().expect("a page").clone();
    for (table, left_out) in [
        ("captures", &archives[0]),
        ("damage", &page),
        ("inputs", &header),
    ] {
        let dataset = folder.path().join(table);
        ingest(&[], &[archives[1].clone(), left_out.clone()], &dataset);
        let commit = dataset.join("manifest/000001.json");
        let mut edited: Value =
            serde_json::from_slice(&fs::read(&commit).expect("a commit")).expect("JSON");
        let inputs = edited["inputs"].as_array_mut().expect("inputs");
        let name = left_out.file_name().expect("a name");
        inputs.retain(|input| input["name"].as_str() != name.to_str());
        assert_eq!(inputs.len(), 1);
        fs::write(&commit, seal(&edited)).expect("space");
        let said = refused(std::slice::from_ref(&dataset), &out);
        let place = format!("{}: a row has input_id ", dataset.join(table).display());
        assert!(said.contains(&place), "{said}");
        assert!(said.contains("`robostat verify`"), "{said}");
    }
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
fn a_killed_merge_is_taken_up_where_it_stopped() {
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
        // Moments spread over a run by the golden ratio, each run going on from the last commit.
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
    // Once more changes nothing.
    let summary = merge(&["--commit-every", "1"], &datasets, &undisturbed, 0);
    assert_eq!(summary["inputs"], 0);
    assert_eq!(summary["inputs_merged_before"], archives.len());
}

#[test]
fn parts_are_the_same_for_any_number_of_jobs() {
    let folder = tempdir().expect("a folder");
    let archives = archives(folder.path());
    let [a, b, one, three] = ["a", "b", "one", "three"].map(|name| folder.path().join(name));
    ingest(&[], &archives[..5], &a);
    ingest(&[], &archives[5..], &b);
    let datasets = [a, b];
    merge(&["--jobs", "1"], &datasets, &one, 3);
    merge(&["--jobs", "3"], &datasets, &three, 3);
    assert_same_parts(&one, &three, "jobs");
}
