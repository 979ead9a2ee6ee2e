//! The pipeline: inputs are split into [splits](warc_recovery::split), read in parallel, and joined in
//! input order.
//!
//! The calling thread plans splits, hands them to rayon's pool (whose size the caller has set),
//! and takes the results in order: it checks that each split begins where the one before ended,
//! drops rows of files and policies that an earlier stretch already brought, passes the rest to
//! the [dataset](crate::dataset), and commits at borders that depend on the inputs alone. The
//! queue of stretches under way is bounded, and so is memory.

pub mod capture;
pub mod collector;
pub mod join;
mod open;
pub mod rows;
pub mod sources;
pub mod tally;
mod workers;

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use open::Open;
use workers::{Pending, Workers};

use crate::dataset::known::Collision;
use crate::dataset::tables::inputs::InputRow;
use crate::dataset::tables::{Batches, Builders, PerTable};
use crate::dataset::{CommittedInput, Dataset, Fingerprint};
use crate::error::Error;
use crate::ingest::capture::Subset;
use crate::ingest::collector::{Chunk, Options};
use crate::ingest::join::Joiner;
use crate::ingest::tally::Tally;
use warc_recovery::accounting::Accounting;
use warc_recovery::container::Container;
use warc_recovery::input::Source;
use warc_recovery::recovery::{Damage, Recovery};
use warc_recovery::split::{self, Progress, Split};

/// Bytes of input after which the rows so far are committed, at the end of an input.
pub const COMMIT_BYTES: u64 = 256 * 1024 * 1024;
/// Stretches under way per thread: enough that no thread waits for the one that joins.
const STRETCHES_PER_JOB: usize = 4;

/// What to ingest, and how.
pub struct Plan {
    /// What to read, in order.
    pub sources: Vec<Source>,
    /// The crawl of every capture; none: that of each input's warcinfo, else `default`.
    pub crawl: Option<String>,
    /// Which responses become captures; none: as each input's path suggests.
    pub subset: Option<Subset>,
    /// How bodies become rows.
    pub options: Options,
    /// Map inputs rather than read them.
    pub use_mmap: bool,
    /// Ingest again what was ingested before.
    pub force: bool,
    /// Bytes of input after which to commit, at the end of an input.
    pub commit_bytes: u64,
}

/// What is told while an ingest runs.
pub trait Watcher {
    /// An input is begun: its name and bytes.
    fn begin(&mut self, name: &str, bytes: u64);
    /// So much more is done.
    fn advance(&mut self, tally: &Tally);
    /// Something is damaged in the input.
    fn damage(&mut self, name: &str, damage: &Damage);
    /// An input is passed over, and why.
    fn skip(&mut self, name: &str, why: &str);
    /// Everything so far has been committed.
    fn commit(&mut self, inputs: usize);
}

/// What an ingest came to.
#[derive(Debug, Default)]
pub struct Totals {
    /// Inputs read.
    pub inputs: u64,
    /// Inputs that were ingested before.
    pub inputs_skipped: u64,
    /// Bytes of the inputs read.
    pub bytes_in: u64,
    /// Counts.
    pub tally: Tally,
    /// New rows.
    pub rows: PerTable<u64>,
    /// Distinct files and policies in the dataset.
    pub files: u64,
    /// Distinct policies in the dataset.
    pub policies: u64,
}

enum Item {
    Begin(Arc<Open>),
    Split(Arc<Open>, Split, Pending<(Chunk, Progress)>),
    End(Arc<Open>),
}

/// Runs `plan` into `dataset`. `stop` set from outside ends the run with [`Error::Interrupted`].
pub fn ingest(
    plan: &Plan,
    dataset: &mut Dataset,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Totals, Error> {
    let workers = Workers::new(plan.options.clone(), dataset.known()?);
    let mut run = Run {
        plan,
        joiner: Joiner::new(),
        workers,
        dataset,
        watcher,
        stop,
        totals: Totals::default(),
        current: Tally::default(),
        frontier: 0,
        uncommitted: Vec::new(),
        uncommitted_bytes: 0,
    };
    let result = run.all();
    match result {
        Ok(()) => {
            let (files, policies) = run.workers.known.counts();
            let mut totals = run.totals;
            (totals.files, totals.policies) = (files as u64, policies as u64);
            Ok(totals)
        }
        Err(error) => {
            run.dataset.roll_back();
            Err(error)
        }
    }
}

struct Run<'r> {
    plan: &'r Plan,
    workers: Arc<Workers>,
    joiner: Joiner,
    dataset: &'r mut Dataset,
    watcher: &'r mut dyn Watcher,
    stop: &'r AtomicBool,
    totals: Totals,
    /// Counts of the input under way.
    current: Tally,
    /// Offset in the input under way up to which it has been read.
    frontier: u64,
    uncommitted: Vec<CommittedInput>,
    uncommitted_bytes: u64,
}

