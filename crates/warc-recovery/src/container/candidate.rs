//! Candidates: offsets where a unit may begin.
//!
//! They are found by magic numbers alone, which also occur inside units. So a candidate is a guess,
//! and a reader that starts at one proves it: by the end of the unit before, or by what it decodes
//! to.

use std::io;

use memchr::{memchr2_iter, memmem};

use super::gzip_head::{self, Shape};
use super::{Container, DICTIONARY_MAGIC, Format, ZSTD_MAGIC};
use crate::arc;
use crate::input::Input;
use crate::syntax::RecordSyntax;

/// Bytes searched for a candidate at a time.
const SEARCH_WINDOW_BYTES: usize = 256 * 1024;

impl Container {
    /// Bytes at the end of a window in which a candidate may begin that is not recognised yet. A
    /// search window by window begins the next one this many bytes before the end of the last.
    pub(crate) fn candidate_overlap_bytes(&self) -> usize {
        match (self.format, self.syntax) {
            (Format::Plain, RecordSyntax::Arc) => self.syntax.overlap_bytes(),
            _ => 16,
        }
    }

    /// The first [candidate](Self::find_candidate) in the file at or after `from` and before
    /// `bound`.
    pub(crate) fn next_candidate(
        &self,
        input: &Input,
        from: u64,
        bound: u64,
    ) -> io::Result<Option<u64>> {
        let mut start = from;
        while start < bound {
            let window = input.read(start, SEARCH_WINDOW_BYTES)?;
            if let Some(at) = self.find_candidate(&window, 0) {
                return Ok(Some(start + at as u64).filter(|at| *at < bound));
            }
            start += (SEARCH_WINDOW_BYTES - self.candidate_overlap_bytes()) as u64;
        }
        Ok(None)
    }

    /// The first candidate as [`next_candidate`](Self::next_candidate) finds it, but in a gzip file
    /// preferably one whose head resembles the head of the member at `start`.
    pub(crate) fn next_candidate_like(
        &self,
        input: &Input,
        start: u64,
        from: u64,
        bound: u64,
    ) -> io::Result<Option<u64>> {
        let shape = match self.format {
            Format::Gzip => Shape::of(&input.read(start, Shape::BYTES)?),
            Format::Plain | Format::Zstd => None,
        };
        if shape.is_some() {
            // As far as a member of usual size reaches.
            let window = input.read(from, SEARCH_WINDOW_BYTES)?;
            let found = gzip_candidates(&window).find(|at| Shape::of(&window[*at..]) == shape);
            if let Some(at) = found {
                return Ok(Some(from + at as u64).filter(|at| *at < bound));
            }
        }
        self.next_candidate(input, from, bound)
    }

    /// The next offset in `bytes`, from `from` on, where a unit may begin.
    ///
    /// A cheap look for magic numbers, and no proof: such bytes also occur inside units. Who
    /// starts there has to check that the unit before ends there, or that what follows decodes.
    #[must_use]
    pub fn find_candidate(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        match self.format {
            Format::Plain if self.syntax == RecordSyntax::Arc => arc::find_next_head(bytes, from),
            Format::Plain => memmem::find(rest, b"\nWARC/").map(|at| from + at + 1),
            Format::Zstd => memchr2_iter(ZSTD_MAGIC[0], DICTIONARY_MAGIC[0], rest)
                .find(|&at| {
                    rest[at..].starts_with(&ZSTD_MAGIC) || rest[at..].starts_with(&DICTIONARY_MAGIC)
                })
                .map(|at| from + at),
            Format::Gzip => (gzip_candidates(rest).next()).map(|at| from + at),
        }
    }
}

/// Where gzip members may begin in `bytes`.
pub(crate) fn gzip_candidates(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(bytes, &gzip_head::MAGIC).filter(|at| gzip_head::begins_member(&bytes[*at..]))
}
