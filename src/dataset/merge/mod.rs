//! Merging: several datasets become one.
//!
//! The result has the rows of one ingest of the same inputs in the same order: all rows of the
//! first dataset, then the rows of the second that the first lacks, and so on. Ids are equal
//! everywhere, so a file or policy that the output has already is dropped with all its rows. Rows
//! are taken in input order, and commits end as in an ingest, so parts have the same bytes.
//!
//! An input is read from its [`Source`](source::Source): its captures, then the files that they
//! bring and the policies that these bring, in the order in which the source has them. Files and
//! policies without captures, which replaced inputs leave, are kept.
//!
//! Memory grows with the number of distinct files (some 30 bytes each) and policies (some 20), with
//! the digests that revisits name (some 20) and with the inputs, not with captures.

pub(super) mod agreement;
mod inputs;
mod revisits;
mod run;
mod source;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

pub use self::inputs::Duplicate;
use self::inputs::Inputs;
use self::revisits::Revisits;
use self::run::Run;
use super::manifest::Manifest;
use super::tables::PerTable;
use super::{Dataset, DatasetCatalog, Snapshot};
use crate::error::Error;
use crate::threads;

pub struct MergePlan {
    pub sources: Vec<PathBuf>,
    /// The output directory. A dataset in it comes first.
    pub out: PathBuf,
    /// Rows for the catalogue of crawlers; without, those that the datasets were given.
    pub catalog: Option<DatasetCatalog>,
    pub jobs: usize,
    /// Bytes of the inputs after which to commit, at the end of an input, as in an ingest.
    pub commit_bytes: u64,
}

pub trait MergeWatcher {
    /// So many captures are to be merged.
    fn plan(&mut self, captures: u64);
    /// So many more are.
    fn advance(&mut self, captures: u64);
    /// An input is left out.
    fn skip(&mut self, duplicate: &Duplicate);
    /// Everything so far has been committed, with this many inputs.
    fn commit(&mut self, inputs: usize);
}

#[derive(Debug, Default)]
pub struct MergeTotals {
    pub datasets: u64,
    pub inputs: u64,
    pub merged_before: u64,
    /// Inputs left out because an earlier dataset has them.
    pub duplicates: Vec<Duplicate>,
    pub rows: PerTable<u64>,
    pub files: u64,
    pub policies: u64,
    /// Small parts of the output that `robostat compact` would merge.
    pub small_parts: u64,
}

/// Runs `plan`. `stop` set from outside ends the run with [`Error::Interrupted`]; the same plan
/// again goes on after the last commit.
///
/// Fails if a dataset cannot be read, differs from its manifest, or was made with other settings
/// than the first; the output cannot be written. Earlier commits stay.
pub fn merge(
    mut plan: MergePlan,
    watcher: &mut dyn MergeWatcher,
    stop: &AtomicBool,
) -> Result<MergeTotals, Error> {
    let pool = threads::pool(plan.jobs)?;
    let open = |directory: &PathBuf| Snapshot::open_whole(directory);
    let sources = plan.sources.iter().map(open);
    let sources: Vec<Snapshot> = sources.collect::<Result<_, _>>()?;
    agreement::refuse_output(&plan.out, &sources)?;
    let present = Manifest::read(&plan.out)?;
    let agreed = agreement::of(&sources, (&plan.out, &present))?;
    let catalog = match plan.catalog.take() {
        Some(given) => Some(given),
        None => agreement::catalog(&sources, (&plan.out, &present))?,
    };
    let mut dataset = Dataset::open(&plan.out, agreed.settings, catalog, pool)?;
    dataset.next.public_suffix_list = agreed.public_suffix_list;
    dataset.note_panel(agreed.panel);
    let mut run = Run {
        known: dataset.known()?,
        inputs: Inputs::of(&plan.out, dataset.manifest()),
        dataset,
        revisits: Revisits::default(),
        watcher,
        stop,
        commit_bytes: plan.commit_bytes,
        totals: MergeTotals::default(),
        is_usable: false,
        has_rows: false,
        uncommitted: Vec::new(),
        uncommitted_bytes: 0,
    };
    if let Err(error) = run.all(&sources) {
        run.dataset.roll_back();
        return Err(error);
    }
    Ok(MergeTotals {
        files: run.known.files.count() as u64,
        policies: run.known.policies.count() as u64,
        small_parts: run.dataset.small_parts() as u64,
        ..run.totals
    })
}
