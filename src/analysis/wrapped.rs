//! Finds the DuckDB that a script runs: pip, pipx and uv install such a script as `duckdb` with
//! `duckdb-cli`.
//!
//! The script starts Python, which starts DuckDB: together they take longer than many a query, and
//! a shim of pyenv before them as long again. The program that they would start is found by their
//! own rules, and called instead; where anything about them is not as usual, they are called.

use std::env;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::beside;

/// The script's file name. On Windows it is a program, and pyenv's shims are other scripts.
const NAME: &str = "duckdb";
/// Bytes of a script that are looked at.
const SCRIPT_BYTES: u64 = 4096;

/// The DuckDB programs that the `duckdb` of the PATH runs, the best first; empty if it is a program
/// itself.
pub(super) fn programs() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let first = env::split_paths(&path)
        .map(|directory| directory.join(NAME))
        .find(|place| place.is_file());
    let versions = || {
        let named = env::var("PYENV_VERSION").ok();
        named.or_else(|| versions_of(&env::current_dir().ok()?))
    };
    first.map_or_else(Vec::new, |script| behind(&script, &versions))
}

/// The programs behind `script`. `versions` has the versions of Python that pyenv uses here,
/// separated by colons or white space, if they are set.
fn behind(script: &Path, versions: &dyn Fn() -> Option<String>) -> Vec<PathBuf> {
    let Some(directory) = script.parent() else {
        return Vec::new();
    };
    let text = beginning(script).unwrap_or_default();
    if text.contains("duckdb_cli") {
        // What pipx and uv put on the PATH is a link to it.
        let script = script.canonicalize().ok();
        let directory = script.as_deref().and_then(Path::parent);
        let mut programs = directory.map_or_else(Vec::new, beside::packaged);
        programs.retain(|program| program.is_file() && !has_extensions(program));
        return programs;
    }
    if !text.contains("pyenv\" exec ") {
        return Vec::new();
    }
    // A shim is in `shims` of pyenv's root, the programs of a version in `versions/VERSION/bin`.
    let Some(root) = directory.parent() else {
        return Vec::new();
    };
    let global = || fs::read_to_string(root.join("version")).ok();
    let versions = versions().or_else(global).unwrap_or_default();
    let mut places = versions
        .split([':', ' ', '\n', '\r'])
        .filter(|version| !version.is_empty())
        .map(|version| root.join("versions").join(version).join("bin").join(NAME));
    let first = places.find(|place| place.is_file());
    first.map_or_else(Vec::new, |script| behind(&script, &|| Some(String::new())))
}

/// Whether pip has installed extensions of DuckDB's too: the script tells DuckDB where they are.
fn has_extensions(program: &Path) -> bool {
    let packages = program.ancestors().nth(2);
    packages.is_some_and(|packages| packages.join(".duckdb_extensions").exists())
}

/// The content of the nearest `.python-version`, in `directory` or a parent.
fn versions_of(directory: &Path) -> Option<String> {
    let mut places = directory.ancestors();
    places.find_map(|place| fs::read_to_string(place.join(".python-version")).ok())
}

/// The beginning of a script; nothing of a program.
fn beginning(script: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    let file = File::open(script).ok()?;
    file.take(SCRIPT_BYTES).read_to_end(&mut bytes).ok()?;
    bytes
        .starts_with(b"#!")
        .then(|| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(place: &Path, text: &str) {
        fs::create_dir_all(place.parent().expect("a folder")).expect("a folder");
        fs::write(place, text).expect("a file");
    }

    #[test]
    fn the_program_behind_the_script_of_a_package_is_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("bin/duckdb");
        let none = || None;
        write(
            &script,
            "#!/bin/python3\nfrom duckdb_cli.__main__ import main\n",
        );
        assert!(behind(&script, &none).is_empty());
        let site_packages = folder.path().join("lib/python3.11/site-packages");
        write(&site_packages.join("duckdb_cli/duckdb"), "");
        let found = behind(&script, &none);
        assert_eq!(found.len(), 1);
        assert!(found[0].ends_with("duckdb_cli/duckdb"));
        #[cfg(unix)]
        {
            let link = folder.path().join("links/duckdb");
            fs::create_dir_all(folder.path().join("links")).expect("a folder");
            std::os::unix::fs::symlink(&script, &link).expect("a link");
            assert_eq!(behind(&link, &none).len(), 1);
        }
        // What pip brings of extensions only the script knows.
        write(&site_packages.join(".duckdb_extensions/x"), "");
        assert!(behind(&script, &none).is_empty());
        // Neither a program nor a script of the user's own is looked behind.
        write(&script, "#!/bin/sh\nexec /opt/duckdb \"$@\"\n");
        assert!(behind(&script, &none).is_empty());
        write(&script, "\u{7f}ELF duckdb_cli");
        assert!(behind(&script, &none).is_empty());
    }

    #[test]
    fn the_program_behind_a_shim_of_pyenv_is_that_of_the_version_in_force() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path();
        let shim = root.join("shims/duckdb");
        write(
            &shim,
            "#!/bin/bash\nexec \"/x/libexec/pyenv\" exec \"$program\" \"$@\"\n",
        );
        for version in ["3.11.7", "3.12.1"] {
            let place = root.join("versions").join(version);
            write(
                &place.join("bin/duckdb"),
                "#!/x/python\nimport duckdb_cli\n",
            );
            write(
                &place.join("lib/python3/site-packages/duckdb_cli/duckdb"),
                "",
            );
        }
        let found = |versions: Option<&str>| {
            let found = behind(&shim, &|| versions.map(str::to_owned));
            found
                .first()
                .map(|place| place.to_string_lossy().into_owned())
        };
        assert_eq!(found(None), None);
        write(&root.join("version"), "3.11.7\n");
        assert!(found(None).is_some_and(|place| place.contains("3.11.7")));
        // The first of several that has it, as pyenv does.
        let several = found(Some("3.9.0:3.12.1:3.11.7"));
        assert!(several.is_some_and(|place| place.contains("3.12.1")));
        assert_eq!(found(Some("system")), None);
    }

    #[test]
    fn the_nearest_file_tells_the_version() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("a/b");
        write(&folder.path().join(".python-version"), "3.12.1\n");
        fs::create_dir_all(&inner).expect("a folder");
        assert_eq!(versions_of(&inner).as_deref(), Some("3.12.1\n"));
    }
}
