//! A running merge: rows are taken in input order, and commits end as in an ingest.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray as _;
use robots_dialects::identity::Id;

use super::super::known::{KnownIds, KnownRows};
use super::super::tables::{self, Table};
use super::super::{CommittedInput, Dataset, Snapshot, stored};
use super::inputs::{Addition, Duplicate, Inputs};
use super::plan::{MergeTotals, MergeWatcher};
use super::revisits::{self, Revisits};
use super::source::{self, Leader, Source};
use crate::error::{Error, check_stop};

/// A merge under way.
pub(super) struct Run<'r> {
    pub(super) dataset: &'r mut Dataset,
    pub(super) known: KnownRows,
    pub(super) inputs: Inputs,
    pub(super) revisits: Revisits,
    pub(super) watcher: &'r mut dyn MergeWatcher,
    pub(super) stop: &'r AtomicBool,
    pub(super) commit_bytes: u64,
    pub(super) totals: MergeTotals,
    /// Inputs added that are WARC files.
    pub(super) usable: u64,
    pub(super) uncommitted: Vec<CommittedInput>,
    pub(super) uncommitted_bytes: u64,
    /// Whether rows were added since the last commit.
    pub(super) has_rows: bool,
}

impl Run<'_> {
    /// Merges all datasets, and makes the last commit.
    pub(super) fn all(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        self.prepare(sources)?;
        let new = self.new_inputs(sources)?;
        for (snapshot, new) in sources.iter().zip(new) {
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
            self.commit(true)
        } else {
            self.dataset.catch_up(self.stop)
        }
    }

    /// Looks through all datasets before anything is written.
    fn prepare(&mut self, sources: &[Snapshot]) -> Result<(), Error> {
        let mut captures = 0;
        for (place, snapshot) in sources.iter().enumerate() {
            source::check(snapshot, self.dataset.pool(), self.stop)?;
            let parts = snapshot.manifest().parts_of("captures");
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

    /// Adds the rows of an input, and the files and policies that it brings.
    fn input(&mut self, source: &mut Source<'_>, input: &CommittedInput) -> Result<(), Error> {
        let id = input.fingerprint.input_id();
        source.captures.begin(id);
        while let Some((crawl, batch)) = source.captures.next_batch()? {
            check_stop(self.stop)?;
            let batch = self.captures(source, batch)?;
            let rows = batch.num_rows() as u64;
            self.push(tables::captures::table(), &crawl, batch)?;
            self.watcher.advance(rows);
        }
        source.pages.begin(id);
        while let Some((crawl, batch)) = source.pages.next_batch()? {
            check_stop(self.stop)?;
            let policies = stored::bigint(&batch, "page_policy_id").iter().flatten();
            self.wanted_policies(&mut source.page_policies, policies.collect(), "pages")?;
            self.push(tables::pages::table(), &crawl, batch)?;
        }
        source.damage.begin(id);
        while let Some((_, batch)) = source.damage.next_batch()? {
            self.push(tables::damage::table(), &input.crawl, batch)?;
        }
        source.inputs.begin(id);
        while let Some((_, batch)) = source.inputs.next_batch()? {
            let container = batch["container"].as_string::<i32>().value(0);
            self.usable += u64::from(container != "none");
            self.push(tables::inputs::table(), &input.crawl, batch)?;
        }
        Ok(())
    }

    /// Adds the files of captures, and gives revisits the files that they repeat.
    fn captures(
        &mut self,
        source: &mut Source<'_>,
        mut batch: RecordBatch,
    ) -> Result<RecordBatch, Error> {
        let repeats = self.revisits.take(&mut batch);
        let files = stored::bigint(&batch, "file_id").iter().flatten();
        let mut wanted: HashSet<i64> = files
            .filter(|file| self.known.files.get_low(*file).is_none())
            .collect();
        while let Some(rows) = source.files.rows_with(&mut wanted, "captures")? {
            self.files(source, &rows)?;
        }
        revisits::set_policies(&mut batch, &repeats, &self.known);
        Ok(batch)
    }

    /// Adds those rows of files that are new, and the rows of other tables that refer to them.
    fn files(&mut self, source: &mut Source<'_>, rows: &RecordBatch) -> Result<(), Error> {
        let policies = stored::bigint(rows, "policy_id").values();
        let mut passed = HashMap::with_capacity(rows.num_rows());
        let mut wanted = HashSet::new();
        for (id, policy) in stored::ids(rows, "file_id").zip(policies) {
            let is_new = self.known.files.add(id, *policy);
            let is_new = is_new.map_err(|it| source.files.collision(it))?;
            passed.insert(id.low, is_new);
            if is_new {
                wanted.insert(*policy);
            }
        }
        self.wanted_policies(&mut source.policies, wanted, "files")?;
        self.push_new(&mut source.files, rows, &passed)
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

    /// Adds the files and policies without a capture: from replaced inputs. Rows of known files and
    /// policies are skipped.
    fn rest(&mut self, source: &mut Source<'_>) -> Result<(), Error> {
        while let Some(rows) = source.files.rows.next_batch()? {
            check_stop(self.stop)?;
            self.files(source, &rows)?;
        }
        for policies in [&mut source.policies, &mut source.page_policies] {
            while let Some(rows) = policies.rows.next_batch()? {
                check_stop(self.stop)?;
                self.policies(policies, &rows)?;
            }
        }
        Ok(())
    }

    /// Adds the new rows among `rows`, and the rows of other tables that refer to these. `passed`
    /// has for each id whether it is new.
    fn push_new(
        &mut self,
        leader: &mut Leader<'_>,
        rows: &RecordBatch,
        passed: &HashMap<i64, bool>,
    ) -> Result<(), Error> {
        let column = leader.column;
        let new =
            |rows: &RecordBatch| stored::filter(rows, column, |key| passed.get(key) == Some(&true));
        self.push(leader.rows.table(), "", new(rows))?;
        for cursor in &mut leader.followers {
            while let Some(rows) = cursor.rows_of(column, passed)? {
                self.push(cursor.table(), "", new(&rows))?;
            }
        }
        Ok(())
    }

    fn push(&mut self, table: &'static Table, crawl: &str, rows: RecordBatch) -> Result<(), Error> {
        if rows.num_rows() == 0 {
            return Ok(());
        }
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
            self.commit(false)
        } else {
            Ok(())
        }
    }

    fn commit(&mut self, is_last: bool) -> Result<(), Error> {
        let inputs = std::mem::take(&mut self.uncommitted);
        self.uncommitted_bytes = 0;
        self.has_rows = false;
        let count = inputs.len();
        if is_last {
            self.dataset.commit_last(inputs, self.stop)?;
        } else {
            self.dataset.commit(inputs)?;
        }
        self.watcher.commit(count);
        Ok(())
    }
}

/// The known ones of these policies.
fn known_policies<'k>(known: &'k KnownRows, policies: &Leader<'_>) -> &'k KnownIds<()> {
    match policies.rows.table().name {
        "page_policies" => &known.page_policies,
        _ => &known.policies,
    }
}
