//! Files that are named after their host, in a tar file (POSIX.1-2017 pax, GNU tar).
//!
//! Only the heads are read by the crate `tar`: its reader holds names of any length in memory, and
//! gives up at the first head that is damaged.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tar::{EntryType, Header, PaxExtensions};
use warc_recovery::damage::DamageKind;

use super::batch::{Batch, BatchReader, CHUNK_BYTES, MAX_ROW_BYTES, RowLocation, too_long};
use super::choice::{Survey, depends_on_others};
use super::fetch::Problem;
use super::files::{CorpusFile, Files};
use super::folder::Folder;
use super::host_file::HostFile;
use super::names::FileNames;
use super::window::Window;
use crate::error::check_stop;

/// Bytes of a block; every head is one, and files are padded to them.
const BLOCK: usize = 512;
/// The longest extension (of a name, a time) that is read, in bytes.
const MAX_EXTENSION_BYTES: u64 = 64 * 1024;
/// Bytes that are read for one batch, so that the run can be stopped.
const MAX_BATCH_BYTES: u64 = 64 * CHUNK_BYTES as u64;

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
    /// Made for the first file whose choice depends on the others.
    survey: Option<Survey>,
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

impl Tar {
    pub(super) fn new(window: Window, names: Names) -> Self {
        Self {
            window,
            extended: Extensions::default(),
            has_end: false,
            is_done: false,
            names,
            n_files: 0,
            survey: None,
        }
    }

    /// Surveys all files, from the start of the file.
    fn survey(&self, stop: &AtomicBool) -> io::Result<Survey> {
        let mut reader = Self::new(self.window.again(), self.names.clone());
        let mut survey = Survey::default();
        // Damage is reported when the files are read.
        let mut batch = Batch::default();
        while !reader.is_done {
            check_stop(stop).map_err(io::Error::other)?;
            batch.lost.clear();
            if let Some((file, host)) = reader.next_entry(&mut batch)? {
                survey.add(&file.path, &host, file.likeness(&host));
            }
        }
        Ok(survey)
    }

