//! What is fetched: a file, or some ranges of its bytes, which the end of the file may list; and
//! the caller's checks of the body.

use std::cmp::Reverse;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3Default;

use super::address::Address;

/// A gap of at most this many bytes between two ranges is fetched too, which is cheaper than one
/// more request: at 4.9 requests a second and 5 MB/s, a request and a MiB take the same time.
const MAX_GAP_BYTES: u64 = 1 << 20;
/// The same limit for object stores, which allow ten times as many requests.
const MAX_GAP_BYTES_IN_STORE: u64 = 128 << 10;
/// The most requests for one file: if there would be more, the smallest gaps are fetched too.
const MAX_REQUESTS: usize = 100;

#[derive(Debug, Clone)]
pub struct Target {
    pub address: Address,
    pub wanted: WantedBytes,
}

#[derive(Debug, Clone)]
pub enum WantedBytes {
    Whole,
    Ranges(Ranges),
    /// The end of the file, and the ranges that it lists; the whole file if the server does not
    /// send ranges.
    ByEnd(FileEnd),
}

#[derive(Debug, Clone)]
pub struct Ranges {
    /// In order of their starts.
    pub bytes: Arc<[Range<u64>]>,
    /// Bytes at the start of the file that are fetched first.
    pub first: u64,
    /// How many bytes at the start of the file are wanted, computed from the first eight.
    pub head: fn(&[u8]) -> u64,
}

#[derive(Debug, Clone)]
pub struct FileEnd {
    /// Name of the choice of ranges; another choice in the same file has another name.
    pub name: &'static str,
    /// Bytes at the end of the file that are fetched first.
    pub first: u64,
    /// Reads the wanted ranges from bytes at the end of the file, given the file's length.
    pub ranges: fn(&[u8], u64) -> NamedRanges,
}

pub type NamedRanges = Result<Vec<Range<u64>>, EndError>;

/// Why the end of a file does not give the wanted ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EndError {
    /// This many bytes at the end of the file are needed.
    TooShort(u64),
    /// These bytes are not the end of such a file, for this reason.
    Invalid(String),
}

/// Checks of a body by the caller, who knows its format, because servers send error pages with
/// status 200, and truncated bodies.
pub trait BodyCheck: Send + Sync {
    /// Describes the body in the file `body` if it is not `target`; `None` if it may be.
    fn mistake(&self, target: &Target, body: &Path) -> io::Result<Option<String>>;

    /// Whether the format of the body proves that nothing is missing at its end. Called only for
    /// bodies whose end the server does not mark.
    fn is_complete(&self, _body: &Path) -> io::Result<bool> {
        Ok(false)
    }

    /// Length of the longest body that is accepted, in bytes.
    fn max_bytes(&self) -> u64 {
        u64::MAX
    }
}

impl From<Address> for Target {
    fn from(address: Address) -> Self {
        Self {
            address,
            wanted: WantedBytes::Whole,
        }
    }
}

impl Target {
    /// Its key in the cache: the address and, if only ranges are fetched, their hash or name.
    pub(super) fn key(&self) -> String {
        let ranges = match &self.wanted {
            WantedBytes::Whole => return self.address.text().to_owned(),
            WantedBytes::Ranges(ranges) => ranges,
            WantedBytes::ByEnd(end) => return format!("{}#{}", self.address, end.name),
        };
        let mut hash = Xxh3Default::new();
        hash.update(&ranges.first.to_le_bytes());
        for range in &*ranges.bytes {
            hash.update(&range.start.to_le_bytes());
            hash.update(&range.end.to_le_bytes());
        }
        format!("{}#bytes-{:032x}", self.address, hash.digest128())
    }

    /// The ranges to request, each with one request; `None` for a whole file, or before its end is
    /// known.
    pub(crate) fn runs(&self) -> Option<Vec<Range<u64>>> {
        let WantedBytes::Ranges(ranges) = &self.wanted else {
            return None;
        };
        let head = std::iter::once(0..ranges.first);
        Some(self.address.runs(head.chain(ranges.bytes.iter().cloned())))
    }
}

impl Address {
    /// The requests for these ranges, which are in order of their starts.
    pub(crate) fn runs(&self, ranges: impl Iterator<Item = Range<u64>>) -> Vec<Range<u64>> {
        let is_store = self.bucket_and_key().is_some();
        let gap = if is_store {
            MAX_GAP_BYTES_IN_STORE
        } else {
            MAX_GAP_BYTES
        };
        runs(ranges, gap)
    }
}

/// The ranges, merged if at most `gap` bytes are between them.
pub(super) fn runs(ranges: impl Iterator<Item = Range<u64>>, gap: u64) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for range in ranges.filter(|range| !range.is_empty()) {
        match runs.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(gap) => {
                last.end = last.end.max(range.end);
            }
            _ => runs.push(range),
        }
    }
    if runs.len() <= MAX_REQUESTS {
        return runs;
    }
    // The largest gaps remain between requests.
    let gap = |next: usize| runs[next].start - runs[next - 1].end;
    let mut begins: Vec<usize> = (1..runs.len()).collect();
    begins.sort_by_key(|next| Reverse(gap(*next)));
    begins.truncate(MAX_REQUESTS - 1);
    begins.extend([0, runs.len()]);
    begins.sort_unstable();
    let joined = begins.windows(2);
    (joined.map(|ends| runs[ends[0]].start..runs[ends[1] - 1].end)).collect()
}
