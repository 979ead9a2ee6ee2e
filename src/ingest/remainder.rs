//! What an ingest of records on the network has yet to fetch.

use std::path::Path;

use super::input::identity::{InputOptions, KnownInputs};
use super::input::sources::FoundInputs;
use super::page::Pages;
use crate::dataset::{Manifest, is_dataset};
use crate::error::Error;

/// Records that are yet to be fetched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Remainder {
    /// Records that an index names.
    pub records: u64,
    /// Requests, if none is repeated.
    pub requests: u64,
    /// Bytes of these requests.
    pub bytes: u64,
}

/// Counts what of `found` the dataset in `out` does not have.
///
/// # Errors
///
/// `out` has a manifest that cannot be read.
pub fn remainder(found: &FoundInputs, out: &Path) -> Result<Remainder, Error> {
    let manifest = is_dataset(out).then(|| Manifest::read(out)).transpose()?;
    let known = match &manifest {
        Some(manifest) => KnownInputs::new(manifest.inputs(), manifest.mirrors()),
        None => KnownInputs::default(),
    };
    let wanted = InputOptions {
        force: false,
        crawl: None,
        subset: None,
        pages: Pages::No,
        links: false,
    };
    let mut left = Remainder::default();
    for planned in &found.inputs {
        let is_known =
            (planned.file).is_some_and(|it| known.fetched(it.location, &wanted).is_some());
        if is_known {
            continue;
        }
        if let (Some(chosen), Some(target)) = (&planned.chosen, planned.target()) {
            let runs = target.runs().unwrap_or_default();
            left.records += chosen.records() as u64;
            left.requests += runs.len() as u64;
            left.bytes += runs.iter().map(|run| run.end - run.start).sum::<u64>();
        }
    }
    Ok(left)
}
