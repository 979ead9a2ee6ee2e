//! Splits: portions of a file that are read in parallel.
//!
//! A file is cut into splits of about 512 KiB (4 MiB in plain files), at
//! [candidates](crate::container::Container::find_candidate) or, in zstd, where a walk over the
//! frames leads. Splits depend on the file alone. A candidate does not prove that a unit begins
//! there; the proof is the chain: a split's last unit must end exactly at the
//! [boundary](crate::container::Boundary) where the next split begins. The caller that joins the
//! results checks this and reads a split again if the chain is broken. Only intact units of usual
//! size are read here; [recovery](crate::recovery) reads the others.

mod page;

use std::io;

use page::{Pages, WORTHWHILE_BYTES, page_length, usual_length};

use crate::accounting::Accounting;
use crate::container::frames::{Frame, Frames};
use crate::container::{Boundary, Container, Format, Unit, UnitDecoder};
use crate::sink::{Position, RecordSink};
use crate::syntax::{RecordSyntax, line_ends_length, padding_length};
use crate::warc::RecordHead;

/// Bytes of a split, before it is extended to the next candidate. Large enough that hand-offs
/// cost nothing, small enough that a file of a few MiB occupies several cores.
const SPLIT_BYTES: u64 = 512 * 1024;
/// The same for plain files, of which few bytes are read.
const PLAIN_SPLIT_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes searched for a candidate before a split ends without one. Recovery, which reads a giant
/// unit in steps, then reads the rest.
const SEARCH_BYTES: u64 = 64 * 1024 * 1024;

/// A portion of a file that is read on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// Where it begins.
    pub start: Boundary,
    /// Where it ends and the next split begins: a guess until the chain of units proves it.
    pub end: Boundary,
}

/// How far a split was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SplitProgress {
    /// Where the last unit read ends.
    pub end: Boundary,
    /// Whether the unit that begins at `end` is left to recovery.
    pub is_stopped: bool,
    /// What became of the bytes before `end`.
    pub accounting: Accounting,
}

/// The split that begins at `start`. Where it ends depends on `start` and the file alone.
///
/// # Errors
///
/// Fails if the file cannot be read, or has been cut short since it was opened.
pub fn plan(container: &Container, start: Boundary) -> io::Result<Split> {
    let length = container.input.len();
    let split_bytes = match container.format {
        Format::Plain => PLAIN_SPLIT_BYTES,
        Format::Gzip | Format::Zstd => SPLIT_BYTES,
    };
    let target = start.offset.saturating_add(split_bytes).min(length);
    let bound = target.saturating_add(SEARCH_BYTES).min(length);
    let end = if container.format == Format::Zstd {
        walk(container, start, target, bound)?
    } else {
        let found = container.next_candidate(target, bound)?;
        start.moved_to(found.unwrap_or(bound))
    };
    Ok(Split { start, end })
}

/// Offset of the last dictionary frame before `end` that a walk over the frames finds.
pub(crate) fn last_dictionary(container: &Container, end: u64) -> io::Result<Option<u64>> {
    let start = Boundary::at(container.input.start());
    Ok(walk(container, start, end, end)?.dictionary)
}

/// The first boundary at or after `target` that a walk over the frames from `start` on reaches.
/// After damage the walk continues at the next candidate, which is a guess.
fn walk(container: &Container, start: Boundary, target: u64, bound: u64) -> io::Result<Boundary> {
    let mut frames = Frames::new(&container.input);
    let mut at = start;
    while at.offset < target {
        match frames.frame(at.offset, bound)? {
            Frame::Ends(end) => at.offset = end,
            Frame::Dictionary(end) => {
                at = Boundary {
                    offset: end,
                    dictionary: Some(at.offset),
                }
            }
            // The search begins after the frames that were walked over, so the time is linear.
            Frame::Unknown(reached) => {
                let found = container.next_candidate(reached + 1, bound)?;
                at.offset = found.unwrap_or(bound);
            }
        }
    }
    Ok(at)
}

