//! A running merge: rows are taken in input order, and commits end as in an ingest.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use rayon::prelude::*;
use robots_dialects::identity::Id;

use super::inputs::{Addition, Duplicate, Inputs};
use super::revisits::{self, Revisits};
use super::source::{Contents, Leader, Source};
use super::{MergeTotals, MergeWatcher};
use crate::dataset::known::{KnownIds, KnownRows};
use crate::dataset::tables::Table;
use crate::dataset::{CommittedInput, Dataset, Part, Snapshot, checksum, stored};
use crate::error::{Error, check_stop};

pub(super) struct Run<'r> {
    pub(super) dataset: Dataset,
    pub(super) known: KnownRows,
    pub(super) inputs: Inputs,
    pub(super) revisits: Revisits,
    pub(super) watcher: &'r mut dyn MergeWatcher,
    pub(super) stop: &'r AtomicBool,
    pub(super) commit_bytes: u64,
    pub(super) totals: MergeTotals,
    /// Whether the output has an input that is a WARC file.
    pub(super) is_usable: bool,
    pub(super) has_rows: bool,
    pub(super) uncommitted: Vec<CommittedInput>,
    pub(super) uncommitted_bytes: u64,
}

impl Run<'_> {
    pub(super) fn all(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        self.prepare(sources)?;
        let new = self.new_inputs(sources)?;
        self.is_usable = self.totals.merged_before > 0;
        for (snapshot, new) in sources.iter().zip(new) {
            let mut source = Source::open(snapshot, self.stop)?;
            for (number, input) in new.iter().enumerate() {
                // Where an ingest would make a commit.
                if self.uncommitted_bytes >= self.commit_bytes && self.is_usable {
                    self.commit(false)?;
                }
                self.input(&mut source, input)?;
                if number + 1 == new.len() {
                    self.rest(&mut source.contents)?;
                }
                self.totals.inputs += 1;
                self.uncommitted_bytes += input.bytes;
                self.uncommitted.push(input.clone());
            }
            if new.is_empty() {
                self.rest(&mut source.contents)?;
            }
            source.finish()?;
            self.totals.datasets += 1;
        }
        if self.has_rows || !self.uncommitted.is_empty() {
            self.commit(true)
        } else {
            self.dataset.catch_up(self.stop)
        }
    }

    /// Reads all parts before anything is written: damage must not get a checksum of its own.
    fn prepare(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        let mut captures = 0;
        let is_empty = self.dataset.manifest().commits.is_empty();
        for (place, snapshot) in sources.iter().enumerate() {
            let parts: Vec<&Part> = snapshot.manifest().parts().into_values().collect();
            self.dataset.pool().install(|| {
                parts.par_iter().try_for_each(|part| {
                    check_stop(self.stop)?;
                    checksum::check(&snapshot.directory().join(&part.path), &part.xxh3)
                })
            })?;
            let of_captures = parts.iter().filter(|part| part.table == "captures");
            captures += of_captures.map(|part| part.rows).sum::<u64>();
            // Nothing comes before the first dataset that could change its revisits.
            if place > 0 || !is_empty {
                self.revisits.look_for(snapshot)?;
            }
        }
        if self.revisits.are_any() && !is_empty {
            self.revisits.add_stored(&self.dataset.digests()?);
        }
        self.watcher.plan(captures);
        Ok(())
    }

    /// The inputs of each dataset that are new in this merge, without damaged copies of later ones.
    fn new_inputs(&mut self, sources: &[Snapshot]) -> Result<Vec<Vec<CommittedInput>>, Error> {
        let mut new: Vec<Vec<CommittedInput>> = Vec::with_capacity(sources.len());
        for snapshot in sources {
            let mut of_source = Vec::new();
            for input in snapshot.manifest().inputs() {
                match self.inputs.add(snapshot.directory(), input)? {
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
                            self.dataset.replace(damaged);
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
        revisits::set_policies(batch, &repeats, &self.known);
        Ok(())
    }

    /// Adds those rows of files that are new, and the rows of other tables that refer to them.
    fn files(&mut self, contents: &mut Contents<'_>, rows: &RecordBatch) -> Result<(), Error> {
        let policies = stored::bigint(rows, "policy_id").values();
        let mut passed = HashMap::with_capacity(rows.num_rows());
        let mut wanted = HashSet::new();
        for (id, policy) in stored::ids(rows, "file_id").zip(policies) {
            let is_new = self.known.files.add(id, *policy);
            let is_new = is_new.map_err(|it| contents.files.collision(it))?;
            passed.insert(id.low, is_new);
            if is_new {
                wanted.insert(*policy);
            }
        }
        self.wanted_policies(&mut contents.policies, wanted, "files")?;
        self.push_new(&mut contents.files, rows, &passed)
    }

    /// Adds the policies, or the policies of pages, that rows of the table `by` refer to.
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

    /// Adds those rows of policies that are new, and the rows of other tables that refer to them.
    fn policies(&mut self, policies: &mut Leader<'_>, rows: &RecordBatch) -> Result<(), Error> {
        let known = known_policies(&self.known, policies);
        let add = |id: Id| known.add(id, ()).map(|is_new| (id.low, is_new));
        let passed = stored::ids(rows, policies.column).map(add);
        let passed = passed.collect::<Result<_, _>>();
        let passed = passed.map_err(|it| policies.collision(it))?;
        self.push_new(policies, rows, &passed)
    }

    /// Adds the files and policies without a capture, from replaced inputs, that are new.
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

    /// Adds the rows that are new, as `passed` has it for each id, and those that refer to them.
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
        self.has_rows = true;
        self.dataset.writer(table, crawl)?.push(rows)
    }

    fn commit(&mut self, is_last: bool) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        self.has_rows = false;
        let count = inputs.len();
        self.dataset.commit(inputs, is_last.then_some(self.stop))?;
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
