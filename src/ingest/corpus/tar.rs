//! Files that are named after their host, in a tar file (POSIX.1-2017 pax, GNU tar).
//!
//! The crate `tar` is used only for heads: its reader holds names of any length in memory, and
//! stops at the first damaged head.

use std::io;
use std::sync::Arc;

use tar::{EntryType, Header, PaxExtensions};
use warc_recovery::damage::DamageKind;

use super::batch::{Batch, RowLocation};
use super::files::{Candidate, CorpusFile, FileSource};
use super::folder::{BLOCK, Folder, padded};
use super::names::HostFile;
use super::options::CorpusOptions;
use super::problem::{MAX_ROW_BYTES, Problem};
use super::time::micros_from_f64;
use super::window::Window;

/// The longest extension (of a name, a time) that is read, in bytes.
const MAX_EXTENSION_BYTES: u64 = 64 * 1024;

pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.first_chunk::<BLOCK>().is_some_and(is_header)
}

/// Whether the checksum of a head is right.
fn is_header(block: &[u8; BLOCK]) -> bool {
    let header = Header::from_byte_slice(block);
    let sum = |range: &[u8]| range.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    // The checksum itself counts as spaces.
    let found = sum(&block[..148]) + 8 * u32::from(b' ') + sum(&block[156..]);
    header.cksum().is_ok_and(|told| told == found)
}

pub(super) struct Tar {
    window: Window,
    options: CorpusOptions,
    /// The folder that was packed into the file, if it is from a folder.
    folder: Option<Arc<Folder>>,
    /// Files of the folder that have been passed.
    n_files: usize,
    /// Whether the last block was zeros, which mark the end of a tar file.
    has_end: bool,
    is_done: bool,
}

/// A file that is named after a host; `None` for any other entry; or why the entry cannot be read.
type Entry = Result<Option<CorpusFile>, Problem>;

#[derive(Default)]
struct Extensions {
    path: Option<Vec<u8>>,
    time: Option<i64>,
    size: Option<u64>,
}

impl Extensions {
    fn read(&mut self, kind: EntryType, data: &[u8]) {
        if kind == EntryType::GNULongName {
            let path = data.split(|byte| *byte == 0).next();
            self.path = path.map(<[u8]>::to_vec);
        } else if kind == EntryType::XHeader {
            for extension in PaxExtensions::new(data).filter_map(Result::ok) {
                let value = extension.value().ok();
                match extension.key_bytes() {
                    b"path" => self.path = Some(extension.value_bytes().to_vec()),
                    b"size" => self.size = value.and_then(|it| it.parse().ok()),
                    b"mtime" => {
                        self.time = value.and_then(|it| micros_from_f64(it.parse().ok()?));
                    }
                    _ => {}
                }
            }
        }
    }
}

impl Tar {
    pub(super) fn new(
        window: Window,
        options: &CorpusOptions,
        folder: Option<&Arc<Folder>>,
    ) -> Self {
        Self {
            window,
            options: options.clone(),
            folder: folder.cloned(),
            n_files: 0,
            has_end: false,
            is_done: false,
        }
    }

    /// Moves past the next entry with its extensions, or past other bytes, from offset `start` on;
    /// `None` if the file ends within the entry.
    fn pass(&mut self, start: u64, batch: &mut Batch) -> io::Result<Option<Entry>> {
        let mut extensions = Extensions::default();
        loop {
            self.window.fill(BLOCK)?;
            let Some(block) = self.window.bytes().first_chunk::<BLOCK>().copied() else {
                let is_cut = start < self.window.start || !self.window.bytes().is_empty();
                return Ok((!is_cut).then(|| self.end()));
            };
            self.has_end = block.iter().all(|byte| *byte == 0);
            if self.has_end {
                self.window.advance(BLOCK);
                return Ok(Some(Ok(None)));
            }
            let header = Header::from_byte_slice(&block);
            let Some(size) = header.entry_size().ok().filter(|_| is_header(&block)) else {
                return self.find_header();
            };
            self.window.advance(BLOCK);
            let kind = header.entry_type();
            if !matches!(
                kind,
                EntryType::GNULongName | EntryType::XHeader | EntryType::GNULongLink
            ) {
                return self.entry(start, header, extensions, batch);
            }
            if size > MAX_EXTENSION_BYTES {
                let problem = Problem::unreadable("a name or other attribute over 64 KiB");
                return self.skip(size, Err(problem));
            }
            let Some(data) = self.content(size)? else {
                return Ok(None);
            };
            extensions.read(kind, &data);
        }
    }

