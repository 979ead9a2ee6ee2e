//! Finds DuckDB next to this program, where an installer of Python packages puts both.
//!
//! The wheel depends on `duckdb-cli`. pipx and uv keep what a program depends on off the PATH, and
//! an environment may be used without being activated. A DuckDB in the directory of this program is
//! found in either case.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

const NAME: &str = if cfg!(windows) {
    "duckdb.exe"
} else {
    "duckdb"
};

/// The DuckDB programs in the directory of this one, the best first. They exist, but have not been
/// run.
pub(super) fn programs() -> Vec<PathBuf> {
    env::current_exe().map_or_else(|_| Vec::new(), |program| beside(&program))
}

/// Those beside `program`: as it was called, and, if that is a link, beside what it leads to.
fn beside(program: &Path) -> Vec<PathBuf> {
    let resolved = program.canonicalize().ok();
    let resolved = resolved.as_deref().filter(|resolved| *resolved != program);
    let programs = [Some(program), resolved].into_iter().flatten();
    let places = programs.filter_map(Path::parent).flat_map(|directory| {
        let script = directory.join(NAME);
        packaged(directory).into_iter().chain([script])
    });
    places.filter(|place| place.is_file()).collect()
}

/// The program in the package `duckdb-cli` of the environment whose programs are in `directory`. It
/// is called rather than the script `duckdb` in that directory, which starts Python first: that
/// takes longer than most queries, and DuckDB goes on if the script is killed.
fn packaged(directory: &Path) -> Vec<PathBuf> {
    let libraries = directory.join("../lib");
    let Ok(entries) = fs::read_dir(&libraries) else {
        return Vec::new();
    };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut versions: Vec<String> = names.filter(|name| name.starts_with("python")).collect();
    versions.sort();
    let places = versions.iter().flat_map(|version| {
        // Debian's own Python has the second.
        ["site-packages", "dist-packages"]
            .map(|packages| libraries.join(version).join(packages).join("duckdb_cli"))
    });
    places.map(|place| place.join(NAME)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_comes_before_the_script_and_a_link_is_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path().canonicalize().expect("a folder");
        let package = folder.join("env/lib/python3.11/site-packages/duckdb_cli");
        for directory in [&package, &folder.join("env/bin"), &folder.join("links")] {
            fs::create_dir_all(directory).expect("a folder");
        }
        let link = folder.join("links/robostat");
        let program = folder.join("env/bin/robostat");
        fs::write(&program, "").expect("a file");
        assert!(beside(&program).is_empty());
        let script = folder.join("env/bin").join(NAME);
        fs::write(&script, "").expect("a file");
        assert_eq!(beside(&program), std::slice::from_ref(&script));
        fs::write(package.join(NAME), "").expect("a file");
        let found = beside(&program);
        let canonical: Vec<_> = found
            .iter()
            .filter_map(|it| it.canonicalize().ok())
            .collect();
        assert_eq!(canonical, [package.join(NAME), script]);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&program, &link).expect("a link");
            assert_eq!(beside(&link), found);
        }
    }
}
