//! What can be wrong with a stored body. Damage in a body is data, not an error: the body is read
//! as far as possible, and the issues are returned with it.

use std::fmt;

use crate::names::names;

names! {
    /// One fault of a stored body. Sets list their issues in this order.
    pub enum BodyIssue {
        /// A chunk is not followed by a line end and a chunk size. Unless a plausible chunk follows
        /// without the line end, the rest was taken as it is.
        BadChunk = "bad_chunk",
        /// The head says chunked, but the body does not begin with a chunk size: it was stored
        /// decoded, and taken as it is.
        NotChunked = "not_chunked",
        /// A coding that the head lists could not be undone, or only in part. If nothing could be
        /// decoded, the body was taken as it is; else the decoded part was kept. Also set for wrong
        /// checksums, for data after the end of the coded stream, and for a gzip file under the
        /// coding gzip, which was unpacked too.
        BadEncoding = "bad_encoding",
        /// The head lists a coding that this reader does not support; the coding was ignored.
        UnknownEncoding = "unknown_encoding",
        /// The stored body ends before its last chunk or its coded stream does.
        TruncatedBody = "truncated_body",
        /// Decoding stopped at the decode limit; the decoded length is a lower bound.
        OverDecodeLimit = "over_decode_limit",
        /// `Content-Length`, or the last chunk, does not match where the stored body ends.
        LengthMismatch = "length_mismatch",
        /// The head has no end within 1 MiB. Fields beyond that are not read; the body is read if
        /// the head ends later in the block.
        HeadTooLong = "head_too_long",
        /// The block ends within the head, so the body is missing.
        HeadTruncated = "head_truncated",
        /// Only the beginning of a giant block is held; the body was read from that part.
        BlockCut = "block_cut",
    }
}

/// A set of [`BodyIssue`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct BodyIssues(u16);

impl BodyIssues {
    /// No issue.
    pub const NONE: Self = Self(0);

    /// Adds an issue.
    pub fn insert(&mut self, issue: BodyIssue) {
        self.0 |= 1 << issue as u16;
    }

    /// Adds every issue of `other`.
    pub fn extend(&mut self, other: Self) {
        self.0 |= other.0;
    }

    /// Whether the issue is in the set.
    #[must_use]
    pub const fn contains(self, issue: BodyIssue) -> bool {
        self.0 & (1 << issue as u16) != 0
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The issues of the set, in the order of [`BodyIssue::ALL`].
    pub fn iter(self) -> impl Iterator<Item = BodyIssue> {
        let all = BodyIssue::ALL.iter().copied();
        all.filter(move |&issue| self.contains(issue))
    }
}

impl fmt::Debug for BodyIssues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.iter().map(BodyIssue::name))
            .finish()
    }
}