    fn end(&mut self) -> Entry {
        self.is_done = true;
        if self.has_end || self.window.damage.is_some() {
            return Ok(None);
        }
        // Either the file is cut off or its writer leaves the zeros out; both look the same.
        Err(Problem::new(
            DamageKind::Truncated,
            "the blocks of zeros that end a tar file are missing: it may be cut off here",
        ))
    }

    fn entry(
        &mut self,
        start: u64,
        header: &Header,
        extensions: Extensions,
        batch: &mut Batch,
    ) -> io::Result<Option<Entry>> {
        let size = (extensions.size).map_or_else(|| header.entry_size(), Ok)?;
        let path = (extensions.path).unwrap_or_else(|| header.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&path).into_owned();
        let kind = header.entry_type();
        let is_file = matches!(kind, EntryType::Regular | EntryType::Continuous);
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        let host = self.host_file(&path);
        if !is_file && (!is_link || host.is_none()) {
            return self.skip(size, Ok(None));
        }
        let Some(host) = batch.passed_over.unless_unread(host, is_link, size) else {
            return self.skip(size, Ok(None));
        };
        if size > MAX_ROW_BYTES as u64 {
            let message = format!("{path}: {}", Problem::too_long().message);
            return self.skip(size, Err(Problem::unreadable(message)));
        }
        let Some(body) = self.content(size)? else {
            return Ok(None);
        };
        let micros = |seconds: u64| i64::try_from(seconds).ok()?.checked_mul(1_000_000);
        let time = (extensions.time).or_else(|| header.mtime().ok().and_then(micros));
        let file = CorpusFile {
            candidate: Candidate::new(path, host, &body),
            time: time.filter(|time| *time != 0),
            location: self.location(start),
            body,
        };
        Ok(Some(Ok(Some(file))))
    }

    fn host_file(&mut self, path: &str) -> Option<HostFile> {
        let Some(folder) = &self.folder else {
            return self.options.host_file(path);
        };
        self.n_files += 1;
        folder.host_file(self.n_files - 1)
    }

    fn location(&self, start: u64) -> RowLocation {
        self.window.location(start, format!("offset {start}"))
    }

    /// Moves to the next head, past bytes that are not a head.
    fn find_header(&mut self) -> io::Result<Option<Entry>> {
        loop {
            self.window.advance(BLOCK);
            self.window.fill(BLOCK)?;
            match self.window.bytes().first_chunk::<BLOCK>() {
                Some(block) if begins(block) => {
                    return Ok(Some(Err(Problem::unreadable("not a tar header"))));
                }
                Some(_) => {}
                None if self.window.damage.is_some() => return Ok(None),
                None => {
                    self.window.skip(u64::MAX)?;
                    self.is_done = true;
                    return Ok(Some(Err(Problem::unreadable("not a tar header"))));
                }
            }
        }
    }

    /// Moves past content of `size` bytes, which fits into memory, and returns it; none if the file
    /// ends before. The padding of the last entry may be missing.
    fn content(&mut self, size: u64) -> io::Result<Option<Vec<u8>>> {
        let [size, padded] =
            [size, padded(size)].map(|it| usize::try_from(it).unwrap_or(usize::MAX));
        self.window.fill(padded)?;
        if self.window.bytes().len() < size {
            return Ok(None);
        }
        let mut content = self.window.take(padded.min(self.window.bytes().len()));
        content.truncate(size);
        Ok(Some(content))
    }

    /// Skips the content of an entry that is not or cannot be read, unless the file ends before.
    fn skip(&mut self, size: u64, entry: Entry) -> io::Result<Option<Entry>> {
        let padded = padded(size);
        Ok((self.window.skip(padded)? == padded).then_some(entry))
    }
}

impl FileSource for Tar {
    fn again(&self) -> Self {
        Self::new(self.window.again(), &self.options, self.folder.as_ref())
    }

    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>> {
        let start = self.window.start;
        let mut entry = self.pass(start, batch)?;
        if entry.is_none() {
            self.is_done = true;
            self.window.skip(u64::MAX)?;
            // If a compressed file ends early, the decoder has already reported it.
            if self.window.start > start && self.window.damage.is_none() {
                let message = "the file is cut off within an entry";
                entry = Some(Err(Problem::new(DamageKind::Truncated, message)));
            }
        }
        let mut file = None;
        match entry {
            Some(Ok(Some(found))) => file = Some(found),
            Some(other) => batch.push(self.location(start), other.map(|_| None)),
            None => {}
        }
        batch.accounting.record_bytes += self.window.take_read();
        if self.is_done
            && let Some(damage) = self.window.damage.take()
        {
            batch.lose_rest(damage, "the files after it");
        }
        Ok(file)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
