//! The identity of an input: its content, not its name.
//!
//! One archive may be given by several paths, links or copies, and different archives may have one
//! name. So an input's identity is its [`Fingerprint`], and for a large input also its [`Digest`]:
//! its fingerprint covers only samples, so that a known input is recognised without reading all of
//! it. Two contents with the same samples are the same content only if their digests are equal. A
//! digest takes 0.14 s of processor time per gigabyte just read: under 1% of an ingest.

use std::fmt::{self, Write as _};
use std::io;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64_with_seed, xxh3_128};

use warc_recovery::input::Input;

/// The fingerprint covers the whole content of inputs up to this size, and about as many bytes of
/// larger inputs: hashing these takes some two milliseconds, reading them far longer.
pub const WHOLE_BYTES: u64 = 16 * 1024 * 1024;
/// Bytes at each end of a larger input that are covered.
const END_BYTES: u64 = 1024 * 1024;
/// Blocks between the ends of a larger input that are covered, at equal distances.
const BLOCKS: u64 = 224;
const BLOCK_BYTES: u64 = 64 * 1024;
const STEP_BYTES: u64 = 1024 * 1024;
/// Bytes of each block by which damaged and intact copies of an archive are recognised.
const LANDMARK_BYTES: u64 = 4096;
/// Where these blocks begin; one more ends the archive. A single fault rarely reaches all of them.
const LANDMARKS: [u64; 5] = [0, 64 << 10, 1 << 20, 16 << 20, 256 << 20];

