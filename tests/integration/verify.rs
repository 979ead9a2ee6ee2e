//! `robostat verify` on datasets that are whole, and on ones that were tampered with.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

use crate::support::inputs::copy;
use crate::support::mini_warc::SAMPLE;
use crate::support::program::{Run as _, assert_contains, robostat, sample, seal};

const FILES: &str = "files/part-000001.parquet";
const EMPTY_MEMBER: [u8; 20] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
];
const CAPTURES: &str = "captures/crawl=MADE-UP/part-000001.parquet";

/// A dataset in a directory of its own.
struct Dataset {
    home: TempDir,
}

impl Dataset {
    /// A copy of the dataset of the sample crawl.
    fn new() -> Self {
        let home = TempDir::new().expect("a temporary directory");
        copy(&SAMPLE.path(), &home.path().join("out"));
        Self { home }
    }

    fn path(&self, within: &str) -> PathBuf {
        self.home.path().join("out").join(within)
    }

    fn ingest(&self, input: &Path, options: &[&str]) {
        let output = robostat(["ingest", "--quiet", "--subset", "robotstxt"])
            .args(options)
            .args([input, &self.path("")])
            .output()
            .expect("robostat runs");
        let code = output.status.code();
        assert!(matches!(code, Some(0 | 3)), "{}", text(&output.stderr));
    }

    /// A copy of the sample under another name, cut to its first `length` bytes.
    fn input(&self, name: &str, length: usize) -> PathBuf {
        let path = self.home.path().join(name);
        let bytes = fs::read(sample("crawl.warc.gz")).expect("the sample");
        let mut copy = bytes[..length.min(bytes.len())].to_vec();
        if length > bytes.len() {
            // Empty gzip members hold no record, and make it another content than the sample's.
            copy.extend(EMPTY_MEMBER.repeat(name.len()));
        }
        fs::write(&path, copy).expect("a copy");
        path
    }

    fn verify(&self, options: &[&str]) -> Output {
        robostat(["verify"])
            .args(options)
            .arg(self.path(""))
            .output()
            .expect("robostat runs")
    }

    #[track_caller]
    fn assert_consistent(&self) {
        let output = self.verify(&[]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    }

    /// Checks that fail, with their problems as text, and those that were not made.
    #[track_caller]
    fn failed(&self) -> (Vec<(String, String)>, Vec<String>) {
        let output = self.verify(&["--json"]);
        assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["ok"], false);
        let (mut failed, mut not_made) = (Vec::new(), Vec::new());
        for check in report["checks"].as_array().expect("checks") {
            let name = check["name"].as_str().expect("a name").to_owned();
            if check["problems"] != json!([]) {
                failed.push((name, check["problems"].to_string()));
            } else if check["ok"] == false {
                not_made.push(name);
            }
        }
        (failed, not_made)
    }

