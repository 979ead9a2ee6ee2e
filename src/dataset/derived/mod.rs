//! Derived tables: `resolved`, `origins` and `hosts`, made of the captures of a crawl.
//!
//! Nearly every query counts hosts by the response that counts for them: redirects followed, the
//! best answer, the latest capture. That response is determined once, when the captures of a crawl
//! have changed, by sorting: captures that redirect are joined with their targets ([`redirects`]),
//! and all captures are sorted by host ([`capture`]), so that one pass sees every origin and every
//! host whole ([`tables`]). The rows depend on the captures alone.
//!
//! Memory is bounded: a [`sorter`] holds a fixed number of bytes and writes the rest to a temporary
//! file, some 60 bytes for each capture after compression (58 MB measured for a million).
//! The ids of files and policies without rules take some 20 bytes of memory each.
//!
//! The last commit of a run makes these tables together with the captures. Earlier commits leave
//! the crawls that they change [behind](super::manifest::Commit::behind); so does a killed run,
//! until the next run has ended.

mod capture;
mod domains;
mod pairs;
mod redirects;
mod sorter;
mod tables;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::ArrayRef;
use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use rayon::ThreadPool;

use self::capture::Columns;
use self::redirects::Redirects;
use self::sorter::SortSpace;
use self::tables::{Facts, Sink, Tables};
use super::input::CommittedInput;
use super::manifest::Part;
use super::part::close_parts;
use super::stored::{self, bigint};
use super::tables::{self as schema, Table};
use super::{Dataset, PartWriter, part_path, staged_name};
use crate::error::{Error, check_stop};

pub(crate) use self::capture::reversed_host;
pub(in crate::dataset) use self::capture::{Ended, ResponseClass};
pub use self::pairs::{Answer, AnswerPair};

pub(super) const SOURCES: [&str; 3] = ["captures", "files", "policies"];

/// The parts of a dataset, including the tables in [`SOURCES`], with the paths of their files.
pub(super) type Sources<'p> = Vec<(&'p Part, PathBuf)>;

pub(super) struct Derivation<'p> {
    sources: Sources<'p>,
    facts: Facts,
    /// The position of each input in `facts.inputs`.
    numbers: HashMap<i64, u32>,
    room: SortSpace,
    stop: &'p AtomicBool,
}

impl<'p> Derivation<'p> {
    /// Reads the tables `files` and `policies`. `directory` takes the records that exceed the
    /// memory.
    pub(super) fn new<'i>(
        sources: Sources<'p>,
        inputs: impl Iterator<Item = &'i CommittedInput>,
        (directory, pool): (&Path, &Arc<ThreadPool>),
        stop: &'p AtomicBool,
    ) -> Result<Self, Error> {
        let inputs = inputs.map(|input| (input.fingerprint.input_id(), input.name.clone()));
        // An input that occurs twice was read again; its last name counts.
        let inputs: HashMap<i64, String> = inputs.collect();
        let mut inputs = Vec::from_iter(inputs);
        inputs.sort_unstable_by(|one, other| (&one.1, one.0).cmp(&(&other.1, other.0)));
        let columns = ["file_id", "content_class"];
        let files_of_other_lines = ids(&sources, "files", columns, stop, |class, row| {
            class.as_string::<i32>().value(row) == "no_rules"
        })?;
        let columns = ["policy_id", "n_rules"];
        let policies_without_rules = ids(&sources, "policies", columns, stop, |n_rules, row| {
            n_rules.as_primitive::<Int32Type>().value(row) == 0
        })?;
        Ok(Self {
            numbers: inputs.iter().map(|(id, _)| *id).zip(0..).collect(),
            facts: Facts {
                inputs,
                files_of_other_lines,
                policies_without_rules,
            },
            room: SortSpace::new(directory, pool),
            sources,
            stop,
        })
    }

    fn captures<'s>(&'s self, crawl: &'s str) -> impl Iterator<Item = &'s (&'p Part, PathBuf)> {
        self.sources.iter().filter(move |(part, _)| {
            part.table == "captures" && part.partition().as_deref() == Some(crawl)
        })
    }

    pub(super) fn make(&self, crawl: &str, sink: &mut Sink<'_>) -> Result<(), Error> {
        let n_captures: u64 = self.captures(crawl).map(|(part, _)| part.rows).sum();
        let n_captures = usize::try_from(n_captures).unwrap_or(usize::MAX);
        let mut redirects = Redirects::new(&self.room, n_captures);
        for (_, path) in self.captures(crawl) {
            for batch in stored::open(path, Some(&["fetch_redirect_url"]))? {
                check_stop(self.stop)?;
                redirects.note_targets(&batch?);
            }
        }
        let mut resolved = self.room.sorter();
        resolved.reserve(n_captures);
        for (_, path) in self.captures(crawl) {
            for batch in stored::open(path, Some(&capture::COLUMNS))? {
                check_stop(self.stop)?;
                let batch = batch?;
                let columns = Columns::of(&batch);
                for row in 0..batch.num_rows() {
                    let input = columns.input_id.value(row);
                    let Some(number) = self.numbers.get(&input) else {
                        let message = format!("its input {input} is in no commit");
                        return Err(Error::unusable(path, message));
                    };
                    let (offset, inner_offset) = (columns.offset, columns.inner_offset);
                    let position = Reverse((*number, offset.value(row), inner_offset.value(row)));
                    redirects.add(&columns, row, position, &mut resolved)?;
                }
            }
        }
        redirects.resolve(&mut resolved, self.stop)?;
        Tables::new(&self.facts).fill(&mut resolved, sink, self.stop)
    }
}

