//! What the project is built from: licences, duplicates and unsafe code, checked without a network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Licences that go together with the project's own, Apache-2.0, in a program that is given away.
const LICENCES: [&str; 10] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates of which several versions are built, and why.
const DUPLICATES: [(&str, &str); 3] = [
    ("base64", "parquet is a version behind"),
    (
        "getrandom",
        "hash maps of arrow, proptest and tempfile at build or test time",
    ),
    ("syn", "macros that run at build time only"),
];

/// The only files with unsafe code; each says at its head why it is sound.
const UNSAFE: [&str; 4] = [
    "crates/robots-dialects/tests/allocations.rs",
    "crates/warc-recovery/src/container/inflate.rs",
    "crates/warc-recovery/src/input/mapped.rs",
    "src/allocator.rs",
];

fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        // Those of other systems are not downloaded.
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let used: BTreeSet<&str> = nodes
        .iter()
        .filter_map(|node| node["id"].as_str())
        .collect();
    let all = metadata["packages"].as_array().expect("packages");
    all.iter()
        .filter(|package| package["id"].as_str().is_some_and(|id| used.contains(id)))
        .cloned()
        .collect()
}

/// Whether a licence expression (SPDX, one level of brackets) can be met with the list.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']);
        part.split(" OR ").any(|one| LICENCES.contains(&one.trim()))
    })
}

#[test]
fn every_licence_is_on_the_list() {
    let packages = packages();
    assert!(packages.len() > 50);
    for package in packages {
        let licence = package["license"].as_str().unwrap_or("(none)");
        assert!(is_allowed(licence), "{}: {licence}", package["name"]);
    }
    assert!(is_allowed("(MIT OR GPL-3.0) AND Unicode-3.0"));
    assert!(!is_allowed("GPL-3.0") && !is_allowed("MIT AND GPL-3.0") && !is_allowed("(none)"));
}

#[test]
fn every_duplicate_has_a_reason() {
    let mut versions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for package in packages() {
        let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
        versions
            .entry(text("name"))
            .or_default()
            .insert(text("version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let found: Vec<&str> = versions.keys().map(String::as_str).collect();
    let listed = DUPLICATES.map(|(name, _)| name);
    assert_eq!(found, listed, "{versions:?}");
}

#[test]
fn unsafe_code_stands_where_it_is_listed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lints = fs::read_to_string(root.join("Cargo.toml")).expect("the manifest");
    assert!(lints.contains("unsafe_code = \"deny\""));
    let mut found = Vec::new();
    let mut directories = vec![root.join("src"), root.join("crates")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            if text.contains("(unsafe_code") {
                let path = path.strip_prefix(root).expect("within");
                found.push(path.to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    assert_eq!(found, UNSAFE);
}
