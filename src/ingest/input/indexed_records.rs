//! Records of an archive that an index names: the ranges of bytes that are read, and no others.
//!
//! Only the start of the archive itself is read. It shows how records are compressed, which zstd
//! dictionary they need, and the name of the crawl. Members of gzip need none, so it is not fetched
//! if the caller names the crawl: of an archive of Common Crawl, it would be half of the file.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use warc_recovery::container::{Boundary, Container, NotWarc};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;
use xxhash_rust::xxh3::Xxh3Default;

use super::archive::{Archive, ArchivePart};
use crate::remote::Ranges;

/// Bytes at the start of an archive that are fetched with the records: the first record is usually
/// shorter.
const FIRST_BYTES: u64 = 16 * 1024;
/// Bytes of records that one worker reads at once.
pub(crate) const MAX_BYTES_AT_ONCE: u64 = 512 * 1024;
/// First bytes of a zstd dictionary frame (RFC 8878 §3.1.2), with which an archive begins that has
/// a dictionary.
pub(super) const DICTIONARY: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];

/// How many bytes at the start of an archive are fetched with the records, by its first eight.
fn head_bytes(start: &[u8]) -> u64 {
    let size = start
        .get(4..8)
        .and_then(|it| it.try_into().ok())
        .map(u32::from_le_bytes);
    match size {
        Some(size) if start.starts_with(&DICTIONARY) => 8 + u64::from(size) + FIRST_BYTES,
        _ => FIRST_BYTES,
    }
}

/// Records of an archive that an index names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexedRecords {
    /// In the order of their starts, then of their ends; no two are the same.
    ranges: Arc<[Range<u64>]>,
    /// Whether the start of the archive is needed.
    needs_head: bool,
}

impl IndexedRecords {
    pub(crate) fn new(mut ranges: Vec<Range<u64>>) -> Self {
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup();
        Self {
            ranges: ranges.into(),
            needs_head: true,
        }
    }

    /// The same, of members of gzip in a crawl that is known.
    pub(crate) fn without_head(self) -> Self {
        Self {
            needs_head: false,
            ..self
        }
    }

    pub(crate) fn wanted(&self) -> Ranges {
        Ranges {
            bytes: self.ranges(),
            first: if self.needs_head { FIRST_BYTES } else { 0 },
            head: if self.needs_head { head_bytes } else { |_| 0 },
        }
    }

    pub(crate) fn ranges(&self) -> Arc<[Range<u64>]> {
        Arc::clone(&self.ranges)
    }

    /// How many there are.
    pub fn records(&self) -> usize {
        self.ranges.len()
    }

    pub(crate) fn first(&self) -> u64 {
        self.ranges.first().map_or(0, |range| range.start)
    }

    /// Bytes that they have in a file of `length` bytes; bytes in several records count once.
    pub(crate) fn bytes(&self, length: u64) -> u64 {
        let (mut bytes, mut at) = (0, 0);
        for range in &*self.ranges {
            let (start, end) = (range.start.max(at).min(length), range.end.min(length));
            bytes += end.saturating_sub(start);
            at = at.max(end);
        }
        bytes
    }

    /// What tells this choice from others.
    pub(crate) fn key(&self) -> u128 {
        let mut hash = Xxh3Default::new();
        for range in &*self.ranges {
            hash.update(&range.start.to_le_bytes());
            hash.update(&range.end.to_le_bytes());
        }
        hash.digest128()
    }
}

/// How the archive in `input` is packed, by its start, or else by the records at `ranges` if the
/// start was not fetched.
///
/// Fails where the file cannot be read. The inner result is the verdict on its content.
pub(crate) fn detect(
    input: &Input,
    ranges: &[Range<u64>],
) -> io::Result<Result<Container, NotWarc>> {
    let verdict = Container::detect(input)?;
    let is_hole = input.read(0, 8)?.iter().all(|byte| *byte == 0);
    if verdict.is_ok() || !is_hole {
        return Ok(verdict);
    }
    for range in ranges {
        let record = Container::detect(&input.part(range.start, range.end))?;
        if record.is_ok() {
            return Ok(record);
        }
    }
    Ok(verdict)
}

