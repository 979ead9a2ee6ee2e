//! Sorting more records than memory holds.
//!
//! Records are collected up to a budget of bytes, sorted, and written to a file that has no name,
//! so that nothing is left of it whenever the process ends; at the end all such runs are merged. A
//! record is a key, compared byte by byte, and a value. Keys must differ: records with
//! equal keys come in no particular order.

mod memory;
mod run;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::ThreadPool;

use self::memory::Memory;
use self::run::{Merge, RunWriter};
use crate::error::Error;

/// Runs that are merged at once. Each takes some hundred KiB to read.
const MAX_RUNS: usize = 64;
/// Collects records to be sorted.
pub(super) struct Sorter {
    memory: Memory,
    runs: Vec<Arc<File>>,
    budget: usize,
    directory: PathBuf,
    pool: Arc<ThreadPool>,
}

impl Sorter {
    /// A sorter that takes `budget` bytes of memory, and space in `directory` for the rest.
    pub(super) fn new(budget: usize, directory: &Path, pool: &Arc<ThreadPool>) -> Self {
        Self {
            memory: Memory::default(),
            runs: Vec::new(),
            budget,
            directory: directory.to_owned(),
            pool: Arc::clone(pool),
        }
    }

    /// Adds a record.
    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> Result<(), Error> {
        if self.memory.push(key, value).is_none() {
            let cause = io::Error::new(io::ErrorKind::InvalidData, "a record of over 4 GiB");
            return Err(Error::io(&self.directory)(cause));
        }
        if self.memory.bytes() < self.budget {
            return Ok(());
        }
        self.spill()
    }

    /// The records, in order; the cursor is before the first.
    pub(super) fn finish(mut self) -> Result<SortedRecords, Error> {
        if !self.runs.is_empty() && !self.memory.is_empty() {
            self.spill()?;
        }
        if self.runs.is_empty() {
            self.memory.sort(&self.pool);
            return Ok(SortedRecords::Memory {
                memory: self.memory,
                next: 0,
            });
        }
        let merge = Merge::new(self.runs).map_err(Error::io(&self.directory))?;
        Ok(SortedRecords::Runs {
            merge,
            directory: self.directory,
        })
    }

    /// Writes what is in memory as a run.
    fn spill(&mut self) -> Result<(), Error> {
        let mut memory = std::mem::take(&mut self.memory);
        memory.sort(&self.pool);
        if self.runs.len() == MAX_RUNS {
            self.merge_runs().map_err(Error::io(&self.directory))?;
        }
        let written = self.write(|run| {
            let mut records = memory.records();
            records.try_for_each(|(key, value)| run.push(key, value))
        });
        written.map_err(Error::io(&self.directory))
    }

    /// Merges all runs into one.
    fn merge_runs(&mut self) -> io::Result<()> {
        let mut merge = Merge::new(std::mem::take(&mut self.runs))?;
        self.write(|run| {
            while merge.advance()? {
                if let Some((key, value)) = merge.current() {
                    run.push(key, value)?;
                }
            }
            Ok(())
        })
    }

    /// Adds a run of the records that `fill` writes.
    fn write(&mut self, fill: impl FnOnce(&mut RunWriter) -> io::Result<()>) -> io::Result<()> {
        let mut run = RunWriter::new(tempfile::tempfile_in(&self.directory)?)?;
        fill(&mut run)?;
        self.runs.push(Arc::new(run.finish()?));
        Ok(())
    }
}

/// Records in order, and a cursor.
pub(super) enum SortedRecords {
    Memory {
        /// The records.
        memory: Memory,
        /// The number of the record after the cursor.
        next: usize,
    },
    /// In several runs.
    Runs {
        /// The merge of them.
        merge: Merge,
        /// Where they lie.
        directory: PathBuf,
    },
}

impl SortedRecords {
    /// Moves the cursor to the next record; false at the end.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        match self {
            Self::Memory { memory, next } => {
                *next += 1;
                Ok(memory.get(*next - 1).is_some())
            }
            Self::Runs { merge, directory } => merge.advance().map_err(Error::io(&*directory)),
        }
    }

    /// Key and value of the record at the cursor.
    pub(super) fn current(&self) -> Option<(&[u8], &[u8])> {
        match self {
            Self::Memory { memory, next } => memory.get(next.checked_sub(1)?),
            Self::Runs { merge, .. } => merge.current(),
        }
    }

    /// Puts the cursor before the first record again.
    pub(super) fn rewind(&mut self) -> Result<(), Error> {
        match self {
            Self::Memory { next, .. } => *next = 0,
            Self::Runs { merge, directory } => merge.rewind().map_err(Error::io(&*directory))?,
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
