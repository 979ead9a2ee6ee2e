//! Compares the public API of each library crate with the API of its last release: the listing
//! `NAME.txt` in this folder. An item that is gone or changed, or a new variant of an enum that
//! callers can match in full, breaks callers, so it needs a version that cargo does not consider
//! compatible.
//!
//!     cargo run --manifest-path .ci/api/Cargo.toml              compare
//!     cargo run --manifest-path .ci/api/Cargo.toml -- --update  list the API of a new release
//!
//! A listing does not show which methods of a trait have a default, whether a struct has private
//! fields too, or what a function does.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const CRATES: [&str; 4] = [
    "page-directives",
    "registrable-domain",
    "robots-dialects",
    "warc-recovery",
];

fn main() -> Result<ExitCode> {
    let is_update = env::args()
        .nth(1)
        .is_some_and(|argument| argument == "--update");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut is_broken = false;
    for name in CRATES {
        let version = version(&root, name)?;
        let api = api(&root, name)?;
        let path = root.join(".ci/api").join(name).with_extension("txt");
        if is_update {
            let lines: Vec<_> = api.iter().map(String::as_str).collect();
            fs::write(path, format!("{version}\n{}\n", lines.join("\n")))?;
            continue;
        }
        let listing = fs::read_to_string(&path).map_err(|error| in_file(&path, &error))?;
        let (released, listed) = listing
            .split_once('\n')
            .ok_or("a listing begins with a version")?;
        let broken = broken(&listed.lines().map(str::to_owned).collect(), &api);
        if !broken.is_empty() && breaking_part(released) == breaking_part(&version) {
            is_broken = true;
            eprintln!("{name} {version} breaks callers of {released}; raise its version:");
            for line in broken {
                eprintln!("  {line}");
            }
        } else {
            println!(
                "{name} {version}: {} public items, no callers of {released} broken",
                api.len()
            );
        }
    }
    Ok(if is_broken {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

/// The changes from `old` to `new` that break callers.
fn broken(old: &BTreeSet<String>, new: &BTreeSet<String>) -> Vec<String> {
    let gone = old
        .difference(new)
        .map(|line| format!("gone or changed: {line}"));
    let exhaustive: HashSet<_> = old
        .iter()
        .filter_map(|line| line.strip_prefix("pub enum "))
        .map(path)
        .collect();
    let grown = new.difference(old).filter(|line| {
        let variant = line
            .strip_prefix("pub ")
            .and_then(|item| path(item).rsplit_once("::"));
        variant.is_some_and(|(of, _)| exhaustive.contains(of))
    });
    gone.chain(grown.map(|line| format!("new variant: {line}")))
        .collect()
}

/// The path that an item begins with, without what follows: parameters, fields, a type.
fn path(item: &str) -> &str {
    let end = item.find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
    item[..end.unwrap_or(item.len())].trim_end_matches(':')
}

/// The part of a version that cargo compares: up to the first number that is not 0.
fn breaking_part(version: &str) -> &str {
    let end = version.find(|c: char| c.is_ascii_digit() && c != '0');
    let rest = end.map_or("", |start| &version[start..]);
    &version[..version.len() - rest.len() + rest.find('.').unwrap_or(rest.len())]
}

/// The public items of a crate with all its features, one line each; for the implementation of a
/// trait, only its head.
fn api(root: &Path, name: &str) -> Result<BTreeSet<String>> {
    let status = Command::new("cargo")
        .args([
            "rustdoc",
            "--quiet",
            "--locked",
            "--lib",
            "--all-features",
            "--package",
            name,
        ])
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        .env("RUSTDOC", root.join(".ci/api/rustdoc")) // rustdoc alone takes unstable options
        .current_dir(root)
        .status()?;
    if !status.success() {
        return Err(format!("rustdoc fails for {name}").into());
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let json = target
        .join("doc")
        .join(name.replace('-', "_"))
        .with_extension("json");
    let api = public_api::Builder::from_rustdoc_json(&json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .map_err(|error| {
            let remedy =
                "set public-api in .ci/api/Cargo.toml to a version that reads this rustdoc";
            format!("{error}\n{remedy}")
        })?;
    let items: Vec<_> = api.items().map(|item| (item, item.to_string())).collect();
    let is_trait_impl = |line: &str| line.starts_with("impl") && line.contains(" for ");
    let heads: HashSet<_> = items
        .iter()
        .filter(|(_, line)| is_trait_impl(line))
        .map(|(item, _)| item.id())
        .collect();
    let shown = items
        .into_iter()
        .filter(|(item, _)| item.parent_id().is_none_or(|id| !heads.contains(&id)))
        .map(|(_, line)| line)
        .filter(|line| !line.contains("StructuralPartialEq"));
    Ok(shown.collect())
}

/// The version in the crate's Cargo.toml.
fn version(root: &Path, name: &str) -> Result<String> {
    let path = root.join("crates").join(name).join("Cargo.toml");
    let manifest = fs::read_to_string(&path).map_err(|error| in_file(&path, &error))?;
    let value = manifest
        .lines()
        .find_map(|line| line.strip_prefix("version = \""));
    Ok(value
        .ok_or("a crate has a version")?
        .trim_end_matches('"')
        .to_owned())
}

fn in_file(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_breaks_callers() {
        let set = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect();
        let old = set(&[
            "pub enum a::E",
            "pub a::E::One",
            "pub fn a::f()",
            "pub fn a::g()",
        ]);
        let new = set(&[
            "pub enum a::E",
            "pub a::E::One",
            "pub a::E::Two(u8)",
            "pub fn a::f(u8)",
            "pub fn a::g()",
            "pub fn a::h()",
        ]);
        assert_eq!(
            broken(&old, &new),
            [
                "gone or changed: pub fn a::f()",
                "new variant: pub a::E::Two(u8)"
            ]
        );
        assert!(broken(&old, &old).is_empty());
    }

    #[test]
    fn cargo_compares_up_to_the_first_number_that_is_not_0() {
        for (version, part) in [
            ("0.1.0", "0.1"),
            ("0.12.3", "0.12"),
            ("0.0.3", "0.0.3"),
            ("1.2.3", "1"),
            ("10.0.0", "10"),
        ] {
            assert_eq!(breaking_part(version), part);
        }
    }
}
