//! Reads the facts in the shared folder beside the project, where present.

pub(crate) mod browser;
pub(crate) mod dataset;
pub(crate) mod duckdb;
pub(crate) mod markup;
pub(crate) mod mini_warc;
pub(crate) mod program;
#[allow(dead_code, reason = "the tests of the crate use the rest")]
#[path = "../../../crates/warc-recovery/tests/archives/packing.rs"]
pub(crate) mod warc;

use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

/// The rows of a file of the conformance folder, or nothing (and a printed
/// line) where the folder is absent.
pub(crate) fn read_jsonl(name: &str) -> Option<Vec<Value>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/conformance");
    let Ok(text) = std::fs::read_to_string(folder.join(name)) else {
        println!("skipped: no {name} in {}", folder.display());
        return None;
    };
    let rows = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON row"));
    Some(rows.collect())
}

/// A string field.
pub(crate) fn text<'v>(row: &'v Value, field: &str) -> &'v str {
    row[field]
        .as_str()
        .unwrap_or_else(|| panic!("no string {field} in {row}"))
}

/// A base64 field, decoded.
pub(crate) fn bytes(row: &Value, field: &str) -> Vec<u8> {
    let text = text(row, field);
    BASE64_STANDARD.decode(text).expect("base64")
}