    /// The next entry, where it is a file that is named after its host.
    fn next_entry(&mut self, batch: &mut Batch) -> io::Result<Option<(CorpusFile, HostFile)>> {
        self.window.fill(BLOCK)?;
        let start = self.extended.start.unwrap_or(self.window.start());
        let Some(block) = self.window.bytes().first_chunk::<BLOCK>().copied() else {
            self.is_done = true;
            if start < self.window.start() || !self.window.bytes().is_empty() {
                self.cut(batch, start)?;
            } else if !self.has_end {
                self.note_missing_end(batch, start);
            }
            return Ok(None);
        };
        self.has_end = block.iter().all(|byte| *byte == 0);
        if self.has_end {
            self.extended = Extensions::default();
            self.window.advance(BLOCK);
            self.skipped(batch, start);
            return Ok(None);
        }
        let header = Header::from_byte_slice(&block);
        let size = header.entry_size().ok().filter(|_| is_header(&block));
        let Some(size) = size else {
            return self.find_header(batch, start).map(|()| None);
        };
        let kind = header.entry_type();
        let is_extension = matches!(
            kind,
            EntryType::GNULongName | EntryType::XHeader | EntryType::GNULongLink
        );
        if is_extension {
            return self.extension(batch, start, kind, size).map(|()| None);
        }
        let extended = std::mem::take(&mut self.extended);
        let size = extended.size.unwrap_or(size);
        self.window.advance(BLOCK);
        let padded = padded(size);
        let path = extended
            .path
            .unwrap_or_else(|| header.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&path).into_owned();
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
                let mut problem = None;
                match unread {
                    None => counts.other_name += u64::from(is_file),
                    Some(_) if !is_file => counts.links += 1,
                    Some(host) if host.is_bare => counts.other_content += 1,
                    Some(_) => problem = Some(format!("{path}: {}", too_long().message)),
                }
                let problem = problem.map(Problem::unreadable);
                return self
                    .skip_entry(batch, start, padded, problem)
                    .map(|()| None);
            }
        };
        let [size, padded] = [size, padded].map(|it| usize::try_from(it).unwrap_or(usize::MAX));
        self.window.fill(padded)?;
        if self.window.bytes().len() < size {
            self.cut(batch, start)?;
            return Ok(None);
        }
        // The padding of the last entry may be missing.
        let mut body = self.window.take(padded.min(self.window.bytes().len()));
        body.truncate(size);
        let time = extended.time.or_else(|| {
            let seconds = i64::try_from(header.mtime().ok()?).ok()?;
            seconds.checked_mul(1_000_000)
        });
        let file = CorpusFile {
            place: self.place(start),
            time: host.time.or(time.filter(|time| *time != 0)),
            path,
            body,
        };
        Ok(Some((file, host)))
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
        RowLocation::of_entry(start, self.window.start() - start, self.window.is_plain())
    }

    fn extension(
        &mut self,
        batch: &mut Batch,
        start: u64,
        kind: EntryType,
        size: u64,
    ) -> io::Result<()> {
        let padded = padded(size);
        self.window.advance(BLOCK);
        if size > MAX_EXTENSION_BYTES {
            self.extended = Extensions::default();
            let problem = Problem::unreadable("a name or other attribute over 64 KiB");
            return self.skip_entry(batch, start, padded, Some(problem));
        }
        let (size, padded) = (
            usize::try_from(size).unwrap_or(usize::MAX),
            usize::try_from(padded).unwrap_or(usize::MAX),
        );
        self.window.fill(padded)?;
        if self.window.bytes().len() < padded {
            return self.cut(batch, start);
        }
        let data = self.window.take(padded);
        let data = &data[..size];
        self.extended.start = Some(start);
        match kind {
            EntryType::GNULongName => {
                let end = data.iter().position(|byte| *byte == 0);
                self.extended.path = Some(data[..end.unwrap_or(size)].to_vec());
            }
            EntryType::XHeader => {
                for extension in PaxExtensions::new(data).filter_map(Result::ok) {
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
        Ok(())
    }

    /// Goes on to the next head, past bytes that are not one.
    fn find_header(&mut self, batch: &mut Batch, start: u64) -> io::Result<()> {
        self.extended = Extensions::default();
        loop {
            self.window.advance(BLOCK.min(self.window.bytes().len()));
            self.window.fill(BLOCK)?;
            let block = self.window.bytes().first_chunk::<BLOCK>();
            let Some(block) = block else {
                return self.cut(batch, start);
            };
            if begins(block) {
                let problem = Problem::unreadable("not a tar header");
                batch.lose(&self.place(start), &problem);
                return Ok(());
            }
        }
    }

    /// Skips the content of the entry that begins at `start`, which is lost if it has a problem.
    fn skip_entry(
        &mut self,
        batch: &mut Batch,
        start: u64,
        padded: u64,
        problem: Option<Problem>,
    ) -> io::Result<()> {
        if self.window.skip(padded)? < padded {
            return self.cut(batch, start);
        }
        match problem {
            Some(problem) => batch.lose(&self.place(start), &problem),
            None => self.skipped(batch, start),
        }
        Ok(())
    }

    fn skipped(&mut self, batch: &mut Batch, start: u64) {
        if self.window.is_plain() {
            batch.accounting.skipped_bytes += self.window.start() - start;
        }
    }

    /// Notes that the file ends at `end`, after an entry, without the zeros that end a tar file.
    /// Either it is cut off or its writer leaves them out; the two look the same.
    fn note_missing_end(&self, batch: &mut Batch, end: u64) {
        if self.window.is_damaged() {
            return;
        }
        let message = "blocks of zeros, which end a tar file, are missing: it may be cut off here";
        batch.lose(
            &self.place(end),
            &Problem::new(DamageKind::Truncated, message),
        );
    }

    /// Notes that the file ends within an entry, whose first byte is at `start`.
    fn cut(&mut self, batch: &mut Batch, start: u64) -> io::Result<()> {
        self.is_done = true;
        self.window.skip(u64::MAX)?;
        // For a compressed file that ends early, the decoder has already reported it.
        if self.window.start() > start && !self.window.is_damaged() {
            let message = "the file is cut off within an entry";
            let problem = Problem::new(DamageKind::Truncated, message);
            batch.lose(&self.place(start), &problem);
        }
        Ok(())
    }
}

impl BatchReader for Tar {
    fn next_batch(&mut self, stop: &AtomicBool) -> io::Result<Option<Batch>> {
        if self.is_done {
            return Ok(None);
        }
        let mut batch = Batch::default();
        let mut files = Files::default();
        let from = self.window.start();
        // Entries that are skipped make a batch too, so that the run can be stopped.
        while files.bytes + files.files.len() * BLOCK < CHUNK_BYTES
            && self.window.start() - from < MAX_BATCH_BYTES
            && !self.is_done
        {
            let Some((file, host)) = self.next_entry(&mut batch)? else {
                continue;
            };
            if self.survey.is_none() && depends_on_others(&host, file.likeness(&host)) {
                self.survey = Some(self.survey(stop)?);
            }
            files.add(file, &host, self.survey.as_ref(), &mut batch);
        }
        batch.rows = Some(Box::new(files));
        batch.accounting.record_bytes += self.window.take_read();
        if self.is_done
            && let Some(damage) = self.window.take_damage()
        {
            batch.lose_rest(&damage, "the files after it");
        }
        Ok(Some(batch))
    }
}
