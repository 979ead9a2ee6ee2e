//! Runs: sorted records, in memory or in a file.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::sync::Arc;

use zstd::stream::read::Decoder;
use zstd::stream::write::Encoder;

use super::memory::{KeyValue, Memory};

/// Level of compression of runs: the fastest.
const LEVEL: i32 = 1;
/// Size of the buffers that a run's file is read and written with, in bytes.
const BUFFER_BYTES: usize = 128 * 1024;

/// Writes a run: per record the lengths of key and value, then both.
pub(super) struct RunWriter(Encoder<'static, BufWriter<File>>);

impl RunWriter {
    pub(super) fn new(file: File) -> io::Result<Self> {
        let file = BufWriter::with_capacity(BUFFER_BYTES, file);
        Encoder::new(file, LEVEL).map(Self)
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

    pub(super) fn finish(self) -> io::Result<Run> {
        let file = self.0.finish()?.into_inner();
        Ok(Run::File {
            file: Arc::new(file.map_err(io::IntoInnerError::into_error)?),
            stream: None,
            key: Vec::new(),
            value: Vec::new(),
        })
    }
}

/// A run, and a cursor.
pub(super) enum Run {
    /// The last one: what did not have to go to a file.
    Memory {
        memory: Memory,
        /// The number of the record at the cursor.
        at: usize,
    },
    File {
        file: Arc<File>,
        /// The rest of the records; none before they are read, and after the last one.
        stream: Option<Decoder<'static, BufReader<Arc<File>>>>,
        /// The record at the cursor.
        key: Vec<u8>,
        value: Vec<u8>,
    },
}

impl Run {
    /// The sorted records of `memory`.
    pub(super) fn of_memory(memory: Memory) -> Self {
        Self::Memory { memory, at: 0 }
    }

    /// Puts the cursor at the first record.
    pub(super) fn rewind(&mut self) -> io::Result<()> {
        match self {
            Self::Memory { at, .. } => {
                *at = 0;
                Ok(())
            }
            Self::File { file, stream, .. } => {
                file.rewind()?;
                let file = BufReader::with_capacity(BUFFER_BYTES, Arc::clone(file));
                *stream = Some(Decoder::with_buffer(file)?);
                self.advance()
            }
        }
    }

    /// Moves the cursor to the next record.
    pub(super) fn advance(&mut self) -> io::Result<()> {
        match self {
            Self::Memory { at, .. } => *at += 1,
            Self::File {
                stream, key, value, ..
            } => {
                let Some(rest) = stream else {
                    return Ok(());
                };
                let (mut key_length, mut value_length) = ([0; 4], [0; 4]);
                // The end is where a record would begin.
                if rest.read(&mut key_length[..1])? == 0 {
                    *stream = None;
                    return Ok(());
                }
                rest.read_exact(&mut key_length[1..])?;
                rest.read_exact(&mut value_length)?;
                key.resize(u32::from_le_bytes(key_length) as usize, 0);
                value.resize(u32::from_le_bytes(value_length) as usize, 0);
                rest.read_exact(key)?;
                rest.read_exact(value)?;
            }
        }
        Ok(())
    }

    /// Key and value of the record at the cursor; none after the last.
    pub(super) fn current(&self) -> Option<KeyValue<'_>> {
        match self {
            Self::Memory { memory, at } => memory.get(*at),
            Self::File {
                stream, key, value, ..
            } => stream.is_some().then_some((key, value)),
        }
    }
}
