//! Runs: sorted records in files, and their merge.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::sync::Arc;

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

/// Reads a run.
struct RunReader {
    stream: zstd::stream::read::Decoder<'static, BufReader<Arc<File>>>,
    key: Vec<u8>,
    value: Vec<u8>,
}

impl RunReader {
    /// A cursor before the first record.
    fn new(file: &Arc<File>) -> io::Result<Self> {
        let mut file = Arc::clone(file);
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
}

/// Merges runs.
pub(in super::super) struct Merge {
    runs: Vec<Arc<File>>,
    /// Readers of the runs that have not ended, each at its next record.
    readers: Vec<RunReader>,
    /// The reader of the record at the cursor.
    least: Option<usize>,
}

impl Merge {
    /// A cursor before the first record.
    pub(super) fn new(runs: Vec<Arc<File>>) -> io::Result<Self> {
        let mut readers = Vec::with_capacity(runs.len());
        for run in &runs {
            let mut reader = RunReader::new(run)?;
            if reader.advance()? {
                readers.push(reader);
            }
        }
        Ok(Self {
            runs,
            readers,
            least: None,
        })
    }

    pub(super) fn rewind(&mut self) -> io::Result<()> {
        *self = Self::new(std::mem::take(&mut self.runs))?;
        Ok(())
    }

    pub(super) fn advance(&mut self) -> io::Result<bool> {
        if let Some(least) = self.least
            && !self.readers[least].advance()?
        {
            self.readers.swap_remove(least);
        }
        // At most `MAX_RUNS` keys are compared: an ingest with 90 runs took as long with a heap.
        self.least = (0..self.readers.len()).min_by_key(|number| &self.readers[*number].key);
        Ok(self.least.is_some())
    }

    pub(super) fn current(&self) -> Option<(&[u8], &[u8])> {
        let reader = &self.readers[self.least?];
        Some((&reader.key, &reader.value))
    }
}