/// A range of an index that cannot be used as it is.
pub(super) fn bad_range(offset: u64, length: u64, message: String) -> Damage {
    Damage {
        offset,
        length,
        kind: DamageKind::BadRange,
        message,
    }
}

/// A range that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
struct ReadRange {
    range: Range<u64>,
    /// Bytes that the index gives the record; the file may end before.
    given: u64,
}

/// The ranges to read of a file of `length` bytes, which do not overlap, and what is wrong with
/// those that the index names. Bytes that only a range has which ends earlier now are not read.
/// `begins` tells whether a record begins at an offset.
fn arrange(
    ranges: &[Range<u64>],
    length: u64,
    mut begins: impl FnMut(u64) -> io::Result<bool>,
) -> io::Result<(Vec<ReadRange>, Vec<Damage>)> {
    let (mut taken, mut wrong): (Vec<ReadRange>, Vec<Damage>) = (Vec::new(), Vec::new());
    for range in ranges {
        let given = range.end - range.start;
        let end = range.end.min(length);
        let mut tell = |offset, message| wrong.push(bad_range(offset, 0, message));
        match taken.last_mut() {
            _ if range.start >= length => tell(
                range.start,
                format!("the index names {given} bytes here, but the archive ends at {length}"),
            ),
            Some(last) if range.start == last.range.start => {
                // The longer one comes second.
                let before = std::mem::replace(&mut last.given, given);
                last.range.end = last.range.end.max(end);
                tell(
                    range.start,
                    format!("the index gives this record {before} bytes, and {given}"),
                );
            }
            Some(last) if range.start < last.range.end && begins(range.start)? => {
                tell(
                    last.range.start,
                    format!(
                        "the index gives this record {} bytes, but another one begins at {}",
                        last.given, range.start
                    ),
                );
                last.range.end = range.start;
                last.given = range.start - last.range.start;
                taken.push(ReadRange {
                    range: range.start..end,
                    given,
                });
            }
            Some(last) if range.start < last.range.end => tell(
                range.start,
                format!(
                    "the index names {given} bytes here, but no record begins within that at {}",
                    last.range.start
                ),
            ),
            _ => taken.push(ReadRange {
                range: range.start..end,
                given,
            }),
        }
    }
    Ok((taken, wrong))
}

impl Archive {
    /// The `indexed` records of the archive that `input` is.
    ///
    /// Where two ranges overlap, the second one counts if a record begins there; the first then
    /// ends where it begins.
    pub(crate) fn from_indexed(
        input: &Arc<Input>,
        container: &Container,
        indexed: &IndexedRecords,
    ) -> io::Result<Self> {
        let length = input.len();
        let dictionary = container.dictionary_id.map(|_| input.start());
        let begins = |offset| {
            let boundary = Boundary { offset, dictionary };
            container.begins_record_at(input, boundary)
        };
        let (taken, wrong) = arrange(&indexed.ranges, length, begins)?;
        let mut archive = Self::from_file(input, container.clone());
        let part = |taken: ReadRange| ArchivePart {
            dictionary,
            given: Some(taken.given),
            ..ArchivePart::new(
                Arc::new(input.part(taken.range.start, taken.range.end)),
                container.clone(),
            )
        };
        archive.head = std::mem::take(&mut archive.parts).pop();
        archive.parts = taken.into_iter().map(part).collect();
        archive.lost = wrong;
        archive.bytes = Some(indexed.bytes(length));
        Ok(archive)
    }
}