impl Run<'_> {
    fn all(&mut self) -> Result<(), Error> {
        let depth = rayon::current_num_threads() * STRETCHES_PER_JOB;
        let mut feeder = Feeder {
            sources: self.plan.sources.iter(),
            open: None,
        };
        let mut queue = VecDeque::new();
        loop {
            while queue.len() < depth {
                match self.feed(&mut feeder)? {
                    Some(item) => queue.push_back(item),
                    None => break,
                }
            }
            match queue.pop_front() {
                Some(Item::Begin(open)) => self.begin(&open),
                Some(Item::Split(open, split, pending)) => self.take(&open, split, pending)?,
                Some(Item::End(open)) => self.end(&open)?,
                None => break,
            }
        }
        if self.uncommitted.is_empty() && !self.dataset.manifest().commits.is_empty() {
            Ok(())
        } else {
            self.commit()
        }
    }

    fn check_stop(&self) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }

    /// The next item of work; splits are handed to the pool at once.
    fn feed(&mut self, feeder: &mut Feeder<'_>) -> Result<Option<Item>, Error> {
        self.check_stop()?;
        loop {
            if let Some((open, at)) = &mut feeder.open {
                if let (Ok(container), true) = (&open.container, *at < open.input.len()) {
                    let split = split::plan(&open.input, container, *at)
                        .map_err(Error::io(open.input.name()))?;
                    *at = split.end;
                    let (open, container) = (Arc::clone(open), container.clone());
                    let pending = self.workers.spawn({
                        let open = Arc::clone(&open);
                        move |workers| workers.split(&open, &container, split)
                    });
                    return Ok(Some(Item::Split(open, split, pending)));
                }
                let open = Arc::clone(open);
                feeder.open = None;
                return Ok(Some(Item::End(open)));
            }
            let Some(source) = feeder.sources.next() else {
                return Ok(None);
            };
            if let Some(open) = self.open(source)? {
                let open = Arc::new(open);
                feeder.open = Some((Arc::clone(&open), 0));
                return Ok(Some(Item::Begin(open)));
            }
        }
    }
    /// Opens an input, unless it has been ingested already.
    fn open(&mut self, source: &Source) -> Result<Option<Open>, Error> {
        let open = Open::new(source, self.plan, self.dataset)?;
        if open.is_none() {
            self.totals.inputs_skipped += 1;
            self.watcher
                .skip(&open::name(source).to_string_lossy(), "ingested before");
        }
        Ok(open)
    }

    fn begin(&mut self, open: &Open) {
        self.current = Tally::default();
        self.frontier = 0;
        if self.dataset.has_path(open.input.name()) {
            self.dataset.replace(open.input.name());
        }
        self.watcher.begin(open.input.name(), open.input.len());
    }

    /// Takes what was read of a split, if it begins where the last stretch ended.
    fn take(
        &mut self,
        open: &Arc<Open>,
        split: Split,
        pending: Pending<(Chunk, Progress)>,
    ) -> Result<(), Error> {
        self.check_stop()?;
        let Ok(container) = &open.container else {
            return Ok(());
        };
        if split.end <= self.frontier {
            return Ok(()); // it lay inside a unit
        }
        let mut result = if split.start == self.frontier {
            pending.receive(open)?
        } else {
            self.read_here(open, container, split.end)?
        };
        loop {
            let (chunk, progress) = result;
            self.accept(open, chunk)?;
            open.input.release(self.frontier, progress.end);
            self.frontier = progress.end;
            if progress.is_stopped {
                self.recover(open, container)?;
            }
            if self.frontier >= split.end {
                return Ok(());
            }
            result = self.read_here(open, container, split.end)?;
        }
    }

    /// Reads from the frontier to `end` on the calling thread.
    fn read_here(
        &self,
        open: &Open,
        container: &Container,
        end: u64,
    ) -> Result<(Chunk, Progress), Error> {
        let split = Split {
            start: self.frontier,
            end,
        };
        self.workers
            .split(open, container, split)
            .map_err(|failure| failure.into_error(open))
    }

    /// Reads on from the frontier, past what the split reader declined.
    fn recover(&mut self, open: &Arc<Open>, container: &Container) -> Result<(), Error> {
        let start = self.frontier;
        let mut recovery = Recovery::new(&open.input, container, start);
        let mut pending: VecDeque<Pending<Chunk>> = VecDeque::new();
        loop {
            self.check_stop()?;
            let batch = recovery
                .next_batch()
                .map_err(Error::io(open.input.name()))?;
            let is_last = batch.is_none();
            if let Some(batch) = batch {
                for damage in &batch.damage {
                    self.watcher.damage(open.input.name(), damage);
                }
                let open = Arc::clone(open);
                pending.push_back(
                    self.workers
                        .spawn(move |workers| workers.batch(&open, &batch)),
                );
            }
            while pending.len() > rayon::current_num_threads() * 2
                || (is_last && !pending.is_empty())
            {
                if let Some(first) = pending.pop_front() {
                    let chunk = first.receive(open)?;
                    self.accept(open, chunk)?;
                }
            }
            if is_last {
                break;
            }
        }
        self.frontier = recovery.end();
        open.input.release(start, self.frontier);
        if self.frontier == start {
            // Recovery always reads on; if it did not, the run would never end.
            return Err(Error::io(open.input.name())(std::io::Error::other(
                format!("no way past offset {start}"),
            )));
        }
        Ok(())
    }

    /// Joins a chunk's rows to those before.
    fn accept(&mut self, open: &Open, chunk: Chunk) -> Result<(), Error> {
        self.current += &chunk.tally;
        self.watcher.advance(&chunk.tally);
        let collision = |Collision(id)| Error::Collision {
            input: open.input.name().to_owned(),
            id,
        };
        let needs_digests = self
            .joiner
            .needs_digests(&chunk, &self.dataset.manifest().commits);
        if needs_digests {
            self.joiner.add_digests(self.dataset.digests()?);
        }
        let batches = self
            .joiner
            .join(chunk, &self.workers.known)
            .map_err(collision)?;
        self.push(&open.crawl, batches)
    }

    fn push(&mut self, crawl: &str, batches: Batches) -> Result<(), Error> {
        for ((_, total), (_, batch)) in self.totals.rows.iter_mut().zip(batches.iter()) {
            *total += batch.num_rows() as u64;
        }
        self.dataset.push(crawl, batches)
    }

    /// Ends an input: its row, and a commit where one is due.
    fn end(&mut self, open: &Open) -> Result<(), Error> {
        let input = &open.input;
        let mut builders = Builders::default();
        if let Err(message) = &open.container {
            // The whole file is one damaged stretch; an empty one too, of no bytes.
            let damage = Damage {
                offset: 0,
                length: input.len(),
                kind: "not_warc",
                message: message.clone(),
            };
            self.watcher.damage(input.name(), &damage);
            let tally = Tally {
                accounting: Accounting {
                    damaged_bytes: input.len(),
                    damaged_records: 1,
                    ..Accounting::default()
                },
                ..Tally::default()
            };
            self.watcher.advance(&tally);
            self.current += &tally;
            builders
                .damage
                .push(crate::dataset::tables::damage::DamageRow {
                    warc_filename: input.name().as_bytes(),
                    offset: 0,
                    length: crate::ingest::collector::signed(damage.length),
                    kind: damage.kind,
                    message: damage.message.as_bytes(),
                });
        }
        debug_assert_eq!(
            self.current.accounting.bytes(),
            input.len(),
            "every byte is accounted for"
        );
        let signed = crate::ingest::collector::signed;
        let container = open.container.as_ref().ok();
        builders.inputs.push(InputRow {
            path: input.name().as_bytes(),
            bytes: signed(input.len()),
            crawl: open.crawl.as_bytes(),
            container: container.map_or("none", |container| container.format.name()),
            dictionary_id: container
                .and_then(|container| container.dictionary.as_ref())
                .map(|dictionary| i64::from(dictionary.id)),
            records: signed(self.current.accounting.records),
            captures: signed(self.current.captures),
            damaged_records: signed(self.current.accounting.damaged_records),
            record_bytes: signed(self.current.accounting.record_bytes),
            damaged_bytes: signed(self.current.accounting.damaged_bytes),
            skipped_bytes: signed(self.current.accounting.skipped_bytes),
        });
        self.push(&open.crawl, builders.finish())?;
        self.totals.inputs += 1;
        self.totals.bytes_in += input.len();
        self.totals.tally += &self.current;
        self.uncommitted.push(CommittedInput {
            fingerprint: Fingerprint::of(input),
            crawl: open.crawl.clone(),
        });
        self.uncommitted_bytes += input.len();
        if self.uncommitted_bytes >= self.plan.commit_bytes {
            self.commit()
        } else {
            Ok(())
        }
    }

    fn commit(&mut self) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        let count = inputs.len();
        self.dataset.commit(inputs)?;
        self.watcher.commit(count);
        Ok(())
    }
}

struct Feeder<'p> {
    sources: std::slice::Iter<'p, Source>,
    /// The input under way, and where its next split begins.
    open: Option<(Arc<Open>, u64)>,
}
