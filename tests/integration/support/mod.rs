//! What the tests share: archives, runs of the program, reading a dataset.

pub(crate) mod browser;
pub(crate) mod dataset;
pub(crate) mod duckdb;
pub(crate) mod folder;
pub(crate) mod inputs;
pub(crate) mod markup;
pub(crate) mod mini_warc;
pub(crate) mod program;
#[allow(dead_code, reason = "the tests of the crate use the rest")]
#[path = "../../../crates/warc-recovery/tests/archives/packing.rs"]
pub(crate) mod warc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;

/// A base64 field, decoded.
pub(crate) fn bytes(row: &Value, field: &str) -> Vec<u8> {
    let text = row[field]
        .as_str()
        .unwrap_or_else(|| panic!("no string {field} in {row}"));
    BASE64_STANDARD.decode(text).expect("base64")
}
