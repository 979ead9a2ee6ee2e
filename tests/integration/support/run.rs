//! Runs of the real program.
#![allow(dead_code, reason = "every test uses a part of it")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program, with arguments.
pub(crate) fn robostat<S: AsRef<std::ffi::OsStr>>(
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_robostat"));
    command.args(arguments);
    command
}

/// Ingests `input` into `out` with further arguments; the exit code must be `code`.
#[track_caller]
pub(crate) fn ingest(arguments: &[&str], input: &Path, out: &Path, code: i32) -> serde_json::Value {
    let output = robostat(["ingest", "--json"])
        .args(arguments)
        .arg(input)
        .arg(out)
        .output()
        .expect("a program");
    assert_eq!(output.status.code(), Some(code), "{}", text(&output));
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// What a run said on standard error.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The part files of a dataset with their bytes, by path within it.
pub(crate) fn parts(out: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut parts = BTreeMap::new();
    let mut directories = vec![out.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "parquet")
            {
                let bytes = fs::read(&path).expect("a part");
                parts.insert(path.strip_prefix(out).expect("within").to_owned(), bytes);
            }
        }
    }
    parts
}

/// A number of the JSON summary.
pub(crate) fn number(summary: &serde_json::Value, key: &str) -> u64 {
    summary[key]
        .as_u64()
        .unwrap_or_else(|| panic!("{key} in {summary}"))
}

/// A file of the samples.
pub(crate) fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("samples")
        .join(name)
}
