//! Candidates: offsets where a unit may begin.
//!
//! They are found by magic numbers alone, which also occur inside units. So a candidate is a guess,
//! and a reader that starts at one proves it: by the end of the unit before, or by what it decodes
//! to.

use std::io;

use memchr::{memchr2_iter, memmem};

use super::{Container, DICTIONARY_MAGIC, Format, GZIP_MAGIC, ZSTD_MAGIC};
use crate::arc;
use crate::syntax::RecordSyntax;

const SEARCH_WINDOW_BYTES: usize = 256 * 1024;

impl Container {
    /// The first [candidate](Self::find_candidate) in the file at or after `from` and before
    /// `bound`.
    pub(crate) fn next_candidate(&self, from: u64, bound: u64) -> io::Result<Option<u64>> {
        let mut start = from;
        while start < bound {
            let window = self.input.read(start, SEARCH_WINDOW_BYTES)?;
            if let Some(at) = self.find_candidate(&window, 0) {
                return Ok(Some(start + at as u64).filter(|at| *at < bound));
            }
            start += (SEARCH_WINDOW_BYTES - self.syntax.overlap_bytes()) as u64;
        }
        Ok(None)
    }

    /// The next offset in `bytes`, from `from` on, where a unit may begin.
    ///
    /// It is a guess: who starts there has to check that the unit before ends there, or that what
    /// follows decodes.
    #[must_use]
    pub fn find_candidate(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        match self.format {
            Format::Plain if self.syntax == RecordSyntax::Arc => arc::find_next_head(bytes, from),
            Format::Plain => memmem::find(rest, b"\nWARC/").map(|at| from + at + 1),
            Format::Zstd => {
                let magics = [ZSTD_MAGIC, DICTIONARY_MAGIC];
                let is_magic = |at: &usize| magics.iter().any(|it| rest[*at..].starts_with(it));
                let mut firsts = memchr2_iter(ZSTD_MAGIC[0], DICTIONARY_MAGIC[0], rest);
                firsts.find(is_magic).map(|at| from + at)
            }
            Format::Gzip => gzip_candidates(rest).next().map(|at| from + at),
        }
    }
}

/// Where gzip members may begin in `bytes`: no reserved flag is set in the ten bytes that head
/// every member; the time, the extra flags and the operating system may be any (RFC 1952 §2.3).
pub(crate) fn gzip_candidates(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let begins_member = |at: &usize| bytes.len() - at >= 10 && bytes[at + 3] & 0xe0 == 0;
    memmem::find_iter(bytes, &GZIP_MAGIC).filter(begins_member)
}
