//! Derived tables: `resolved`, `origins` and `hosts`, made of the captures of a crawl.
//!
//! Nearly every query counts hosts by the response that counts for them: redirects followed, the
//! best answer, the latest capture. It is found once, when the captures of a crawl have changed, by
//! sorting: captures that redirect are joined with their targets ([`redirects`]), and all captures
//! are sorted by host ([`record`]), so that one pass sees every origin and every host whole
//! ([`tables`]). The rows depend on the captures alone.
//!
//! Memory is bounded: a [`sorter`] holds a fixed number of bytes and writes the rest to a temporary
//! file, some 60 bytes for each capture after compression (58 MB measured for a million).
//! Some 20 bytes for each distinct file and policy are added to that ([`populations`]).
//!
//! The last commit of a run makes these tables together with the captures. Commits before it leave
//! the crawls that they change [behind](super::manifest::Commit::behind); so does a run that is
//! killed, until the next has ended.

mod capture;
mod domains;
mod inputs;
mod pairs;
mod populations;
mod record;
mod redirects;
mod response;
mod sorter;
mod tables;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use arrow_array::RecordBatch;
use rayon::ThreadPool;

use self::capture::Columns;
use self::inputs::Inputs;
use self::populations::Populations;
use self::record::LastCapture;
use self::redirects::{Record, Redirects, Sketch};
use self::sorter::SortSpace;
use super::input::CommittedInput;
use super::manifest::Part;
use super::part::close_parts;
use super::tables::{self as schema, Table};
use super::{Dataset, PartWriter, part_path, staged_name, stored};
use crate::error::{Error, check_stop};

pub(in crate::dataset) use self::capture::write_reversed;
pub(in crate::dataset) use self::pairs::pairs;
pub use self::pairs::{Answer, AnswerPair};
pub(in crate::dataset) use self::record::Ended;
pub(in crate::dataset) use self::response::ResponseClass;

/// The tables that derived tables are made of.
pub(super) const SOURCES: [&str; 3] = ["captures", "files", "policies"];

/// The parts of a dataset, those of [`SOURCES`] among them, with the paths of their files.
pub(super) type Sources<'p> = Vec<(&'p Part, PathBuf)>;

/// The files of a table's parts.
fn files_of<'s>(sources: &'s Sources<'_>, table: &'s str) -> impl Iterator<Item = &'s Path> {
    let parts = sources.iter().filter(move |(part, _)| part.table == table);
    parts.map(|(_, path)| path.as_path())
}

/// Takes the rows of derived tables, each table's in order.
pub(super) type Sink<'s> = dyn FnMut(&'static Table, RecordBatch) -> Result<(), Error> + 's;

/// Makes the derived tables of a dataset, crawl by crawl.
pub(super) struct Derivation<'p> {
    sources: Sources<'p>,
    inputs: Inputs,
    populations: Populations,
    room: SortSpace,
    stop: &'p AtomicBool,
}

