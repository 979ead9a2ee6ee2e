//! What an ingest of records has yet to fetch or to read.

use std::path::Path;

use super::input::identity::{InputOptions, KnownInputs};
use super::input::sources::FoundInputs;
use crate::dataset::{Manifest, is_dataset};
use crate::error::Error;

/// Records that are yet to be fetched, or read from files on this machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remainder {
    /// Records that an index lists.
    pub records: u64,
    /// Requests, if none is repeated; files on this machine need no requests.
    pub requests: u64,
    pub bytes: u64,
}

/// Counts the records in `found` that the dataset in `out` does not have.
pub fn remainder(found: &FoundInputs, out: &Path) -> Result<Remainder, Error> {
    let manifest = is_dataset(out).then(|| Manifest::read(out)).transpose()?;
    let known = KnownInputs::new(&manifest.unwrap_or_default(), InputOptions::default());
    let mut left = Remainder::default();
    for planned in &found.inputs {
        if known.unopened(planned).is_some() {
            continue;
        }
        left.records += (planned.indexed.as_ref()).map_or(0, |it| it.records() as u64);
        let runs = planned.target().and_then(|it| it.runs());
        for run in runs.unwrap_or_default() {
            left.requests += 1;
            left.bytes += run.end - run.start;
        }
    }
    Ok(left)
}
