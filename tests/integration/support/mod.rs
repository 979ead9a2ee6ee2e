//! Reads the facts in the shared folder beside the project, where present.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod browser;
pub(crate) mod dataset;
pub(crate) mod duckdb;
pub(crate) mod markup;
pub(crate) mod mini_warc;
pub(crate) mod program;
pub(crate) mod run;
pub(crate) mod warc;

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

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
    decode_base64(text(row, field))
}

/// Decodes standard base64.
pub(crate) fn decode_base64(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0u32);
    for byte in text.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => break,
            _ => panic!("not base64: {byte}"),
        };
        bits = bits << 6 | u32::from(digit);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held & 0xFF) as u8);
        }
    }
    out
}

/// Runs the program with `input` on standard input; its exit code and standard output.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> (Option<i32>, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_robostat"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        // The program may answer, or end, before it has read everything.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    });
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code(), text)
}