impl<'p> Derivation<'p> {
    /// Reads the tables `files` and `policies`. `directory` has space for what exceeds the memory.
    pub(super) fn new<'i>(
        sources: Sources<'p>,
        inputs: impl Iterator<Item = &'i CommittedInput>,
        (directory, pool): (&Path, &Arc<ThreadPool>),
        stop: &'p AtomicBool,
    ) -> Result<Self, Error> {
        Ok(Self {
            inputs: Inputs::new(inputs),
            populations: Populations::read(&sources, stop)?,
            room: SortSpace::new(directory, pool),
            sources,
            stop,
        })
    }

    /// The parts of a crawl's captures.
    fn captures<'s>(&'s self, crawl: &'s str) -> impl Iterator<Item = &'s (&'p Part, PathBuf)> {
        self.sources.iter().filter(move |(part, _)| {
            part.table == "captures" && part.partition().as_deref() == Some(crawl)
        })
    }

    /// Makes the derived tables of a crawl.
    pub(super) fn make(&self, crawl: &str, sink: &mut Sink<'_>) -> Result<(), Error> {
        let mut sketch = Sketch::new(self.captures(crawl).map(|(part, _)| part.rows).sum());
        for (_, path) in self.captures(crawl) {
            for batch in stored::open(path, Some(&["fetch_redirect_url"]))? {
                check_stop(self.stop)?;
                sketch.add_all(&batch?);
            }
        }
        let mut resolved = self.room.sorter();
        let mut redirects = Redirects::new(&self.room, sketch);
        let (mut key, mut asked) = (Vec::new(), Vec::new());
        let (mut value, mut text) = (Vec::new(), String::new());
        for (_, path) in self.captures(crawl) {
            for batch in stored::open(path, Some(&capture::COLUMNS))? {
                check_stop(self.stop)?;
                let batch = batch?;
                let columns = Columns::of(&batch);
                for row in 0..batch.num_rows() {
                    let capture = columns.row(row);
                    let first = &capture.asked;
                    let Some((input, _)) = self.inputs.get(first.input_id) else {
                        return Err(Error::unusable(
                            path,
                            format!("no commit names its input {}", first.input_id),
                        ));
                    };
                    let position = record::position(input, first.offset, first.inner_offset);
                    redirects.add_target(&capture, &position)?;
                    if !capture.is_robotstxt {
                        continue;
                    }
                    record::write_key(&mut key, first, &position, &mut text);
                    asked.clear();
                    first.write(&mut asked);
                    let record = Record {
                        key: &key,
                        asked: &asked,
                    };
                    if let Some(url) = first.redirect_url {
                        redirects.add_redirect(&capture, url, &position, record)?;
                    } else {
                        let outcome = LastCapture {
                            n_redirects: 0,
                            ended: redirects::ended_without_location(capture.answer),
                            url: None,
                            answer: capture.answer,
                        };
                        redirects::push_resolved(&mut resolved, &mut value, record, &outcome)?;
                    }
                }
            }
        }
        redirects.resolve(&mut resolved, self.stop)?;
        let mut resolved = resolved.finish()?;
        let tables = tables::Tables::new(&self.inputs, &self.populations);
        tables.fill(&mut resolved, sink, self.stop)
    }
}

/// What a commit changes of derived tables.
#[derive(Debug, Default)]
pub(super) struct DerivedParts {
    /// The parts, staged.
    pub(super) added: Vec<Part>,
    /// Paths of the parts that they replace.
    pub(super) removed: Vec<String>,
}

impl Dataset {
    /// Rebuilds the derived tables of `crawls`, as they are with the parts and inputs of the
    /// coming commit and without the parts that it removes.
    pub(super) fn make_derived(
        &self,
        crawls: &BTreeSet<String>,
        (added, removed): (&[Part], &[String]),
        inputs: &[CommittedInput],
        stop: &AtomicBool,
    ) -> Result<DerivedParts, Error> {
        let mut made = DerivedParts::default();
        let parts = self.manifest.parts();
        let kept = parts.values().filter(|part| !removed.contains(&part.path));
        let kept = kept.map(|part| (*part, self.directory.join(&part.path)));
        let added = added.iter();
        let added = added.map(|part| (part, self.staging.join(staged_name(&part.path))));
        let sources = kept.chain(added).collect();
        // A part without rows stays: a session that has read `views.sql` while the first run went
        // on goes on, too.
        let replaced = parts.values().filter(|part| {
            let is_of = part.partition().is_some_and(|it| crawls.contains(&it));
            part.table().is_some_and(Table::is_derived) && is_of && part.rows > 0
        });
        made.removed = replaced.map(|part| part.path.clone()).collect();
        let inputs = self.manifest.inputs().into_iter().chain(inputs);
        let derivation = Derivation::new(sources, inputs, (&self.staging, &self.pool), stop)?;
        for crawl in crawls {
            if derivation.captures(crawl).next().is_none() {
                continue;
            }
            let mut open = self.create_derived(crawl)?;
            derivation.make(crawl, &mut |table, rows| {
                let mut parts = open.iter_mut();
                let part = parts.find(|part| part.table().name == table.name);
                part.expect("a part of every derived table").push(rows)
            })?;
            made.added.extend(close_parts(&self.pool, open)?);
        }
        Ok(made)
    }

    /// Writes parts without rows of the derived tables that have no part, aside.
    pub(super) fn stage_empty_derived(&self, crawl: &str) -> Result<Vec<Part>, Error> {
        let mut parts = self.manifest.parts().into_values();
        if parts.any(|part| part.table().is_some_and(Table::is_derived)) {
            return Ok(Vec::new());
        }
        close_parts(&self.pool, self.create_derived(crawl)?)
    }

    /// A part of every derived table, for a crawl.
    fn create_derived(&self, crawl: &str) -> Result<Vec<PartWriter>, Error> {
        let sequence = self.next_sequence();
        let tables = schema::derived().into_iter();
        let parts = tables.map(|table| self.part(table, part_path(table, crawl, sequence)));
        parts.collect()
    }
}
