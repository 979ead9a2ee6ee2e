//! Blocks by which a damaged archive and an intact copy of it are recognised.

use std::fmt::Write as _;
use std::io;

use serde::{Deserialize, Serialize};
use warc_recovery::input::Input;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const BLOCK_BYTES: u64 = 4096;
/// Where blocks begin; one more ends the archive. A single fault rarely reaches all of them.
const STARTS: [u64; 5] = [0, 64 << 10, 1 << 20, 16 << 20, 256 << 20];

/// Hashes of some blocks of an archive and of their places, each in 16 hexadecimal digits.
///
/// Two archives never have the same bytes at the same place by chance: the first record alone has
/// an id, a time and a file name. If a block is equal, they are copies of one archive, and one of
/// them may be truncated, damaged or longer. Tables have no landmarks, because tables of two days
/// may begin with the same rows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Landmarks(String);

impl Landmarks {
    /// The landmarks of an open archive; none if it is shorter than a block.
    pub fn of(input: &Input) -> io::Result<Self> {
        let Some(last) = input.len().checked_sub(BLOCK_BYTES) else {
            return Ok(Self::default());
        };
        let starts = STARTS.into_iter().filter(|start| *start <= last);
        let places = starts.zip(0..).chain([(last, u64::MAX)]);
        let mut hashes = String::new();
        for (start, place) in places {
            let block = input.read(start, usize::try_from(BLOCK_BYTES).unwrap_or(usize::MAX))?;
            // What is missing is often filled with zeros.
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
