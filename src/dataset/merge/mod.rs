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
mod plan;
mod revisits;
mod run;
mod source;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

pub use self::inputs::Duplicate;
use self::inputs::Inputs;
pub use self::plan::{MergePlan, MergeTotals, MergeWatcher};
use self::revisits::Revisits;
use self::run::Run;
use super::manifest::Manifest;
use super::{Dataset, Snapshot};
use crate::error::Error;
use crate::threads;

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
    dataset.public_suffix_list = agreed.public_suffix_list;
    dataset.note_panel(agreed.panel);
    let known = dataset.known()?;
    let mut run = Run {
        inputs: Inputs::of(&plan.out, dataset.manifest()),
        dataset: &mut dataset,
        known,
        revisits: Revisits::default(),
        watcher,
        stop,
        commit_bytes: plan.commit_bytes,
        totals: MergeTotals::default(),
        usable: 0,
        uncommitted: Vec::new(),
        uncommitted_bytes: 0,
        has_rows: false,
    };
    match run.all(&sources) {
        Ok(()) => {
            let mut totals = run.totals;
            let (files, policies) = (run.known.files.count(), run.known.policies.count());
            (totals.files, totals.policies) = (files as u64, policies as u64);
            totals.small_parts = dataset.small_parts() as u64;
            Ok(totals)
        }
        Err(error) => {
            dataset.roll_back();
            Err(error)
        }
    }
}
