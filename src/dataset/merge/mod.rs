//! Merging: datasets that were made apart become one.
//!
//! The result has the rows of one ingest of the same inputs in the same order: those of the first
//! dataset, then those of the second that the first lacks, and so on. Ids are equal everywhere, so
//! that a file or policy that is there already is dropped with all that hangs on it. Rows are taken
//! in input order, and commits end where those of an ingest would; so parts have the same bytes.
//!
//! An input is read from its [`Source`]: its captures, then the files that they bring and the
//! policies that these bring, in the order in which the source has them. Files and policies without
//! captures, which replaced inputs leave, are kept.
//!
//! Memory grows with the number of distinct files (some 30 bytes each) and policies (some 20), with
//! the digests that revisits name (some 20) and with the inputs, not with captures.

mod agreement;
mod cursor;
mod revisits;
mod source;

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::cast::AsArray as _;
use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;

use self::revisits::Revisits;
use self::source::{Followers, Source};
use super::known::{Collision, Known};
use super::manifest::Manifest;
use super::tables::{self, PerTable, Table};
use super::{CommittedInput, Dataset, Fingerprint, GivenCatalog, Snapshot, stored};
use crate::error::{Error, shown};
use crate::escape;
use crate::threads;
use robots_dialects::identity::Id;

/// What to merge.
pub struct Plan {
    /// The datasets, in order.
    pub sources: Vec<PathBuf>,
    /// The output directory. Where it holds a dataset already, that one comes first.
    pub out: PathBuf,
    /// Rows for the catalogue of crawlers; without, those that the datasets were given.
    pub catalog: Option<GivenCatalog>,
    /// Threads that encode.
    pub jobs: usize,
    /// Bytes of the inputs after which to commit, at the end of an input, as in an ingest.
    pub commit_bytes: u64,
}

/// Receives reports of how a merge goes.
pub trait Watcher {
    /// So many captures are to be merged.
    fn plan(&mut self, captures: u64);
    /// So many more are.
    fn advance(&mut self, captures: u64);
    /// An input is left out.
    fn skip(&mut self, duplicate: &Duplicate);
    /// Everything so far has been committed, with so many inputs.
    fn commit(&mut self, inputs: usize);
}

/// An input of a dataset that an earlier one has too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Duplicate {
    /// Its name in the later dataset.
    pub name: String,
    /// The later dataset, whose rows of it are left out.
    pub dataset: PathBuf,
    /// The earlier dataset.
    pub kept_from: PathBuf,
    /// Its crawl in the later dataset and in the earlier one, where they differ.
    pub crawls: Option<(String, String)>,
}

impl fmt::Display for Duplicate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, dataset) = (escape::line(&self.name), shown(&self.dataset));
        let kept_from = shown(&self.kept_from);
        write!(f, "{name} of {dataset}: {kept_from} has the same content")?;
        match &self.crawls {
            None => Ok(()),
            Some((here, there)) => write!(
                f,
                ", as crawl {}; it stays there, and is not of crawl {} too",
                escape::line(there),
                escape::line(here)
            ),
        }
    }
}

/// The result of a merge.
#[derive(Debug, Default)]
pub struct Totals {
    /// Datasets merged.
    pub datasets: u64,
    /// Inputs added.
    pub inputs: u64,
    /// Inputs that the output had before.
    pub merged_before: u64,
    /// Inputs left out because an earlier dataset has them.
    pub duplicates: Vec<Duplicate>,
    /// Rows added.
    pub rows: PerTable<u64>,
    /// Distinct files in the output.
    pub files: u64,
    /// Distinct policies in the output.
    pub policies: u64,
    /// Small parts of the output that [`Dataset::compact`] would merge.
    pub small_parts: u64,
}

