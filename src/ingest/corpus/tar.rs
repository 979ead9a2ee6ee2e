//! Files that are called after their host, in a tar file (POSIX.1-2017 pax, GNU tar).
//!
//! Only the heads are read by the crate `tar`: its reader holds names of any length in memory, and
//! gives up at the first head that is damaged.

use std::io;

use tar::{EntryType, Header, PaxExtensions};
use warc_recovery::damage::DamageKind;

use super::batch::{Batch, BatchRows, CHUNK_BYTES, MAX_ROW_BYTES, RowLocation, too_long};
use super::fetch::Problem;
use super::names::url_of_path;
use super::window::Window;

/// Bytes of a block; every head is one, and files are padded to them.
const BLOCK: usize = 512;
/// The longest extension (of a name, a time) that is read, in bytes.
const MAX_EXTENSION_BYTES: u64 = 64 * 1024;

/// A file of a corpus.
#[derive(Debug)]
pub(super) struct CorpusFile {
    /// Its path in the corpus.
    pub(super) path: String,
    pub(super) url: String,
    /// Microseconds since 1970-01-01T00:00:00Z.
    pub(super) time: Option<i64>,
    pub(super) place: RowLocation,
    pub(super) body: Vec<u8>,
}

/// Whether a tar file begins like this.
pub(super) fn begins(bytes: &[u8]) -> bool {
    let head = bytes.first_chunk::<BLOCK>();
    head.is_some_and(|head| head.iter().any(|byte| *byte != 0) && is_head(head))
}

/// Whether the checksum of a head is right.
fn is_head(block: &[u8; BLOCK]) -> bool {
    let header = Header::from_byte_slice(block);
    let sum = |range: &[u8]| range.iter().map(|byte| u32::from(*byte)).sum::<u32>();
    // The checksum itself counts as spaces.
    let found = sum(&block[..148]) + 8 * u32::from(b' ') + sum(&block[156..]);
    header.cksum().is_ok_and(|told| told == found)
}

/// Reads a file in batches of entries.
pub(super) struct Tar {
    window: Window,
    /// What stands before the next head about its entry.
    extended: Extended,
    /// Whether the last block was one of zeros, as the end of a tar file is marked.
    has_end: bool,
    is_done: bool,
}

/// What extensions say of the next entry.
#[derive(Default)]
struct Extended {
    /// Offset of the first.
    start: Option<u64>,
    path: Option<Vec<u8>>,
    time: Option<i64>,
    size: Option<u64>,
}

impl Tar {
    pub(super) fn new(window: Window) -> Self {
        Self {
            window,
            extended: Extended::default(),
            has_end: false,
            is_done: false,
        }
    }

