//! The width of lines: at most 100 columns in comments and prose. `cargo fmt --check` holds it for
//! code, and leaves string literals and the bodies of macros as they are.

use std::fs;
use std::path::PathBuf;

const MAX_COLUMNS: usize = 100;

/// Where the project's Rust and Markdown files are.
const PLACES: [&str; 14] = [
    "benches",
    "crates",
    "docs",
    "examples",
    "queries",
    "samples",
    "src",
    "tests",
    "build.rs",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "scripts",
];

/// The Rust and Markdown files at or below `path`.
fn collect(path: PathBuf, files: &mut Vec<PathBuf>) {
    if path.is_dir() && !path.ends_with("target") {
        for entry in fs::read_dir(path).expect("a directory") {
            collect(entry.expect("an entry").path(), files);
        }
    } else if path.extension().is_some_and(|it| it == "rs" || it == "md") {
        files.push(path);
    }
}

/// The prose of a line: of Rust, its comment, if it is nothing else; of Markdown, the line.
fn prose(line: &str, is_rust: bool) -> Option<&str> {
    if !is_rust {
        return Some(line.trim_start());
    }
    let comment = line.trim_start().strip_prefix("//")?;
    Some(comment.trim_start_matches(['/', '!']).trim_start())
}

/// The numbers of lines of prose that are too long. Tables, links by reference, headings, what
/// stands between fences and what has no space to break at may be longer.
fn too_long(text: &str, is_rust: bool) -> Vec<usize> {
    let mut is_fenced = false;
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let Some(prose) = prose(line, is_rust) else {
            is_fenced &= !is_rust;
            continue;
        };
        if prose.starts_with("```") {
            is_fenced = !is_fenced;
        }
        let may_be_long = is_fenced || prose.starts_with(['|', '#', '<']) || !prose.contains(' ');
        if !may_be_long && line.chars().count() > MAX_COLUMNS {
            found.push(index + 1);
        }
    }
    found
}

#[test]
fn prose_is_at_most_100_columns_wide() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for place in PLACES {
        collect(root.join(place), &mut files);
    }
    assert!(files.len() > 500, "{}", files.len());
    let mut found = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).unwrap_or_default();
        let is_rust = path.extension().is_some_and(|it| it == "rs");
        let name = path.strip_prefix(&root).expect("within").display();
        found.extend(
            too_long(&text, is_rust)
                .iter()
                .map(|line| format!("{name}:{line}")),
        );
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn tables_and_fences_may_be_wider() {
    let long = "word ".repeat(21);
    assert_eq!(too_long(&format!("short\n{long}\n"), false), [2]);
    assert_eq!(too_long(&format!("    /// {long}\n"), true), [1]);
    assert_eq!(too_long(&format!("let a = \"{long}\";\n"), true), [0; 0]);
    assert_eq!(too_long(&format!("| {long} |\n"), false), [0; 0]);
    assert_eq!(too_long(&format!("```\n{long}\n```\n{long}\n"), false), [4]);
    assert_eq!(
        too_long(&format!("//! ```\n//! {long}\n//! ```\n"), true),
        [0; 0]
    );
}
