//! Recovery: reading what the [split reader](crate::split) declines.
//!
//! Damaged, cut-off and giant units are decoded here in small steps, in sequence and under a bound
//! on memory. A record may also run on from one member into the next, as in archives packed by
//! block compressors. Whole records before and after damage are kept; the damaged range becomes a
//! [`Damage`]. Splits resume once a unit begins where a record ends.

mod batch;
mod ending;
mod window;

use std::io;

use crate::accounting::Accounting;
use crate::container::{Boundary, Container};
use crate::damage::{Damage, DamageKind};
use crate::sink::Position;
use crate::syntax::{RecordSyntax, padding_length};
use crate::warc::resync::last_head_within;
use crate::warc::{HeadError, MAX_HEAD_BYTES};

pub use batch::{Batch, OwnedRecord};

use window::{Reach, Window};

/// Bytes of a record's block that are kept: enough for the HTTP head and the part of the body that
/// is parsed, however the body is chunked. The rest is skipped.
pub const MAX_BLOCK_BYTES: usize = 4 * 1024 * 1024;
const BATCH_BYTES: usize = 1024 * 1024;
/// Bytes counted for each record or damage besides its content, for its memory overhead: millions
/// of small items must end a batch too.
const ITEM_BYTES: usize = 256;
/// The fewest bytes of the file that recovery reads: it must not alternate with splits at every
/// record of a badly damaged range, since both begin with a search.
const MIN_RUN_BYTES: u64 = 256 * 1024;
/// Bytes by which the length of an ARC record may be wrong. Some writers counted the line end after
/// a block, or its last byte, differently from one release to the next; readers have always looked
/// for the next record nearby.
const MAX_WRONG_BYTES: usize = 8;

/// Reads units in sequence from a given offset on.
pub struct Recovery<'i> {
    window: Window<'i>,
    start: u64,
    /// Bytes of the file before this boundary are accounted for.
    end: Boundary,
    is_finished: bool,
}

enum Found {
    Record(OwnedRecord),
    /// NUL bytes between records.
    Padding,
    End,
}