/// The ids in the first of two columns of a table, for rows whose second value `is_wanted`.
fn ids(
    sources: &Sources<'_>,
    table: &str,
    columns: [&str; 2],
    stop: &AtomicBool,
    is_wanted: impl Fn(&ArrayRef, usize) -> bool,
) -> Result<HashSet<i64>, Error> {
    let mut ids = HashSet::new();
    for (_, path) in sources.iter().filter(|(part, _)| part.table == table) {
        for batch in stored::open(path, Some(&columns))? {
            check_stop(stop)?;
            let batch = batch?;
            let rows = bigint(&batch, columns[0]).values().iter().enumerate();
            let wanted = rows.filter(|(row, _)| is_wanted(&batch[columns[1]], *row));
            ids.extend(wanted.map(|(_, id)| *id));
        }
    }
    Ok(ids)
}

impl Dataset {
    /// Rebuilds the derived tables of `crawls` from the parts and inputs that the dataset will have
    /// after the next commit. Returns the staged parts and the paths of the parts that they
    /// replace.
    pub(super) fn make_derived(
        &self,
        crawls: &BTreeSet<String>,
        (added, removed): (&[Part], &[String]),
        stop: &AtomicBool,
    ) -> Result<(Vec<Part>, Vec<String>), Error> {
        let parts = self.manifest.parts();
        let kept = parts.values().filter(|part| !removed.contains(&part.path));
        let kept = kept.map(|part| (*part, self.directory.join(&part.path)));
        let added = added.iter();
        let added = added.map(|part| (part, self.staging.join(staged_name(&part.path))));
        let sources = kept.chain(added).collect();
        // A part without rows stays, so that sessions that read `views.sql` during the first run
        // keep working.
        let replaced = parts.values().filter(|part| {
            let is_of = part.partition().is_some_and(|it| crawls.contains(&it));
            part.table().is_some_and(Table::is_derived) && is_of && part.rows > 0
        });
        let replaced = replaced.map(|part| part.path.clone()).collect();
        let inputs = self.manifest.inputs().into_iter();
        let inputs = inputs.chain(&self.next.inputs);
        let derivation = Derivation::new(sources, inputs, (&self.staging, &self.pool), stop)?;
        let mut made = Vec::new();
        for crawl in crawls {
            if derivation.captures(crawl).next().is_none() {
                continue;
            }
            let sequence = self.next_sequence();
            let tables = schema::derived().into_iter();
            let open = tables.map(|table| self.part(table, part_path(table, crawl, sequence)));
            let mut open: Vec<PartWriter> = open.collect::<Result<_, _>>()?;
            derivation.make(crawl, &mut |table, rows| {
                let mut parts = open.iter_mut();
                let part = parts.find(|part| part.table().name == table.name);
                part.expect("a part of every derived table").push(rows)
            })?;
            made.extend(close_parts(&self.pool, open)?);
        }
        Ok((made, replaced))
    }
}
