//! What the project is built from: licences, compilers, duplicates and unsafe code, checked without
//! a network.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Licences that go together with the project's own, Apache-2.0, in a program that is given away.
const LICENCES: [&str; 12] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0", // webpki-roots: Mozilla's list of certificates, which is data
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates of which several versions are built, and why.
const DUPLICATES: [(&str, &str); 5] = [
    ("base64", "sfv is a version behind"),
    (
        "getrandom",
        "hash maps of arrow, proptest and tempfile at build or test time",
    ),
    (
        "num-bigint",
        "rcgen's reader of certificates, in the lock file only",
    ),
    ("syn", "macros that run at build time only"),
    (
        "synstructure",
        "rcgen's reader of certificates, in the lock file only",
    ),
];

/// The only files with unsafe code; each says at its head why it is sound.
const UNSAFE: [&str; 4] = [
    "crates/robots-dialects/tests/allocations.rs",
    "crates/warc-recovery/src/container/inflate.rs",
    "crates/warc-recovery/src/input/mapped.rs",
    "src/allocator.rs",
];

/// What cargo knows of the workspace and everything that it is built from.
fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked", "--offline"])
        // Crates for other systems are not downloaded.
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn packages() -> Vec<Value> {
    let metadata = metadata();
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

/// The crates that the library `name` is built from, without itself and without those of its tests.
fn dependencies(metadata: &Value, name: &str) -> BTreeSet<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().expect("packages");
    let name_of: BTreeMap<String, String> = packages
        .iter()
        .map(|package| (text(&package["id"]), text(&package["name"])))
        .collect();
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let mut found = BTreeSet::new();
    let mut waiting = vec![name.to_owned()];
    while let Some(name) = waiting.pop() {
        let mut nodes = nodes.iter();
        let node = nodes.find(|node| name_of[&text(&node["id"])] == name);
        let dependencies = node.expect("a crate of that name")["deps"].as_array();
        for dependency in dependencies.expect("dependencies") {
            let kinds = dependency["dep_kinds"].as_array().expect("kinds");
            let name = &name_of[&text(&dependency["pkg"])];
            if kinds.iter().any(|kind| kind["kind"].is_null()) && found.insert(name.clone()) {
                waiting.push(name.clone());
            }
        }
    }
    found
}

/// Whether a licence expression (SPDX, one level of brackets) can be met with the list.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let part = part.trim_matches(['(', ')']);
        part.split(" OR ").any(|one| LICENCES.contains(&one.trim()))
    })
}

/// `MAJOR.MINOR` of a Rust version, to compare.
fn release(version: &str) -> (u32, u32) {
    let mut numbers = version
        .split('.')
        .map(|number| number.parse().expect("a number"));
    (
        numbers.next().expect("a major version"),
        numbers.next().expect("a minor version"),
    )
}

#[test]
fn no_locked_crate_needs_a_newer_compiler_than_the_manifest_says() {
    let packages = packages();
    let version_of = |package: &Value| package["rust_version"].as_str().map(release);
    let own = packages
        .iter()
        .find(|package| package["name"] == "robostat")
        .and_then(version_of)
        .expect("rust-version");
    let known = packages
        .iter()
        .filter(|package| version_of(package).is_some());
    assert!(known.count() > 50, "most crates say what they need");
    for package in &packages {
        if let Some(needed) = version_of(package) {
            assert!(needed <= own, "{} needs Rust {needed:?}", package["name"]);
        }
    }
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

#[test]
fn libraries_are_free_of_tables_and_arguments() {
    let metadata = metadata();
    let libraries = ["page-directives", "robots-dialects", "warc-recovery"];
    for name in libraries {
        let found = dependencies(&metadata, name);
        assert!(found.contains("memchr"), "{name}: {found:?}");
        let heavy = |dependency: &&String| {
            dependency.starts_with("arrow")
                || dependency.starts_with("clap")
                || matches!(dependency.as_str(), "parquet" | "robostat" | "serde")
                || libraries.contains(&dependency.as_str())
        };
        assert_eq!(found.iter().find(heavy), None, "{name}");
    }
    let domains = dependencies(&metadata, "registrable-domain");
    assert!(
        domains.iter().all(|name| name.starts_with("psl")),
        "{domains:?}"
    );
    let robots = dependencies(&metadata, "robots-dialects");
    let files = ["memmap2", "zstd", "libc"];
    assert!(
        files.iter().all(|file| !robots.contains(*file)),
        "{robots:?}"
    );
}

/// The modules of the application, and which others each may use. A module uses only those below
/// it, so there are no cycles.
const ROOMS: [(&str, &[&str]); 10] = [
    (
        "cli",
        &[
            "analysis",
            "ingest",
            "remote",
            "dataset",
            "threads",
            "error",
            "escape",
            "whole_file",
        ],
    ),
    (
        "analysis",
        &[
            "dataset",
            "threads",
            "error",
            "escape",
            "url_parts",
            "whole_file",
        ],
    ),
    (
        "ingest",
        &[
            "remote",
            "dataset",
            "threads",
            "error",
            "escape",
            "url_parts",
        ],
    ),
    ("remote", &["threads", "error", "escape"]),
    ("dataset", &["threads", "error", "escape", "url_parts"]),
    ("threads", &["error"]),
    ("whole_file", &["error"]),
    ("error", &["escape"]),
    ("escape", &[]),
    ("url_parts", &[]),
];

/// The rooms that a source file names, by `crate::ROOM`.
fn rooms_named(source: &str) -> BTreeSet<&str> {
    let code = source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1))
        .map(|rest| {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let end = rest.bytes().position(|byte| !is_name(byte));
            &rest[..end.unwrap_or(rest.len())]
        })
        .collect()
}

#[test]
fn rooms_know_only_those_below_them() {
    for (index, (room, known)) in ROOMS.iter().enumerate() {
        let below: Vec<&str> = ROOMS[index + 1..].iter().map(|(room, _)| *room).collect();
        assert!(known.iter().all(|room| below.contains(room)), "{room}");
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut waiting = vec![source.clone()];
    let mut n_arrows = 0;
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a directory");
            waiting.extend(entries.map(|entry| entry.expect("an entry").path()));
            continue;
        }
        let place = path.strip_prefix(&source).expect("within");
        let first = place.iter().next().and_then(|name| name.to_str());
        let room = first.expect("a name").trim_end_matches(".rs");
        if matches!(room, "lib" | "main" | "limits" | "allocator")
            || path.extension().is_none_or(|extension| extension != "rs")
        {
            continue;
        }
        let (_, known) = ROOMS
            .iter()
            .find(|(name, _)| *name == room)
            .unwrap_or_else(|| panic!("{} is in no room", place.display()));
        for named in rooms_named(&fs::read_to_string(&path).expect("a source file")) {
            n_arrows += 1;
            assert!(
                named == room || known.contains(&named),
                "{} may not know {named}",
                place.display()
            );
        }
    }
    assert!(n_arrows > 100, "{n_arrows}");
}
