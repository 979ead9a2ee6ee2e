//! Counts of an ingest, added up from the stages.

use std::ops::AddAssign;

use warc_recovery::accounting::Accounting;

use super::corpus::UnreadFiles;

/// Counts of a split of an input.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    pub accounting: Accounting,
    /// Rows in `captures`.
    pub captures: u64,
    /// Rows in `pages`.
    pub pages: u64,
    /// Captures by status class: none, 1xx, 2xx, 3xx, 4xx, 5xx, other numbers.
    pub by_status: [u64; 7],
    /// Responses that are not captures because they have no target URI.
    pub no_target_uri: u64,
    /// Responses that are neither captures nor pages, because their URLs are not robots.txt URLs.
    pub passed_over: u64,
    /// Bytes of the blocks of records of any type that were not read.
    pub passed_over_bytes: u64,
    /// Rows of tables whose status is not a code, such as a word.
    pub invalid_statuses: u64,
    /// Files of folders, tar and zip files that are not read.
    pub unread_files: UnreadFiles,
    /// Captures whose digests are right, with `--verify-digests`.
    pub valid_digests: u64,
    /// Captures with a wrong digest, with `--verify-digests`.
    pub invalid_digests: u64,
}

impl Tally {
    pub const STATUS_CLASSES: [&str; 7] = ["none", "1xx", "2xx", "3xx", "4xx", "5xx", "other"];

    pub fn add_status(&mut self, status: Option<u16>) {
        let class = match status {
            None => 0,
            Some(status @ 100..=599) => usize::from(status / 100),
            Some(_) => 6,
        };
        self.by_status[class] += 1;
    }
}

impl AddAssign<&Self> for Tally {
    fn add_assign(&mut self, other: &Self) {
        self.accounting += other.accounting;
        self.captures += other.captures;
        self.pages += other.pages;
        for (mine, theirs) in self.by_status.iter_mut().zip(other.by_status) {
            *mine += theirs;
        }
        self.no_target_uri += other.no_target_uri;
        self.passed_over += other.passed_over;
        self.passed_over_bytes += other.passed_over_bytes;
        self.invalid_statuses += other.invalid_statuses;
        self.unread_files += other.unread_files;
        self.valid_digests += other.valid_digests;
        self.invalid_digests += other.invalid_digests;
    }
}
