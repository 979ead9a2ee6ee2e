//! A folder with files that are named after their host.
//!
//! It is one input: it is packed into an unnamed tar file, in the order of the paths, and read like
//! any tar file. So its content has a fingerprint, and every byte an offset.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use tar::{Builder, Header};
use tempfile::NamedTempFile;
use warc_recovery::input::{Input, Source, micros};

use super::files::{Candidate, FileKind, SNIFF_BYTES, Survey};
use super::names::HostFile;
use super::options::CorpusOptions;
use super::problem::MAX_ROW_BYTES;

/// Bytes of a block; every head is one block, and files are padded to whole blocks.
pub(super) const BLOCK: usize = 512;

/// Bytes of a path that fit into a head.
const HEAD_PATH_BYTES: usize = 100;

/// The files of a folder, as they were found. The files to read are chosen before the folder is
/// packed: a folder without any is not an input.
#[derive(Debug, Clone, Default)]
pub struct Folder {
    files: Vec<FolderFile>,
}

#[derive(Debug, Clone)]
struct FolderFile {
    path: PathBuf,
    below: PathBuf,
    bytes: u64,
    /// Microseconds since 1970-01-01T00:00:00Z.
    modified: i64,
    candidate: Candidate,
}

impl Folder {
    /// Adds the file at `path`, which is `below` in the folder, if it is named after a host.
    pub(crate) fn add(
        &mut self,
        path: &Path,
        below: &Path,
        metadata: &std::fs::Metadata,
        options: &CorpusOptions,
    ) -> io::Result<bool> {
        let name = below.to_string_lossy().into_owned();
        let Some(host) = options.host_file(&name) else {
            return Ok(false);
        };
        let mut kind = host.is_bare.then_some(FileKind::Other);
        if host.is_bare && metadata.len() <= MAX_ROW_BYTES as u64 {
            let (file, mut start) = (File::open(path)?, Vec::new());
            file.take(SNIFF_BYTES as u64).read_to_end(&mut start)?;
            kind = Some(FileKind::of(&start));
        }
        self.files.push(FolderFile {
            path: path.to_owned(),
            below: below.to_owned(),
            bytes: metadata.len(),
            modified: metadata.modified().map_or(0, micros),
            candidate: Candidate {
                path: name,
                host,
                kind,
            },
        });
        Ok(true)
    }

    /// Chooses which of its files are read. Returns the paths of the others.
    pub(crate) fn choose(&mut self) -> Vec<PathBuf> {
        let mut survey = Survey::default();
        for file in &self.files {
            survey.add(&file.candidate);
        }
        let passed_over = self.files.extract_if(.., |file| {
            let host = &file.candidate.host;
            let is_too_long = host.is_bare && file.bytes > MAX_ROW_BYTES as u64;
            let url = file.candidate.chosen_url(Some(&survey));
            let Some(url) = url.filter(|_| !is_too_long) else {
                return true;
            };
            file.candidate.host = HostFile {
                url: url.to_owned(),
                time: host.time,
                ..HostFile::default()
            };
            false
        });
        passed_over.map(|file| file.path).collect()
    }

    pub(super) fn host_file(&self, number: usize) -> Option<HostFile> {
        (self.files.get(number)).map(|file| file.candidate.host.clone())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    pub(crate) fn packed_bytes(&self) -> u64 {
        let head = BLOCK as u64;
        let of_file = |file: &FolderFile| {
            let path = file.below.as_os_str().len();
            let extension = match path {
                0..=HEAD_PATH_BYTES => 0,
                _ => head + padded(path as u64 + 1),
            };
            extension + head + padded(file.bytes)
        };
        self.files.iter().map(of_file).sum::<u64>() + 2 * head
    }

    /// When the newest of the files was changed; microseconds since 1970-01-01T00:00:00Z.
    pub(crate) fn modified(&self) -> i64 {
        let times = self.files.iter().map(|file| file.modified);
        times.max().unwrap_or_default()
    }

    /// Packs the files into an unnamed tar in `spool`. Fails if one changed since it was found.
    pub(crate) fn pack(&self, spool: &Path, use_mmap: bool) -> io::Result<Input> {
        let packed = NamedTempFile::new_in(spool)?;
        let mut builder = Builder::new(io::BufWriter::new(packed.as_file()));
        for file in &self.files {
            let of_file = |error: io::Error| {
                io::Error::new(error.kind(), format!("{}: {error}", file.path.display()))
            };
            let mut header = Header::new_gnu();
            header.set_size(file.bytes);
            header.set_mtime(u64::try_from(file.modified / 1_000_000).unwrap_or_default());
            header.set_mode(0o644);
            let opened = File::open(&file.path).map_err(of_file)?;
            if opened.metadata().map_err(of_file)?.len() != file.bytes {
                let changed = io::Error::other("changed while it was read; ingest it again");
                return Err(of_file(changed));
            }
            let content = opened.take(file.bytes);
            builder
                .append_data(&mut header, &file.below, content)
                .map_err(of_file)?;
        }
        builder.into_inner()?.flush()?;
        Input::open(&Source::Path(packed.path().to_owned()), use_mmap, spool)
    }
}

/// Bytes that content of this size takes, in whole blocks.
pub(super) fn padded(size: u64) -> u64 {
    size.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64)
}
