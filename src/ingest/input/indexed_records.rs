//! Records of an archive that an index lists: only their ranges of bytes are read.
//!
//! Only the start of the archive itself is read. It shows how records are compressed, which zstd
//! dictionary they need, and the name of the crawl. gzip members need no dictionary, so the start
//! is not fetched if the user names the crawl: as small gaps are fetched too, the start would cost
//! half of a Common Crawl archive of 1 MiB.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use warc_recovery::container::{Boundary, Container, DICTIONARY_MAGIC};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;
use xxhash_rust::xxh3::Xxh3Default;

use super::archive::{Archive, ArchivePart};
use crate::remote::Ranges;

/// Bytes at an archive's start that are fetched too: the first record is usually shorter.
const FIRST_BYTES: u64 = 16 * 1024;
/// Bytes of records that one worker reads at once.
pub(crate) const MAX_BYTES_AT_ONCE: u64 = 512 * 1024;

/// How many bytes at the start of an archive are fetched, computed from its first eight.
fn head_bytes(start: &[u8]) -> u64 {
    let size = start
        .strip_prefix(&DICTIONARY_MAGIC)
        .and_then(<[u8]>::first_chunk);
    FIRST_BYTES + size.map_or(0, |size| 8 + u64::from(u32::from_le_bytes(*size)))
}

#[derive(Debug, Clone)]
pub struct IndexedRecords {
    /// No two of the ranges are equal; ranges with the same start are in the order of their ends.
    pub(crate) wanted: Ranges,
}

impl IndexedRecords {
    /// The records at `ranges`. gzip members of a known crawl need no head.
    pub(crate) fn new(mut ranges: Vec<Range<u64>>, needs_head: bool) -> Self {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
        Self {
            wanted: Ranges {
                bytes: ranges.into(),
                first: if needs_head { FIRST_BYTES } else { 0 },
                head: if needs_head { head_bytes } else { |_| 0 },
            },
        }
    }

    pub fn records(&self) -> usize {
        self.wanted.bytes.len()
    }

    pub(crate) fn first(&self) -> u64 {
        self.wanted.bytes.first().map_or(0, |range| range.start)
    }

    /// Bytes of the records in a file of `length` bytes; bytes in several records count once.
    pub(crate) fn bytes(&self, length: u64) -> u64 {
        let (mut bytes, mut at) = (0, 0);
        for range in &*self.wanted.bytes {
            let (start, end) = (range.start.max(at).min(length), range.end.min(length));
            bytes += end.saturating_sub(start);
            at = at.max(end);
        }
        bytes
    }

    /// A hash of the ranges, which distinguishes this choice from others.
    pub(crate) fn key(&self) -> u128 {
        let mut hash = Xxh3Default::new();
        for range in &*self.wanted.bytes {
            hash.update(&range.start.to_le_bytes());
            hash.update(&range.end.to_le_bytes());
        }
        hash.digest128()
    }
}

/// How the archive in `input` is packed, by its start, or by the records at `ranges` if the start
/// was not fetched.
pub(crate) fn detect(
    input: &Input,
    ranges: &[Range<u64>],
) -> io::Result<Result<Container, String>> {
    let verdict = Container::detect(input)?;
    let is_hole = input.read(0, 8)?.iter().all(|byte| *byte == 0);
    if verdict.is_ok() || !is_hole {
        return Ok(verdict);
    }
    for range in ranges {
        if let Ok(mut container) = Container::detect(&input.part(range.start, range.end))? {
            container.input = input.clone();
            return Ok(Ok(container));
        }
    }
    Ok(verdict)
}