impl ArchivePart {
    /// Describes damage in a record that an index names.
    pub(crate) fn explain(&self, damage: Damage) -> io::Result<Damage> {
        let Some(given) = self.given else {
            return Ok(damage);
        };
        let is_first = damage.offset == self.input.start();
        let is_to_end = damage.offset + damage.length == self.input.len();
        let ends_within = self.input.start().saturating_add(given) == self.input.len();
        let Damage { kind, message, .. } = &damage;
        let is_cut = *kind == DamageKind::Truncated && is_to_end && ends_within;
        let message = if is_first && is_cut {
            format!("the record is longer than the {given} bytes that the index gives it")
        } else if is_first && !self.container.begins_record_at(&self.input, self.start())? {
            format!("no record begins where the index says: {message}")
        } else if !is_first && ends_within {
            format!("the index gives {given} bytes to the record before: {message}")
        } else {
            return Ok(damage);
        };
        Ok(bad_range(damage.offset, damage.length, message))
    }

    /// Describes the bytes from `offset` on that are not read because they follow the record that
    /// the index names. `is_read`: whether that record was read.
    pub(crate) fn beyond_record(&self, offset: u64, is_read: bool) -> Damage {
        let (start, end) = (self.input.start(), self.input.len());
        let given = self.given.unwrap_or(end - start);
        let message = if is_read {
            format!(
                "the index gives {given} bytes to the record before, which has {}; the others are \
                 not read",
                offset - start
            )
        } else {
            format!(
                "the index gives {given} bytes to a record at {start}, where none can be read; \
                 what follows is not what it chose"
            )
        };
        bad_range(offset, end - offset, message)
    }

    /// Describes a record that is longer by the index than the file.
    pub(crate) fn beyond_end(&self) -> Option<Damage> {
        let (start, end) = (self.input.start(), self.input.len());
        let given = self
            .given
            .filter(|given| start.saturating_add(*given) > end)?;
        let message = format!(
            "the index gives {given} bytes to the record at {start}, but the archive ends here"
        );
        Some(bad_range(end, 0, message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    /// The ranges that are taken, the bytes given to each, and offsets of what is wrong; a record
    /// begins at every multiple of ten. No byte is taken twice.
    fn arranged(ranges: &[Range<u64>]) -> (Vec<(Range<u64>, u64)>, Vec<u64>) {
        let indexed = IndexedRecords::new(ranges.to_vec());
        let found = arrange(&indexed.ranges, 100, |offset| Ok(offset.is_multiple_of(10)));
        let (taken, wrong) = found.expect("no file");
        let bytes: u64 = taken.iter().map(|it| it.range.end - it.range.start).sum();
        assert!(bytes <= indexed.bytes(100), "{ranges:?}");
        let is_apart = |pair: &[ReadRange]| pair[0].range.end <= pair[1].range.start;
        assert!(taken.windows(2).all(is_apart), "{taken:?}");
        let taken = taken.into_iter().map(|it| (it.range, it.given));
        (
            taken.collect(),
            wrong.into_iter().map(|it| it.offset).collect(),
        )
    }

    #[test]
    fn cases() {
        check(file!(), |_, [ranges, ..]| {
            let ranges = ranges.split(' ').map(|range| {
                let (start, end) = range.split_once("..").expect("a range");
                start.parse().expect("a number")..end.parse().expect("a number")
            });
            let (taken, wrong) = arranged(&ranges.collect::<Vec<_>>());
            let taken = taken
                .iter()
                .map(|(range, given)| format!("{range:?} ({given})"));
            let taken = taken.collect::<Vec<_>>().join(" ");
            if wrong.is_empty() {
                return taken;
            }
            let wrong = wrong.iter().map(u64::to_string).collect::<Vec<_>>();
            format!("{taken}; wrong: {}", wrong.join(" "))
        });
    }

    #[test]
    fn a_dictionary_is_wanted_whole() {
        assert_eq!(head_bytes(b"\x1f\x8b\x08\0\0\0\0\0"), FIRST_BYTES);
        assert_eq!(
            head_bytes(b"\x5d\x2a\x4d\x18\0\0\x01\0"),
            8 + 65536 + FIRST_BYTES
        );
    }
}
