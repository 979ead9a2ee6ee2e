//! Extents: stretches of a file that are read in parallel.
//!
//! A file is split at [candidates](crate::container::Container::find_candidate) into extents of
//! about 512 KiB (4 MiB in plain WARC). Where they lie depends on the file alone. A worker reads its extent
//! unit by unit, each from its true end to the next. A candidate is no proof that a unit begins
//! there; the proof is the chain: an extent's last unit must end exactly where the next extent
//! begins. The [pipeline](crate::pipeline) checks that and reads again what does not fit.
//!
//! Only intact units of usual size are read here. At the first other one the worker stops and
//! leaves it to [recovery](crate::recovery).

mod page;

use std::io;

use page::Pages;

use crate::collector::{Collector, Position};
use crate::container::{Container, Format, Peek, Unit, UnitDecoder};
use crate::input::Input;
use crate::warc::{RecordHead, begins_record};

/// Octets of an extent, before it is drawn out to the next candidate. Large enough that hand-offs
/// cost nothing, small enough that a file of a few MiB occupies several cores.
const EXTENT_OCTETS: u64 = 512 * 1024;
/// The same for plain WARC, of which little is read.
const PLAIN_EXTENT_OCTETS: u64 = 4 * 1024 * 1024;
/// Octets searched for a candidate before an extent ends without one. What follows is then
/// reached through recovery, which reads a giant unit in steps.
const SEARCH_OCTETS: u64 = 64 * 1024 * 1024;
/// Octets searched at a time, and how many of them the next search looks at again.
const WINDOW_OCTETS: usize = 256 * 1024;
const OVERLAP_OCTETS: u64 = 16;

/// A stretch of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Offset of its first octet.
    pub start: u64,
    /// Offset after its last octet.
    pub end: u64,
}

/// How far reading an extent came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Offset in the file after the last unit read.
    pub end: u64,
    /// The unit that begins there is for recovery.
    pub is_stopped: bool,
}

/// The extent that begins at `start`.
pub fn plan(input: &Input, container: &Container, start: u64) -> io::Result<Extent> {
    let target = match container.format {
        Format::Plain => PLAIN_EXTENT_OCTETS,
        Format::Gzip | Format::Zstd => EXTENT_OCTETS,
    };
    let mut from = start.saturating_add(target);
    let give_up = from.saturating_add(SEARCH_OCTETS);
    while from < input.len() && from < give_up {
        let window = input.read(from, WINDOW_OCTETS)?;
        if let Some(at) = container.find_candidate(&window, 0) {
            return Ok(Extent {
                start,
                end: from + at as u64,
            });
        }
        from += WINDOW_OCTETS as u64 - OVERLAP_OCTETS;
    }
    Ok(Extent {
        start,
        end: from.min(input.len()),
    })
}

/// Reads the units of `extent` into `collector`.
pub fn read(
    input: &Input,
    container: &Container,
    extent: Extent,
    decoder: &mut UnitDecoder,
    collector: &mut Collector<'_>,
) -> io::Result<Progress> {
    let length = usize::try_from(extent.end - extent.start).unwrap_or(usize::MAX);
    let octets = input.read(extent.start, length)?;
    let is_end = extent.end == input.len();
    let mut pages = Pages::default();
    let mut at = 0;
    while at < octets.len() {
        let offset = extent.start + at as u64;
        let rest = &octets[at..];
        let is_looked_at = container.format == Format::Gzip && pages.are_expected();
        let settled = is_looked_at
            .then(|| look(decoder, &mut pages, rest, offset, is_end, collector))
            .flatten();
        let step = settled.or_else(|| match decoder.decode(container, rest) {
            Unit::Data { data, .. } if container.format == Format::Plain => {
                plain_record(data, offset, collector)
            }
            Unit::Data { data, length } => {
                let captures = collector.tally.captures;
                let step = unit_records(data, offset, length, collector);
                pages.met(data.len(), collector.tally.captures > captures);
                step
            }
            Unit::Skippable { length } => {
                collector.tally.skipped_bytes += length as u64;
                Some(length)
            }
            Unit::Declined => None,
        });
        match step {
            Some(length) => at += length,
            None => {
                return Ok(Progress {
                    end: offset,
                    is_stopped: true,
                });
            }
        }
    }
    Ok(Progress {
        end: extent.start + at as u64,
        is_stopped: false,
    })
}

