//! Makes the manifest of a dataset agree again with parts and commits that a page has changed.

use std::fs::{self, File};
use std::path::Path;

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

/// Removes rows or columns of parts according to `lines`. Then corrects the sizes, checksums and
/// row counts of these parts in the commits, and the checksums of the commits.
pub(super) fn seal(dataset: &Path, lines: &[&str]) {
    let changed: Vec<(&str, usize)> = (lines.iter())
        .map(|line| line.split_once(' ').expect("a part and a change"))
        .map(|(part, change)| (part, rewrite(&dataset.join(part), change)))
        .collect();
    for commit in fs::read_dir(dataset.join("manifest")).expect("commits") {
        let path = commit.expect("a commit").path();
        let mut commit: Value =
            serde_json::from_slice(&fs::read(&path).expect("a commit")).expect("JSON");
        for part in commit["added"].as_array_mut().expect("parts") {
            let name = part["path"].as_str().expect("a path").to_owned();
            let Ok(bytes) = fs::read(dataset.join(&name)) else {
                continue;
            };
            part["bytes"] = json!(bytes.len());
            part["xxh3"] = json!(checksum(&bytes));
            if let Some((_, rows)) = changed.iter().find(|(part, _)| *part == name) {
                part["rows"] = json!(rows);
            }
        }
        let members = commit.as_object_mut().expect("members");
        members.remove("xxh3_of_the_above");
        let text = serde_json::to_string_pretty(&commit).expect("JSON");
        let above = text.trim_end_matches("\n}");
        let checksum = checksum(above.as_bytes());
        let text = format!("{above},\n  \"xxh3_of_the_above\": \"{checksum}\"\n}}\n");
        fs::write(&path, text).expect("written");
    }
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:016x}", xxh3_64(bytes))
}

/// Rewrites a part without its first or its last row, or with its first three columns; returns the
/// number of its rows.
fn rewrite(path: &Path, change: &str) -> usize {
    let part = File::open(path).expect("a part");
    let reader = ParquetRecordBatchReaderBuilder::try_new(part).expect("Parquet");
    let rows = reader.with_batch_size(1 << 20).build();
    let rows = rows.expect("a reader").next().expect("a batch");
    let rows = rows.expect("rows");
    let rows = match change {
        "first" => rows.slice(1, rows.num_rows() - 1),
        "last" => rows.slice(0, rows.num_rows() - 1),
        "columns" => rows.project(&[0, 1, 2]).expect("columns"),
        _ => panic!("no change of a part: {change}"),
    };
    let part = File::create(path).expect("a part");
    let mut writer = ArrowWriter::try_new(part, rows.schema(), None).expect("a writer");
    writer.write(&rows).expect("written");
    writer.close().expect("written");
    rows.num_rows()
}