enum Stop {
    /// Damage from where the record begins to where reading resumes.
    Damage(DamageKind, String),
    Io(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl<'i> Recovery<'i> {
    /// Begins at `start`, where a unit should begin.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn new(container: &'i Container, start: Boundary) -> io::Result<Self> {
        Ok(Self {
            window: Window::new(container, start)?,
            start: start.offset,
            end: start,
            is_finished: false,
        })
    }

    /// The boundary up to which everything is accounted for.
    #[must_use]
    pub fn end(&self) -> Boundary {
        self.end
    }

    /// The next batch; `None` once splits can resume or the file ends.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or has been cut short since it was opened.
    pub fn next_batch(&mut self) -> io::Result<Option<Batch>> {
        self.batch_of(BATCH_BYTES)
    }

    /// Like [`next_batch`](Self::next_batch), but with one record or damage, and the bytes skipped
    /// before it.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or has been cut short since it was opened.
    pub fn next_item(&mut self) -> io::Result<Option<Batch>> {
        self.batch_of(1)
    }

    /// The next batch, which ends with the record or damage that makes it `enough` bytes long.
    fn batch_of(&mut self, enough: usize) -> io::Result<Option<Batch>> {
        let mut batch = Batch::default();
        let mut bytes = 0;
        while !self.is_finished && bytes < enough {
            let offset = self.end.offset;
            match self.next_record() {
                Ok(Found::Record(record)) => {
                    bytes += record.bytes.len() + ITEM_BYTES;
                    batch.records.push(record);
                    batch.accounting.records += 1;
                    batch.accounting.record_bytes += self.account();
                }
                Ok(Found::Padding) => batch.accounting.skipped_bytes += self.account(),
                Ok(Found::End) => {
                    batch.accounting.skipped_bytes += self.account();
                    self.is_finished = true;
                }
                Err(Stop::Damage(kind, message)) => {
                    bytes += ITEM_BYTES;
                    let length = self.account();
                    batch.accounting.damaged_bytes += length;
                    batch.accounting.damaged_records += 1;
                    batch.damage.push(Damage {
                        offset,
                        length,
                        kind,
                        message,
                    });
                }
                Err(Stop::Io(error)) => return Err(error),
            }
            // The window may be before the end, if it went back to a unit within a damaged one.
            let is_at_end = self.window.file_position() >= self.end.offset;
            let is_long_enough = self.end.offset >= self.start + MIN_RUN_BYTES;
            if self.window.unit_begins_here() && is_at_end && is_long_enough {
                self.is_finished = true;
            }
        }
        let is_empty = bytes == 0 && batch.accounting == Accounting::default();
        Ok((!is_empty).then_some(batch))
    }

    fn syntax(&self) -> RecordSyntax {
        self.window.container.syntax
    }

    /// Bytes of the file read since the last call.
    fn account(&mut self) -> u64 {
        let now = self.window.file_position().max(self.end.offset);
        let bytes = now - self.end.offset;
        self.end = self.window.boundary(now);
        bytes
    }

    fn next_record(&mut self) -> Result<Found, Stop> {
        if self.window.skip_line_ends()? == Reach::End {
            return self.end_of_units();
        }
        let padding = padding_length(self.window.bytes());
        if padding > 0 {
            self.window.advance(padding);
            return Ok(Found::Padding);
        }
        let unit = self.window.position().offset;
        let found = self.record_here();
        if let Err(Stop::Damage(..)) = found {
            self.window.seek_within_frame(unit)?;
        }
        found
    }

    fn record_here(&mut self) -> Result<Found, Stop> {
        let (content_length, head_length) = self.head()?;
        let block = usize::try_from(content_length).unwrap_or(usize::MAX);
        if block > MAX_BLOCK_BYTES {
            return self.giant(content_length, head_length);
        }
        let is_arc = self.syntax() == RecordSyntax::Arc;
        let whole = head_length + block;
        match self.window.reach(whole)? {
            Reach::Yes => {}
            Reach::NextRecord(at) if is_arc && whole - at <= MAX_WRONG_BYTES => {
                return self.record_that_ends_near(whole, head_length);
            }
            Reach::NextRecord(at) => {
                self.window.advance(at);
                let early = whole - at;
                let message = format!("the record ends {early} bytes before its Content-Length");
                return Err(Stop::Damage(DamageKind::ContentLength, message));
            }
            Reach::End if is_arc && self.is_whole_though_short(whole, head_length) => {
                return self.record_that_ends_near(whole, head_length);
            }
            Reach::End => return self.ends_early(head_length),
        }
        if is_arc && self.end_of_record(head_length..whole)?.is_none() {
            return self.record_that_ends_near(whole, head_length);
        }
        let position = self.window.position();
        let end = self.checked_end(head_length..whole)?;
        let bytes = self.window.bytes()[..whole].to_vec();
        self.record(position, bytes, content_length, end)
    }

    /// Content-Length and length of the head.
    fn head(&mut self) -> Result<(u64, usize), Stop> {
        let mut wanted = 4096;
        let error = loop {
            let reach = self.window.reach(wanted)?;
            let bytes = match reach {
                Reach::NextRecord(at) => &self.window.bytes()[..at],
                _ => self.window.bytes(),
            };
            match self.syntax().parse(bytes) {
                Ok(head) => return Ok((head.content_length(), head.head_length())),
                Err(HeadError::Incomplete) if reach == Reach::Yes && wanted < MAX_HEAD_BYTES => {
                    wanted *= 4;
                }
                Err(HeadError::Incomplete) => return self.cut_off("the record's head is cut off"),
                Err(error) => break error,
            }
        };
        let from = match self.syntax() {
            RecordSyntax::Warc => last_head_within(self.window.bytes(), error),
            RecordSyntax::Arc => None,
        };
        self.resynchronise(from.unwrap_or(1))?;
        Err(Stop::Damage(error.into(), error.to_string()))
    }

    /// A record whose block exceeds [`MAX_BLOCK_BYTES`]: its start is kept, the rest skipped.
    fn giant(&mut self, content_length: u64, head_length: usize) -> Result<Found, Stop> {
        let position = self.window.position();
        let kept = head_length + MAX_BLOCK_BYTES;
        let length = (head_length as u64).saturating_add(content_length);
        if !self.window.can_hold(length) {
            return self.ends_early(head_length);
        }
        match self.window.reach(kept)? {
            Reach::Yes => {}
            Reach::NextRecord(_) => return self.ends_elsewhere(head_length),
            Reach::End => return self.ends_early(head_length),
        }
        let bytes = self.window.bytes()[..kept].to_vec();
        self.window.advance(kept);
        match self.window.skip(content_length - MAX_BLOCK_BYTES as u64)? {
            Reach::Yes => {}
            Reach::NextRecord(_) => return Err(wrong_content_length()),
            Reach::End => return self.cut_off("the record is cut off"),
        }
        let end = self.checked_end(0..0)?;
        self.record(position, bytes, content_length, end)
    }

    fn record(
        &mut self,
        mut position: Position,
        bytes: Vec<u8>,
        block_length: u64,
        end: usize,
    ) -> Result<Found, Stop> {
        self.window.advance(end);
        position.length = self.length_of_record(position)?;
        Ok(Found::Record(OwnedRecord {
            position,
            bytes,
            block_length,
            syntax: self.syntax(),
        }))
    }

    /// Advances to the next record head, at least `from` bytes ahead, or to the next unit after a
    /// damaged one.
    fn resynchronise(&mut self, from: usize) -> io::Result<()> {
        if self.advance_to_head(from)? {
            return Ok(());
        }
        self.window.discard();
        match self.window.failure.take() {
            Some(failure) => self.window.seek_next_unit(&failure),
            None => Ok(()),
        }
    }

    /// Advances to a record head at least `from` bytes ahead; false if the data end before.
    fn advance_to_head(&mut self, mut from: usize) -> io::Result<bool> {
        loop {
            let reach = self.window.reach(from + MAX_HEAD_BYTES / 16)?;
            let bytes = self.window.bytes();
            let found = (self.syntax()).find_next_head(bytes, from.min(bytes.len()));
            let next_unit = match reach {
                Reach::NextRecord(at) if at >= from => Some(at),
                _ => None,
            };
            if let Some(at) = [found, next_unit].into_iter().flatten().min() {
                self.window.advance(at);
                return Ok(true);
            }
            if reach == Reach::End {
                return Ok(false);
            }
            // Keep what a head that straddles the border needs.
            let done = bytes
                .len()
                .saturating_sub(self.syntax().overlap_bytes())
                .max(from.min(bytes.len()));
            self.window.advance(done);
            from = 0;
        }
    }
}

fn wrong_content_length() -> Stop {
    let message = "the record does not end where its Content-Length says".to_owned();
    Stop::Damage(DamageKind::ContentLength, message)
}
