//! A run: opens the inputs of a plan in order, has its workers read them, and joins their rows in
//! input order.

mod ending;
mod join;
mod network;
mod splits;
mod work;
mod workers;

use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warc_recovery::container::Boundary;

use self::network::Network;
use self::work::{Item, OpenWork};
use self::workers::Workers;
use crate::dataset::tables::PerTable;
use crate::dataset::{Dataset, DigestIndex};
use crate::error::{Error, check_stop};
use crate::ingest::input::identity::{InputOptions, KnownInputs};
use crate::ingest::input::subset::Subset;
use crate::ingest::input::{PlannedInput, SkipReason, SkippedInput};
use crate::ingest::plan::{Plan, Totals, Watcher};
use crate::ingest::tally::Tally;
use crate::threads;

/// Splits in progress per thread: enough that no thread waits for the joining thread.
const SPLITS_PER_JOB: usize = 4;
/// Bytes of rows in progress above which no more rows are read: rows may be long.
const MAX_ROW_BYTES_UNDER_WAY: u64 = 128 * 1024 * 1024;

/// Runs `plan`. Setting `stop` from outside ends the run with [`Error::Interrupted`].
///
/// An input that cannot be opened is skipped. A damaged input is read around the damage. Both are
/// in the [`Totals`].
///
/// Fails if the dataset cannot be used or written, if an input that was opened can no longer be
/// read, or if two contents have the same id. Earlier commits stay. [`Error::Remote`] if a server
/// or the network keeps refusing: the files fetched until then are committed.
pub fn ingest(
    mut plan: Plan,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Totals, Error> {
    let pool = threads::pool(plan.jobs)?;
    let settings = plan.options.settings.clone();
    let mut dataset = Dataset::open(&plan.out, settings, plan.catalog.take(), Arc::clone(&pool))?;
    dataset.next.panel = plan.panel.take();
    let workers = Workers {
        pool,
        options: plan.options.clone(),
        known: dataset.known()?,
    };
    let options = InputOptions {
        force: plan.force,
        crawl: plan.crawl.as_deref(),
        subset: plan.subset.map(Subset::name),
        pages: plan.options.pages,
        links: plan.options.links,
    };
    let mut run = Run {
        plan: &plan,
        known: KnownInputs::new(&dataset.manifest, options),
        workers: Arc::new(workers),
        dataset: &mut dataset,
        watcher,
        stop,
        totals: Totals::default(),
        inputs: VecDeque::new(),
        network: Network::default(),
        open: None,
        tally: Tally::default(),
        frontier: Boundary::default(),
        digests: DigestIndex::default(),
        has_stored_digests: false,
        is_subset_noted: false,
        reason: None,
    };
    let result = run.process_inputs();
    let mut totals = run.totals;
    if result.is_err() || totals.nothing_ingested.is_some() {
        run.dataset.roll_back();
        totals.rows = PerTable::default();
    } else {
        let known = &run.workers.known;
        totals.files = known.files.count() as u64;
        totals.policies = known.policies.count() as u64;
        totals.small_parts = run.dataset.small_parts() as u64;
    }
    result.map(|()| totals)
}

struct Run<'r> {
    plan: &'r Plan,
    known: KnownInputs<'r>,
    workers: Arc<Workers>,
    dataset: &'r mut Dataset,
    watcher: &'r mut dyn Watcher,
    stop: &'r AtomicBool,
    totals: Totals,
    inputs: VecDeque<&'r PlannedInput>,
    network: Network,
    /// The input that is being cut into work.
    open: Option<OpenWork>,
    /// Counts of the input whose rows are joined.
    tally: Tally,
    /// Offset up to which the rows of that input's current archive are joined.
    frontier: Boundary,
    /// Files by the payload digests of their captures.
    digests: DigestIndex,
    /// Whether `digests` has the digests of earlier runs.
    has_stored_digests: bool,
    /// Whether the user knows that a directory's name chose the subset.
    is_subset_noted: bool,
    /// Why the first input that failed could not be read or found.
    reason: Option<String>,
}

