//! Counts of an ingest, added up from the stages.

use std::ops::AddAssign;

/// What was read of some stretch of input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// WARC records of every type.
    pub records: u64,
    /// Rows in `captures`.
    pub captures: u64,
    /// Captures by status class: none, 1xx, 2xx, 3xx, 4xx, 5xx, other numbers.
    pub by_status: [u64; 7],
    /// Captures whose digests are right, with `--verify-digests`.
    pub valid_digests: u64,
    /// Captures with a wrong digest, with `--verify-digests`.
    pub invalid_digests: u64,
    /// Rows in `damage`.
    pub damaged_records: u64,
    /// Octets of records.
    pub record_bytes: u64,
    /// Octets of damaged stretches.
    pub damaged_bytes: u64,
    /// Octets that belong to no record.
    pub skipped_bytes: u64,
}

impl Tally {
    /// Names of the classes in [`by_status`](Self::by_status).
    pub const STATUS_CLASSES: [&str; 7] = ["none", "1xx", "2xx", "3xx", "4xx", "5xx", "other"];

    /// Octets accounted for.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.record_bytes + self.damaged_bytes + self.skipped_bytes
    }

    /// Counts one capture by its HTTP status.
    pub fn add_status(&mut self, status: Option<u16>) {
        let class = match status {
            None => 0,
            Some(status @ 100..=599) => usize::from(status / 100),
            Some(_) => 6,
        };
        self.by_status[class] += 1;
    }

    /// Counts one capture by `captures.digest_valid`.
    pub fn add_digest(&mut self, is_valid: Option<bool>) {
        match is_valid {
            Some(true) => self.valid_digests += 1,
            Some(false) => self.invalid_digests += 1,
            None => {}
        }
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.records += other.records;
        self.captures += other.captures;
        for (mine, theirs) in self.by_status.iter_mut().zip(other.by_status) {
            *mine += theirs;
        }
        self.valid_digests += other.valid_digests;
        self.invalid_digests += other.invalid_digests;
        self.damaged_records += other.damaged_records;
        self.record_bytes += other.record_bytes;
        self.damaged_bytes += other.damaged_bytes;
        self.skipped_bytes += other.skipped_bytes;
    }
}
