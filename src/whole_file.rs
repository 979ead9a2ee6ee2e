//! A file that is put in place as a whole: written under another name, and renamed when complete.
//! Until then an older file stays; readers never see half a file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use crate::dataset::check_output;
use crate::error::Error;

/// A file that is being written. If it is dropped before it is put in place, its content is
/// removed.
#[derive(Debug)]
pub struct WholeFile {
    place: PathBuf,
    aside: TempPath,
}

impl WholeFile {
    /// A file for `path`. If `path` is a link, its target is replaced. `None` if `path` is a
    /// device, a pipe or the like, which can only be written to directly.
    ///
    /// [`Error::Argument`] if `path` is a file that a dataset consists of.
    pub fn at(path: &Path) -> Result<Option<Self>, Error> {
        let is_stream = |it: fs::Metadata| !it.is_file() && !it.is_dir();
        if fs::metadata(path).is_ok_and(is_stream) {
            return Ok(None);
        }
        let place = resolved(path);
        check_output(&place)?;
        let mut name = place.file_name().unwrap_or_default().to_owned();
        name.push(".partial");
        // Absolute, so that DuckDB reads it as a path, whatever its first characters.
        let aside = TempPath::try_from_path(place.with_file_name(name));
        Ok(aside.ok().map(|aside| Self { place, aside }))
    }

    /// Like [`at`](Self::at), for a format that can only be written to a file; also [`Error::Io`]
    /// if `path` exists and is not a file.
    pub fn required_at(path: &Path) -> Result<Self, Error> {
        Self::at(path)?.ok_or_else(|| Error::io(path)(io::Error::other("not a file")))
    }

    /// Writes a file at once; also fails like [`required_at`](Self::required_at).
    pub fn write(path: &Path, content: &[u8]) -> Result<(), Error> {
        let file = Self::required_at(path)?;
        fs::write(file.aside(), content).map_err(Error::io(path))?;
        file.put_in_place()
    }

    pub fn aside(&self) -> &Path {
        &self.aside
    }

    /// Moves the file into its place. [`Error::Io`] if it cannot be renamed; it is removed then.
    pub fn put_in_place(self) -> Result<(), Error> {
        let placed = self.aside.persist(&self.place);
        placed.map_err(|failure| Error::io(&self.place)(failure.error))
    }
}

/// `path` without links and `..`, whether the file exists or not.
fn resolved(path: &Path) -> PathBuf {
    let in_directory = |path: &Path| {
        let directory = std::path::absolute(path).ok()?.parent()?.canonicalize();
        Some(directory.ok()?.join(path.file_name()?))
    };
    // The target of a link may not exist yet.
    let target = || in_directory(&path.with_file_name(fs::read_link(path).ok()?));
    let place = path.canonicalize().ok().or_else(target);
    let place = place.or_else(|| in_directory(path));
    place.unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests;
