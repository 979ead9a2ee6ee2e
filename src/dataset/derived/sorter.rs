//! Sorting more records than memory holds.
//!
//! Records are collected up to a budget of bytes, sorted, and written to a file that has no name, so
//! that nothing is left of it whenever the process ends; at the end all such runs are merged. A
//! record is a key, compared byte by byte, and a value. Keys are to be different: what is equal comes
//! in no certain order.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::ThreadPool;
use rayon::slice::ParallelSliceMut as _;

use crate::error::Error;

/// Bytes of a block of records in memory; a larger record has a block of its own.
const BLOCK_BYTES: usize = 1024 * 1024;
/// Runs that are merged at once. Each takes some hundred KiB to read.
const MAX_RUNS: usize = 64;
/// Level of compression of runs: what costs least time.
const LEVEL: i32 = 1;
/// Bytes that a run's file is read and written by.
const BUFFER_BYTES: usize = 128 * 1024;

/// Where a record lies in memory.
#[derive(Clone, Copy)]
struct Place {
    /// The first bytes of the key, so that most comparisons need not look at the record.
    prefix: u128,
    block: u32,
    start: u32,
    key_length: u32,
    length: u32,
}

/// Records in memory.
#[derive(Default)]
pub(super) struct Memory {
    blocks: Vec<Vec<u8>>,
    places: Vec<Place>,
    bytes: usize,
}

impl Memory {
    fn push(&mut self, key: &[u8], value: &[u8]) -> Option<()> {
        let length = key.len() + value.len();
        let has_room = |block: &Vec<u8>| block.capacity() - block.len() >= length;
        if !self.blocks.last().is_some_and(has_room) {
            let bytes = length.max(BLOCK_BYTES);
            self.blocks.push(Vec::with_capacity(bytes));
            self.bytes += bytes;
        }
        let number = u32::try_from(self.blocks.len() - 1).ok()?;
        let block = self.blocks.last_mut()?;
        self.places.push(Place {
            prefix: prefix(key),
            block: number,
            start: u32::try_from(block.len()).ok()?,
            key_length: u32::try_from(key.len()).ok()?,
            length: u32::try_from(length).ok()?,
        });
        block.extend_from_slice(key);
        block.extend_from_slice(value);
        Some(())
    }

    /// The record at a place: its key, then its value.
    fn record(&self, place: Place) -> (&[u8], &[u8]) {
        let start = place.start as usize;
        let record = &self.blocks[place.block as usize][start..start + place.length as usize];
        record.split_at(place.key_length as usize)
    }

    fn bytes(&self) -> usize {
        self.bytes + self.places.len() * size_of::<Place>()
    }

    fn sort(&mut self, pool: &ThreadPool) {
        let mut places = std::mem::take(&mut self.places);
        let compare = |one: &Place, other: &Place| {
            let by_key = || self.record(*one).0.cmp(self.record(*other).0);
            one.prefix.cmp(&other.prefix).then_with(by_key)
        };
        pool.install(|| places.par_sort_unstable_by(compare));
        self.places = places;
    }
}

/// The first bytes of a key, as a number that compares as they do.
fn prefix(key: &[u8]) -> u128 {
    let mut bytes = [0; 16];
    let length = key.len().min(bytes.len());
    bytes[..length].copy_from_slice(&key[..length]);
    u128::from_be_bytes(bytes)
}

/// Collects records to be sorted.
pub(super) struct Sorter {
    memory: Memory,
    runs: Vec<File>,
    budget: usize,
    directory: PathBuf,
    pool: Arc<ThreadPool>,
}

impl Sorter {
    /// A sorter that takes `budget` bytes of memory, and room in `directory` for what is more.
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
    ///
    /// # Errors
    ///
    /// A temporary file cannot be written.
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

