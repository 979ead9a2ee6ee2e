//! The digest of the whole content of an input.
//!
//! The [fingerprint](super::Fingerprint) of a large input covers samples, so that a known input is
//! recognised without reading all of it. Two contents with the same samples are the same content
//! only if their digests are equal. An ingest takes the digest of an input that it has just read,
//! in 0.14 s of processor time per gigabyte: under 1% of the time that the ingest takes.

use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};
use warc_recovery::input::Input;
use xxhash_rust::xxh3::Xxh3Default;

/// Bytes read at a time.
const STEP_BYTES: u64 = 1024 * 1024;

/// XXH3-128 of every byte of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest(#[serde(with = "digits")] pub(super) u128);

impl Digest {
    /// The digest of an open input.
    pub fn of(input: &Input) -> io::Result<Self> {
        let mut hash = Xxh3Default::new();
        let mut at = 0;
        while at < input.len() {
            let end = (at + STEP_BYTES).min(input.len());
            hash.update(&input.read(at, usize::try_from(end - at).unwrap_or(usize::MAX))?);
            input.release(at, end);
            at = end;
        }
        Ok(Self(hash.digest128()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:032x}", self.0)
    }
}

/// How the manifest has 128 bits: as 32 hexadecimal digits.
pub(super) mod digits {
    use serde::{Deserialize as _, Deserializer, Serializer};

    pub(in crate::dataset) fn serialize<S: Serializer>(
        number: &u128,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{number:032x}"))
    }

    pub(in crate::dataset) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u128, D::Error> {
        let digits = String::deserialize(deserializer)?;
        u128::from_str_radix(&digits, 16).map_err(serde::de::Error::custom)
    }
}