/// An input's content in 128 bits: XXH3-128 of its size and of its bytes: of inputs up to
/// [`WHOLE_BYTES`] all, else the first and last MiB and 224 blocks of 64 KiB between them.
///
/// If two files differ only in other bytes, the second gets a fingerprint made from its [`Digest`].
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Fingerprint(#[serde(with = "digits")] u128);

impl Fingerprint {
    /// The fingerprint of an input that could not be fetched, made from its address.
    pub fn of_address(url: &str) -> Self {
        Self(xxh3_128(format!("not fetched: {url}").as_bytes()))
    }

    pub fn of(input: &Input) -> io::Result<Self> {
        let mut hash = Xxh3Default::new();
        hash.update(&input.len().to_le_bytes());
        for (start, end) in covered(input.len()) {
            take(&mut hash, input, start..end)?;
        }
        Ok(Self(hash.digest128()))
    }

    /// The fingerprint of an input with the samples of a known input but another digest.
    pub fn of_digest(digest: Digest) -> Self {
        let digest = digest.0.to_le_bytes();
        Self(xxh3_128(&[&b"digest: "[..], &digest].concat()))
    }

    /// Covers every byte of `ranges`, which are in order; no others are read.
    pub fn of_ranges(input: &Input, ranges: &[Range<u64>]) -> io::Result<Self> {
        let mut hash = Xxh3Default::new();
        hash.update(b"ranges: ");
        for range in ranges {
            hash.update(&range.start.to_le_bytes());
            hash.update(&range.end.to_le_bytes());
            take(&mut hash, input, range.start..range.end.min(input.len()))?;
        }
        Ok(Self(hash.digest128()))
    }

    /// `inputs.input_id`: the low 64 bits.
    pub fn input_id(self) -> i64 {
        let low = self.0 & u128::from(u64::MAX);
        u64::try_from(low).unwrap_or_default().cast_signed()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// XXH3-128 of every byte of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(#[serde(with = "digits")] u128);

impl Digest {
    pub fn of(input: &Input) -> io::Result<Self> {
        let mut hash = Xxh3Default::new();
        take(&mut hash, input, 0..input.len())?;
        Ok(Self(hash.digest128()))
    }
}

mod digits {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        number: &u128,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:032x}"))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u128, D::Error> {
        let digits = String::deserialize(deserializer)?;
        u128::from_str_radix(&digits, 16).map_err(serde::de::Error::custom)
    }
}

fn take(hash: &mut Xxh3Default, input: &Input, range: Range<u64>) -> io::Result<()> {
    let mut at = range.start;
    while at < range.end {
        let end = range.end.min(at + STEP_BYTES);
        hash.update(&input.read(at, usize::try_from(end - at).unwrap_or(usize::MAX))?);
        input.release(at, end);
        at = end;
    }
    Ok(())
}

fn covered(length: u64) -> Vec<(u64, u64)> {
    if length <= WHOLE_BYTES {
        return vec![(0, length)];
    }
    let between = length - 2 * END_BYTES;
    let distance = between / BLOCKS; // more than a block, as the input is longer than all of them
    let mut ranges = vec![(0, END_BYTES)];
    ranges.extend((0..BLOCKS).map(|block| {
        let start = END_BYTES + block * distance;
        (start, start + BLOCK_BYTES)
    }));
    ranges.push((length - END_BYTES, length));
    ranges
}

/// The place of a file: XXH3-128 of its path with links resolved, so that a dataset can be
/// published without the paths of the machine that made it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Location(#[serde(with = "digits")] u128);

impl Location {
    /// The location of a file whose path is [canonical](Path::canonicalize).
    pub fn of(path: &Path) -> Self {
        Self(xxh3_128(path.as_os_str().as_bytes()))
    }
}

/// Hashes of some blocks of an archive, each seeded by its place, in 16 hexadecimal digits.
///
/// Two archives never have the same bytes at the same place by chance: the first record alone has
/// an id, a time and a file name. If a block is equal, they are copies of one archive, and one of
/// them may be truncated, damaged or longer. Tables have no landmarks, because tables of two days
/// may begin with the same rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landmarks(String);

impl Landmarks {
    /// The landmarks of an open archive; empty if it is shorter than a block.
    pub fn of(input: &Input) -> io::Result<Self> {
        let Some(last) = input.len().checked_sub(LANDMARK_BYTES) else {
            return Ok(Self::default());
        };
        let starts = LANDMARKS.into_iter().filter(|start| *start <= last);
        let places = starts.zip(0..).chain([(last, u64::MAX)]);
        let mut hashes = String::new();
        for (start, place) in places {
            let block = input.read(start, usize::try_from(LANDMARK_BYTES).unwrap_or(usize::MAX))?;
            // Missing bytes are often filled with zeros.
            if block.iter().any(|byte| *byte != block[0]) {
                // Writing to a String cannot fail.
                let _ = write!(hashes, "{:016x}", xxh3_64_with_seed(&block, place));
            }
        }
        Ok(Self(hashes))
    }

    pub fn iter(&self) -> impl Iterator<Item = u64> {
        let hashes = self.0.as_bytes().chunks(16);
        hashes.filter_map(|digits| u64::from_str_radix(str::from_utf8(digits).ok()?, 16).ok())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommittedInput {
    pub fingerprint: Fingerprint,
    /// `inputs.path`.
    pub name: String,
    pub bytes: u64,
    /// Modification time, microseconds since 1970-01-01T00:00:00Z; 0 for a stream.
    pub modified: i64,
    /// Where the file was; `None` for a stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<Location>,
    pub crawl: String,
    /// Which of its responses are captures: `robotstxt` or `mixed`.
    pub subset: String,
    /// Whether its pages have rows: `also` or `only`; empty if they have no rows.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub pages: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub links: bool,
    pub captures: u64,
    /// `None` if the fingerprint covers every byte, or for a plain archive of mostly skipped pages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// Of its samples, if another input with the same samples had that fingerprint first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<Fingerprint>,
    #[serde(default, skip_serializing_if = "Landmarks::is_empty")]
    pub landmarks: Landmarks,
    /// Whether part of it is damaged, so that a repaired copy may have more rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_damaged: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Whether it is an archive in a local index that was missing; the next run looks for it again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_absent: bool,
    /// The number of records that an index chose; `None` for a whole input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_records: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<SampleDraw>,
}

impl CommittedInput {
    /// The fingerprint of its samples, even if its own fingerprint is made from its digest.
    pub fn samples(&self) -> Fingerprint {
        self.samples.unwrap_or(self.fingerprint)
    }

    pub fn begins(&self, input: &Input) -> io::Result<bool> {
        if self.is_missing() || self.bytes > input.len() {
            return Ok(false);
        }
        let beginning = input.part(0, self.bytes);
        Ok(Fingerprint::of(&beginning)? == self.samples()
            && match self.digest {
                Some(digest) => Digest::of(&beginning)? == digest,
                None => true,
            })
    }

    /// The options of an ingest that reads its pages in the same way.
    pub fn page_options(&self) -> String {
        let pages = match &*self.pages {
            "" => "without --pages",
            "also" => "with --pages",
            _ => "with --pages=only",
        };
        let links = if self.links { " --links" } else { "" };
        format!("{pages}{links}")
    }

    pub fn is_missing(&self) -> bool {
        self.is_absent || (self.origin.as_ref()).is_some_and(|origin| origin.is_missing)
    }
}

/// Where on the network an input was fetched from, and what its server reported about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub etag: Option<String>,
    /// Last-Modified, microseconds since 1970-01-01T00:00:00Z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<i64>,
    /// Whether it could not be fetched: it has rows in `damage`, and is requested again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_missing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampleDraw {
    /// A digest of the list's lines in any order; 0 in commits that lack it.
    #[serde(default)]
    pub list: u64,
    pub of: u64,
    pub seed: u64,
}

#[cfg(test)]
mod tests;
