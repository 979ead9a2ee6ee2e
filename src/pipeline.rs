//! The pipeline: inputs are split into [extents](crate::extent), read in parallel, and joined in
//! input order.
//!
//! The calling thread plans extents, hands them to rayon's pool (whose size the caller has set),
//! and takes the results in order: it checks that each extent begins where the one before ended,
//! drops rows of files and policies that an earlier stretch already brought, passes the rest to
//! the [dataset](crate::dataset), and commits at borders that depend on the inputs alone. The
//! queue of stretches under way is bounded, and so is memory.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use crate::capture::Subset;
use crate::collector::{Chunk, Collector, Options, Position, Scratch};
use crate::container::{Container, UnitDecoder};
use crate::dataset::{CommittedInput, Dataset};
use crate::error::Error;
use crate::extent::{self, Extent, Progress};
use crate::input::{self, Input, Source};
use crate::join::Joiner;
use crate::known::{Collision, Known};
use crate::recovery::{Batch, Damage, Recovery};
use crate::tables::inputs::InputRow;
use crate::tables::{Builders, TABLE_COUNT};
use crate::tally::Tally;
use crate::warc;

/// Octets of input after which the rows so far are committed, at the end of an input.
pub const COMMIT_OCTETS: u64 = 256 * 1024 * 1024;
/// Stretches under way per thread: enough that no thread waits for the one that joins.
const STRETCHES_PER_JOB: usize = 4;
/// Octets at the start of a file in which its warcinfo record is looked for.
const WARCINFO_OCTETS: usize = 64 * 1024;

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
    /// Octets of input after which to commit, at the end of an input.
    pub commit_octets: u64,
}

/// What is told while an ingest runs.
pub trait Watcher {
    /// An input is begun: its name and octets.
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
    /// Octets of the inputs read.
    pub bytes_in: u64,
    /// Counts.
    pub tally: Tally,
    /// New rows, in the order of [`tables::all`](crate::tables::all).
    pub rows: [u64; TABLE_COUNT],
    /// Distinct files and policies in the dataset.
    pub files: u64,
    /// Distinct policies in the dataset.
    pub policies: u64,
}

/// An input that is being read.
struct Open {
    input: Input,
    /// None where the content is no WARC, with the reason.
    container: Result<Container, String>,
    crawl: String,
    subset: Subset,
}

/// A stretch handed to the pool.
type Pending<T> = Receiver<Result<T, Failure>>;

/// What can go wrong while a stretch is read.
enum Failure {
    Read(std::io::Error),
    Collision(Collision),
    Panicked,
}

enum Item {
    Begin(Arc<Open>),
    Extent(Arc<Open>, Extent, Pending<(Chunk, Progress)>),
    End(Arc<Open>),
}

