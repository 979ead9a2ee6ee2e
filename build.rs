//! Lists the shipped queries, `queries/*.sql` and `queries/*/*.sql`, for
//! `src/analysis/query/shipped`, and appends them to the views of every dataset. A new query is a
//! new file; no list has to be kept. Folders are topics; names are unique in all of them.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=queries");
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // Tests on real captures are ignored if the captures are not next to the repository. If they
    // are added later, touch this script to run the tests.
    println!("cargo::rustc-check-cfg=cfg(has_real_captures)");
    let real_captures = root.join("../shared/corpus/robots.jsonl.zst");
    if real_captures.exists() {
        println!("cargo::rerun-if-changed={}", real_captures.display());
        println!("cargo::rustc-cfg=has_real_captures");
    }
    let mut paths = query_files(&root.join("queries"))?;
    // By name: `a` before `a-b`, which the extension would turn round.
    paths.sort_by_key(|path| path.file_stem().map(OsStr::to_owned));
    let (mut entries, mut macros) = (String::new(), String::new());
    for path in &paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let path_in_project = path.strip_prefix(&root).unwrap_or(path);
        let path_in_project = path_in_project.to_string_lossy().replace('\\', "/");
        // From the manifest on: a build directory may serve more than one clone.
        let _ = writeln!(
            entries,
            "ShippedQuery {{ name: {name:?}, path: {path_in_project:?}, sql: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/\", {path_in_project:?})) }},"
        );
        macros.push('\n');
        macros.push_str(&fs::read_to_string(path)?);
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("queries.rs"), format!("&[\n{entries}]\n"))?;
    fs::write(out.join("queries.sql"), macros)
}

/// The files of SQL in a folder, and in folders within it.
fn query_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() && path.ends_with("portable") {
            // For other engines: without macros.
        } else if path.is_dir() {
            files.extend(query_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "sql") {
            files.push(path);
        }
    }
    Ok(files)
}
