//! Every byte of a file belongs to a record or to damage, or is skipped.

use std::ops::AddAssign;

/// What became of the bytes of a file, or of a part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Accounting {
    /// WARC records of every type.
    pub records: u64,
    /// Bytes of records as stored: compressed if the file is.
    pub record_bytes: u64,
    /// Damaged parts of the file.
    pub damaged_records: u64,
    /// Bytes of damaged parts.
    pub damaged_bytes: u64,
    /// Bytes outside records that are not damaged: padding, empty members, dictionaries.
    pub skipped_bytes: u64,
}

impl Accounting {
    /// All bytes accounted for: the length of the file, once all of it has been read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.record_bytes + self.damaged_bytes + self.skipped_bytes
    }
}

impl AddAssign for Accounting {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.record_bytes += other.record_bytes;
        self.damaged_records += other.damaged_records;
        self.damaged_bytes += other.damaged_bytes;
        self.skipped_bytes += other.skipped_bytes;
    }
}
