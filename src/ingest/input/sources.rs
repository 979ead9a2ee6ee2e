//! Which files an ingest reads: turns arguments, directories and path lists into a list of inputs.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use warc_recovery::arc;
use warc_recovery::container::DICTIONARY_MAGIC;
use warc_recovery::input::{Input, Source, micros};

use super::name::name;
use super::planned::{InputPlace, PlannedInput};
use super::sample::Sample;
use super::skipped::{SkipReason, SkippedInput};
use crate::dataset::{self, Location};
use crate::error::Error;
use crate::ingest::corpus::{self, CorpusOptions, Folder, Window};
use crate::remote::Remote;

#[derive(Debug, Default)]
pub struct FoundInputs {
    /// What to read, in order, each file once.
    pub inputs: Vec<PlannedInput>,
    /// Other paths that were given or found in the given directories, with the reason.
    pub skipped: Vec<SkippedInput>,
    /// Notes for the user on lists, indexes and directories: their path, and a sentence.
    pub notes: Vec<(PathBuf, String)>,
    /// Lists with entries that repeat an earlier one, and how many.
    pub repeated: Vec<(PathBuf, u64)>,
    /// The directory of files that were fetched to find inputs.
    pub(crate) aside: Option<TempDir>,
}

impl FoundInputs {
    pub fn notes_on_repeats(&self) -> impl Iterator<Item = (PathBuf, String)> {
        self.repeated.iter().map(|(list, entries)| {
            let note = format!("entries of the list that repeat an earlier one: {entries}");
            (list.clone(), note)
        })
    }
}

pub struct Request<'r> {
    /// Files, directories, lists and addresses.
    pub paths: &'r [PathBuf],
    /// A list: a path, an address, or `-` for standard input.
    pub files_from: Option<&'r Path>,
    /// Indexes of records to read: files, directories of them, and addresses.
    pub indexes: &'r [PathBuf],
    /// Whether records of URLs other than robots.txt are wanted, whichever archive they are in.
    pub wants_all: bool,
    /// Whether the crawl is given, so that it need not be read from archives.
    pub has_crawl: bool,
    /// Address or directory for lines of lists and archives in indexes that are not addresses.
    pub base: Option<&'r str>,
    pub sample: Option<Sample>,
    /// The dataset, which is not an input.
    pub out: &'r Path,
    pub corpora: &'r CorpusOptions,
    pub remote: &'r Remote,
}

/// Finds the inputs of a request.
///
/// Directories are read recursively, in the order of their names. A file that was given is always
/// an input; a file found in a directory only if it has the name or the start of a WARC or ARC
/// file, or the name and the columns of a table of fetches. All files of a directory that are named
/// after their host are one input. Files with the extension `.paths` are lists of inputs. The
/// dataset in `out` is never an input. Paths that cannot be found or read are skipped with the
/// reason. Files on the network are not requested yet.
///
/// Fails if a list cannot be read, or if a path that was given is a dataset, which is most likely
/// the output directory in the wrong place.
pub fn find(request: &Request<'_>) -> Result<FoundInputs, Error> {
    let mut finder = Finder {
        found: FoundInputs::default(),
        request,
        out: request.out.canonicalize().ok(), // `None` if it is yet to be made
        seen: HashSet::new(),
        host_files: HashSet::new(),
        folder: Folder::default(),
    };
    for path in request.paths {
        finder.given(path)?;
    }
    if let Some(list) = request.files_from {
        finder.list(list)?;
    }
    if !request.indexes.is_empty() {
        finder.indexes()?;
    }
    Ok(finder.found)
}

/// The name of the file at `path` in a dataset, if it was ingested by that path.
pub fn name_of_file(path: &Path) -> String {
    let resolved = path.canonicalize().ok();
    let below = path.file_name().map_or(path, Path::new);
    name(path, resolved.as_deref(), below)
}

pub(crate) struct Finder<'r> {
    pub(crate) found: FoundInputs,
    pub(crate) request: &'r Request<'r>,
    out: Option<PathBuf>,
    seen: HashSet<Location>,
    /// Files that are named after their host, in all directories.
    host_files: HashSet<Location>,
    /// Files that are named after their host in the current directory.
    folder: Folder,
}