pub(super) fn bad_range(offset: u64, length: u64, message: String) -> Damage {
    Damage {
        offset,
        length,
        kind: DamageKind::BadRange,
        message,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct ReadRange {
    range: Range<u64>,
    /// Bytes that the index gives the record; the file may end before.
    given: u64,
}

/// The ranges to read from a file of `length` bytes, without overlaps, and what is wrong with the
/// index's `ranges`. Ranges that overlap are cut or dropped; bytes left in no range are not read.
/// `begins` returns whether a record begins at an offset.
fn arrange(
    ranges: &[Range<u64>],
    length: u64,
    mut begins: impl FnMut(u64) -> io::Result<bool>,
) -> io::Result<(Vec<ReadRange>, Vec<Damage>)> {
    let (mut taken, mut wrong): (Vec<ReadRange>, Vec<Damage>) = (Vec::new(), Vec::new());
    for range in ranges {
        let (start, given) = (range.start, range.end - range.start);
        let end = range.end.min(length);
        let mut note = |offset, message| wrong.push(bad_range(offset, 0, message));
        if start >= length {
            let message =
                format!("the index lists {given} bytes here, but the archive ends at {length}");
            note(start, message);
            continue;
        }
        if let Some(last) = taken.last_mut().filter(|last| start < last.range.end) {
            if start == last.range.start {
                // Of ranges with the same start, the longer one comes second.
                let before = std::mem::replace(&mut last.given, given);
                last.range.end = last.range.end.max(end);
                let message =
                    format!("the index gives this record {before} bytes and also {given}");
                note(start, message);
                continue;
            }
            if !begins(start)? {
                let message = format!(
                    "the index lists {given} bytes here, within its record at {}, but no record \
                     begins here",
                    last.range.start
                );
                note(start, message);
                continue;
            }
            let message = format!(
                "the index gives this record {} bytes, but another one begins at {start}",
                last.given
            );
            note(last.range.start, message);
            last.range.end = start;
            last.given = start - last.range.start;
        }
        let range = start..end;
        taken.push(ReadRange { range, given });
    }
    Ok((taken, wrong))
}

impl Archive {
    /// The `indexed` records of an archive.
    ///
    /// If two ranges overlap, the second one counts if a record begins at its start; the first then
    /// ends there.
    pub(crate) fn from_indexed(container: Container, indexed: &IndexedRecords) -> io::Result<Self> {
        let dictionary = container.dictionary_id.map(|_| container.input.start());
        let begins = |offset| {
            let boundary = Boundary { offset, dictionary };
            container.begins_record_at(boundary)
        };
        let (taken, wrong) = arrange(&indexed.wanted.bytes, container.input.len(), begins)?;
        let part = |taken: ReadRange| {
            Arc::new(ArchivePart {
                container: container.part(taken.range.start, taken.range.end),
                dictionary,
                given: Some(taken.given),
            })
        };
        let parts = taken.into_iter().map(part).collect();
        let mut archive = Self::from_file(container);
        archive.head = archive.parts.pop();
        archive.parts = parts;
        archive.lost = wrong;
        Ok(archive)
    }
}

impl ArchivePart {
    pub(crate) fn explain(&self, damage: Damage) -> io::Result<Damage> {
        let Some(given) = self.given else {
            return Ok(damage);
        };
        let (start, end) = (self.container.input.start(), self.container.input.len());
        let is_first = damage.offset == start;
        let is_to_end = damage.offset + damage.length == end;
        let ends_within = start.saturating_add(given) == end;
        let Damage { kind, message, .. } = &damage;
        let is_cut = *kind == DamageKind::Truncated && is_to_end && ends_within;
        let message = if is_first && is_cut {
            format!("the record is longer than the {given} bytes that the index gives it")
        } else if is_first && !self.container.begins_record_at(self.start())? {
            format!("no record begins where the index says: {message}")
        } else if !is_first && ends_within {
            format!("the index gives {given} bytes to the record before: {message}")
        } else {
            return Ok(damage);
        };
        Ok(bad_range(damage.offset, damage.length, message))
    }

    /// Describes the bytes of the index's range beyond `offset`, the end of what was searched: they
    /// are not read, or the file does not have them. `is_read`: whether the record was read.
    pub(crate) fn rest(&self, offset: u64, is_read: bool) -> Option<Damage> {
        let (start, end) = (self.container.input.start(), self.container.input.len());
        let given = self.given.unwrap_or(end - start);
        let message = if offset < end && is_read {
            format!(
                "the index gives {given} bytes to the record before, which has {}; the rest is not \
                 read",
                offset - start
            )
        } else if offset < end {
            format!(
                "the index gives {given} bytes to a record at {start}, where none can be read; \
                 records after it are not the listed one"
            )
        } else if start.saturating_add(given) > end {
            format!(
                "the index gives {given} bytes to the record at {start}, but the archive ends here"
            )
        } else {
            return None;
        };
        Some(bad_range(offset, end - offset, message))
    }
}

#[cfg(test)]
mod tests;
