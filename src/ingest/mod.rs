//! The pipeline: inputs are split into [splits](warc_recovery::split), read in parallel, and joined in
//! input order.
//!
//! The calling thread opens inputs that are [new](identity), plans their splits and hands these to
//! a thread pool of the run's own. It takes the results in order: it checks that each split begins
//! where the one before ended, drops rows of files and policies that an earlier split already
//! brought, passes the rest to the [dataset](crate::dataset), and commits at borders that depend on
//! the inputs alone. The queue of splits under way is bounded, and so is memory.

pub mod archive;
pub mod capture;
pub mod collector;
pub mod corpus;
mod fetching;
mod identity;
mod input_rows;
pub mod join;
mod lists;
mod name;
mod no_warc;
mod open;
pub mod page;
mod plan;
pub mod preview;
pub mod rows;
pub mod sample;
mod skipped;
pub mod sources;
pub mod tally;
mod workers;
mod zip;

use std::collections::VecDeque;
use std::iter::Peekable;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use warc_recovery::container::Boundary;
use warc_recovery::recovery::Recovery;
use warc_recovery::split::{self, Progress, Split};

use self::archive::Part;
use self::collector::SplitRows;
use self::corpus::Reader;
use self::identity::{KnownInputs, Wanted};
use self::join::Joiner;
use self::open::{Content, NotOpened, Open};
use self::sources::PlannedInput;
use self::tally::Tally;
use self::workers::{Pending, Workers};
use crate::dataset::known::Collision;
use crate::dataset::tables::{Batches, Builders};
use crate::dataset::{CommittedInput, Dataset};
use crate::error::Error;
use crate::remote::{Address, Fetched, Fetcher};
use crate::threads;

pub use plan::{COMMIT_BYTES, Plan, Totals, Watcher};
pub use skipped::{SkipReason, Skipped};

/// Splits under way per thread: enough that no thread waits for the one that joins.
const SPLITS_PER_JOB: usize = 4;
/// Bytes of rows under way, above which no more are read: rows may be long.
const MAX_ROW_BYTES_UNDER_WAY: u64 = 128 * 1024 * 1024;

enum Item {
    Begin(Arc<Open>),
    /// A split of the archive of this number.
    Split(Arc<Open>, usize, Split, Pending<(SplitRows, Progress)>),
    /// Rows of so many bytes.
    Rows(Arc<Open>, u64, Pending<SplitRows>),
    End(Arc<Open>),
}

