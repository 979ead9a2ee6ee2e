//! Identity: ids of files and policies.
//!
//! A policy is what a robots.txt says to crawlers, without the parts that change nothing. Its
//! canonical form is itself a robots.txt: the user-agent lines, rules and other directives in
//! order, keys in lower case, values trimmed, without comments, sitemaps, rules that belong to no
//! group, lines without effect, and blank lines between groups. A blank line *inside* a group
//! stays, because the 1994 and 1996 dialects end a record there; a blank line *between* groups
//! stays if these dialects would otherwise read one record (after a group with Allow rules only,
//! which 1994 does not know). A key's misspelling and a missing colon stay, because strict dialects
//! ignore such a line. So **every dialect gives every agent the same verdict from the canonical
//! form as from the body**, and reading the canonical form gives the same canonical form.
//!
//! Ids are the low 64 bits of XXH3-128 (seed 0), as a signed number; the high 64 bits are stored
//! too, so that a collision is detected.

use xxhash_rust::xxh3::xxh3_128;

/// A 128-bit identity, in two halves that each fit a signed 64-bit integer, as SQL has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Id {
    /// Low 64 bits: `file_id`, `policy_id`.
    pub low: i64,
    /// High 64 bits: `file_id_high`, `policy_id_high`.
    pub high: i64,
}

impl Id {
    /// The identity of `bytes`: a file's parsed bytes, or a policy's canonical form.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let hash = xxh3_128(bytes).to_le_bytes();
        let half = |at: usize| i64::from_le_bytes(std::array::from_fn(|index| hash[at + index]));
        Self {
            low: half(0),
            high: half(8),
        }
    }
}
