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
use self::record::{FirstCapture, LastCapture};
use self::redirects::{Record, Redirects, Sketch};
use self::sorter::Sorter;
use super::commit::close_parts;
use super::input::CommittedInput;
use super::manifest::{Part, captures_crawl};
use super::tables::{self as schema, Table};
use super::{Dataset, PartWriter, part_path, staged_name, stored};
use crate::error::{Error, check_stop};

pub(in crate::dataset) use self::capture::write_reversed;
pub(in crate::dataset) use self::inputs::Inputs;
pub(in crate::dataset) use self::pairs::pairs;
pub use self::pairs::{Answer, AnswerPair};
pub(in crate::dataset) use self::populations::Populations;

/// Bytes that each of at most four sorters holds in memory.
const BUDGET: usize = 64 * 1024 * 1024;

/// Where sorters work.
pub(super) struct Room {
    budget: usize,
    directory: PathBuf,
    pool: Arc<ThreadPool>,
}

impl Room {
    /// Space in `directory` for what exceeds the memory.
    pub(super) fn new(directory: &Path, pool: &Arc<ThreadPool>) -> Self {
        Self {
            budget: BUDGET,
            directory: directory.to_owned(),
            pool: Arc::clone(pool),
        }
    }

    fn sorter(&self) -> Sorter {
        Sorter::new(self.budget, &self.directory, &self.pool)
    }
}

/// The tables that derived tables are made of.
pub(super) const SOURCES: [&str; 3] = ["captures", "files", "policies"];

/// The parts of a dataset that derived tables are made of, where they lie.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// Parts of `captures`, with their crawls and their rows.
    pub(super) captures: Vec<(String, PathBuf, u64)>,
    /// Parts of `files`.
    pub(super) files: Vec<PathBuf>,
    /// Parts of `policies`.
    pub(super) policies: Vec<PathBuf>,
}

impl Sources {
    /// Adds a part, if derived tables are made of it.
    pub(super) fn add(&mut self, part: &Part, path: PathBuf) {
        match part.table.as_str() {
            "captures" => {
                let crawl = captures_crawl(&part.path).unwrap_or_default();
                self.captures.push((crawl, path, part.rows));
            }
            "files" => self.files.push(path),
            "policies" => self.policies.push(path),
            _ => {}
        }
    }

    /// The parts of a crawl's captures, with their rows.
    fn of_crawl(&self, crawl: &str) -> Vec<(&Path, u64)> {
        let parts = self.captures.iter().filter(|(label, ..)| label == crawl);
        parts
            .map(|(_, path, rows)| (path.as_path(), *rows))
            .collect()
    }
}

