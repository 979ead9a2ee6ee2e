//! Cases of other parsers' test suites and facts about Google's parser, from
//! `../shared/conformance`. Without that folder these tests are reported as ignored.

mod google;
mod history;
mod suites;

use std::fs;
use std::path::PathBuf;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

use super::Trial;

/// The folder of the cases, next to the repository.
const CASES: &str = "shared/conformance";

/// The tests, each with the file that it needs.
pub(crate) fn tests() -> impl Iterator<Item = Trial> {
    let tests: [(&str, fn()); 4] = [
        ("cases.jsonl", suites::cases_of_suites_and_specifications),
        (
            "google-adversarial.jsonl",
            google::adversarial_verdicts_equal_googles,
        ),
        ("google-events.jsonl", google::line_events_equal_googles),
        ("google-units.jsonl", google::units_equal_googles),
    ];
    let of_cases = tests
        .into_iter()
        .map(|(file, run)| (format!("{CASES}/{file}"), run));
    let of_history: fn() = history::comparisons_equal_the_automaton;
    let all = of_cases.chain([(history::HISTORY.to_owned(), of_history)]);
    all.map(|(place, run)| {
        let is_missing = !shared_path(&place).exists();
        super::test(format!("../{place}"), run).with_ignored_flag(is_missing)
    })
}

/// A file or folder next to the repository.
fn shared_path(place: &str) -> PathBuf {
    // `..` of the repository, wherever the crate is within it.
    let repository = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    repository.join("..").join(place)
}

fn path_of(file: &str) -> PathBuf {
    shared_path(&format!("{CASES}/{file}"))
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
    let encoded = text(row, field);
    BASE64_STANDARD.decode(encoded).expect("base64")
}
