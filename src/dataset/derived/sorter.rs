//! Sorting more records than memory holds.
//!
//! Records are collected up to a budget of bytes, sorted, and written to a file that has no name,
//! so that nothing is left of it whenever the process ends. To read the records, all such runs are
//! merged with the records in memory.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use itertools::Itertools as _;
use postcard::experimental::serialized_size;
use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut as _;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

use crate::error::Error;

/// Bytes of records that each of at most four sorters holds in memory.
const BUDGET: usize = 64 * 1024 * 1024;
/// Runs in files that are merged at once. Each takes some hundred KiB to read.
const MAX_RUNS: usize = 64;
/// Level of compression of runs: the fastest.
const LEVEL: i32 = 1;

pub(super) trait Record:
    Ord + Clone + Send + Serialize + DeserializeOwned + 'static
{
}

impl<T: Ord + Clone + Send + Serialize + DeserializeOwned + 'static> Record for T {}

#[derive(Clone)]
pub(super) struct SortSpace {
    pub(super) budget: usize,
    directory: PathBuf,
    pool: Arc<ThreadPool>,
}

impl SortSpace {
    /// Space in `directory` for records that exceed the memory.
    pub(super) fn new(directory: &Path, pool: &Arc<ThreadPool>) -> Self {
        Self {
            budget: BUDGET,
            directory: directory.to_owned(),
            pool: Arc::clone(pool),
        }
    }

    pub(super) fn sorter<T: Record>(&self) -> Sorter<T> {
        Sorter {
            records: Vec::new(),
            bytes: 0,
            runs: Vec::new(),
            space: self.clone(),
        }
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::io(&self.directory)(cause)
    }
}

pub(super) struct Sorter<T> {
    records: Vec<T>,
    bytes: usize,
    pub(super) runs: Vec<File>,
    space: SortSpace,
}

impl<T: Record> Sorter<T> {
    /// Makes room for `n_records`, within the budget.
    pub(super) fn reserve(&mut self, n_records: usize) {
        let most = self.space.budget / size_of::<T>();
        self.records.reserve(n_records.min(most));
    }

    pub(super) fn push(&mut self, record: T) -> Result<(), Error> {
        // About the size of the record's texts and lists.
        let texts = serialized_size(&record).map_err(io::Error::other);
        let texts = texts.map_err(|cause| self.space.error(cause))?;
        self.bytes += size_of::<T>() + texts;
        self.records.push(record);
        if self.bytes < self.space.budget {
            return Ok(());
        }
        self.spill().map_err(|cause| self.space.error(cause))
    }

    /// The records in order, from the first on. More can be added later.
    pub(super) fn read(&mut self) -> Result<impl Iterator<Item = Result<T, Error>>, Error> {
        self.sort();
        let error = |cause| self.space.error(cause);
        let records = Box::new(self.records.iter().cloned().map(Ok));
        let merged = merge(&self.runs, records).map_err(error)?;
        Ok(merged.map(move |record| record.map_err(error)))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.records.is_empty()
    }

    fn sort(&mut self) {
        let records = &mut self.records;
        self.space.pool.install(|| records.par_sort_unstable());
    }

    /// Writes the records in memory as a run; if there are [`MAX_RUNS`] runs, they are merged into
    /// it.
    fn spill(&mut self) -> io::Result<()> {
        self.sort();
        let mut merged = Vec::new();
        if self.runs.len() == MAX_RUNS {
            merged.append(&mut self.runs);
        }
        let records = Box::new(self.records.drain(..).map(Ok));
        let file = tempfile::tempfile_in(&self.space.directory)?;
        self.runs.push(write(file, merge(&merged, records)?)?);
        self.bytes = 0;
        Ok(())
    }
}

type Records<'r, T> = Box<dyn Iterator<Item = io::Result<T>> + 'r>;

/// Writes a run: each record with its length.
fn write<T: Record>(file: File, records: impl Iterator<Item = io::Result<T>>) -> io::Result<File> {
    let mut run = Encoder::new(file, LEVEL)?;
    for record in records {
        let bytes = postcard::to_stdvec(&record?).map_err(io::Error::other)?;
        run.write_all(&(bytes.len() as u64).to_le_bytes())?;
        run.write_all(&bytes)?;
    }
    run.finish()
}

fn read<T: Record>(mut file: &File) -> io::Result<Records<'_, T>> {
    file.rewind()?;
    let mut run = Decoder::new(file)?;
    let mut record = Vec::new();
    let mut next = move || {
        let mut length = [0; 8];
        // A run may end only where a record would begin.
        if run.read(&mut length[..1])? == 0 {
            return Ok(None);
        }
        run.read_exact(&mut length[1..])?;
        let length = usize::try_from(u64::from_le_bytes(length)).map_err(io::Error::other)?;
        record.resize(length, 0);
        run.read_exact(&mut record)?;
        let record = postcard::from_bytes(&record).map_err(io::Error::other)?;
        Ok(Some(record))
    };
    Ok(Box::new(std::iter::from_fn(move || next().transpose())))
}

/// The records of runs in files and of the one in memory, in order.
fn merge<'r, T: Record>(
    runs: &'r [File],
    memory: Records<'r, T>,
) -> io::Result<impl Iterator<Item = io::Result<T>> + use<'r, T>> {
    let runs = runs.iter().map(read).chain([Ok(memory)]);
    let runs: Vec<Records<'r, T>> = runs.collect::<io::Result<_>>()?;
    // An error comes before any record.
    Ok(runs.into_iter().kmerge_by(|one, other| match (one, other) {
        (Ok(one), Ok(other)) => one < other,
        _ => one.is_err(),
    }))
}
