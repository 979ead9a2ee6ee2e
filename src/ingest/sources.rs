//! Which files an ingest reads: arguments, directories and path lists made into a list of inputs.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::{Component, Path, PathBuf};

use flate2::read::GzDecoder;
use warc_recovery::input::Source;

use crate::error::Error;

/// What the arguments came to.
#[derive(Debug, Default)]
pub struct Found {
    /// What to read, in order, each once.
    pub sources: Vec<Source>,
    /// Files in given directories that are no WARCs, passed over.
    pub passed_over: Vec<PathBuf>,
}

/// Resolves `paths` and the list in `files_from` (one path a line, `-` for standard input).
///
/// Directories are read recursively, in the order of their names. A file named by the user is
/// always taken; one met in a directory only if its name has `.warc` in it or its content begins
/// like a WARC. The dataset in `out` is no input, wherever it lies.
///
/// # Errors
///
/// [`Error::Io`] at the path that does not exist, or the list or directory that cannot be read.
pub fn find(paths: &[PathBuf], files_from: Option<&Path>, out: &Path) -> Result<Found, Error> {
    let mut found = Found::default();
    let out = out.canonicalize().ok(); // none: it is yet to be made
    let out = out.as_deref();
    for path in paths {
        add(&mut found, path, out)?;
    }
    if let Some(list) = files_from {
        let lines: Box<dyn BufRead> = if list == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(list).map_err(Error::io(list))?))
        };
        for line in lines.lines() {
            let line = line.map_err(Error::io(list))?;
            let line = line.trim();
            if !line.is_empty() {
                add(&mut found, Path::new(line), out)?;
            }
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.sources.retain(|source| match source {
        Source::Path(path) => seen.insert(path.clone()),
        Source::Standard => seen.insert(PathBuf::from("-")),
    });
    Ok(found)
}

fn add(found: &mut Found, path: &Path, out: Option<&Path>) -> Result<(), Error> {
    if path == Path::new("-") {
        found.sources.push(Source::Standard);
    } else if fs::metadata(path).map_err(Error::io(path))?.is_dir() {
        add_directory(found, path, out)?;
    } else {
        found.sources.push(Source::Path(tidy(path)));
    }
    Ok(())
}

/// The path without `.` and doubled slashes: `./crawl.warc` is `crawl.warc`, and ingested once.
fn tidy(path: &Path) -> PathBuf {
    let is_step = |component: &Component<'_>| *component != Component::CurDir;
    path.components().filter(is_step).collect()
}

fn add_directory(found: &mut Found, directory: &Path, out: Option<&Path>) -> Result<(), Error> {
    if out.is_some() && directory.canonicalize().ok().as_deref() == out {
        return Ok(());
    }
    let entries = fs::read_dir(directory).map_err(Error::io(directory))?;
    let mut paths = entries
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(Error::io(directory))?;
    paths.sort();
    for path in paths {
        // A link is not followed into a directory: it could lead round in a circle.
        let kind = fs::symlink_metadata(&path).map_err(Error::io(&path))?;
        if kind.is_dir() {
            add_directory(found, &path, out)?;
        } else if path.is_file() {
            if looks_like_warc(&path) {
                found.sources.push(Source::Path(tidy(&path)));
            } else {
                found.passed_over.push(path);
            }
        }
    }
    Ok(())
}

fn looks_like_warc(path: &Path) -> bool {
    let named = path.file_name().is_some_and(|name| {
        name.to_string_lossy()
            .to_ascii_lowercase()
            .contains(".warc")
    });
    named || begins_like_warc(path).unwrap_or(false)
}

fn begins_like_warc(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut start)?;
    let mut decoded = [0; 5];
    Ok(match start.as_slice() {
        [b'W', b'A', b'R', b'C', b'/', ..] | [0x5d, 0x2a, 0x4d, 0x18, ..] => true,
        [0x1f, 0x8b, ..] => {
            GzDecoder::new(&start[..]).read_exact(&mut decoded).is_ok() && &decoded == b"WARC/"
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            zstd::Decoder::new(&start[..])?
                .read_exact(&mut decoded)
                .is_ok()
                && &decoded == b"WARC/"
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_path() {
        for path in ["./a/b.warc", "a//b.warc", "a/./b.warc", "a/b.warc"] {
            assert_eq!(tidy(Path::new(path)), Path::new("a/b.warc"));
        }
        assert_eq!(tidy(Path::new("/a/../b")), Path::new("/a/../b"));
    }
}