/// Runs `plan` into `dataset`. `stop` set from outside ends the run with [`Error::Interrupted`].
pub fn ingest(
    plan: &Plan,
    dataset: &mut Dataset,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Totals, Error> {
    let workshop = Arc::new(Workshop {
        options: plan.options.clone(),
        known: dataset.known()?,
        tools: Mutex::default(),
    });
    let mut run = Run {
        plan,
        joiner: Joiner::new(),
        workshop,
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
            let (files, policies) = run.workshop.known.counts();
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

/// What workers share.
struct Workshop {
    options: Options,
    known: Known,
    tools: Mutex<Vec<Tools>>,
}

#[derive(Default)]
struct Tools {
    decoder: UnitDecoder,
    scratch: Scratch,
}

impl Workshop {
    fn with_tools<T>(&self, work: impl FnOnce(&mut Tools) -> T) -> T {
        let taken = self
            .tools
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut tools = taken.unwrap_or_default();
        let result = work(&mut tools);
        self.tools
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(tools);
        result
    }

    fn extent(
        &self,
        open: &Open,
        container: &Container,
        extent: Extent,
    ) -> Result<(Chunk, Progress), Failure> {
        self.with_tools(|tools| {
            let mut collector = Collector::new(
                open.input.name(),
                open.subset,
                &self.options,
                &self.known,
                &mut tools.scratch,
            );
            let progress = extent::read(
                &open.input,
                container,
                extent,
                &mut tools.decoder,
                &mut collector,
            )
            .map_err(Failure::Read)?;
            Ok((collector.finish().map_err(Failure::Collision)?, progress))
        })
    }

    fn batch(&self, open: &Open, batch: &Batch) -> Result<Chunk, Failure> {
        self.with_tools(|tools| {
            let mut collector = Collector::new(
                open.input.name(),
                open.subset,
                &self.options,
                &self.known,
                &mut tools.scratch,
            );
            collector.tally = batch.tally.clone();
            for record in &batch.records {
                let Ok(head) = warc::RecordHead::parse(&record.octets) else {
                    continue;
                };
                let position = Position {
                    offset: record.offset,
                    inner_offset: record.inner_offset,
                    length: record.length,
                };
                collector.record(
                    position,
                    &head,
                    &record.octets[head.head_length()..],
                    record.block_length,
                );
            }
            for damage in &batch.damage {
                collector.damage(damage);
            }
            collector.finish().map_err(Failure::Collision)
        })
    }
}

struct Run<'r> {
    plan: &'r Plan,
    workshop: Arc<Workshop>,
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
                Some(Item::Extent(open, extent, pending)) => self.take(&open, extent, &pending)?,
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

    /// The next item of work; extents are handed to the pool at once.
    fn feed(&mut self, feeder: &mut Feeder<'_>) -> Result<Option<Item>, Error> {
        self.check_stop()?;
        loop {
            if let Some((open, at)) = &mut feeder.open {
                if let (Ok(container), true) = (&open.container, *at < open.input.len()) {
                    let extent = extent::plan(&open.input, container, *at)
                        .map_err(Error::io(open.input.name()))?;
                    *at = extent.end;
                    let (open, container) = (Arc::clone(open), container.clone());
                    let pending = self.spawn({
                        let open = Arc::clone(&open);
                        move |workshop| workshop.extent(&open, &container, extent)
                    });
                    return Ok(Some(Item::Extent(open, extent, pending)));
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

    fn spawn<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Workshop) -> Result<T, Failure> + Send + 'static,
    ) -> Pending<T> {
        let (sender, receiver) = sync_channel(1);
        let workshop = Arc::clone(&self.workshop);
        rayon::spawn_fifo(move || {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&workshop)));
            // The receiver is gone when the stretch turned out not to be one, or the run has ended.
            let _ = sender.send(result.unwrap_or(Err(Failure::Panicked)));
        });
        receiver
    }

    /// Opens an input, unless it has been ingested already.
    fn open(&mut self, source: &Source) -> Result<Option<Open>, Error> {
        let name = match source {
            Source::Path(path) => path.clone(),
            Source::Standard => "standard input".into(),
        };
        let before = input::fingerprint(source);
        if before
            .as_ref()
            .is_some_and(|fingerprint| !self.plan.force && self.dataset.has_input(fingerprint))
        {
            self.totals.inputs_skipped += 1;
            self.watcher
                .skip(&name.to_string_lossy(), "ingested before");
            return Ok(None);
        }
        let input = Input::open(source, self.plan.use_mmap, self.dataset.staging())
            .map_err(Error::io(&name))?;
        let container = Container::detect(&input).map_err(Error::io(&name))?;
        let container = if input.is_empty() {
            Err("the file is empty".to_owned())
        } else {
            container.map_err(|not| not.message)
        };
        let crawl = match (&self.plan.crawl, &container) {
            (Some(crawl), _) => crawl.clone(),
            (None, Ok(container)) => crawl_of(&input, container)
                .map_err(Error::io(&name))?
                .unwrap_or_else(|| "default".to_owned()),
            (None, Err(_)) => "default".to_owned(),
        };
        let subset = self
            .plan
            .subset
            .unwrap_or_else(|| Subset::of_path(input.name()));
        Ok(Some(Open {
            input,
            container,
            crawl,
            subset,
        }))
    }

    fn begin(&mut self, open: &Open) {
        self.current = Tally::default();
        self.frontier = 0;
        if self.dataset.has_path(open.input.name()) {
            self.dataset.replace(open.input.name());
        }
        self.watcher.begin(open.input.name(), open.input.len());
    }

    /// Takes what was read of an extent, if it begins where the last stretch ended.
    fn take(
        &mut self,
        open: &Arc<Open>,
        extent: Extent,
        pending: &Pending<(Chunk, Progress)>,
    ) -> Result<(), Error> {
        self.check_stop()?;
        let Ok(container) = &open.container else {
            return Ok(());
        };
        if extent.end <= self.frontier {
            return Ok(()); // it lay inside a unit
        }
        let mut result = if extent.start == self.frontier {
            receive(open, pending)?
        } else {
            self.read_here(open, container, extent.end)?
        };
        loop {
            let (chunk, progress) = result;
            self.accept(open, chunk)?;
            self.frontier = progress.end;
            if progress.is_stopped {
                self.recover(open, container)?;
            }
            if self.frontier >= extent.end {
                return Ok(());
            }
            result = self.read_here(open, container, extent.end)?;
        }
    }

    /// Reads from the frontier to `end` on the calling thread.
    fn read_here(
        &self,
        open: &Open,
        container: &Container,
        end: u64,
    ) -> Result<(Chunk, Progress), Error> {
        let extent = Extent {
            start: self.frontier,
            end,
        };
        self.workshop
            .extent(open, container, extent)
            .map_err(|failure| failure.into_error(open))
    }

    /// Reads on from the frontier, past what the extent reader declined.
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
                pending.push_back(self.spawn(move |workshop| workshop.batch(&open, &batch)));
            }
            while pending.len() > rayon::current_num_threads() * 2
                || (is_last && !pending.is_empty())
            {
                if let Some(first) = pending.pop_front() {
                    let chunk = receive(open, &first)?;
                    self.accept(open, chunk)?;
                }
            }
            if is_last {
                break;
            }
        }
        self.frontier = recovery.end();
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
            .join(chunk, &self.workshop.known)
            .map_err(collision)?;
        self.push(&open.crawl, batches)
    }

    fn push(
        &mut self,
        crawl: &str,
        batches: [arrow_array::RecordBatch; TABLE_COUNT],
    ) -> Result<(), Error> {
        for (total, batch) in self.totals.rows.iter_mut().zip(&batches) {
            *total += batch.num_rows() as u64;
        }
        self.dataset.push(crawl, batches)
    }

    /// Ends an input: its row, and a commit where one is due.
    fn end(&mut self, open: &Open) -> Result<(), Error> {
        let input = &open.input;
        let mut builders = Builders::default();
        if let Err(message) = &open.container {
            // The whole file is one damaged stretch; an empty one too, of no octets.
            let damage = Damage {
                offset: 0,
                length: input.len(),
                kind: "not_warc",
                message: message.clone(),
            };
            self.watcher.damage(input.name(), &damage);
            let tally = Tally {
                damaged_bytes: input.len(),
                damaged_records: 1,
                ..Tally::default()
            };
            self.watcher.advance(&tally);
            self.current += &tally;
            builders.damage.push(crate::tables::damage::DamageRow {
                warc_filename: input.name().as_bytes(),
                offset: 0,
                length: crate::collector::signed(damage.length),
                kind: damage.kind,
                message: damage.message.as_bytes(),
            });
        }
        debug_assert_eq!(
            self.current.bytes(),
            input.len(),
            "every octet is accounted for"
        );
        let signed = crate::collector::signed;
        let container = open.container.as_ref().ok();
        builders.inputs.push(InputRow {
            path: input.name().as_bytes(),
            bytes: signed(input.len()),
            crawl: open.crawl.as_bytes(),
            container: container.map_or("none", |container| container.format.name()),
            dictionary_id: container
                .and_then(|container| container.dictionary.as_ref())
                .map(|dictionary| i64::from(dictionary.id)),
            records: signed(self.current.records),
            captures: signed(self.current.captures),
            damaged_records: signed(self.current.damaged_records),
            record_bytes: signed(self.current.record_bytes),
            damaged_bytes: signed(self.current.damaged_bytes),
            skipped_bytes: signed(self.current.skipped_bytes),
        });
        self.push(&open.crawl, builders.finish())?;
        self.totals.inputs += 1;
        self.totals.bytes_in += input.len();
        self.totals.tally += &self.current;
        self.uncommitted.push(CommittedInput {
            fingerprint: input.fingerprint().clone(),
            crawl: open.crawl.clone(),
        });
        self.uncommitted_bytes += input.len();
        if self.uncommitted_bytes >= self.plan.commit_octets {
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
    /// The input under way, and where its next extent begins.
    open: Option<(Arc<Open>, u64)>,
}

fn receive<T>(open: &Open, pending: &Pending<T>) -> Result<T, Error> {
    pending
        .recv()
        .unwrap_or(Err(Failure::Panicked))
        .map_err(|failure| failure.into_error(open))
}

impl Failure {
    fn into_error(self, open: &Open) -> Error {
        let name = open.input.name();
        match self {
            Self::Read(error) => Error::io(name)(error),
            Self::Collision(Collision(id)) => Error::Collision {
                input: name.to_owned(),
                id,
            },
            Self::Panicked => Error::io(name)(std::io::Error::other(
                "a worker panicked; please report this with the file",
            )),
        }
    }
}

/// The crawl that an input's first record names, if that is a warcinfo record with `isPartOf`.
fn crawl_of(input: &Input, container: &Container) -> std::io::Result<Option<String>> {
    let start = match &container.dictionary {
        Some(_) => input
            .read(0, 8)?
            .get(4..8)
            .and_then(|size| size.try_into().ok())
            .map_or(0, u32::from_le_bytes)
            .into(),
        None => 0u64,
    };
    let start = if container.dictionary.is_some() {
        start + 8
    } else {
        start
    };
    let octets = input.read(start, WARCINFO_OCTETS)?;
    let mut decoder = UnitDecoder::default();
    let crate::container::Unit::Data { data, .. } = decoder.decode(container, &octets) else {
        return Ok(None);
    };
    let Ok(head) = warc::RecordHead::parse(data) else {
        return Ok(None);
    };
    if head.record_type() != warc::RecordType::Warcinfo {
        return Ok(None);
    }
    let end = usize::try_from(head.content_length())
        .unwrap_or(usize::MAX)
        .saturating_add(head.head_length())
        .min(data.len());
    let label = warc::fields::is_part_of(&data[head.head_length().min(end)..end]);
    Ok(label
        .map(|label| label.to_text().trim().to_owned())
        .filter(|label| !label.is_empty()))
}