/// Settles the gzip member at the start of `rest` by a look at its first octets: it is short, or a page
/// that is passed over. Its length, or none where it has to be unpacked as a whole.
fn look(
    decoder: &mut UnitDecoder,
    pages: &mut Pages,
    rest: &[u8],
    offset: u64,
    is_end: bool,
    collector: &mut Collector<'_>,
) -> Option<usize> {
    match decoder.peek(rest) {
        Peek::Whole { data, length } => unit_records(data, offset, length, collector),
        Peek::Start(start) => {
            let length = pages.pass_over(start, rest, is_end, collector.subset())?;
            collector.tally.records += 1;
            collector.tally.record_bytes += length as u64;
            Some(length)
        }
        Peek::Nothing => None,
    }
}

/// Collects the record at the start of a plain container's octets; its length, or none where it
/// is not intact.
fn plain_record(data: &[u8], offset: u64, collector: &mut Collector<'_>) -> Option<usize> {
    let (head, block, end) = whole_record(data)?;
    let position = Position {
        offset,
        inner_offset: 0,
        length: Some(end as u64),
    };
    collector.record(position, &head, block, block.len() as u64);
    collector.tally.record_bytes += end as u64;
    Some(end)
}

/// Collects the records of one decoded unit; `length`, or none where it is not intact.
fn unit_records(
    data: &[u8],
    offset: u64,
    length: usize,
    collector: &mut Collector<'_>,
) -> Option<usize> {
    if data.is_empty() {
        collector.tally.skipped_bytes += length as u64;
        return Some(length);
    }
    let (head, block, end) = whole_record(data)?;
    if end == data.len() {
        let position = Position {
            offset,
            inner_offset: 0,
            length: Some(length as u64),
        };
        collector.record(position, &head, block, block.len() as u64);
    } else {
        // All or nothing: nothing of a unit is collected before all of it is known to be intact.
        let mut at = end;
        while at < data.len() {
            at += whole_record(&data[at..])?.2;
        }
        at = 0;
        while at < data.len() {
            let (head, block, end) = whole_record(&data[at..])?;
            let position = Position {
                offset,
                inner_offset: at as u64,
                length: None,
            };
            collector.record(position, &head, block, block.len() as u64);
            at += end;
        }
    }
    collector.tally.record_bytes += length as u64;
    Some(length)
}

/// The record at the start of `data`: head, block, and its end after the line ends that follow
/// (ISO 28500, 4: two CRLF). None unless these, another record or the end of the data follow:
/// some writers count the two CRLF into Content-Length, some write fewer, and nothing is lost.
fn whole_record(data: &[u8]) -> Option<(RecordHead<'_>, &[u8], usize)> {
    let head = RecordHead::parse(data).ok()?;
    let block_end = usize::try_from(head.content_length())
        .ok()?
        .checked_add(head.head_length())?;
    let block = data.get(head.head_length()..block_end)?;
    let tail = data[block_end..]
        .iter()
        .take_while(|octet| matches!(octet, b'\r' | b'\n'))
        .count();
    let end = block_end + tail;
    let follows = &data[end..];
    // A record that ends as it should is intact, whatever the damage that follows it.
    let is_ended = matches!(
        data[block_end..end],
        [b'\r', b'\n', b'\r', b'\n', ..] | [b'\n', b'\n', ..]
    );
    (is_ended || follows.is_empty() || begins_record(follows)).then_some((head, block, end))
}