    /// That one check fails and no other, and that its problems speak of all of `words`.
    #[track_caller]
    fn assert_fails(&self, check: &str, words: &[&str]) {
        let (failed, _) = self.failed();
        let names: Vec<&str> = failed.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [check], "{failed:?}");
        for word in words {
            assert!(failed[0].1.contains(word), "{word} in {}", failed[0].1);
        }
    }

    /// Changes a commit.
    fn edit_commit(&self, number: u64, edit: impl FnOnce(&mut Value)) {
        let path = self.path(&format!("manifest/{number:06}.json"));
        let mut commit = serde_json::from_slice(&fs::read(&path).expect("a commit")).expect("JSON");
        edit(&mut commit);
        fs::write(&path, seal(&commit)).expect("written");
    }

    /// Changes what the first commit says of a part.
    fn edit_part(&self, part: &str, edit: impl FnOnce(&mut Value)) {
        self.edit_commit(1, |commit| {
            let parts = commit["added"].as_array_mut().expect("parts");
            let found = parts.iter_mut().find(|found| found["path"] == part);
            edit(found.expect("the part"));
        });
    }

    /// Replaces the rows of a part, and makes the manifest agree with its file.
    fn rewrite(&self, part: &str, change: impl Fn(&RecordBatch) -> RecordBatch) {
        let path = self.path(part);
        let reader = File::open(&path).expect("the part");
        let reader = ParquetRecordBatchReaderBuilder::try_new(reader).expect("Parquet");
        let schema = Arc::clone(reader.schema());
        let batches: Vec<RecordBatch> = reader
            .build()
            .expect("a reader")
            .map(|batch| change(&batch.expect("rows")))
            .collect();
        let schema = batches.first().map_or(schema, RecordBatch::schema);
        let file = File::create(&path).expect("the part");
        let mut writer = ArrowWriter::try_new(file, schema, None).expect("a writer");
        for batch in &batches {
            writer.write(batch).expect("written");
        }
        writer.close().expect("written");
        let bytes = fs::read(&path).expect("the part");
        let rows: usize = batches.iter().map(RecordBatch::num_rows).sum();
        self.edit_part(part, |part| {
            part["rows"] = json!(rows);
            part["bytes"] = json!(bytes.len());
            part["xxh3"] = json!(format!("{:016x}", xxh3_64(&bytes)));
        });
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn without_first_row(batch: &RecordBatch) -> RecordBatch {
    batch.slice(1, batch.num_rows() - 1)
}

#[test]
fn clean_dataset_is_consistent() {
    let dataset = Dataset::new();
    let output = dataset.verify(&[]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stdout);
    assert_contains(&said, &["ok       captures.file_id is in files (265 rows)"]);
    assert!(
        said.lines()
            .last()
            .is_some_and(|line| line.starts_with("consistent"))
    );
    assert_eq!(text(&dataset.verify(&["--quiet"]).stdout), "");
    let report: Value = serde_json::from_slice(&dataset.verify(&["--json"]).stdout).expect("JSON");
    assert_eq!(report["ok"], true);
}

#[test]
fn two_runs_and_force_stay_consistent() {
    let dataset = Dataset::new();
    dataset.ingest(
        &dataset.input("second.warc.gz", usize::MAX),
        &["--crawl", "a b/ü"],
    );
    dataset.assert_consistent();
    dataset.ingest(&sample("crawl.warc.gz"), &["--force"]);
    dataset.assert_consistent();
    dataset.ingest(
        &sample("crawl.warc.gz"),
        &["--force", "--crawl", &"ü".repeat(30)],
    );
    dataset.assert_consistent();
}

#[test]
fn damage_is_counted_and_goes_with_its_input() {
    let dataset = Dataset::new();
    let input = dataset.input("cut.warc.gz", 100_001);
    dataset.ingest(&input, &[]);
    dataset.assert_consistent();
    // Had the table no part left, its view would fail.
    let only_damage = Dataset {
        home: TempDir::new().expect("a temporary directory"),
    };
    let other = only_damage.input("cut.warc.gz", 100_001);
    only_damage.ingest(&other, &[]);
    for (dataset, input) in [(&dataset, &input), (&only_damage, &other)] {
        dataset.input("cut.warc.gz", usize::MAX);
        dataset.ingest(input, &[]);
        dataset.assert_consistent();
        let parts = fs::read_dir(dataset.path("damage")).expect("a directory");
        assert!(parts.count() > 0);
    }
}

#[test]
fn commit_that_could_not_be_published_is_not_lost() {
    let dataset = Dataset::new();
    fs::create_dir_all(dataset.path(".staging")).expect("a directory");
    let aside = dataset.path(".staging").join(FILES.replace('/', "!"));
    fs::rename(dataset.path(FILES), aside).expect("moved");
    fs::remove_dir(dataset.path("files")).expect("empty");
    fs::write(dataset.path("files"), "in the way").expect("written");
    let output = robostat(["ingest"])
        .args([sample("crawl.warc.gz"), dataset.path("")])
        .output();
    assert_eq!(output.expect("runs").status.code(), Some(1));
    fs::remove_file(dataset.path("files")).expect("removed");
    dataset.ingest(&sample("crawl.warc.gz"), &[]);
    dataset.assert_consistent();
}

#[test]
fn what_is_no_dataset_cannot_be_checked() {
    let home = TempDir::new().expect("a temporary directory");
    let missing = home.path().join("missing");
    for path in [home.path(), missing.as_path()] {
        let output = robostat(["verify"]).arg(path).output().expect("runs");
        assert_eq!(output.status.code(), Some(1));
        assert!(!output.stderr.is_empty());
    }
    fs::create_dir(home.path().join("manifest")).expect("a directory");
    let errors = robostat(["verify"]).arg(home.path()).fail(1);
    assert!(errors.contains("nothing has been committed"));
}

#[test]
fn other_versions_cannot_be_checked() {
    let dataset = Dataset::new();
    dataset.edit_commit(1, |commit| commit["schema_version"] = json!(99));
    let output = dataset.verify(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("tables of version 99"));
}

#[test]
fn missing_part_is_named_and_nothing_follows_from_it() {
    let dataset = Dataset::new();
    fs::remove_file(dataset.path(FILES)).expect("removed");
    dataset.assert_fails("parts are as written", &[FILES, "missing"]);
    let (_, not_made) = dataset.failed();
    assert!(not_made.contains(&"captures.file_id is in files".to_owned()));
    assert!(!not_made.contains(&"rules.policy_id is in policies".to_owned()));
}

#[test]
fn truncated_part_is_named() {
    let dataset = Dataset::new();
    let part = File::options()
        .write(true)
        .open(dataset.path(CAPTURES))
        .expect("opens");
    part.set_len(1000).expect("cut");
    dataset.assert_fails("parts are as written", &[CAPTURES, "1000 bytes"]);
}

#[test]
fn flipped_bytes_are_found_wherever_they_are() {
    let dataset = Dataset::new();
    let part = "rules/part-000001.parquet";
    let mut bytes = Vec::new();
    let mut file = File::open(dataset.path(part)).expect("opens");
    file.read_to_end(&mut bytes).expect("read");
    for at in [0, bytes.len() / 2, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1;
        fs::write(dataset.path(part), flipped).expect("written");
        dataset.assert_fails("parts are as written", &[part, "checksum"]);
    }
}

#[test]
fn stray_part_is_named() {
    let dataset = Dataset::new();
    let stray = "captures/crawl=MADE-UP/part-000009.parquet";
    fs::copy(dataset.path(CAPTURES), dataset.path(stray)).expect("copied");
    dataset.assert_fails("no stray parts", &[stray, "no commit names"]);
}

#[test]
fn replaced_part_that_stayed_is_named() {
    let dataset = Dataset::new();
    let aside = dataset.home.path().join("aside.parquet");
    fs::copy(dataset.path(CAPTURES), &aside).expect("copied");
    dataset.ingest(&sample("crawl.warc.gz"), &["--force"]);
    fs::copy(&aside, dataset.path(CAPTURES)).expect("copied");
    dataset.assert_fails(
        "replaced parts are gone",
        &[CAPTURES, "next `robostat ingest`"],
    );
}

#[test]
fn interrupted_publication_is_told_and_finished_by_the_next_run() {
    let dataset = Dataset::new();
    fs::create_dir_all(dataset.path(".staging")).expect("a directory");
    let aside = dataset.path(".staging").join(FILES.replace('/', "!"));
    fs::rename(dataset.path(FILES), aside).expect("moved");
    dataset.assert_fails(
        "parts are in their places",
        &[FILES, "next `robostat ingest`"],
    );
    assert_eq!(
        dataset.failed().1,
        Vec::<String>::new(),
        "its rows are read all the same"
    );
    dataset.ingest(&sample("crawl.warc.gz"), &[]);
    dataset.assert_consistent();
}

#[test]
fn wrong_row_count_is_named() {
    let dataset = Dataset::new();
    dataset.edit_part(FILES, |part| part["rows"] = json!(171));
    dataset.assert_fails("parts have the manifest's rows", &[FILES, "170 rows, 171"]);
}

#[test]
fn other_columns_are_named() {
    let dataset = Dataset::new();
    let part = "inputs/part-000001.parquet";
    dataset.rewrite(part, |batch| batch.project(&[0, 1, 2]).expect("columns"));
    dataset.assert_fails("parts have their table's columns", &[part, "3 columns"]);
}

#[test]
fn missing_file_row_leaves_captures_dangling() {
    let dataset = Dataset::new();
    dataset.rewrite(FILES, without_first_row);
    let (failed, not_made) = dataset.failed();
    let derived = "resolved, origins and hosts are what the captures make";
    assert_eq!(not_made, [derived]);
    let problems = |name: &str| {
        &failed
            .iter()
            .find(|(failed, _)| failed == name)
            .expect(name)
            .1
    };
    assert!(problems("captures.file_id is in files").contains(CAPTURES));
    assert!(problems("captures.file_id is in files").contains("file_id "));
    assert!(problems("policies.exemplar_file_id is a file with the policy").contains("policy_id "));
}

#[test]
fn missing_rule_is_named() {
    let dataset = Dataset::new();
    let part = "rules/part-000001.parquet";
    dataset.rewrite(part, |batch| batch.slice(0, batch.num_rows() - 1));
    dataset.assert_fails(
        "rules of each policy are complete and in order",
        &["policy_id ", "n_rules is"],
    );
}

#[test]
fn missing_capture_is_named() {
    let dataset = Dataset::new();
    dataset.rewrite(CAPTURES, without_first_row);
    // The manifest has the times of all rows, and views.sql is made from the manifest.
    let (failed, _) = dataset.failed();
    let names: Vec<&str> = failed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "parts have the manifest's rows",
            "inputs.captures counts rows of captures",
            "views.sql lists the parts of the manifest",
        ]
    );
    assert!(failed[1].1.contains("358 rows, 359"), "{failed:?}");
}

