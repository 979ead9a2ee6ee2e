//! Files that are named after their host, in a tar file (POSIX.1-2017 pax, GNU tar).
//!
//! Only the heads are read by the crate `tar`: its reader holds names of any length in memory, and
//! gives up at the first head that is damaged.

use std::io;
use std::sync::Arc;

use tar::{EntryType, Header, PaxExtensions};
use warc_recovery::damage::DamageKind;

use super::batch::{Batch, MAX_ROW_BYTES, RowLocation, too_long};
use super::fetch::Problem;
use super::files::{CorpusFile, FileSource};
use super::folder::Folder;
use super::host_file::HostFile;
use super::names::FileNames;
use super::window::Window;

/// Bytes of a block; every head is one, and files are padded to them.
const BLOCK: usize = 512;
/// The longest extension (of a name, a time) that is read, in bytes.
const MAX_EXTENSION_BYTES: u64 = 64 * 1024;

/// How the files of a tar file are named after their hosts.
#[derive(Clone)]
pub(super) enum Names {
    Usual(FileNames),
    /// The files of a folder, in its order, which are chosen already.
    Folder(Arc<Folder>),
}

/// Whether a tar file begins like this.
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

pub(crate) struct Tar {
    window: Window,
    /// Extension headers before the header of their entry.
    extended: Extensions,
    /// Whether the last block was one of zeros, as the end of a tar file is marked.
    has_end: bool,
    is_done: bool,
    names: Names,
    /// Files passed that are named after hosts.
    n_files: usize,
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
    Skipped,
    Lost(Problem),
    /// The beginning of an entry, in which the file ends.
    Cut,
}