    /// The next entries; none at the end.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read.
    pub(super) fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        if self.is_done {
            return Ok(None);
        }
        let mut batch = Batch::default();
        let mut entries = Vec::new();
        let mut bytes = 0;
        let from = self.window.start();
        // Entries that are skipped make a batch too, so that the run can be stopped.
        while bytes < CHUNK_BYTES
            && self.window.start() - from < 64 * CHUNK_BYTES as u64
            && !self.is_done
        {
            if let Some(entry) = self.next_entry(&mut batch)? {
                bytes += entry.body.len() + BLOCK;
                entries.push(entry);
            }
        }
        batch.rows = BatchRows::Entries(entries);
        batch.accounting.record_bytes += self.window.take_read();
        if self.is_done
            && let Some(damage) = self.window.take_damage()
        {
            batch.lose_rest(&damage, "the files behind");
        }
        Ok(Some(batch))
    }

    /// The next entry, where it is a file that is called after its host.
    fn next_entry(&mut self, batch: &mut Batch) -> io::Result<Option<CorpusFile>> {
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
            self.extended = Extended::default();
            self.window.advance(BLOCK);
            self.skipped(batch, start);
            return Ok(None);
        }
        let header = Header::from_byte_slice(&block);
        let size = header.entry_size().ok().filter(|_| is_head(&block));
        let Some(size) = size else {
            return self.find_head(batch, start).map(|()| None);
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
        let padded = size.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64);
        let path = extended
            .path
            .unwrap_or_else(|| header.path_bytes().into_owned());
        let path = String::from_utf8_lossy(&path).into_owned();
        let is_file = kind == EntryType::Regular || kind == EntryType::Continuous;
        let url = url_of_path(&path).filter(|_| is_file);
        let (Some(url), true) = (url, size <= MAX_ROW_BYTES as u64) else {
            let is_too_long = is_file && url_of_path(&path).is_some();
            if self.window.skip(padded)? < padded {
                self.cut(batch, start)?;
            } else if is_too_long {
                let place =
                    RowLocation::of_entry(start, self.window.start() - start, self.is_plain());
                let problem = Problem::unreadable(format!("{path}: {}", too_long().message));
                batch.lose(&place, &problem);
            } else {
                self.skipped(batch, start);
            }
            return Ok(None);
        };
        let (size, padded) = (
            usize::try_from(size).unwrap_or(usize::MAX),
            usize::try_from(padded).unwrap_or(usize::MAX),
        );
        self.window.fill(padded)?;
        if self.window.bytes().len() < size {
            self.cut(batch, start)?;
            return Ok(None);
        }
        // The padding of the last one may lack.
        let mut body = self.window.take(padded.min(self.window.bytes().len()));
        body.truncate(size);
        let time = extended.time.or_else(|| {
            let seconds = i64::try_from(header.mtime().ok()?).ok()?;
            seconds.checked_mul(1_000_000)
        });
        Ok(Some(CorpusFile {
            place: RowLocation::of_entry(start, self.window.start() - start, self.is_plain()),
            time: time.filter(|time| *time != 0),
            path,
            url,
            body,
        }))
    }

    fn is_plain(&self) -> bool {
        self.window.is_plain()
    }

    /// Reads an extension of the next entry.
    fn extension(
        &mut self,
        batch: &mut Batch,
        start: u64,
        kind: EntryType,
        size: u64,
    ) -> io::Result<()> {
        let padded = size.div_ceil(BLOCK as u64).saturating_mul(BLOCK as u64);
        self.window.advance(BLOCK);
        if size > MAX_EXTENSION_BYTES {
            self.extended = Extended::default();
            if self.window.skip(padded)? < padded {
                return self.cut(batch, start);
            }
            let place = RowLocation::of_entry(start, self.window.start() - start, self.is_plain());
            let problem = Problem::unreadable("a name or other attribute over 64 KiB");
            batch.lose(&place, &problem);
            return Ok(());
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
                                value.and_then(|it| super::time::of_real(it.parse().ok()?));
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
    fn find_head(&mut self, batch: &mut Batch, start: u64) -> io::Result<()> {
        self.extended = Extended::default();
        loop {
            self.window.advance(BLOCK.min(self.window.bytes().len()));
            self.window.fill(BLOCK)?;
            let block = self.window.bytes().first_chunk::<BLOCK>();
            let Some(block) = block else {
                return self.cut(batch, start);
            };
            if begins(block) {
                let place =
                    RowLocation::of_entry(start, self.window.start() - start, self.is_plain());
                batch.lose(&place, &Problem::unreadable("no head of tar stands here"));
                return Ok(());
            }
        }
    }

    /// Notes bytes of no file.
    fn skipped(&mut self, batch: &mut Batch, start: u64) {
        if self.is_plain() {
            batch.accounting.skipped_bytes += self.window.start() - start;
        }
    }

    /// Notes that the file ends at `end`, behind an entry, without the zeros that end a tar file:
    /// it is either cut off there or by a writer that leaves them out, and these cannot be told
    /// apart.
    fn note_missing_end(&self, batch: &mut Batch, end: u64) {
        if self.window.is_damaged() {
            return;
        }
        let message = "blocks of zeros, which end a tar file, are missing: it may be cut off here";
        batch.lose(
            &RowLocation::of_entry(end, 0, self.is_plain()),
            &Problem {
                kind: DamageKind::Truncated,
                message: message.to_owned(),
            },
        );
    }

    /// Notes that the file ends within an entry, whose first byte is at `start`.
    fn cut(&mut self, batch: &mut Batch, start: u64) -> io::Result<()> {
        self.is_done = true;
        self.window.skip(u64::MAX)?;
        let length = self.window.start() - start;
        // A packed file that does not unpack further tells so itself.
        if length > 0 && !self.window.is_damaged() {
            let place = RowLocation::of_entry(start, length, self.is_plain());
            batch.lose(
                &place,
                &Problem {
                    kind: DamageKind::Truncated,
                    message: "the file is cut off within an entry".to_owned(),
                },
            );
        }
        Ok(())
    }
}
