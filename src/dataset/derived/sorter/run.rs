//! Runs: sorted records in files, and their merge.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};

/// Level of compression of runs: the fastest.
const LEVEL: i32 = 1;
/// Size of the buffers that a run's file is read and written with, in bytes.
const BUFFER_BYTES: usize = 128 * 1024;

/// Writes a run: per record the lengths of key and value, then both.
pub(super) struct RunWriter(zstd::stream::write::Encoder<'static, BufWriter<File>>);

impl RunWriter {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        zstd::stream::write::Encoder::new(file, LEVEL).map(Self)
    }

    pub(super) fn push(&mut self, key: &[u8], value: &[u8]) -> io::Result<()> {
        // Lengths were seen to be below 4 GiB when the record was collected.
        for part in [key, value] {
            let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
            self.0.write_all(&length.to_le_bytes())?;
        }
        self.0.write_all(key)?;
        self.0.write_all(value)
    }

    pub(super) fn finish(self) -> io::Result<File> {
        let file = self.0.finish()?;
        file.into_inner().map_err(io::IntoInnerError::into_error)
    }
}

/// Writes a run of these records.
pub(super) fn write<'r>(
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
    /// A cursor before the first record.
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
pub(in super::super) struct Merge {
    /// A binary heap: the record of run `i` is at most the records of runs `2i + 1` and `2i + 2`.
    heap: Vec<RunReader>,
    ended: Vec<RunReader>,
    /// Whether the cursor is at the record of the heap's first run, no longer before it.
    is_begun: bool,
}

impl Merge {
    pub(super) fn new(runs: Vec<File>) -> io::Result<Self> {
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

    pub(super) fn rewind(&mut self) -> io::Result<()> {
        let readers = self.heap.drain(..).chain(self.ended.drain(..));
        let runs = readers.map(RunReader::into_file).collect();
        *self = Self::new(runs)?;
        Ok(())
    }

    pub(super) fn advance(&mut self) -> io::Result<bool> {
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

    pub(super) fn current(&self) -> Option<(&[u8], &[u8])> {
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