impl Finder<'_> {
    pub(crate) fn argument(&mut self, path: &Path) -> Result<(), Error> {
        if path == Path::new("-") {
            let is_standard = |it: &PlannedInput| matches!(it.place, InputPlace::Standard);
            if self.found.inputs.iter().any(is_standard) {
                self.skip(path, SkipReason::Repeated);
            } else {
                let path = Path::new("standard input");
                self.add(PlannedInput::new(path, InputPlace::Standard));
            }
            return Ok(());
        }
        let taken = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && has_scheme(path) => {
                let message = format!("{error}; addresses begin with http://, https:// or s3://");
                Err(SkipReason::Unreadable(message))
            }
            Err(error) => Err(error.into()),
            Ok(metadata) if metadata.is_dir() => {
                let is_out = self.out.is_some() && path.canonicalize().ok() == self.out;
                if !is_out && dataset::is_dataset(path) {
                    return Err(Error::unusable(
                        path,
                        "a dataset of robostat, not an input; the inputs come first, the \
                         output directory last",
                    ));
                }
                let (n_inputs, n_skipped) = (self.found.inputs.len(), self.found.skipped.len());
                let taken = self.directory(path, path).and_then(|()| self.folder(path));
                taken.and_then(|()| {
                    let skipped = &self.found.skipped[n_skipped..];
                    let is_repeated = |it: &SkippedInput| it.reason == SkipReason::Repeated;
                    if n_inputs < self.found.inputs.len() || skipped.iter().any(is_repeated) {
                        Ok(())
                    } else {
                        Err(SkipReason::NoInput)
                    }
                })
            }
            Ok(metadata) => {
                let below = path.file_name().map_or(path, Path::new);
                (self.file(path, &metadata, below)).map_err(SkipReason::from)
            }
        };
        taken.unwrap_or_else(|reason| self.skip(path, reason));
        Ok(())
    }

    fn directory(&mut self, directory: &Path, top: &Path) -> Result<(), SkipReason> {
        let resolved = directory.canonicalize()?;
        if self.out.as_ref() == Some(&resolved) {
            return Err(SkipReason::Output);
        }
        if directory != top && dataset::is_dataset(directory) {
            return Err(SkipReason::Dataset);
        }
        let entries = fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path()));
        let mut paths = entries.collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        for path in paths {
            let taken = self.entry(&path, top, &resolved);
            taken.unwrap_or_else(|reason| self.skip(&path, reason));
        }
        Ok(())
    }

    /// Takes an entry of a directory, whose path without links is `resolved`.
    fn entry(&mut self, path: &Path, top: &Path, resolved: &Path) -> Result<(), SkipReason> {
        let entry = fs::symlink_metadata(path)?;
        let metadata = match fs::metadata(path) {
            Err(error) if entry.is_symlink() && error.kind() == io::ErrorKind::NotFound => {
                return Err(SkipReason::DanglingLink);
            }
            metadata => metadata?,
        };
        if entry.is_dir() {
            return self.directory(path, top);
        }
        if metadata.is_dir() {
            return Err(SkipReason::LinkToDirectory);
        }
        if !metadata.is_file() {
            return Err(SkipReason::Special);
        }
        let below = path.strip_prefix(top).unwrap_or(path);
        let names = self.request.corpora;
        // `www.warc.com` is a host.
        let is_host = names.host_file(&below.to_string_lossy()).is_some();
        if is_named_as_archive(path) && !is_host || self.is_input(path)? {
            self.file(path, &metadata, below)?;
            return Ok(());
        }
        // A link is another host with the same file.
        let location = Location::of(&resolved.join(path.file_name().unwrap_or_default()));
        if is_host && !self.host_files.insert(location) {
            return Err(SkipReason::Repeated);
        }
        if !self.folder.add(path, below, &metadata, names)? {
            return Err(SkipReason::NoWarc);
        }
        Ok(())
    }

    fn folder(&mut self, top: &Path) -> Result<(), SkipReason> {
        let mut folder = std::mem::take(&mut self.folder);
        for path in folder.choose() {
            self.skip(&path, SkipReason::NoRobotsTxt);
        }
        if folder.is_empty() {
            return Ok(());
        }
        let resolved = top.canonicalize()?;
        let below = resolved.file_name().map_or(top, Path::new);
        let (name, location) = (name(top, Some(&resolved), below), Location::of(&resolved));
        let (bytes, modified) = (folder.packed_bytes(), folder.modified());
        let place = InputPlace::Folder(Arc::new(folder));
        self.add(PlannedInput::new(top, place).with_file(name, location, bytes, modified));
        Ok(())
    }

    /// Adds a file, or something that can be read like one.
    fn file(&mut self, path: &Path, metadata: &fs::Metadata, below: &Path) -> io::Result<()> {
        let mut planned = PlannedInput::new(path, InputPlace::File);
        if metadata.is_file() {
            let resolved = path.canonicalize()?;
            let modified = metadata.modified().map_or(0, micros);
            planned = planned.with_file(
                name(path, Some(&resolved), below),
                Location::of(&resolved),
                metadata.len(),
                modified,
            );
        }
        // `/dev/stdin` and the like do not show which file they refer to.
        if path.starts_with("/dev") || path.starts_with("/proc") {
            planned.name = None;
        }
        self.add(planned);
        Ok(())
    }

    /// Whether a file begins like an archive, or is named like a table and is a table of fetches.
    fn is_input(&self, path: &Path) -> io::Result<bool> {
        let input = open(path)?;
        let mut window = Window::of(&input)?;
        window.fill(arc::MAX_URL_RECORD_BYTES)?;
        let start = window.bytes();
        if corpus::begins_archive(start) || start.starts_with(&DICTIONARY_MAGIC) {
            return Ok(true);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let corpora = self.request.corpora;
        Ok(corpus::is_named_as_table(&name)
            && matches!(corpus::recognise(&input, &name, corpora)?, Some(Ok(_))))
    }

    pub(crate) fn add(&mut self, planned: PlannedInput) {
        match planned.file {
            Some(file) if !self.seen.insert(file.location) => {
                self.skip(&planned.path, SkipReason::Repeated);
            }
            _ => self.found.inputs.push(planned),
        }
    }

    pub(crate) fn skip(&mut self, path: &Path, reason: SkipReason) {
        self.found.skipped.push(SkippedInput {
            path: path.to_owned(),
            reason,
        });
    }
}

/// Whether a path is meant as an address of some kind, such as `ftp://…`.
fn has_scheme(path: &Path) -> bool {
    let text = path.to_string_lossy();
    text.split_once("://").is_some_and(|(scheme, _)| {
        let mut bytes = scheme.bytes();
        bytes.next().is_some_and(|it| it.is_ascii_alphabetic())
            && bytes.all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
    })
}

/// Whether a file is named like an archive; its checksums and indexes (`.warc.gz.md5`,
/// `.warc.os.cdx.gz`) are not.
pub(crate) fn is_named_as_archive(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let extension = corpus::extension(&name);
    ["warc", "arc", "wacz", "wat", "wet"].contains(&&*extension)
}

/// A file on this machine. Nothing is copied.
pub(super) fn open(path: &Path) -> io::Result<Arc<Input>> {
    Input::open(&Source::Path(path.to_owned()), false, Path::new(".")).map(Arc::new)
}
