//! Merging: several datasets become one.
//!
//! The result has the rows of one ingest of the same inputs in the same order: all rows of the
//! first dataset, then the rows of the second that the first lacks, and so on. Ids are the same in
//! every dataset, so a file or policy that the output has already is dropped with all its rows.
//! Rows are taken in input order, and commits end as in an ingest, so parts have the same bytes.
//!
//! An input is read from its [`Source`]: its captures, then their files, then the policies of these
//! files, each in the order of the source. Files and policies without captures, which replaced
//! inputs leave, are kept.
//!
//! Memory grows with the number of distinct files (some 30 bytes each) and policies (some 20), with
//! the digests of revisits (some 20) and with the inputs, not with captures.

pub(super) mod agreement;
mod inputs;
mod revisits;
mod source;

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use rayon::prelude::*;
use robots_dialects::identity::Id;

pub use self::inputs::Duplicate;
use self::inputs::{Addition, Inputs};
use self::revisits::Revisits;
use self::source::{Contents, Leader, Source};
use super::known::{Collision, KnownIds, KnownRows};
use super::tables::{PerTable, Table};
use super::{
    CommittedInput, Dataset, DatasetCatalog, Part, Snapshot, checksum, is_dataset, no_dataset,
    stored,
};
use crate::error::{Error, check_stop};
use crate::threads;

pub struct MergePlan {
    pub sources: Vec<PathBuf>,
    /// The output directory. A dataset in it comes first.
    pub out: PathBuf,
    /// Rows for the catalogue of crawlers; if `None`, the rows that the datasets were given.
    pub catalog: Option<DatasetCatalog>,
    pub jobs: usize,
    /// Bytes of the inputs after which to commit, at the end of an input, as in an ingest.
    pub commit_bytes: u64,
}

