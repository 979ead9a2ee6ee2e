//! The Parquet files in the tables' directories, whether a commit lists them or not, and the places
//! where nothing else may be written.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::Path;

use super::catalog::table::{GIVEN, TABLE as CATALOG};
use super::manifest::{self, Manifest};
use super::part_name::commits_of;
use super::tables::policy_diffs::FILE as DIFFS;
use super::{is_dataset, tables};
use crate::error::{Error, shown};

pub(super) fn list(directory: &Path) -> Result<BTreeSet<String>, Error> {
    let mut found = BTreeSet::new();
    for table in tables::all() {
        add(&directory.join(table.name), table.name, &mut found)?;
    }
    Ok(found)
}

/// Refuses a dataset with parts of commits that `manifest` lacks: a run would overwrite these
/// parts, and queries would lack their rows. `on_disk` was listed before the manifest was read.
pub(super) fn refuse_lost_commits(
    directory: &Path,
    on_disk: &BTreeSet<String>,
    manifest: &Manifest,
) -> Result<(), Error> {
    let last = manifest.commits.len() as u64;
    let is_later = |path: &String| number(path).map_or(last == 0, |number| number > last);
    let parts = manifest.parts();
    let first = (on_disk.iter()).find(|path| is_later(path) && !parts.contains_key(path.as_str()));
    let Some(path) = first else {
        return Ok(());
    };
    let message = match number(path) {
        Some(number) if last > 0 => format!(
            "a part of commit {number}, but the manifest ends with commit {last}; put \
             {}/{number:06}.json back, or move the part away (`robostat verify` lists what else \
             is wrong)",
            manifest::DIRECTORY
        ),
        _ => format!(
            "there are parts here, but no commit in {}/ lists them; put the manifest back, or \
             choose a new directory",
            manifest::DIRECTORY
        ),
    };
    Err(Error::unusable(directory.join(path), message))
}

fn number(path: &str) -> Option<u64> {
    commits_of(path).map(|(_, last)| last)
}

/// Fails if `place`, without links and `..`, is where a dataset has its manifest, its parts or its
/// catalogue, so that an output does not overwrite them.
pub fn check_output(place: &Path) -> Result<(), Error> {
    let Some(directory) = place.ancestors().skip(1).find(|it| is_dataset(it)) else {
        return Ok(());
    };
    let within = place.strip_prefix(directory).unwrap_or(place);
    let files = [manifest::DIRECTORY, CATALOG, GIVEN, DIFFS];
    let mut own = tables::all().map(|table| table.name).chain(files);
    if !own.any(|own| within.starts_with(own)) {
        return Ok(());
    }
    Err(Error::Argument(format!(
        "{}: the dataset {} keeps its own files there; write to another file",
        shown(place),
        shown(directory)
    )))
}

fn add(directory: &Path, within: &str, found: &mut BTreeSet<String>) -> Result<(), Error> {
    use io::ErrorKind::{NotADirectory, NotFound};
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        // A table without any part; a missing part is reported elsewhere. A file in place of the
        // directory holds no parts.
        Err(error) if matches!(error.kind(), NotFound | NotADirectory) => return Ok(()),
        Err(error) => return Err(Error::io(directory)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(Error::io(directory))?;
        let path = entry.path();
        let within = format!("{within}/{}", entry.file_name().to_string_lossy());
        let is_parquet = |it: &OsStr| it.eq_ignore_ascii_case("parquet");
        if entry.file_type().map_err(Error::io(&path))?.is_dir() {
            add(&path, &within, found)?;
        } else if path.extension().is_some_and(is_parquet) {
            found.insert(within);
        }
    }
    Ok(())
}