impl Tar {
    pub(super) fn new(window: Window, names: Names) -> Self {
        Self {
            window,
            extended: Extensions::default(),
            has_end: false,
            is_done: false,
            names,
            n_files: 0,
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
                return Ok(Passed::Skipped);
            }
            // Either the file is cut off or its writer leaves them out; the two look the same.
            let message =
                "blocks of zeros, which end a tar file, are missing: it may be cut off here";
            let problem = Problem::new(DamageKind::Truncated, message);
            return Ok(Passed::Lost(problem));
        };
        self.has_end = block.iter().all(|byte| *byte == 0);
        let extended = std::mem::take(&mut self.extended);
        if self.has_end {
            self.window.advance(BLOCK);
            return Ok(Passed::Skipped);
        }
        let header = Header::from_byte_slice(&block);
        let Some(size) = header.entry_size().ok().filter(|_| is_header(&block)) else {
            return self.find_header();
        };
        self.window.advance(BLOCK);
        match header.entry_type() {
            kind @ (EntryType::GNULongName | EntryType::XHeader | EntryType::GNULongLink) => {
                self.extended = extended;
                self.extension(kind, size)
            }
            _ => self.entry(start, header, extended, batch),
        }
    }

    /// Passes the entry of this header.
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
        let is_file = kind == EntryType::Regular || kind == EntryType::Continuous;
        let host = if is_file || kind == EntryType::Symlink || kind == EntryType::Link {
            self.host_file(&path)
        } else {
            None
        };
        let host = match host {
            Some(host) if is_file && size <= MAX_ROW_BYTES as u64 => host,
            unread => {
                let counts = &mut batch.passed_over;
                let mut passed = Passed::Skipped;
                match unread {
                    None => counts.other_name += u64::from(is_file),
                    Some(_) if !is_file => counts.links += 1,
                    Some(host) if host.is_bare => counts.other_content += 1,
                    Some(_) => {
                        let message = format!("{path}: {}", too_long().message);
                        passed = Passed::Lost(Problem::unreadable(message));
                    }
                }
                return self.skip(size, passed);
            }
        };
        let Some(body) = self.content(size)? else {
            return Ok(Passed::Cut);
        };
        let time = extended.time.or_else(|| {
            let seconds = i64::try_from(header.mtime().ok()?).ok()?;
            seconds.checked_mul(1_000_000)
        });
        Ok(Passed::File(Box::new(CorpusFile {
            place: self.place(start),
            time: host.time.or(time.filter(|time| *time != 0)),
            host,
            path,
            body,
        })))
    }

    /// The host that the next file, at this path, is named after.
    fn host_file(&mut self, path: &str) -> Option<HostFile> {
        match &self.names {
            Names::Usual(names) => names.host_file(path),
            Names::Folder(folder) => {
                self.n_files += 1;
                folder.host_file(self.n_files - 1)
            }
        }
    }

    /// The place of an entry that begins at `start`, all of which has been passed.
    fn place(&self, start: u64) -> RowLocation {
        let length = self.window.start() - start;
        let name = format!("offset {start}");
        RowLocation::new(start, length, self.window.is_plain(), name)
    }

    fn extension(&mut self, kind: EntryType, size: u64) -> io::Result<Passed> {
        if size > MAX_EXTENSION_BYTES {
            self.extended = Extensions::default();
            let problem = Problem::unreadable("a name or other attribute over 64 KiB");
            return self.skip(size, Passed::Lost(problem));
        }
        let Some(data) = self.content(size)? else {
            return Ok(Passed::Cut);
        };
        match kind {
            EntryType::GNULongName => {
                let end = data.iter().position(|byte| *byte == 0);
                self.extended.path = Some(data[..end.unwrap_or(data.len())].to_vec());
            }
            EntryType::XHeader => {
                for extension in PaxExtensions::new(&data).filter_map(Result::ok) {
                    let value = extension.value().ok();
                    match extension.key_bytes() {
                        b"path" => self.extended.path = Some(extension.value_bytes().to_vec()),
                        b"size" => self.extended.size = value.and_then(|it| it.parse().ok()),
                        b"mtime" => {
                            self.extended.time =
                                value.and_then(|it| super::time::micros_from_f64(it.parse().ok()?));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
        Ok(Passed::Extension)
    }

    /// Goes on to the next head, past bytes that are not one.
    fn find_header(&mut self) -> io::Result<Passed> {
        loop {
            self.window.advance(BLOCK);
            self.window.fill(BLOCK)?;
            match self.window.bytes().first_chunk::<BLOCK>() {
                Some(block) if begins(block) => {
                    return Ok(Passed::Lost(Problem::unreadable("not a tar header")));
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

    /// Skips the content of an entry, and returns `passed` unless the file ends before.
    fn skip(&mut self, size: u64, passed: Passed) -> io::Result<Passed> {
        let padded = padded(size);
        let is_whole = self.window.skip(padded)? == padded;
        Ok(if is_whole { passed } else { Passed::Cut })
    }
}

impl FileSource for Tar {
    fn again(&self) -> Self {
        Self::new(self.window.again(), self.names.clone())
    }

    fn next_file(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>> {
        let start = self.extended.start.unwrap_or(self.window.start());
        let mut file = None;
        match self.pass(start, batch)? {
            Passed::File(found) => file = Some(*found),
            Passed::Extension => self.extended.start = Some(start),
            Passed::Skipped => batch.skip(&self.place(start)),
            Passed::Lost(problem) => batch.lose(&self.place(start), &problem),
            Passed::Cut => {
                self.is_done = true;
                self.window.skip(u64::MAX)?;
                // For a compressed file that ends early, the decoder has already reported it.
                if self.window.start() > start && !self.window.is_damaged() {
                    let message = "the file is cut off within an entry";
                    let problem = Problem::new(DamageKind::Truncated, message);
                    batch.lose(&self.place(start), &problem);
                }
            }
        }
        batch.accounting.record_bytes += self.window.take_read();
        if self.is_done
            && let Some(damage) = self.window.take_damage()
        {
            batch.lose_rest(&damage, "the files after it");
        }
        Ok(file)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