    /// The records, in order; the cursor stands before the first.
    ///
    /// # Errors
    ///
    /// A temporary file cannot be written or read.
    pub(super) fn finish(mut self) -> Result<Sorted, Error> {
        if !self.runs.is_empty() && !self.memory.places.is_empty() {
            self.spill()?;
        }
        if self.runs.is_empty() {
            self.memory.sort(&self.pool);
            return Ok(Sorted::Memory {
                memory: self.memory,
                next: 0,
            });
        }
        let merge = Merge::new(self.runs).map_err(Error::io(&self.directory))?;
        Ok(Sorted::Runs {
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
        let records = memory.places.iter().map(|place| memory.record(*place));
        let written = self.create().and_then(|file| write_run(file, records));
        self.runs.push(written.map_err(Error::io(&self.directory))?);
        Ok(())
    }

    /// Makes one run of all.
    fn merge_runs(&mut self) -> io::Result<()> {
        let mut merge = Merge::new(std::mem::take(&mut self.runs))?;
        let mut run = RunWriter::new(self.create()?)?;
        while merge.advance()? {
            if let Some((key, value)) = merge.current() {
                run.push(key, value)?;
            }
        }
        self.runs.push(run.finish()?);
        Ok(())
    }

    fn create(&self) -> io::Result<File> {
        tempfile::tempfile_in(&self.directory)
    }
}

/// Records in order, and a cursor.
pub(super) enum Sorted {
    /// All in memory.
    Memory {
        /// The records.
        memory: Memory,
        /// The number of the record after the cursor.
        next: usize,
    },
    /// In several runs.
    Runs {
        /// What merges them.
        merge: Merge,
        /// Where they lie.
        directory: PathBuf,
    },
}

impl Sorted {
    /// Moves the cursor to the next record; false where there is none.
    ///
    /// # Errors
    ///
    /// A temporary file cannot be read.
    pub(super) fn advance(&mut self) -> Result<bool, Error> {
        match self {
            Self::Memory { memory, next } => {
                *next += 1;
                Ok(*next <= memory.places.len())
            }
            Self::Runs { merge, directory } => merge.advance().map_err(Error::io(&*directory)),
        }
    }

    /// Key and value of the record at the cursor.
    pub(super) fn current(&self) -> Option<(&[u8], &[u8])> {
        match self {
            Self::Memory { memory, next } => {
                let place = memory.places.get(next.checked_sub(1)?)?;
                Some(memory.record(*place))
            }
            Self::Runs { merge, .. } => merge.current(),
        }
    }

    /// Puts the cursor before the first record again.
    ///
    /// # Errors
    ///
    /// A temporary file cannot be read.
    pub(super) fn rewind(&mut self) -> Result<(), Error> {
        match self {
            Self::Memory { next, .. } => *next = 0,
            Self::Runs { merge, directory } => merge.rewind().map_err(Error::io(&*directory))?,
        }
        Ok(())
    }
}

/// Writes a run: per record the lengths of key and value, then both.
struct RunWriter(zstd::stream::write::Encoder<'static, BufWriter<File>>);

impl RunWriter {
    fn new(file: File) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        zstd::stream::write::Encoder::new(file, LEVEL).map(Self)
    }

    fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        // Lengths were seen to be below 4 GiB when the record was collected.
        for part in [key, value] {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            self.0.write_all(&length.to_le_bytes())?;
        }
        self.0.write_all(key)?;
        self.0.write_all(value)
    }

    fn finish(self) -> io::Result<File> {
        let file = self.0.finish()?;
        file.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

fn write_run<'r>(
    file: File,
    records: impl Iterator<Item = (&'r [u8], &'r [u8])>,
) -> io::Result<File> {
    let mut run = RunWriter::new(file)?;
    for (key, value) in records {
        run.push(key, value)?;
    }
    run.finish()
}

/// Reads a run.
struct RunReader {
    stream: zstd::stream::read::Decoder<'static, BufReader<File>>,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl RunReader {
    /// Stands before the first record.
    fn new(mut file: File) -> io::Result<Self> {
        file.rewind()?;
        let file = BufReader::with_capacity(BUFFER_BYTES, file);
        Ok(Self {
            stream: zstd::stream::read::Decoder::with_buffer(file)?,
            key: Vec::new(),
            value: Vec::new(),
        })
    }

    /// Reads the next record; false at the end.
    fn advance(&mut self) -> io::Result<bool> {
        let (mut key, mut value) = ([0; 4], [0; 4]);
        // The end is where a record would begin.
        if self.stream.read(&mut key[..1])? == 0 {
            return Ok(false);
        }
        self.stream.read_exact(&mut key[1..])?;
        self.stream.read_exact(&mut value)?;
        self.key.resize(u32::from_le_bytes(key) as usize, 0);
        self.value.resize(u32::from_le_bytes(value) as usize, 0);
        self.stream.read_exact(&mut self.key)?;
        self.stream.read_exact(&mut self.value)?;
        Ok(true)
    }

    fn into_file(self) -> File {
        self.stream.finish().into_inner()
    }
}

/// Merges runs.
pub(super) struct Merge {
    /// A binary heap: each run's record is at most that of the runs at twice its place plus one and
    /// two.
    heap: Vec<RunReader>,
    ended: Vec<RunReader>,
    /// Whether the cursor stands at the record of the heap's first run, no longer before it.
    is_begun: bool,
}

impl Merge {
    fn new(runs: Vec<File>) -> io::Result<Self> {
        let mut merge = Self {
            heap: Vec::with_capacity(runs.len()),
            ended: Vec::new(),
            is_begun: false,
        };
        for run in runs {
            let mut reader = RunReader::new(run)?;
            if reader.advance()? {
                merge.heap.push(reader);
            } else {
                merge.ended.push(reader);
            }
        }
        for place in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(place);
        }
        Ok(merge)
    }

    fn rewind(&mut self) -> io::Result<()> {
        let readers = self.heap.drain(..).chain(self.ended.drain(..));
        let runs = readers.map(RunReader::into_file).collect();
        *self = Self::new(runs)?;
        Ok(())
    }

    fn advance(&mut self) -> io::Result<bool> {
        if std::mem::replace(&mut self.is_begun, true)
            && let Some(first) = self.heap.first_mut()
        {
            if !first.advance()? {
                self.ended.push(self.heap.swap_remove(0));
            }
            self.sift_down(0);
        }
        Ok(!self.heap.is_empty())
    }

    fn current(&self) -> Option<(&[u8], &[u8])> {
        let first = self.heap.first().filter(|_| self.is_begun)?;
        Some((&first.key, &first.value))
    }

    fn sift_down(&mut self, mut place: usize) {
        loop {
            let children = [2 * place + 1, 2 * place + 2].into_iter();
            let children = children.filter(|child| *child < self.heap.len());
            let Some(least) = children.min_by_key(|child| &self.heap[*child].key) else {
                return;
            };
            if self.heap[place].key <= self.heap[least].key {
                return;
            }
            self.heap.swap(place, least);
            place = least;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(budget: usize, keys: &[String]) -> Sorted {
        let pool = crate::threads::pool(2).expect("threads");
        let directory = tempfile::tempdir().expect("a directory");
        let mut sorter = Sorter::new(budget, directory.path(), &pool);
        for key in keys {
            let value = "v".repeat(key.len() * 300);
            sorter
                .push(key.as_bytes(), value.as_bytes())
                .expect("space");
        }
        sorter.finish().expect("space")
    }

    fn read(sorted: &mut Sorted) -> Vec<String> {
        let mut keys = Vec::new();
        while sorted.advance().expect("a readable run") {
            let (key, value) = sorted.current().expect("a record");
            assert_eq!(value.len(), key.len() * 300);
            keys.push(String::from_utf8(key.to_vec()).expect("text"));
        }
        assert!(!sorted.advance().expect("the end stays the end"));
        keys
    }

    #[test]
    fn records_come_in_order_whether_they_fit_into_memory_or_not() {
        let keys: Vec<String> = (0..5000_u64)
            .map(|number| {
                let scattered = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
                format!("a common beginning {scattered} {number}")
            })
            .collect();
        let mut wanted = keys.clone();
        wanted.sort();
        // All in memory; in few runs; in more runs than are merged at once.
        for (budget, has_runs) in [(usize::MAX, false), (BLOCK_BYTES * 4, true), (1, true)] {
            let mut sorted = sorted(budget, &keys);
            assert_eq!(matches!(sorted, Sorted::Runs { .. }), has_runs);
            assert_eq!(read(&mut sorted), wanted);
            sorted.rewind().expect("a readable run");
            assert_eq!(read(&mut sorted), wanted);
        }
    }

    #[test]
    fn nothing_is_nothing() {
        assert_eq!(read(&mut sorted(usize::MAX, &[])), Vec::<String>::new());
    }
}