/// Takes the rows of derived tables, each table's in order.
pub(super) trait Sink {
    /// Takes the next rows of `table`.
    fn push(&mut self, table: &'static Table, rows: RecordBatch) -> Result<(), Error>;
}

/// Makes the derived tables of a crawl.
pub(super) fn make(
    crawl: &str,
    sources: &Sources,
    (inputs, populations): (&Inputs, &Populations),
    room: &Room,
    sink: &mut dyn Sink,
    stop: &AtomicBool,
) -> Result<(), Error> {
    let parts = sources.of_crawl(crawl);
    let mut sketch = Sketch::new(parts.iter().map(|(_, rows)| rows).sum());
    for (path, _) in &parts {
        for batch in stored::open(path, Some(&["fetch_redirect_url"]))? {
            check_stop(stop)?;
            let batch = batch?;
            sketch.add_all(&batch);
        }
    }
    let mut resolved = room.sorter();
    let mut redirects = Redirects::new(room, sketch);
    let (mut key, mut asked) = (Vec::new(), Vec::new());
    let (mut value, mut text) = (Vec::new(), String::new());
    for (path, _) in parts {
        for batch in stored::open(path, Some(&capture::COLUMNS))? {
            check_stop(stop)?;
            let batch = batch?;
            let columns = Columns::of(&batch);
            for row in 0..batch.num_rows() {
                let capture = columns.row(row);
                let Some(input) = inputs.number(capture.input_id) else {
                    return Err(Error::unusable(
                        path,
                        format!("no commit names its input {}", capture.input_id),
                    ));
                };
                let position = record::position(input, capture.offset, capture.inner_offset);
                redirects.add_target(&capture, &position)?;
                if !capture.is_robotstxt {
                    continue;
                }
                let ends = record::write_key(&mut key, &capture, &position, &mut text);
                asked.clear();
                FirstCapture::write(&mut asked, &capture, input, ends);
                let record = Record {
                    key: &key,
                    asked: &asked,
                };
                if let Some(url) = capture.redirect_url {
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
    redirects.resolve(&mut resolved, stop)?;
    let mut resolved = resolved.finish()?;
    tables::Tables::new(inputs, populations).fill(&mut resolved, sink, stop)
}

/// What a commit changes of derived tables.
#[derive(Debug, Default)]
pub(super) struct Made {
    /// The parts, staged.
    pub(super) added: Vec<Part>,
    /// Paths of the parts that they replace.
    pub(super) removed: Vec<String>,
}

/// Writes the parts of one crawl.
struct Parts(Vec<PartWriter>);

impl Parts {
    fn create(dataset: &Dataset, crawl: &str) -> Result<Self, Error> {
        let sequence = dataset.next_sequence();
        let tables = schema::derived().into_iter();
        let writers = tables.map(|table| dataset.part(table, part_path(table, crawl, sequence)));
        writers.collect::<Result<_, _>>().map(Self)
    }
}

impl Sink for Parts {
    fn push(&mut self, table: &'static Table, rows: RecordBatch) -> Result<(), Error> {
        let mut writers = self.0.iter_mut();
        let writer = writers.find(|writer| writer.table().name == table.name);
        writer.expect("a part of every derived table").push(rows)
    }
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
    ) -> Result<Made, Error> {
        let mut made = Made::default();
        let mut sources = Sources::default();
        for part in self.manifest.parts().into_values() {
            if !removed.contains(&part.path) {
                sources.add(part, self.directory.join(&part.path));
            }
        }
        for part in added {
            sources.add(part, self.staging.join(staged_name(&part.path)));
        }
        made.removed = self.derived_parts(crawls);
        let inputs = Inputs::new(self.manifest.inputs().into_iter().chain(inputs));
        let populations = Populations::read(&sources, stop)?;
        let room = Room::new(&self.staging, &self.pool);
        for crawl in crawls {
            if sources.of_crawl(crawl).is_empty() {
                continue;
            }
            let mut parts = Parts::create(self, crawl)?;
            let context = (&inputs, &populations);
            make(crawl, &sources, context, &room, &mut parts, stop)?;
            made.added.extend(close_parts(&self.pool, parts.0)?);
        }
        Ok(made)
    }

    /// Writes parts without rows of the derived tables that have no part, aside.
    pub(super) fn stage_empty_derived(&self, crawl: &str) -> Result<Vec<Part>, Error> {
        let parts = self.manifest.parts();
        if parts.values().any(|part| {
            schema::derived()
                .iter()
                .any(|table| table.name == part.table)
        }) {
            return Ok(Vec::new());
        }
        close_parts(&self.pool, Parts::create(self, crawl)?.0)
    }

    /// The paths of the derived tables' parts of some crawls, where they have rows. A part without
    /// rows stays: a session that has read `views.sql` while the first run went on goes on, too.
    fn derived_parts(&self, crawls: &BTreeSet<String>) -> Vec<String> {
        let parts = self.manifest.parts().into_values();
        let of_crawls = parts.filter(|part| {
            let is_derived = schema::derived().iter().any(|it| it.name == part.table);
            let is_of = part.partition().is_some_and(|it| crawls.contains(&it));
            is_derived && is_of && part.rows > 0
        });
        of_crawls.map(|part| part.path.clone()).collect()
    }
}
