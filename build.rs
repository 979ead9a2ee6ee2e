//! Lists the shipped queries, `queries/*.sql`, for `src/analysis/query/shipped.rs`, and appends
//! them to the views of every dataset. A new query is a new file; no list has to be kept.

use std::fmt::Write as _;
use std::path::PathBuf;
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
    let mut paths: Vec<PathBuf> = fs::read_dir(root.join("queries"))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "sql"));
    // By name: `a` before `a-b`, which the extension would turn round.
    paths.sort_by_key(|path| path.with_extension(""));
    let (mut entries, mut macros) = (String::new(), String::new());
    for path in &paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let path_in_project = format!("/queries/{name}.sql");
        // From the manifest on: a build directory may serve more than one clone.
        let _ = writeln!(
            entries,
            "ShippedQuery {{ name: {name:?}, sql: include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {path_in_project:?})) }},"
        );
        macros.push('\n');
        macros.push_str(&fs::read_to_string(path)?);
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("queries.rs"), format!("&[\n{entries}]\n"))?;
    fs::write(out.join("queries.sql"), macros)
}
