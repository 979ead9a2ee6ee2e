//! Samples of a list: some of its lines, all equally likely.
//!
//! Lines are sorted by a hash of their text and the seed, and the first ones are taken. So a larger
//! sample with the same seed contains the smaller one, lists of the same lines in another order
//! give the same sample, and the sample of a growing list changes little.

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::dataset::SampleDraw;

/// How much of a list to take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sample {
    pub size: u64,
    /// The seed that decides which lines.
    pub seed: u64,
}

impl Sample {
    /// Keeps the lines of the sample, in their order. Lines must differ.
    pub(crate) fn draw<L: AsRef<[u8]>>(self, lines: &mut Vec<L>) -> SampleDraw {
        let digests = lines.iter().map(|line| xxh3_64(line.as_ref()));
        let drawn = SampleDraw {
            list: digests.fold(0, u64::wrapping_add),
            of: lines.len() as u64,
            seed: self.seed,
        };
        let size = usize::try_from(self.size).unwrap_or(usize::MAX);
        let Some(last) = size.checked_sub(1).filter(|last| *last < lines.len()) else {
            return drawn; // all of them
        };
        let rank = |line: &[u8]| xxh3_64_with_seed(line, self.seed);
        let lines_of = lines.iter().map(AsRef::as_ref);
        let mut ranked: Vec<(u64, &[u8])> = lines_of.map(|line| (rank(line), line)).collect();
        let (_, &mut (last_rank, last), _) = ranked.select_nth_unstable(last);
        let last = last.to_owned();
        lines.retain(|line| (rank(line.as_ref()), line.as_ref()) <= (last_rank, &*last));
        drawn
    }
}

#[cfg(test)]
mod tests;