impl<'r> Run<'r> {
    fn process_inputs(&mut self) -> Result<(), Error> {
        let depth = self.workers.pool.current_num_threads() * SPLITS_PER_JOB;
        self.inputs = self.new_inputs();
        self.begin_fetching()?;
        let mut queue = VecDeque::new();
        let mut row_bytes = 0;
        loop {
            while queue.len() < depth
                && row_bytes < MAX_ROW_BYTES_UNDER_WAY
                && let Some(item) = self.next_item(queue.is_empty())?
            {
                if let Item::Rows(bytes, _) = &item {
                    row_bytes += bytes;
                }
                queue.push_back(item);
            }
            match queue.pop_front() {
                Some(Item::Begin(open)) => self.begin(&open)?,
                Some(Item::Split(part, split, pending)) => self.take(&part, split, pending)?,
                Some(Item::Rows(bytes, pending)) => {
                    check_stop(self.stop)?;
                    let open = Arc::clone(&pending.open);
                    self.accept(&open, pending.receive()?.0)?;
                    row_bytes -= bytes;
                }
                Some(Item::End(open)) => self.end(&open)?,
                None => break,
            }
        }
        if !self.has_usable_input() {
            // With `--quiet` not all of the reasons have been printed.
            let reason = self.reason.take().map(|first| format!(": {first}"));
            let reason = reason.unwrap_or_default();
            self.totals.nothing_ingested = Some(format!("no input can be read{reason}"));
        } else if self.dataset.next.inputs.is_empty() {
            self.dataset.catch_up(self.stop)?;
        } else {
            self.commit(true)?;
        }
        self.network.failure.take().map_or(Ok(()), Err)?;
        // If fetching ended early, the fetched files stay for the next run.
        if let Some(fetcher) = &self.network.fetcher {
            fetcher.complete();
        }
        Ok(())
    }

    /// The inputs that have to be opened; the others are skipped.
    fn new_inputs(&mut self) -> VecDeque<&'r PlannedInput> {
        let plan = self.plan;
        for (list, note) in plan.found.notes_on_repeats() {
            self.watcher.note(&list.to_string_lossy(), &note);
        }
        for (path, note) in &plan.found.notes {
            self.watcher.note(&path.to_string_lossy(), note);
            self.note_reason(&path.to_string_lossy(), note);
        }
        for SkippedInput { path, reason } in &plan.found.skipped {
            self.skip(path, reason.clone());
        }
        let mut inputs = VecDeque::new();
        for planned in &plan.found.inputs {
            match self.known.unopened(planned) {
                Some(reason) => self.skip(&planned.path, reason),
                None => inputs.push_back(planned),
            }
        }
        let is_known = inputs.iter().all(|planned| planned.address().is_none());
        let files = inputs.iter().filter_map(|planned| planned.file);
        let bytes = is_known.then(|| files.map(|file| file.bytes).sum());
        self.watcher.plan(inputs.len() as u64, bytes);
        inputs
    }

    /// Notes why an input, or a path that may have been one, adds nothing; the first reason counts.
    fn note_reason(&mut self, path: &str, reason: &str) {
        self.reason
            .get_or_insert_with(|| format!("{path}: {reason}"));
    }

    fn skip(&mut self, path: &Path, reason: SkipReason) {
        if !reason.is_elsewhere() {
            self.note_reason(&path.to_string_lossy(), &reason.to_string());
        }
        self.totals.ingested_before += u64::from(reason.is_ingested());
        self.totals.unreadable += u64::from(reason.is_failure());
        let path = path.to_owned();
        let skipped = SkippedInput { path, reason };
        self.watcher.skip(&skipped);
        if !matches!(skipped.reason, SkipReason::IngestedBefore { .. }) {
            self.totals.skipped.push(skipped);
        }
    }

    fn has_usable_input(&self) -> bool {
        self.totals.inputs > self.totals.not_warc || self.totals.ingested_before > 0
    }
}