#[test]
fn row_twice_is_named() {
    let dataset = Dataset::new();
    dataset.ingest(&dataset.input("second.warc.gz", usize::MAX), &[]);
    // What two datasets put together without dropping double ids would have.
    let part = "policies/part-000002.parquet";
    let rows = fs::read(dataset.path("policies/part-000001.parquet")).expect("the part");
    fs::write(dataset.path(part), &rows).expect("written");
    dataset.edit_commit(2, |commit| {
        let parts = commit["added"].as_array_mut().expect("parts");
        parts.push(json!({
            "table": "policies", "path": part, "rows": 129, "bytes": rows.len(),
            "xxh3": format!("{:016x}", xxh3_64(&rows)),
        }));
    });
    // Whoever did that did not think of the views either.
    let (failed, _) = dataset.failed();
    let names: Vec<&str> = failed.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "policies.policy_id is unique",
            "views.sql lists the parts of the manifest"
        ]
    );
    for word in [part, "\"count\":129"] {
        assert!(failed[0].1.contains(word), "{word} in {}", failed[0].1);
    }
}

#[test]
fn other_input_than_the_manifests_is_named() {
    let dataset = Dataset::new();
    dataset.edit_commit(1, |commit| commit["inputs"][0]["bytes"] = json!(1));
    dataset.assert_fails(
        "inputs match the manifest",
        &["crawl.warc.gz", "1 by the manifest"],
    );
}

