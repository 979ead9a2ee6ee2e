//! Files that are named after their host, in a tar file (POSIX.1-2017 pax, GNU tar).
//!
//! Only the heads are read by the crate `tar`: its reader holds names of any length in memory, and
//! gives up at the first head that is damaged.

use std::io;
use std::sync::Arc;

use tar::{EntryType, Header, PaxExtensions};
use warc_recovery::damage::DamageKind;

use super::batch::{Batch, MAX_ROW_BYTES, Problem, RowLocation};
use super::fetch::Fetch;
use super::files::{Candidate, CorpusFile, FileSource};
use super::folder::Folder;
use super::format::CorpusOptions;
use super::names::HostFile;
use super::time::micros_from_f64;
use super::window::Window;

/// Bytes of a block; every head is one, and files are padded to them.
const BLOCK: usize = 512;
/// The longest extension (of a name, a time) that is read, in bytes.
const MAX_EXTENSION_BYTES: u64 = 64 * 1024;

pub(super) fn begins(bytes: &[u8]) -> bool {
    let head = bytes.first_chunk::<BLOCK>();
    head.is_some_and(|head| head.iter().any(|byte| *byte != 0) && is_header(head))
}

/// Whether the checksum of a head is right.
fn is_header(block: &[u8; BLOCK]) -> bool {
    let header = Header::from_byte_slice(block);
    let sum = |range: &[u8]| range.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    // The checksum itself counts as spaces.
    let found = sum(&block[..148]) + 8 * u32::from(b' ') + sum(&block[156..]);
    header.cksum().is_ok_and(|told| told == found)
}

/// Bytes that content of this many bytes takes.
fn padded(size: u64) -> u64 {
    size.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64)
}

pub(super) struct Tar {
    window: Window,
    options: CorpusOptions,
    /// The folder that was packed into the file, if that is so.
    folder: Option<Arc<Folder>>,
    /// Files of the folder that have been passed.
    n_files: usize,
    /// Extension headers before the header of their entry.
    extended: Extensions,
    /// Whether the last block was one of zeros, as the end of a tar file is marked.
    has_end: bool,
    is_done: bool,
}

/// What extensions say of the next entry.
#[derive(Default)]
struct Extensions {
    /// Offset of the first.
    start: Option<u64>,
    path: Option<Vec<u8>>,
    time: Option<i64>,
    size: Option<u64>,
}

