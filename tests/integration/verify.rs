//! `robostat verify` on datasets whose rows or commits were changed; `tests/cases/verify.md` has
//! changes of files.

use std::fs::{self, File};
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
use crate::support::program::{robostat, sample, seal};
use crate::support::warc::gzip;

const FILES: &str = "files/part-000001.parquet";
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
            copy.extend(gzip(b"").repeat(name.len()));
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
fn other_versions_cannot_be_checked() {
    let dataset = Dataset::new();
    dataset.edit_commit(1, |commit| commit["schema_version"] = json!(99));
    let output = dataset.verify(&[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("tables of version 99"));
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