#[test]
fn broken_commit_is_named() {
    let dataset = Dataset::new();
    let path = dataset.path("manifest/000001.json");
    let commit = fs::read_to_string(&path).expect("a commit");
    fs::write(&path, "{\"schema_version\": 1, ").expect("written");
    dataset.assert_fails("manifest", &["manifest/000001.json", "not a commit"]);
    // Settings decide what the next run does.
    let changed = commit.replace("\"max_sitemaps\": 1000", "\"max_sitemaps\": 1001");
    assert_ne!(changed, commit);
    fs::write(&path, changed).expect("written");
    dataset.assert_fails("manifest", &["manifest/000001.json", "checksum is wrong"]);
    let (cut, _) = commit.rsplit_once("xxh3_of_the_above").expect("a checksum");
    let cut = cut.trim_end_matches([',', '\n', ' ', '"']);
    fs::write(&path, format!("{cut}\n}}\n")).expect("written");
    dataset.assert_fails("manifest", &["manifest/000001.json", "no checksum"]);
}

#[test]
fn missing_commit_is_named() {
    let dataset = Dataset::new();
    dataset.ingest(&dataset.input("second.warc.gz", usize::MAX), &[]);
    dataset.ingest(&dataset.input("third.warc.gz", usize::MAX), &[]);
    dataset.assert_consistent();
    fs::remove_file(dataset.path("manifest/000002.json")).expect("removed");
    dataset.assert_fails("manifest", &["manifest/000002.json", "missing"]);
    let output = robostat(["ingest"])
        .args([sample("crawl.warc.gz"), dataset.path("")])
        .output();
    assert_eq!(
        output.expect("runs").status.code(),
        Some(1),
        "nothing is written over"
    );
}

#[test]
fn parts_outside_the_dataset_are_not_read() {
    let dataset = Dataset::new();
    dataset.edit_part(FILES, |part| part["path"] = json!("files/../../x.parquet"));
    dataset.assert_fails("manifest", &["not a part of a table files"]);
}

#[test]
fn dataset_that_is_being_written_can_be_verified() {
    let dataset = Dataset::new();
    let lock = File::create(dataset.path(".lock")).expect("the lock");
    lock.lock().expect("locked");
    dataset.assert_consistent();
}
