//! Helpers of the tests: archives, runs of the program, reading a dataset.

pub(crate) mod browser;
pub(crate) mod dataset;
pub(crate) mod duckdb;
pub(crate) mod folder;
pub(crate) mod inputs;
pub(crate) mod install;
pub(crate) mod markup;
pub(crate) mod mini_warc;
pub(crate) mod program;
pub(crate) mod server;
#[allow(dead_code, reason = "the tests of the crate use the rest")]
#[path = "../../../crates/warc-recovery/tests/archives/packing.rs"]
pub(crate) mod warc;

use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// SHA-256 in hexadecimal digits.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    let mut digits = String::new();
    for byte in Sha256::digest(bytes) {
        write!(digits, "{byte:02x}").expect("a string");
    }
    digits
}

/// A base64 field, decoded.
pub(crate) fn bytes(row: &Value, field: &str) -> Vec<u8> {
    let text = row[field]
        .as_str()
        .unwrap_or_else(|| panic!("no string {field} in {row}"));
    BASE64_STANDARD.decode(text).expect("base64")
}
