//! Cases of other parsers' test suites and facts about Google's parser, which lie beside the
//! repository in `../shared/conformance`. Where they do not, these tests are reported as ignored.

mod google;
mod suites;

use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::harness::Test;

/// The folder of the cases, beside the repository.
const CASES: &str = "shared/conformance";

/// The tests, each with the file that it needs.
pub(crate) fn tests() -> impl Iterator<Item = Test> {
    let tests: [(&str, fn()); 4] = [
        ("cases.jsonl", suites::cases_of_suites_and_specifications),
        (
            "google-adversarial.jsonl",
            google::adversarial_verdicts_equal_googles,
        ),
        ("google-events.jsonl", google::line_events_equal_googles),
        ("google-units.jsonl", google::units_equal_googles),
    ];
    tests.into_iter().map(|(file, run)| {
        let path = path_of(file);
        let is_missing = !path.exists();
        Test::new(format!("shared {file}"), run).ignored_because(
            is_missing.then(|| format!("no ../{CASES}/{file} beside the repository")),
        )
    })
}

fn path_of(file: &str) -> PathBuf {
    // `..` of the repository, wherever the crate lies within it.
    let repository = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    repository.join("..").join(CASES).join(file)
}

/// The rows of a shared file.
fn rows_of(file: &str) -> Vec<Value> {
    let path = path_of(file);
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON row"));
    rows.collect()
}

/// A string field.
fn text<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field]
        .as_str()
        .unwrap_or_else(|| panic!("no string {field} in {row}"))
}

/// A base64 field, decoded.
fn bytes(row: &Value, field: &str) -> Vec<u8> {
    decoded(text(row, field))
}

fn decoded(text: &str) -> Vec<u8> {
    BASE64_STANDARD.decode(text).expect("base64")
}