/// Runs `plan`. `stop` set from outside ends the run with [`Error::Interrupted`]; the same plan again
/// goes on after the last commit.
///
/// # Errors
///
/// A dataset cannot be read, is not what its manifest says, or was made with other settings than the
/// others; the output cannot be written. What was committed before stays.
pub fn merge(
    mut plan: Plan,
    watcher: &mut dyn Watcher,
    stop: &AtomicBool,
) -> Result<Totals, Error> {
    let pool = threads::pool(plan.jobs)?;
    let open = |directory: &PathBuf| Snapshot::open(directory);
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
    let known = dataset.known()?;
    let mut run = Run {
        inputs: Inputs::of(&plan.out, dataset.manifest()),
        dataset: &mut dataset,
        known,
        revisits: Revisits::default(),
        watcher,
        stop,
        commit_bytes: plan.commit_bytes,
        totals: Totals::default(),
        usable: 0,
        uncommitted: Vec::new(),
        uncommitted_bytes: 0,
        has_rows: false,
    };
    match run.all(&sources) {
        Ok(()) => {
            let mut totals = run.totals;
            let (files, policies) = run.known.counts();
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

struct Run<'r> {
    dataset: &'r mut Dataset,
    known: Known,
    inputs: Inputs,
    revisits: Revisits,
    watcher: &'r mut dyn Watcher,
    stop: &'r AtomicBool,
    commit_bytes: u64,
    totals: Totals,
    /// Inputs added that are WARC files.
    usable: u64,
    uncommitted: Vec<CommittedInput>,
    uncommitted_bytes: u64,
    /// Whether rows were added since the last commit.
    has_rows: bool,
}

impl Run<'_> {
    fn all(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        self.prepare(sources)?;
        for snapshot in sources {
            let new = self.new_inputs(snapshot)?;
            let mut source = Source::open(snapshot, self.stop)?;
            for (number, input) in new.iter().enumerate() {
                self.commit_if_due()?;
                self.input(&mut source, input)?;
                if number + 1 == new.len() {
                    self.rest(&mut source)?;
                }
                self.end(input);
            }
            if new.is_empty() {
                self.rest(&mut source)?;
            }
            source.finish()?;
            self.totals.datasets += 1;
        }
        if self.has_rows || !self.uncommitted.is_empty() {
            let inputs = std::mem::take(&mut self.uncommitted);
            let count = inputs.len();
            self.dataset.commit_last(inputs, self.stop)?;
            self.watcher.commit(count);
            Ok(())
        } else {
            self.dataset.catch_up(self.stop)
        }
    }

    /// Looks through all datasets before anything is written.
    fn prepare(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        let mut captures = 0;
        for (place, snapshot) in sources.iter().enumerate() {
            source::check(snapshot, self.dataset.pool(), self.stop)?;
            let parts = snapshot.manifest().parts();
            let parts = parts.values().filter(|part| part.table == "captures");
            captures += parts.map(|part| part.rows).sum::<u64>();
            // Nothing comes before the first dataset that could change its revisits.
            if place > 0 || !self.dataset.manifest().commits.is_empty() {
                self.revisits.look_for(snapshot)?;
            }
        }
        if self.revisits.are_any() && !self.dataset.manifest().commits.is_empty() {
            self.revisits.add_stored(&self.dataset.digests()?);
        }
        self.watcher.plan(captures);
        Ok(())
    }

    /// The inputs of a dataset that no earlier one has.
    fn new_inputs(&mut self, snapshot: &Snapshot) -> Result<Vec<CommittedInput>, Error> {
        let mut new = Vec::new();
        for input in snapshot.manifest().inputs() {
            match self.inputs.add(snapshot.directory(), input)? {
                Addition::New => new.push(input.clone()),
                Addition::InOutput => {
                    self.totals.merged_before += 1;
                    self.watcher.advance(input.captures);
                }
                Addition::Duplicate(duplicate) => {
                    self.watcher.skip(&duplicate);
                    self.watcher.advance(input.captures);
                    self.totals.duplicates.push(duplicate);
                }
            }
        }
        Ok(new)
    }

    /// Adds the rows of an input, and the files and policies that it brings.
    fn input(&mut self, source: &mut Source, input: &CommittedInput) -> Result<(), Error> {
        let id = input.fingerprint.input_id();
        for range in source.captures.ranges(id).iter() {
            source.captures.begin(range)?;
            while let Some(batch) = source.captures.next_batch()? {
                self.check_stop()?;
                let batch = self.captures(source, batch)?;
                let rows = batch.num_rows() as u64;
                self.push(tables::captures::table(), &range.crawl, batch)?;
                self.watcher.advance(rows);
            }
        }
        for range in source.damage.ranges(id).iter() {
            source.damage.begin(range)?;
            while let Some(batch) = source.damage.next_batch()? {
                self.push(tables::damage::table(), &input.crawl, batch)?;
            }
        }
        for range in source.inputs.ranges(id).iter() {
            source.inputs.begin(range)?;
            while let Some(batch) = source.inputs.next_batch()? {
                let container = batch.column_by_name("container");
                let container = container.map(|column| column.as_string::<i32>().value(0));
                self.usable += u64::from(container != Some("none"));
                self.push(tables::inputs::table(), &input.crawl, batch)?;
            }
        }
        Ok(())
    }

    /// Adds the files of captures, and gives revisits the files that they repeat.
    fn captures(
        &mut self,
        source: &mut Source,
        mut batch: RecordBatch,
    ) -> Result<RecordBatch, Error> {
        let repeats = self.revisits.take(&mut batch);
        let files = stored::bigint(&batch, "file_id");
        let ids = files.iter().flatten();
        let mut wanted: HashSet<i64> = ids
            .filter(|file| self.known.policy_of(*file).is_none())
            .collect();
        while !wanted.is_empty() {
            let Some(rows) = source.files.rows_with("file_id", &mut wanted)? else {
                let file = wanted.iter().min().copied().unwrap_or_default();
                return Err(source.lacks("captures", "file_id", file));
            };
            self.files(source, &rows)?;
        }
        revisits::set_policies(&mut batch, &repeats, &self.known);
        Ok(batch)
    }

    /// Adds those rows of files that are new, and what hangs on them.
    fn files(&mut self, source: &mut Source, rows: &RecordBatch) -> Result<(), Error> {
        let collision = source.collision();
        let [low, high, policies] =
            ["file_id", "file_id_high", "policy_id"].map(|column| stored::bigint(rows, column));
        let mut passed = HashMap::with_capacity(rows.num_rows());
        let mut wanted = HashSet::new();
        for row in 0..rows.num_rows() {
            let (low, high) = (low.value(row), high.value(row));
            let policy = policies.value(row);
            let is_new = self.known.add_file(Id { low, high }, policy);
            let is_new = is_new.map_err(&collision)?;
            passed.insert(low, is_new);
            if is_new && !self.known.has_policy_id(policy) {
                wanted.insert(policy);
            }
        }
        while !wanted.is_empty() {
            let Some(rows) = source.policies.rows_with("policy_id", &mut wanted)? else {
                let policy = wanted.iter().min().copied().unwrap_or_default();
                return Err(source.lacks("files", "policy_id", policy));
            };
            self.policies(source, &rows)?;
        }
        self.push_new(tables::files::table(), rows, "file_id", &passed)?;
        self.follow(&mut source.of_files, &passed)
    }

    /// Adds those rows of policies that are new, and what hangs on them.
    fn policies(&mut self, source: &mut Source, rows: &RecordBatch) -> Result<(), Error> {
        let collision = source.collision();
        let [low, high] =
            ["policy_id", "policy_id_high"].map(|column| stored::bigint(rows, column));
        let mut passed = HashMap::with_capacity(rows.num_rows());
        for row in 0..rows.num_rows() {
            let (low, high) = (low.value(row), high.value(row));
            let is_new = self.known.add_policy(Id { low, high });
            passed.insert(low, is_new.map_err(&collision)?);
        }
        self.push_new(tables::policies::table(), rows, "policy_id", &passed)?;
        self.follow(&mut source.of_policies, &passed)
    }

    /// Adds the rows that hang on files or policies that have been passed, where those are new.
    fn follow(
        &mut self,
        followers: &mut Followers,
        passed: &HashMap<i64, bool>,
    ) -> Result<(), Error> {
        let column = followers.column;
        for cursor in &mut followers.cursors {
            while let Some(rows) = cursor.rows_of(column, passed)? {
                self.push_new(cursor.table(), &rows, column, passed)?;
            }
        }
        Ok(())
    }

    /// Adds the files and policies that no capture brings: those of replaced inputs, and those that
    /// are known already, whose rows are passed.
    fn rest(&mut self, source: &mut Source) -> Result<(), Error> {
        while let Some(rows) = source.files.next_batch()? {
            self.check_stop()?;
            self.files(source, &rows)?;
        }
        while let Some(rows) = source.policies.next_batch()? {
            self.check_stop()?;
            self.policies(source, &rows)?;
        }
        Ok(())
    }

    /// Adds the rows whose key is new.
    fn push_new(
        &mut self,
        table: &'static Table,
        rows: &RecordBatch,
        column: &str,
        passed: &HashMap<i64, bool>,
    ) -> Result<(), Error> {
        let keys = stored::bigint(rows, column).values();
        let is_new = |key| Some(passed.get(key).copied().unwrap_or(false));
        let is_new: BooleanArray = keys.iter().map(is_new).collect();
        let rows = match is_new.true_count() {
            0 => return Ok(()),
            all if all == rows.num_rows() => rows.clone(),
            _ => filter_record_batch(rows, &is_new).expect("a mask as long as the batch"),
        };
        self.push(table, "", rows)
    }

    fn push(&mut self, table: &'static Table, crawl: &str, rows: RecordBatch) -> Result<(), Error> {
        if let Some(total) = self.totals.rows.get_mut(table) {
            *total += rows.num_rows() as u64;
        }
        self.has_rows = true;
        self.dataset.writer(table, crawl)?.push(rows)
    }

    fn end(&mut self, input: &CommittedInput) {
        self.totals.inputs += 1;
        self.uncommitted_bytes += input.bytes;
        self.uncommitted.push(input.clone());
    }

    /// Makes a commit where an ingest would make one, before the next input.
    fn commit_if_due(&mut self) -> Result<(), Error> {
        let is_usable = self.usable > 0 || self.totals.merged_before > 0;
        if self.uncommitted_bytes >= self.commit_bytes && is_usable {
            self.commit()
        } else {
            Ok(())
        }
    }

    fn commit(&mut self) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        self.has_rows = false;
        let count = inputs.len();
        self.dataset.commit(inputs)?;
        self.watcher.commit(count);
        Ok(())
    }

    fn check_stop(&self) -> Result<(), Error> {
        check_stop(self.stop)
    }
}