/// Reads the units of `split` into `sink`: all of them, or only until `enough` records have been
/// read. The split has no record if [`Accounting::records`] of the progress is 0.
///
/// # Errors
///
/// Fails if the file cannot be read, or has been cut short since it was opened.
pub fn read<S: RecordSink>(
    container: &Container,
    split: Split,
    decoder: &mut UnitDecoder,
    sink: &mut S,
    enough: Option<u64>,
) -> io::Result<SplitProgress> {
    let (start, end) = (split.start.offset, split.end.offset);
    let length = usize::try_from(end - start).unwrap_or(usize::MAX);
    let bytes = container.input.read(start, length)?;
    let is_end = end == container.input.len();
    let mut dictionary = container.dictionary_at(split.start)?;
    let mut dictionary_offset = split.start.dictionary;
    let mut reader = SplitReader {
        syntax: container.syntax,
        sink,
        accounting: Accounting::default(),
        pages: Pages::default(),
    };
    let mut at = 0;
    let mut is_stopped = false;
    while at < bytes.len() && enough.is_none_or(|enough| reader.accounting.records < enough) {
        let offset = start + at as u64;
        let rest = &bytes[at..];
        let is_looked_at = container.format == Format::Gzip && reader.pages.are_expected();
        if is_looked_at && let Some(length) = reader.peek(decoder, rest, offset, is_end) {
            at += length;
            continue;
        }
        let read = match decoder.decode(container.format, dictionary.as_deref(), rest) {
            Unit::Data { data, .. } if container.format == Format::Plain => {
                match padding_length(data) {
                    0 => reader.plain_record(data, offset),
                    padding => Some(reader.skip(padding)),
                }
            }
            Unit::Data { data, length } => reader.unit_records(data, offset, length),
            Unit::Dictionary { length } => container.dictionary(offset)?.ok().map(|found| {
                (dictionary, dictionary_offset) = (Some(found), Some(offset));
                reader.skip(length)
            }),
            Unit::Declined => None,
        };
        let Some(length) = read else {
            is_stopped = true;
            break;
        };
        at += length;
    }
    Ok(SplitProgress {
        end: Boundary {
            offset: start + at as u64,
            dictionary: dictionary_offset,
        },
        is_stopped,
        accounting: reader.accounting,
    })
}

struct SplitReader<'s, S> {
    syntax: RecordSyntax,
    sink: &'s mut S,
    accounting: Accounting,
    pages: Pages,
}

impl<S: RecordSink> SplitReader<'_, S> {
    /// Reads or skips the gzip member at the start of `rest` by a look at its first bytes. Returns
    /// its length, or `None` if it must be decoded.
    fn peek(
        &mut self,
        decoder: &mut UnitDecoder,
        rest: &[u8],
        offset: u64,
        is_end: bool,
    ) -> Option<usize> {
        let (data, length) = decoder.peek(rest)?;
        if let Some(length) = length {
            return self.unit_records(data, offset, length);
        }
        let head = self.syntax.parse(data).ok();
        let page = head.filter(|head| !self.sink.wants(head)).and_then(|head| {
            let length = page_length(&head, self.syntax, rest, is_end)?;
            Some((head, length))
        });
        self.pages.note(page.is_some());
        let (head, length) = page?;
        self.sink.pass_over(&head);
        self.accounting.records += 1;
        self.accounting.record_bytes += length as u64;
        Some(length)
    }

    /// Reads the record at the start of `data`. Returns its length, or `None` if it is not intact.
    fn plain_record(&mut self, data: &[u8], offset: u64) -> Option<usize> {
        let (head, block, end) = whole_record(self.syntax, data)?;
        let position = Position {
            offset,
            inner_offset: 0,
            length: Some(end as u64),
        };
        self.record(position, &head, block);
        self.accounting.record_bytes += end as u64;
        Some(end)
    }

    /// Reads the records of one decoded unit. Returns its `length`, or `None` if it is not intact.
    fn unit_records(&mut self, data: &[u8], offset: u64, length: usize) -> Option<usize> {
        if data.is_empty() {
            return Some(self.skip(length));
        }
        // All or nothing: no record of a unit is handed over before all are known to be intact.
        let mut at = 0;
        while at < data.len() {
            at += whole_record(self.syntax, &data[at..])?.2;
        }
        let mut is_page = data.len() >= WORTHWHILE_BYTES;
        at = 0;
        while at < data.len() {
            let (head, block, end) = whole_record(self.syntax, &data[at..])?;
            let position = Position {
                offset,
                inner_offset: at as u64,
                length: (end == data.len()).then_some(length as u64),
            };
            let is_wanted = self.record(position, &head, block);
            is_page &= !is_wanted && usual_length(&head, self.syntax) == Some(data.len());
            at += end;
        }
        if is_page {
            self.pages.note(true);
        }
        self.accounting.record_bytes += length as u64;
        Some(length)
    }

    fn record(&mut self, position: Position, head: &RecordHead<'_>, block: &[u8]) -> bool {
        self.accounting.records += 1;
        let is_wanted = self.sink.wants(head);
        if is_wanted {
            (self.sink).record(position, head, block, block.len() as u64);
        } else {
            self.sink.pass_over(head);
        }
        is_wanted
    }

    fn skip(&mut self, length: usize) -> usize {
        self.accounting.skipped_bytes += length as u64;
        length
    }
}

/// The record at the start of `data`: head, block, and its end after the line endings that follow.
/// `None` if it [does not end](RecordSyntax::is_record_end) there.
fn whole_record(syntax: RecordSyntax, data: &[u8]) -> Option<(RecordHead<'_>, &[u8], usize)> {
    let head = syntax.parse(data).ok()?;
    let block_end = usize::try_from(head.content_length())
        .ok()?
        .checked_add(head.head_length())?;
    let block = data.get(head.head_length()..block_end)?;
    let end = block_end + line_ends_length(&data[block_end..]);
    (syntax.is_record_end(block, &data[block_end..end], &data[end..])).then_some((head, block, end))
}