pub trait MergeWatcher {
    fn plan(&mut self, captures: u64);
    fn advance(&mut self, captures: u64);
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

/// Runs `plan`. Setting `stop` from outside ends the run with [`Error::Interrupted`]; the same plan
/// continues after the last commit.
///
/// Fails if a dataset cannot be read, differs from its manifest, or was made with other settings
/// than the first, or if the output cannot be written. Earlier commits stay.
pub fn merge(
    plan: MergePlan,
    watcher: &mut dyn MergeWatcher,
    stop: &AtomicBool,
) -> Result<MergeTotals, Error> {
    let (pool, out) = (threads::pool(plan.jobs)?, &*plan.out);
    let open = |directory: &PathBuf| Snapshot::open_whole(directory);
    let sources = plan.sources.iter().map(open);
    let sources: Vec<Snapshot> = sources.collect::<Result<_, _>>()?;
    agreement::refuse_output(out, &sources)?;
    let present = is_dataset(out).then(|| Snapshot::of_manifest(out));
    let present = present.transpose()?;
    let datasets = present.iter().chain(&sources);
    let agreed = agreement::of(datasets.clone())?.ok_or_else(|| no_dataset(out))?;
    let catalog = match plan.catalog {
        Some(given) => Some(given),
        None => agreement::catalog(datasets, out)?,
    };
    let mut dataset = Dataset::open(out, agreed.settings, catalog, pool)?;
    dataset.next.public_suffix_list = agreed.public_suffix_list;
    dataset.next.panel = agreed.panel;
    let mut run = Run {
        known: dataset.known()?,
        inputs: Inputs::of(out, &dataset.manifest),
        dataset,
        revisits: Revisits::default(),
        watcher,
        stop,
        commit_bytes: plan.commit_bytes,
        totals: MergeTotals::default(),
        is_usable: false,
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

struct Run<'r> {
    dataset: Dataset,
    known: KnownRows,
    inputs: Inputs,
    revisits: Revisits,
    watcher: &'r mut dyn MergeWatcher,
    stop: &'r AtomicBool,
    commit_bytes: u64,
    totals: MergeTotals,
    /// Whether the output has an input that is a WARC file.
    is_usable: bool,
}

impl Run<'_> {
    fn all(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        self.prepare(sources)?;
        let new = self.new_inputs(sources)?;
        self.is_usable = self.totals.merged_before > 0;
        for (snapshot, new) in sources.iter().zip(new) {
            let mut source = Source::open(snapshot, self.stop)?;
            for (number, input) in new.iter().enumerate() {
                // Where an ingest would make a commit.
                if self.dataset.next_bytes >= self.commit_bytes && self.is_usable {
                    self.commit(false)?;
                }
                self.input(&mut source, input)?;
                if number + 1 == new.len() {
                    self.rest(&mut source.contents)?;
                }
                self.totals.inputs += 1;
                self.dataset.add_input(input.clone());
            }
            if new.is_empty() {
                self.rest(&mut source.contents)?;
            }
            source.finish()?;
            self.totals.datasets += 1;
        }
        if !self.dataset.open.is_empty() || !self.dataset.next.inputs.is_empty() {
            self.commit(true)
        } else {
            self.dataset.catch_up(self.stop)
        }
    }

    /// Reads all parts before anything is written: damaged rows must not get a valid checksum.
    fn prepare(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        let mut captures = 0;
        let is_empty = self.dataset.manifest.commits.is_empty();
        for (place, snapshot) in sources.iter().enumerate() {
            let parts: Vec<&Part> = snapshot.manifest.parts().into_values().collect();
            self.dataset.pool.install(|| {
                parts.par_iter().try_for_each(|part| {
                    check_stop(self.stop)?;
                    checksum::check(&snapshot.directory.join(&part.path), &part.xxh3)
                })
            })?;
            let of_captures = parts.iter().filter(|part| part.table == "captures");
            captures += of_captures.map(|part| part.rows).sum::<u64>();
            // No rows precede the first dataset that could change its revisits.
            if place > 0 || !is_empty {
                self.revisits.look_for(snapshot)?;
            }
        }
        if !self.revisits.files.is_empty() && !is_empty {
            self.revisits.add_stored(&self.dataset.digests()?);
        }
        self.watcher.plan(captures);
        Ok(())
    }

    /// The inputs of each dataset that are new in this merge, without damaged copies of later
    /// inputs.
    fn new_inputs(&mut self, sources: &[Snapshot]) -> Result<Vec<Vec<CommittedInput>>, Error> {
        let mut new: Vec<Vec<CommittedInput>> = Vec::with_capacity(sources.len());
        for snapshot in sources {
            let mut of_source = Vec::new();
            for input in snapshot.manifest.inputs() {
                match self.inputs.add(&snapshot.directory, input)? {
                    Addition::New => of_source.push(input.clone()),
                    Addition::InOutput => {
                        self.totals.merged_before += 1;
                        self.watcher.advance(input.captures);
                    }
                    Addition::Duplicate(duplicate) => {
                        self.watcher.advance(input.captures);
                        self.leave_out(duplicate);
                    }
                    Addition::Repairs(damaged, duplicate) => {
                        if duplicate.dataset == self.inputs.out {
                            self.dataset.next.replaced_inputs.push(damaged);
                        }
                        for earlier in &mut new {
                            earlier.retain(|input| input.fingerprint != damaged);
                        }
                        of_source.push(input.clone());
                        self.leave_out(duplicate);
                    }
                }
            }
            new.push(of_source);
        }
        Ok(new)
    }

    fn leave_out(&mut self, duplicate: Duplicate) {
        self.watcher.skip(&duplicate);
        self.totals.duplicates.push(duplicate);
    }

    fn input(&mut self, source: &mut Source<'_>, input: &CommittedInput) -> Result<(), Error> {
        let contents = &mut source.contents;
        for (table, rows) in &mut source.of_inputs {
            let table = *table;
            let id = input.fingerprint.input_id();
            while let Some((crawl, mut batch)) = rows.next_batch(id)? {
                check_stop(self.stop)?;
                match table.name {
                    "captures" => {
                        self.files_of_captures(contents, &mut batch)?;
                        self.watcher.advance(batch.num_rows() as u64);
                    }
                    "pages" => {
                        let wanted = stored::bigint(&batch, "page_policy_id").iter().flatten();
                        let wanted = wanted.collect();
                        self.wanted_policies(&mut contents.page_policies, wanted, "pages")?;
                    }
                    "inputs" => {
                        let container = batch["container"].as_string::<i32>().value(0);
                        self.is_usable |= container != "none";
                    }
                    _ => {}
                }
                self.push(table, &crawl, batch)?;
            }
        }
        Ok(())
    }

    /// Adds the files of captures, and gives revisits the files that they repeat.
    fn files_of_captures(
        &mut self,
        contents: &mut Contents<'_>,
        batch: &mut RecordBatch,
    ) -> Result<(), Error> {
        let repeats = self.revisits.take(batch);
        let files = stored::bigint(batch, "file_id").iter().flatten();
        let is_new = |file: &i64| self.known.files.get_low(*file).is_none();
        let mut wanted: HashSet<i64> = files.filter(is_new).collect();
        while let Some(rows) = contents.files.rows_with(&mut wanted, "captures")? {
            self.files(contents, &rows)?;
        }
        let policies = repeats.into_iter();
        let policies = policies.map(|(row, file)| (row, self.known.files.get_low(file)));
        stored::set_bigints(batch, "policy_id", policies);
        Ok(())
    }

    /// Adds those rows of files that are new, and the rows of other tables that refer to them.
    fn files(&mut self, contents: &mut Contents<'_>, rows: &RecordBatch) -> Result<(), Error> {
        let policies = stored::bigint(rows, "policy_id").values();
        let mut passed = HashMap::with_capacity(rows.num_rows());
        let mut wanted = HashSet::new();
        for (id, policy) in stored::ids(rows, "file_id").zip(policies) {
            let is_new = self.known.files.add(id, *policy);
            let is_new = is_new.map_err(|it| it.of(&contents.files.snapshot.directory))?;
            passed.insert(id.low, is_new);
            if is_new {
                wanted.insert(*policy);
            }
        }
        self.wanted_policies(&mut contents.policies, wanted, "files")?;
        self.push_new(&mut contents.files, rows, &passed)
    }

    fn wanted_policies(
        &mut self,
        policies: &mut Leader<'_>,
        mut wanted: HashSet<i64>,
        by: &str,
    ) -> Result<(), Error> {
        let known = known_policies(&self.known, policies);
        wanted.retain(|policy| known.get_low(*policy).is_none());
        while let Some(rows) = policies.rows_with(&mut wanted, by)? {
            self.policies(policies, &rows)?;
        }
        Ok(())
    }

    fn policies(&mut self, policies: &mut Leader<'_>, rows: &RecordBatch) -> Result<(), Error> {
        let known = known_policies(&self.known, policies);
        let add = |id: Id| known.add(id, ()).map(|is_new| (id.low, is_new));
        let passed = stored::ids(rows, policies.column).map(add);
        let passed = passed.collect::<Result<_, _>>();
        let passed = passed.map_err(|it: Collision| it.of(&policies.snapshot.directory))?;
        self.push_new(policies, rows, &passed)
    }

    /// Adds the new files and policies that have no capture because their input was replaced.
    fn rest(&mut self, contents: &mut Contents<'_>) -> Result<(), Error> {
        while let Some(rows) = contents.files.rows.take(RecordBatch::num_rows)? {
            check_stop(self.stop)?;
            self.files(contents, &rows)?;
        }
        for policies in [&mut contents.policies, &mut contents.page_policies] {
            while let Some(rows) = policies.rows.take(RecordBatch::num_rows)? {
                check_stop(self.stop)?;
                self.policies(policies, &rows)?;
            }
        }
        Ok(())
    }

    /// Adds the rows whose id is new according to `passed`, and the rows that refer to these ids.
    fn push_new(
        &mut self,
        leader: &mut Leader<'_>,
        rows: &RecordBatch,
        passed: &HashMap<i64, bool>,
    ) -> Result<(), Error> {
        let column = leader.column;
        let is_new = |key| passed.get(&key) == Some(&true);
        let new = |rows: &RecordBatch| stored::filter(rows, column, is_new);
        self.push(leader.rows.table, "", new(rows))?;
        for cursor in &mut leader.followers {
            while let Some(rows) = cursor.rows_of(column, passed)? {
                self.push(cursor.table, "", new(&rows))?;
            }
        }
        Ok(())
    }

    fn push(&mut self, table: &'static Table, crawl: &str, rows: RecordBatch) -> Result<(), Error> {
        if rows.num_rows() == 0 {
            return Ok(());
        }
        for (_, total) in (self.totals.rows.iter_mut()).filter(|(it, _)| it.name == table.name) {
            *total += rows.num_rows() as u64;
        }
        self.dataset.writer(table, crawl)?.push(rows)
    }

    fn commit(&mut self, is_last: bool) -> Result<(), Error> {
        let count = self.dataset.next.inputs.len();
        self.dataset.commit(is_last.then_some(self.stop))?;
        self.watcher.commit(count);
        Ok(())
    }
}

fn known_policies<'k>(known: &'k KnownRows, policies: &Leader<'_>) -> &'k KnownIds<()> {
    match policies.rows.table.name {
        "page_policies" => &known.page_policies,
        _ => &known.policies,
    }
}
