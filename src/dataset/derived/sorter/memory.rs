//! Records in memory, and their order.

use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut as _;

/// A record: its key, then its value.
pub(super) type KeyValue<'r> = (&'r [u8], &'r [u8]);

/// The place of a record in memory.
#[derive(Clone, Copy)]
struct Place {
    /// The first bytes of the key, so that most comparisons need not look at the record.
    prefix: u128,
    start: usize,
    key_length: u32,
    length: u32,
}

/// Records in memory.
#[derive(Default)]
pub(super) struct Memory {
    /// Key and value of each record.
    records: Vec<u8>,
    places: Vec<Place>,
}

impl Memory {
    /// Adds a record; nothing where it is larger than 4 GiB.
    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> Option<()> {
        self.places.push(Place {
            prefix: prefix(key),
            start: self.records.len(),
            key_length: u32::try_from(key.len()).ok()?,
            length: u32::try_from(key.len() + value.len()).ok()?,
        });
        self.records.extend_from_slice(key);
        self.records.extend_from_slice(value);
        Some(())
    }

    /// The record at a place.
    fn record(&self, place: Place) -> KeyValue<'_> {
        let record = &self.records[place.start..place.start + place.length as usize];
        record.split_at(place.key_length as usize)
    }

    /// The record of a number.
    pub(super) fn get(&self, number: usize) -> Option<KeyValue<'_>> {
        self.places.get(number).map(|place| self.record(*place))
    }

    /// Bytes that are taken.
    pub(super) fn bytes(&self) -> usize {
        self.records.len() + self.places.len() * size_of::<Place>()
    }

    /// Puts the records in order.
    pub(super) fn sort(&mut self, pool: &ThreadPool) {
        let mut places = std::mem::take(&mut self.places);
        let compare = |one: &Place, other: &Place| {
            let by_key = || self.record(*one).0.cmp(self.record(*other).0);
            one.prefix.cmp(&other.prefix).then_with(by_key)
        };
        pool.install(|| places.par_sort_unstable_by(compare));
        self.places = places;
    }
}

/// The first bytes of a key, as a number that compares as they do.
fn prefix(key: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let length = key.len().min(bytes.len());
    bytes[..length].copy_from_slice(&key[..length]);
    u128::from_be_bytes(bytes)
}