fn check_stop(stop: &AtomicBool) -> Result<(), Error> {
    if stop.load(Ordering::Relaxed) {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}

/// The inputs that the output has, or will have.
struct Inputs {
    out: PathBuf,
    by_fingerprint: HashMap<Fingerprint, Entry>,
    by_id: HashMap<i64, Fingerprint>,
}

struct Entry {
    /// The dataset that brought it.
    dataset: PathBuf,
    crawl: String,
    subset: String,
}

/// What became of an input.
enum Addition {
    New,
    /// The output had it before this run.
    InOutput,
    Duplicate(Duplicate),
}

impl Inputs {
    fn of(out: &Path, manifest: &Manifest) -> Self {
        let mut inputs = Self {
            out: out.to_owned(),
            by_fingerprint: HashMap::new(),
            by_id: HashMap::new(),
        };
        for input in manifest.inputs() {
            inputs.insert(out, input);
        }
        inputs
    }

    fn insert(&mut self, dataset: &Path, input: &CommittedInput) {
        let fingerprint = input.fingerprint;
        self.by_id.insert(fingerprint.input_id(), fingerprint);
        let entry = Entry {
            dataset: dataset.to_owned(),
            crawl: input.crawl.clone(),
            subset: input.subset.clone(),
        };
        self.by_fingerprint.insert(fingerprint, entry);
    }

    /// Adds an input of `dataset`, unless it is there.
    fn add(&mut self, dataset: &Path, input: &CommittedInput) -> Result<Addition, Error> {
        let fingerprint = input.fingerprint;
        let Some(known) = self.by_fingerprint.get(&fingerprint) else {
            let id = fingerprint.input_id();
            if self.by_id.contains_key(&id) {
                let input = format!("{}: {}", shown(dataset), input.name);
                return Err(Error::Collision { input, id });
            }
            self.insert(dataset, input);
            return Ok(Addition::New);
        };
        if known.subset != input.subset {
            return Err(Error::Output {
                path: dataset.to_owned(),
                message: format!(
                    "{} was ingested here with --subset {}, and in {} with --subset {}, so that they have other captures of it; ingest it again, with --force and the same --subset, into one of the two",
                    escape::line(&input.name),
                    input.subset,
                    shown(&known.dataset),
                    known.subset
                ),
            });
        }
        let differs = known.crawl != input.crawl;
        if known.dataset == self.out && !differs {
            return Ok(Addition::InOutput);
        }
        Ok(Addition::Duplicate(Duplicate {
            name: input.name.clone(),
            dataset: dataset.to_owned(),
            kept_from: known.dataset.clone(),
            crawls: differs.then(|| (input.crawl.clone(), known.crawl.clone())),
        }))
    }
}

/// An error of the dataset in `directory`: two contents with one id.
fn collision(directory: &Path) -> impl Fn(Collision) -> Error + use<> {
    let input = directory.display().to_string();
    move |Collision(id)| Error::Collision {
        input: input.clone(),
        id,
    }
}
