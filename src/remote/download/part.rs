//! The part of a file that is there, between two tries and in one.

use std::fs::File;
use std::ops::Range;

use super::super::cache::Validators;

pub(super) enum Plan {
    Whole,
    /// Its end, which names the rest.
    End,
    /// Some ranges.
    Ranges {
        /// Each is one request.
        runs: Vec<Range<u64>>,
        /// The end of the file, if it was requested first.
        end: Vec<u8>,
    },
}

/// The part of a file that is there, and the tries that brought it.
pub(in crate::remote) struct PartialFile {
    pub(super) plan: Plan,
    pub(super) file: File,
    /// Offset up to which everything that is wanted is there.
    pub(super) bytes: u64,
    /// Bytes reported to [`Download::progress`](super::Download).
    pub(super) counted: i64,
    /// Bytes of the whole file, where only ranges are wanted and it is known.
    pub(super) complete: Option<u64>,
    /// Bytes that were there when a body ended whose end the server did not mark.
    pub(super) unmarked_end: Option<u64>,
    pub(super) validators: Validators,
    /// Tries since one brought something new.
    pub(super) tries: u32,
    /// The most bytes that were there after a try.
    pub(super) most: u64,
    /// Answers with 403.
    pub(super) refusals: u32,
    /// Requests for whichever file that had succeeded when this one was refused last.
    pub(super) successes: Option<u64>,
    /// Whether it is refused where others are not.
    pub(super) is_alone: bool,
}

impl PartialFile {
    /// Whether an answer has come, whose validators hold for the next ones.
    pub(super) fn is_begun(&self) -> bool {
        let has_end = matches!(&self.plan, Plan::Ranges { end, .. } if !end.is_empty());
        self.bytes > 0 || has_end
    }
}