/// Runs `plan`. `stop` set from outside ends the run with [`Error::Interrupted`].
///
/// An input that cannot be opened is skipped, and one that is damaged is read around the damage:
/// both are in the [`Totals`].
///
/// # Errors
///
/// Fails where the dataset cannot be used or written, where an input that was opened can no longer
/// be read, where two contents have one id, and where there is nothing to ingest. What was committed
/// before stays. [`Error::Remote`] where a server or the network refuses to go on: what was fetched
/// until then is committed.
pub fn ingest(
    mut plan: Plan,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Totals, Error> {
    let pool = threads::pool(plan.jobs)?;
    let settings = plan.options.settings.clone();
    let mut dataset = Dataset::open(&plan.out, settings, plan.catalog.take(), Arc::clone(&pool))?;
    let workers = Workers::new(pool, plan.options.clone(), dataset.known()?);
    let mut run = Run {
        plan: &plan,
        known: KnownInputs::new(dataset.manifest().inputs()),
        joiner: Joiner::new(),
        workers,
        dataset: &mut dataset,
        watcher,
        stop,
        totals: Totals::default(),
        current: Tally::default(),
        part: 0,
        frontier: Boundary::START,
        uncommitted: Vec::new(),
        uncommitted_bytes: 0,
        fetcher: None,
        used: Vec::new(),
        ended: None,
    };
    match run.all() {
        Ok(()) => {
            let (files, policies) = run.workers.known.counts();
            let mut totals = run.totals;
            (totals.files, totals.policies) = (files as u64, policies as u64);
            totals.small_parts = run.dataset.small_parts() as u64;
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
    known: KnownInputs,
    workers: Arc<Workers>,
    joiner: Joiner,
    dataset: &'r mut Dataset,
    watcher: &'r mut dyn Watcher,
    stop: &'r AtomicBool,
    totals: Totals,
    /// Counts of the input under way.
    current: Tally,
    /// Number of the archive under way in the input under way.
    part: usize,
    /// Offset in the archive under way up to which it has been read.
    frontier: Boundary,
    uncommitted: Vec<CommittedInput>,
    uncommitted_bytes: u64,
    /// Fetches the inputs that lie on the network.
    fetcher: Option<Fetcher>,
    /// Files on the network whose rows the next commit makes safe.
    used: Vec<Address>,
    /// Why nothing more was fetched, where that was before the end.
    ended: Option<Error>,
}

impl<'r> Run<'r> {
    fn all(&mut self) -> Result<(), Error> {
        let depth = self.workers.jobs() * SPLITS_PER_JOB;
        let inputs = self.new_inputs();
        self.begin_fetching(&inputs)?;
        let mut feeder = Feeder {
            inputs: inputs.into_iter().peekable(),
            open: None,
        };
        let mut queue = VecDeque::new();
        let mut row_bytes = 0;
        loop {
            while queue.len() < depth && row_bytes < MAX_ROW_BYTES_UNDER_WAY {
                match self.feed(&mut feeder, queue.is_empty())? {
                    Some(item) => {
                        if let Item::Rows(_, bytes, _) = &item {
                            row_bytes += bytes;
                        }
                        queue.push_back(item);
                    }
                    None => break,
                }
            }
            match queue.pop_front() {
                Some(Item::Begin(open)) => self.begin(&open)?,
                Some(Item::Split(open, number, split, pending)) => {
                    self.take(&open, number, split, pending)?;
                }
                Some(Item::Rows(open, bytes, pending)) => {
                    self.check_stop()?;
                    let rows = pending.receive(&open)?;
                    self.accept(&open, rows)?;
                    row_bytes -= bytes;
                }
                Some(Item::End(open)) => self.end(&open)?,
                None => break,
            }
        }
        if !self.has_usable_input() {
            return Err(self.ended.take().unwrap_or(Error::NothingIngested));
        }
        if self.uncommitted.is_empty() {
            self.dataset.catch_up(self.stop)?;
        } else {
            self.commit_last()?;
        }
        match (self.ended.take(), &self.fetcher) {
            (Some(ended), _) => Err(ended),
            (None, Some(fetcher)) => {
                fetcher.complete();
                Ok(())
            }
            (None, None) => Ok(()),
        }
    }

    /// The inputs that have to be opened; the others are skipped.
    fn new_inputs(&mut self) -> Vec<&'r PlannedInput> {
        let plan = self.plan;
        let wanted = Wanted::of(plan);
        for skipped in &plan.found.skipped {
            self.skip(&skipped.path, skipped.reason.clone());
        }
        let mut inputs = Vec::new();
        for planned in &plan.found.inputs {
            let unchanged = planned
                .file
                .as_ref()
                .and_then(|file| match planned.address {
                    Some(_) => self.known.fetched(file.location, &wanted),
                    None => self.known.unchanged(file, &wanted),
                });
            match unchanged {
                Some(reason) => self.skip(sources::path(&planned.source), reason),
                None => inputs.push(planned),
            }
        }
        let is_known = inputs.iter().all(|planned| planned.address.is_none());
        let files = inputs.iter().filter_map(|planned| planned.file);
        let bytes = is_known.then(|| files.map(|file| file.bytes).sum());
        self.watcher.plan(inputs.len() as u64, bytes);
        inputs
    }

    fn check_stop(&self) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    }

    /// The next item of work; splits are handed to the pool at once. None at the end, and where a
    /// file on the network is not there yet, unless the run `can_wait` for it.
    fn feed(&mut self, feeder: &mut Feeder<'_>, can_wait: bool) -> Result<Option<Item>, Error> {
        self.check_stop()?;
        loop {
            if let Some((open, Next::Rows(reader))) = &mut feeder.open
                && let Some(batch) = reader.next_batch().map_err(Error::io(open.path()))?
            {
                let (open, bytes) = (Arc::clone(open), batch.bytes());
                let pending = self.workers.spawn({
                    let open = Arc::clone(&open);
                    move |workers| workers.rows(&open, &batch)
                });
                return Ok(Some(Item::Rows(open, bytes, pending)));
            }
            if let Some((open, next)) = &mut feeder.open {
                if let (Content::Archive(archive), Next::Split(number, at)) = (&open.content, next)
                    && let Some(part) = archive.parts.get(*number)
                {
                    if at.offset == part.input.len() {
                        *number += 1;
                        let following = archive.parts.get(*number);
                        *at = following.map_or(*at, |part| Boundary::start_of(&part.input));
                        continue;
                    }
                    let split = split::plan(&part.input, &part.container, *at)
                        .map_err(Error::io(open.path()))?;
                    *at = split.end;
                    let (open, number) = (Arc::clone(open), *number);
                    let pending = self.workers.spawn({
                        let open = Arc::clone(&open);
                        move |workers| workers.split(&open, number, split)
                    });
                    return Ok(Some(Item::Split(open, number, split, pending)));
                }
                let open = Arc::clone(open);
                feeder.open = None;
                return Ok(Some(Item::End(open)));
            }
            let Some(planned) = feeder.inputs.peek().copied() else {
                return Ok(None);
            };
            let arrival = match planned.address {
                Some(_) => match self.arrival(planned, can_wait)? {
                    None => return Ok(None),
                    arrival => arrival,
                },
                None => None,
            };
            feeder.inputs.next();
            if let Some(open) = self.open(planned, arrival)? {
                let open = Arc::new(open);
                let next = match &open.content {
                    Content::Corpus(corpus) => Next::Rows(Box::new(corpus.reader(&open.input))),
                    Content::Archive(archive) => {
                        let first = archive.parts.first();
                        let start = first.map(|part| Boundary::start_of(&part.input));
                        Next::Split(0, start.unwrap_or(Boundary::START))
                    }
                    Content::Unknown(_) | Content::Missing(_) => Next::Split(0, Boundary::START),
                };
                feeder.open = Some((Arc::clone(&open), next));
                return Ok(Some(Item::Begin(open)));
            }
        }
    }

    /// Opens an input, unless it cannot be read or the dataset has it. Of one on the network,
    /// `arrival` is what became of it.
    fn open(
        &mut self,
        planned: &PlannedInput,
        arrival: Option<Result<Fetched, String>>,
    ) -> Result<Option<Open>, Error> {
        let (plan, known, spool) = (self.plan, &mut self.known, self.dataset.staging());
        let opened = match arrival {
            Some(Err(message)) => Open::missing(planned, message, plan, known, spool),
            Some(Ok(fetched)) => Open::new(planned, Some(&fetched), plan, known, spool),
            None => Open::new(planned, None, plan, known, spool),
        };
        match opened {
            Ok(open) => Ok(Some(open)),
            Err(NotOpened::Skipped(reason)) => {
                self.skip(sources::path(&planned.source), reason);
                self.used.extend(planned.address.clone());
                Ok(None)
            }
            Err(NotOpened::Failed(error)) => Err(error),
        }
    }

    fn skip(&mut self, path: &Path, reason: SkipReason) {
        let skipped = Skipped {
            path: path.to_owned(),
            reason,
        };
        self.watcher.skip(&skipped);
        self.totals.ingested_before += u64::from(skipped.reason.is_ingested());
        self.totals.unreadable += u64::from(skipped.reason.is_failure());
        if !matches!(skipped.reason, SkipReason::IngestedBefore { .. }) {
            self.totals.skipped.push(skipped);
        }
    }

    /// Begins an input, after a commit where one is due. The last commit is due when there is no
    /// further input.
    fn begin(&mut self, open: &Open) -> Result<(), Error> {
        // A run that is given nothing but what is no WARC leaves nothing behind.
        if self.uncommitted_bytes >= self.plan.commit_bytes && self.has_usable_input() {
            self.commit()?;
        }
        self.current = Tally::default();
        // No archive has this number: the first split begins one.
        self.part = usize::MAX;
        for replaced in &open.replaces {
            self.dataset.replace(replaced.fingerprint);
            // What was missing had no rows that anybody counts.
            self.totals.replaced += u64::from(!replaced.is_missing());
            self.totals.captures_replaced += replaced.captures;
        }
        self.watcher.begin(open.path(), open.input.len());
        for note in &open.notes {
            self.watcher.note(open.path(), note);
        }
        Ok(())
    }

    /// Takes what was read of a split of the archive of this number, if it begins where the last one
    /// ended.
    fn take(
        &mut self,
        open: &Arc<Open>,
        number: usize,
        split: Split,
        pending: Pending<(SplitRows, Progress)>,
    ) -> Result<(), Error> {
        self.check_stop()?;
        let Some(part) = open.part(number) else {
            return Ok(());
        };
        if number != self.part {
            self.part = number;
            self.frontier = Boundary::start_of(&part.input);
        }
        if split.end.offset <= self.frontier.offset {
            return Ok(()); // it lay inside a unit
        }
        let mut result = if split.start == self.frontier {
            pending.receive(open)?
        } else {
            self.read_here(open, split.end)?
        };
        loop {
            let (rows, progress) = result;
            self.accept(open, rows)?;
            (part.input).release(self.frontier.offset, progress.end.offset);
            self.frontier = progress.end;
            if progress.is_stopped {
                self.recover(open, part)?;
            }
            if self.frontier.offset >= split.end.offset {
                return Ok(());
            }
            result = self.read_here(open, split.end)?;
        }
    }

    /// Reads from the frontier to `end` on the calling thread.
    fn read_here(&self, open: &Open, end: Boundary) -> Result<(SplitRows, Progress), Error> {
        let split = Split {
            start: self.frontier,
            end,
        };
        self.workers
            .split(open, self.part, split)
            .map_err(|failure| failure.into_error(open))
    }

    /// Reads on from the frontier, past what the split reader declined.
    fn recover(&mut self, open: &Arc<Open>, part: &Part) -> Result<(), Error> {
        let start = self.frontier;
        let mut recovery =
            Recovery::new(&part.input, &part.container, start).map_err(Error::io(open.path()))?;
        let mut pending: VecDeque<Pending<SplitRows>> = VecDeque::new();
        loop {
            self.check_stop()?;
            let batch = recovery.next_batch().map_err(Error::io(open.path()))?;
            let is_last = batch.is_none();
            if let Some(batch) = batch {
                for damage in &batch.damage {
                    self.watcher.damage(open.path(), damage);
                }
                let open = Arc::clone(open);
                pending.push_back(
                    self.workers
                        .spawn(move |workers| workers.batch(&open, &batch)),
                );
            }
            while pending.len() > self.workers.jobs() * 2 || (is_last && !pending.is_empty()) {
                if let Some(first) = pending.pop_front() {
                    let rows = first.receive(open)?;
                    self.accept(open, rows)?;
                }
            }
            if is_last {
                break;
            }
        }
        self.frontier = recovery.end();
        (part.input).release(start.offset, self.frontier.offset);
        if self.frontier.offset == start.offset {
            // Recovery always reads on; if it did not, the run would never end.
            return Err(Error::io(open.path())(std::io::Error::other(format!(
                "no way past offset {}",
                start.offset
            ))));
        }
        Ok(())
    }

    /// Joins the rows of a split to those before.
    fn accept(&mut self, open: &Open, rows: SplitRows) -> Result<(), Error> {
        self.current += &rows.tally;
        self.watcher.advance(&rows.tally);
        for damage in &rows.reported {
            self.watcher.damage(open.path(), damage);
        }
        let collision = |Collision(id)| Error::Collision {
            input: open.path().to_owned(),
            id,
        };
        let needs_digests = self
            .joiner
            .needs_digests(&rows, &self.dataset.manifest().commits);
        if needs_digests {
            self.joiner.add_digests(self.dataset.digests()?);
        }
        let batches = self
            .joiner
            .join(rows, &self.workers.known)
            .map_err(collision)?;
        self.push(&open.identity.crawl, batches)
    }

    fn push(&mut self, crawl: &str, batches: Batches) -> Result<(), Error> {
        for ((_, total), (_, batch)) in self.totals.rows.iter_mut().zip(batches.iter()) {
            *total += batch.num_rows() as u64;
        }
        self.dataset.push(crawl, batches)
    }

    /// Ends an input: its row.
    fn end(&mut self, open: &Open) -> Result<(), Error> {
        let input = &open.input;
        let mut builders = Builders::default();
        if let Content::Unknown(message) = &open.content {
            let (damage, tally) = input_rows::no_warc(input.len(), message);
            self.watcher.damage(open.path(), &damage);
            self.watcher.advance(&tally);
            self.current += &tally;
            self.totals.not_warc += 1;
            input_rows::push_damage(&mut builders.damage, open.name(), &damage);
        }
        if let Content::Missing(message) = &open.content {
            let (damage, tally) = input_rows::not_fetched(message);
            self.watcher.damage(open.path(), &damage);
            self.current += &tally;
            self.totals.unreadable += 1;
            input_rows::push_damage(&mut builders.damage, open.name(), &damage);
        }
        if let Content::Archive(archive) = &open.content {
            let mut wrong = Vec::new();
            if self.plan.options.verify_digests {
                wrong = archive.verify(input, || self.check_stop())?;
            }
            let mut tally = Tally {
                accounting: archive.accounting(input),
                ..Tally::default()
            };
            tally.accounting.damaged_records += wrong.len() as u64;
            self.watcher.advance(&tally);
            self.current += &tally;
            for damage in archive.lost.iter().chain(&wrong) {
                self.watcher.damage(open.path(), damage);
                input_rows::push_damage(&mut builders.damage, open.name(), damage);
            }
        }
        let accounting = self.current.accounting;
        let accounted = accounting.bytes();
        if accounted != input.len() {
            return Err(Error::Unaccounted {
                input: open.path().to_owned(),
                bytes: input.len(),
                accounted,
            });
        }
        if let Content::Corpus(corpus) = &open.content
            && self.current.captures + accounting.damaged_records == 0
        {
            self.watcher.note(open.path(), corpus.without_captures());
        }
        if self.current.odd_statuses > 0 {
            let note = format!(
                "rows whose status is no code, such as a word: {}; they are taken as rows without a status",
                self.current.odd_statuses
            );
            self.watcher.note(open.path(), &note);
        }
        if let Content::Archive(_) = &open.content
            && self.current.captures == 0
            && let Some(note) = no_warc::without_captures(&open.identity.name)
        {
            self.watcher.note(open.path(), note);
        }
        input_rows::push_input(&mut builders.inputs, open, &self.current);
        self.push(&open.identity.crawl, builders.finish())?;
        self.totals.inputs += u64::from(!matches!(open.content, Content::Missing(_)));
        self.totals.bytes_in += input.len();
        self.totals.tally += &self.current;
        self.uncommitted.push(CommittedInput {
            captures: self.current.captures,
            ..open.identity.clone()
        });
        self.uncommitted_bytes += input.len();
        let origin = open.identity.origin.as_ref();
        (self.used).extend(origin.and_then(|origin| Address::parse(&origin.url).ok()));
        Ok(())
    }

    fn has_usable_input(&self) -> bool {
        self.totals.inputs > self.totals.not_warc || self.totals.ingested_before > 0
    }

    fn commit(&mut self) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        let count = inputs.len();
        self.dataset.commit(inputs)?;
        self.release();
        self.watcher.commit(count);
        Ok(())
    }

    /// Commits what is left, with the derived tables.
    fn commit_last(&mut self) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        let count = inputs.len();
        self.dataset.commit_last(inputs, self.stop)?;
        self.release();
        self.watcher.commit(count);
        Ok(())
    }
}

struct Feeder<'p> {
    inputs: Peekable<std::vec::IntoIter<&'p PlannedInput>>,
    /// The input under way, and what comes next of it.
    open: Option<(Arc<Open>, Next)>,
}

enum Next {
    /// The split that begins here in the archive of this number.
    Split(usize, Boundary),
    /// The rows that this reads next.
    Rows(Box<Reader>),
}
