//! Which files an ingest reads: arguments, directories and path lists made into a list of inputs.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::GzDecoder;
use warc_recovery::input::{Input, Source, micros};

use super::corpus::{self, Columns, Folder};
use super::name::name;
use super::skipped::{SkipReason, Skipped};
use crate::dataset::{self, Location, Locations};
use crate::error::Error;

/// An input as it was found.
#[derive(Debug, Clone)]
pub struct PlannedInput {
    /// What to open.
    pub source: Source,
    /// What it is called in the dataset; none for a stream, which is called after its content.
    pub name: Option<String>,
    /// The files of a folder, where it is one.
    pub folder: Option<Arc<Folder>>,
    /// The file, where it is one that can be read again.
    pub file: Option<FileState>,
}

impl PlannedInput {
    /// Opens it; what cannot be read at any offset is copied, and a folder packed, into `spool`.
    pub(super) fn open(&self, use_mmap: bool, spool: &Path) -> io::Result<Input> {
        match &self.folder {
            Some(folder) => folder.pack(spool, use_mmap),
            None => Input::open(&self.source, use_mmap, spool),
        }
    }

    /// The path that was given, or found.
    pub(super) fn source_path(&self) -> &Path {
        path(&self.source)
    }
}

/// A file as it was found, unopened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileState {
    /// Where it lies.
    pub location: Location,
    /// Bytes.
    pub bytes: u64,
    /// Modification time, microseconds since 1970-01-01T00:00:00Z.
    pub modified: i64,
}

/// The inputs that were found.
#[derive(Debug, Default)]
pub struct Found {
    /// What to read, in order, each file once.
    pub inputs: Vec<PlannedInput>,
    /// What else was given, or lies in the directories that were given, with the reason.
    pub skipped: Vec<Skipped>,
}

/// Finds the inputs in `paths` and in the list in `files_from` (one path a line, `-` for standard
/// input).
///
/// Directories are read recursively, in the order of their names. A file that was given is always
/// an input; one found in a directory only if it is called, or begins, like a WARC or ARC file, or it is a table of fetches, whose `columns` are known, and is called as tables are; files that
/// are called after their host make one input of the directory. The dataset in `out` is no input, wherever it lies. What cannot be found or read is
/// skipped with the reason.
///
/// # Errors
///
/// Fails where the list cannot be read, and where a path that was given is a dataset, which is
/// most likely the output directory in the wrong place.
pub fn find(
    paths: &[PathBuf],
    files_from: Option<&Path>,
    out: &Path,
    columns: &Columns,
) -> Result<Found, Error> {
    let mut finder = Finder {
        found: Found::default(),
        out: out.canonicalize().ok(), // none: it is yet to be made
        locations: Locations::default(),
        seen: HashSet::new(),
        columns,
        folder: Folder::default(),
    };
    for path in paths {
        finder.argument(path)?;
    }
    if let Some(list) = files_from {
        let lines: Box<dyn BufRead> = if list == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            Box::new(BufReader::new(File::open(list).map_err(Error::io(list))?))
        };
        for line in lines.split(b'\n') {
            let line = line.map_err(Error::io(list))?;
            let line = line.trim_ascii();
            if !line.is_empty() {
                finder.argument(Path::new(OsStr::from_bytes(line)))?;
            }
        }
    }
    Ok(finder.found)
}

/// What `source` is called before it is opened.
#[must_use]
pub fn path(source: &Source) -> &Path {
    match source {
        Source::Path(path) => path,
        Source::Standard => Path::new("standard input"),
    }
}

/// What the file at `path` is called in a dataset that it was ingested into by that path.
#[must_use]
pub fn name_of_file(path: &Path) -> String {
    let resolved = path.canonicalize().ok();
    let below = path.file_name().map_or(path, Path::new);
    name(path, resolved.as_deref(), below)
}

struct Finder<'c> {
    found: Found,
    out: Option<PathBuf>,
    locations: Locations,
    seen: HashSet<Location>,
    columns: &'c Columns,
    /// Files that are called after their host, in the directory under way.
    folder: Folder,
}

