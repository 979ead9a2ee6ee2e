//! Text files that hold their own checksum: commits and `views.sql`.
//!
//! The checksum, XXH3-64 in 16 hexadecimal digits, is at the end, in a form that the file's
//! language allows, and covers every byte before it. The bytes after it are fixed, so that any
//! change of the file is detected.

use memchr::memmem;
use xxhash_rust::xxh3::xxh3_64;

pub(super) struct Seal {
    before: &'static str,
    after: &'static str,
}

/// The last member of a JSON object that is written over several lines.
pub(super) const JSON: Seal = Seal {
    before: ",\n  \"xxh3_of_the_above\": \"",
    after: "\"\n}\n",
};

pub(super) const SQL: Seal = Seal {
    before: "-- XXH3-64 of the above: ",
    after: "\n",
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Intact,
    /// The checksum is wrong, or the text around it is not as it was written.
    Changed,
    Missing,
}

impl Seal {
    pub(super) fn close(&self, text: &str) -> String {
        let Self { before, after } = self;
        format!("{text}{before}{:016x}{after}", xxh3_64(text.as_bytes()))
    }

    /// Whether `text` is as [`close`](Self::close) left it.
    pub(super) fn check(&self, text: &[u8]) -> State {
        let Some(end) = memmem::rfind(text, self.before.as_bytes()) else {
            return State::Missing;
        };
        let (above, end) = text.split_at(end);
        let expected = format!("{}{:016x}{}", self.before, xxh3_64(above), self.after);
        if end == expected.as_bytes() {
            State::Intact
        } else {
            State::Changed
        }
    }
}

#[cfg(test)]
mod tests;