/// What was passed.
enum Passed {
    File(Box<CorpusFile>),
    /// An extension, which belongs to the next entry.
    Extension,
    /// Anything else, or why it cannot be read.
    Other(Result<Option<Fetch>, Problem>),
    /// The beginning of an entry, in which the file ends.
    Cut,
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
            extended: Extensions::default(),
            has_end: false,
            is_done: false,
        }
    }

    /// Passes what comes next in the file. `start`: where it begins, with its extensions.
    fn pass(&mut self, start: u64, batch: &mut Batch) -> io::Result<Passed> {
        self.window.fill(BLOCK)?;
        let Some(block) = self.window.bytes().first_chunk::<BLOCK>().copied() else {
            if start < self.window.start() || !self.window.bytes().is_empty() {
                return Ok(Passed::Cut);
            }
            self.is_done = true;
            if self.has_end || self.window.is_damaged() {
                return Ok(Passed::Other(Ok(None)));
            }
            // Either the file is cut off or its writer leaves them out; the two look the same.
            return Ok(Passed::Other(Err(Problem::new(
                DamageKind::Truncated,
                "blocks of zeros, which end a tar file, are missing: it may be cut off here",
            ))));
        };
        self.has_end = block.iter().all(|byte| *byte == 0);
        let extended = std::mem::take(&mut self.extended);
        if self.has_end {
            self.window.advance(BLOCK);
            return Ok(Passed::Other(Ok(None)));
        }
        let header = Header::from_byte_slice(&block);
        let Some(size) = header.entry_size().ok().filter(|_| is_header(&block)) else {
            return self.find_header();
        };
        self.window.advance(BLOCK);
        match header.entry_type() {
            kind @ (EntryType::GNULongName | EntryType::XHeader | EntryType::GNULongLink) => {
                self.extension(kind, size, extended)
            }
            _ => self.entry(start, header, extended, batch),
        }
    }

    fn entry(
        &mut self,
        start: u64,
        header: &Header,
        extended: Extensions,
        batch: &mut Batch,
    ) -> io::Result<Passed> {
        let size = (extended.size).map_or_else(|| header.entry_size(), Ok)?;
        let path = (extended.path).unwrap_or_else(|| header.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&path).into_owned();
        let kind = header.entry_type();
        let is_file = matches!(kind, EntryType::Regular | EntryType::Continuous);
        let is_link = matches!(kind, EntryType::Symlink | EntryType::Link);
        let host = if is_file || is_link {
            self.host_file(&path)
        } else {
            None
        };
        if host.is_none() && !is_file {
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
            return Ok(Passed::Cut);
        };
        let micros = |seconds: u64| i64::try_from(seconds).ok()?.checked_mul(1_000_000);
        let time = (extended.time).or_else(|| header.mtime().ok().and_then(micros));
        Ok(Passed::File(Box::new(CorpusFile {
            candidate: Candidate::new(path, host, &body),
            time: time.filter(|time| *time != 0),
            location: self.location(start),
            body,
        })))
    }

    fn host_file(&mut self, path: &str) -> Option<HostFile> {
        let Some(folder) = &self.folder else {
            return self.options.host_file(path);
        };
        self.n_files += 1;
        folder.host_file(self.n_files - 1)
    }

    /// The location of an entry that begins at `start`, all of which has been passed.
    fn location(&self, start: u64) -> RowLocation {
        self.window.location(start, format!("offset {start}"))
    }

    /// Passes an extension header; `extended` is what those before it say.
    fn extension(
        &mut self,
        kind: EntryType,
        size: u64,
        mut extended: Extensions,
    ) -> io::Result<Passed> {
        if size > MAX_EXTENSION_BYTES {
            let problem = Problem::unreadable("a name or other attribute over 64 KiB");
            return self.skip(size, Err(problem));
        }
        let Some(data) = self.content(size)? else {
            return Ok(Passed::Cut);
        };
        if kind == EntryType::GNULongName {
            let path = data.split(|byte| *byte == 0).next();
            extended.path = path.map(<[u8]>::to_vec);
        } else if kind == EntryType::XHeader {
            for extension in PaxExtensions::new(&data).filter_map(Result::ok) {
                let value = extension.value().ok();
                match extension.key_bytes() {
                    b"path" => extended.path = Some(extension.value_bytes().to_vec()),
                    b"size" => extended.size = value.and_then(|it| it.parse().ok()),
                    b"mtime" => {
                        extended.time = value.and_then(|it| micros_from_f64(it.parse().ok()?));
                    }
                    _ => {}
                }
            }
        }
        self.extended = extended;
        Ok(Passed::Extension)
    }

    /// Goes on to the next head, past bytes that are not one.
    fn find_header(&mut self) -> io::Result<Passed> {
        loop {
            self.window.advance(BLOCK);
            self.window.fill(BLOCK)?;
            match self.window.bytes().first_chunk::<BLOCK>() {
                Some(block) if begins(block) => {
                    return Ok(Passed::Other(Err(Problem::unreadable("not a tar header"))));
                }
                Some(_) => {}
                None => return Ok(Passed::Cut),
            }
        }
    }

    /// Passes content of `size` bytes, which fits into memory; none where the file ends before. The
    /// padding of the last entry may be missing.
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

    /// Skips the content of an entry, which is not read or cannot be, unless the file ends before.
    fn skip(&mut self, size: u64, found: Result<Option<Fetch>, Problem>) -> io::Result<Passed> {
        let padded = padded(size);
        let is_whole = self.window.skip(padded)? == padded;
        Ok(if is_whole {
            Passed::Other(found)
        } else {
            Passed::Cut
        })
    }
}

impl FileSource for Tar {
    fn again(&self) -> Self {
        Self::new(self.window.again(), &self.options, self.folder.as_ref())
    }

    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>> {
        let start = self.extended.start.unwrap_or(self.window.start());
        let mut file = None;
        match self.pass(start, batch)? {
            Passed::File(found) => file = Some(*found),
            Passed::Extension => self.extended.start = Some(start),
            Passed::Other(found) => batch.push(self.location(start), found),
            Passed::Cut => {
                self.is_done = true;
                self.window.skip(u64::MAX)?;
                // For a compressed file that ends early, the decoder has already reported it.
                if self.window.start() > start && !self.window.is_damaged() {
                    let message = "the file is cut off within an entry";
                    let problem = Problem::new(DamageKind::Truncated, message);
                    batch.push(self.location(start), Err(problem));
                }
            }
        }
        batch.accounting.record_bytes += self.window.take_read();
        if self.is_done
            && let Some(damage) = self.window.take_damage()
        {
            batch.lose_rest(damage, "the files after it");
        }
        Ok(file)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