impl Finder<'_> {
    /// Takes a path that was given.
    fn argument(&mut self, path: &Path) -> Result<(), Error> {
        if path == Path::new("-") {
            let is_first = !(self.found.inputs.iter()).any(|it| it.source == Source::Standard);
            if is_first {
                self.stream(Source::Standard);
            } else {
                self.skip(path, SkipReason::Repeated);
            }
            return Ok(());
        }
        match fs::metadata(path) {
            Err(error) => self.unreadable(path, &error),
            Ok(metadata) if metadata.is_dir() => {
                let is_out = self.out.is_some() && path.canonicalize().ok() == self.out;
                if !is_out && dataset::is_dataset(path) {
                    return Err(Error::Output {
                        path: path.to_owned(),
                        message: "a dataset of robostat, not an input; the inputs come first, the \
                                  output directory last"
                            .to_owned(),
                    });
                }
                self.directory(path, path);
                self.folder(path);
            }
            Ok(metadata) => {
                let below = path.file_name().map_or(path, Path::new);
                self.file(path, &metadata, below);
            }
        }
        Ok(())
    }

    /// Takes a directory below the argument `top`.
    fn directory(&mut self, directory: &Path, top: &Path) {
        if self.out.is_some() && directory.canonicalize().ok() == self.out {
            return self.skip(directory, SkipReason::Output);
        }
        if directory != top && dataset::is_dataset(directory) {
            return self.skip(directory, SkipReason::Dataset);
        }
        let entries = fs::read_dir(directory).and_then(|entries| {
            entries
                .map(|entry| entry.map(|entry| entry.path()))
                .collect::<io::Result<Vec<_>>>()
        });
        match entries {
            Err(error) => self.unreadable(directory, &error),
            Ok(mut paths) => {
                paths.sort();
                for path in paths {
                    if let Err(error) = self.entry(&path, top) {
                        self.unreadable(&path, &error);
                    }
                }
            }
        }
    }

    /// Takes an entry of a directory below the argument `top`.
    fn entry(&mut self, path: &Path, top: &Path) -> io::Result<()> {
        let entry = fs::symlink_metadata(path)?;
        let metadata = match fs::metadata(path) {
            Err(error) if entry.is_symlink() && error.kind() == io::ErrorKind::NotFound => {
                self.skip(path, SkipReason::DanglingLink);
                return Ok(());
            }
            metadata => metadata?,
        };
        if entry.is_dir() {
            self.directory(path, top);
        } else if metadata.is_dir() {
            self.skip(path, SkipReason::LinkToDirectory);
        } else if !metadata.is_file() {
            self.skip(path, SkipReason::Special);
        } else if is_named_as_archive(path) || begins_like_archive(path)? || self.is_table(path)? {
            let below = path.strip_prefix(top).unwrap_or(path);
            self.file(path, &metadata, below);
        } else if let below = path.strip_prefix(top).unwrap_or(path)
            && Folder::takes(below)
        {
            self.folder.add(path, below, &metadata);
        } else {
            self.skip(path, SkipReason::NoWarc);
        }
        Ok(())
    }

    /// Takes the files of hosts that were found in the directory `top`.
    fn folder(&mut self, top: &Path) {
        let folder = std::mem::take(&mut self.folder);
        if folder.is_empty() {
            return;
        }
        let resolved = match top.canonicalize() {
            Ok(resolved) => resolved,
            Err(error) => return self.unreadable(top, &error),
        };
        let location = Location::of(&resolved);
        if !self.seen.insert(location) {
            return self.skip(top, SkipReason::Repeated);
        }
        let below = resolved.file_name().map_or(top, Path::new);
        self.found.inputs.push(PlannedInput {
            source: Source::Path(top.to_owned()),
            name: Some(name(top, Some(&resolved), below)),
            file: Some(FileState {
                location,
                bytes: folder.packed_bytes(),
                modified: folder.modified(),
            }),
            folder: Some(Arc::new(folder)),
        });
    }

    /// Takes a file, or something that can be read like one.
    fn file(&mut self, path: &Path, metadata: &fs::Metadata, below: &Path) {
        let source = Source::Path(path.to_owned());
        if !metadata.is_file() {
            return self.stream(source);
        }
        let resolved = match self.locations.resolve(path) {
            Ok(resolved) => resolved,
            Err(error) => return self.unreadable(path, &error),
        };
        let location = Location::of(&resolved);
        if !self.seen.insert(location) {
            return self.skip(path, SkipReason::Repeated);
        }
        // `/dev/stdin` and the like say nothing of the file behind them.
        let is_descriptor = path.starts_with("/dev") || path.starts_with("/proc");
        self.found.inputs.push(PlannedInput {
            source,
            name: (!is_descriptor).then(|| name(path, Some(&resolved), below)),
            folder: None,
            file: Some(FileState {
                location,
                bytes: metadata.len(),
                modified: metadata.modified().map_or(0, micros),
            }),
        });
    }

    /// Whether a file is called as tables are, and is one of fetches.
    fn is_table(&self, path: &Path) -> io::Result<bool> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if !corpus::is_named_as_table(&name) {
            return Ok(false);
        }
        let input = Input::open(&Source::Path(path.to_owned()), false, Path::new("."))?;
        let corpus = corpus::recognise(&Arc::new(input), &name, self.columns)?;
        Ok(matches!(corpus, Some(Ok(_))))
    }

    fn stream(&mut self, source: Source) {
        self.found.inputs.push(PlannedInput {
            source,
            name: None,
            folder: None,
            file: None,
        });
    }

    fn skip(&mut self, path: &Path, reason: SkipReason) {
        self.found.skipped.push(Skipped {
            path: path.to_owned(),
            reason,
        });
    }

    fn unreadable(&mut self, path: &Path, error: &io::Error) {
        self.skip(path, SkipReason::unreadable(error));
    }
}

fn is_named_as_archive(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy().to_ascii_lowercase();
        name.contains(".warc") || [".arc", ".arc.gz"].iter().any(|end| name.ends_with(end))
    })
}

fn begins_like_archive(path: &Path) -> io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(4096).read_to_end(&mut start)?;
    let mut decoded = [0; b"filedesc://".len()];
    let is_archive = |start: &[u8]| start.starts_with(b"WARC/") || start == b"filedesc://";
    Ok(match start.as_slice() {
        [0x5d, 0x2a, 0x4d, 0x18, ..] => true,
        [0x1f, 0x8b, ..] => {
            GzDecoder::new(&start[..]).read_exact(&mut decoded).is_ok() && is_archive(&decoded)
        }
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            zstd::Decoder::new(&start[..])?
                .read_exact(&mut decoded)
                .is_ok()
                && is_archive(&decoded)
        }
        _ => is_archive(&start[..start.len().min(decoded.len())]),
    })
}
