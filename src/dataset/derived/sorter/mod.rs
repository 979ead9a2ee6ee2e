//! Sorting more records than memory holds.
//!
//! Records are collected up to a budget of bytes, sorted, and written to a file that has no name,
//! so that nothing is left of it whenever the process ends; at the end all such runs are merged,
//! with the last one in memory. A record is a key, compared byte by byte, and a value. Keys must
//! differ: records with equal keys come in no particular order.

mod memory;
mod run;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::ThreadPool;

use self::memory::{KeyValue, Memory};
use self::run::{Run, RunWriter};
use crate::error::Error;

/// Bytes of records that each of at most four sorters holds in memory; the buffer that grows to
/// hold them may be twice as large.
const BUDGET: usize = 64 * 1024 * 1024;
/// Runs in files that are merged at once. Each takes some hundred KiB to read.
const MAX_RUNS: usize = 64;

/// Where sorters work.
#[derive(Clone)]
pub(super) struct SortSpace {
    /// Bytes of memory that a sorter takes.
    pub(super) budget: usize,
    directory: PathBuf,
    pool: Arc<ThreadPool>,
}

impl SortSpace {
    /// Space in `directory` for what exceeds the memory.
    pub(super) fn new(directory: &Path, pool: &Arc<ThreadPool>) -> Self {
        Self {
            budget: BUDGET,
            directory: directory.to_owned(),
            pool: Arc::clone(pool),
        }
    }

    pub(super) fn sorter(&self) -> Sorter {
        Sorter {
            memory: Memory::default(),
            runs: Vec::new(),
            space: self.clone(),
        }
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::io(&self.directory)(cause)
    }
}

/// Collects records to be sorted.
pub(super) struct Sorter {
    memory: Memory,
    runs: Vec<Run>,
    space: SortSpace,
}

impl Sorter {
    /// Adds a record.
    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        if self.memory.push(key, value).is_none() {
            let cause = io::Error::new(io::ErrorKind::InvalidData, "a record of over 4 GiB");
            return Err(self.space.error(cause));
        }
        if self.memory.bytes() < self.space.budget {
            return Ok(());
        }
        self.spill()
    }

    /// The records, in order; the cursor is before the first.
    pub(super) fn finish(mut self) -> Result<SortedRecords, Error> {
        self.memory.sort(&self.space.pool);
        self.runs.push(Run::of_memory(self.memory));
        SortedRecords::new(self.runs, self.space)
    }

    /// Writes what is in memory as a run.
    fn spill(&mut self) -> Result<(), Error> {
        if self.runs.len() == MAX_RUNS {
            let runs = std::mem::take(&mut self.runs);
            self.write(runs)?;
        }
        let mut memory = std::mem::take(&mut self.memory);
        memory.sort(&self.space.pool);
        self.write(vec![Run::of_memory(memory)])
    }

    /// Merges runs into one, in a file.
    fn write(&mut self, runs: Vec<Run>) -> Result<(), Error> {
        let error = |cause| self.space.error(cause);
        let mut records = SortedRecords::new(runs, self.space.clone())?;
        let file = tempfile::tempfile_in(&self.space.directory).map_err(error)?;
        let mut run = RunWriter::new(file).map_err(error)?;
        while let Some((key, value)) = records.advance()? {
            run.push(key, value).map_err(error)?;
        }
        self.runs.push(run.finish().map_err(error)?);
        Ok(())
    }
}

/// Records in order, merged from runs, and a cursor.
pub(super) struct SortedRecords {
    runs: Vec<Run>,
    /// The run that has the record at the cursor.
    least: Option<usize>,
    space: SortSpace,
}

impl SortedRecords {
    fn new(runs: Vec<Run>, space: SortSpace) -> Result<Self, Error> {
        let mut records = Self {
            runs,
            least: None,
            space,
        };
        records.rewind()?;
        Ok(records)
    }

    /// Puts the cursor before the first record.
    pub(super) fn rewind(&mut self) -> Result<(), Error> {
        self.least = None;
        let mut runs = self.runs.iter_mut();
        let rewound = runs.try_for_each(Run::rewind);
        rewound.map_err(|cause| self.space.error(cause))
    }

    /// Moves the cursor to the next record, and gives its key and value; none at the end.
    pub(super) fn advance(&mut self) -> Result<Option<KeyValue<'_>>, Error> {
        if let Some(least) = self.least {
            let advanced = self.runs[least].advance();
            advanced.map_err(|cause| self.space.error(cause))?;
        }
        // At most `MAX_RUNS` keys are compared: an ingest with 90 runs took as long with a heap.
        let keys = self.runs.iter().map(Run::current).zip(0..);
        let keys = keys.filter_map(|(record, run)| Some((record?.0, run)));
        self.least = keys.min().map(|(_, run)| run);
        Ok(self.current())
    }

    /// Key and value of the record at the cursor.
    pub(super) fn current(&self) -> Option<KeyValue<'_>> {
        self.runs[self.least?].current()
    }
}

#[cfg(test)]
mod tests;
