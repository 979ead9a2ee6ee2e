//! Decoding a unit in small steps, under a bound on memory.

use flate2::{Decompress, FlushDecompress, Status};
use thiserror::Error;
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

use super::{
    Container, Format, GZIP_MAGIC, ZSTD_MAGIC, is_skippable_frame, skippable_frame_length,
};

/// Largest zstd window accepted, as a power of two: 128 MiB, what `zstd -d` accepts too.
const MAX_WINDOW_LOG: u32 = 27;

/// What one step did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Octets of input used.
    pub consumed: usize,
    /// Octets of output written.
    pub written: usize,
    /// Whether the unit has ended.
    pub finished: bool,
}

/// Why a unit does not decode.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum StreamError {
    /// No unit of the container's format begins here.
    #[error("no {0} begins here")]
    NoUnit(&'static str),
    /// The compressed data are damaged.
    #[error("{0}")]
    Corrupt(String),
}

/// A decoder of one unit.
pub enum StreamDecoder<'c> {
    /// Octets as they are.
    Plain,
    /// One gzip member.
    Gzip(Box<Decompress>),
    /// One zstd frame.
    Zstd(Box<Decoder<'c>>),
    /// A skippable frame: octets still to pass over.
    Skippable(u64),
}

impl<'c> StreamDecoder<'c> {
    /// A decoder for the unit that begins with `start` (at least its first 8 octets, fewer only
    /// at the end of the file).
    pub fn begin(container: &'c Container, start: &[u8]) -> Result<Self, StreamError> {
        match container.format {
            Format::Plain => Ok(Self::Plain),
            Format::Gzip if start.starts_with(&GZIP_MAGIC) => {
                Ok(Self::Gzip(Box::new(Decompress::new_gzip(15))))
            }
            Format::Gzip => Err(StreamError::NoUnit("gzip member")),
            Format::Zstd if is_skippable_frame(start) => Ok(Self::Skippable(
                skippable_frame_length(start).unwrap_or_default(),
            )),
            Format::Zstd if start.starts_with(&ZSTD_MAGIC) => {
                let decoder = match &container.dictionary {
                    Some(dictionary) => Decoder::with_prepared_dictionary(&dictionary.prepared),
                    None => Decoder::new(),
                };
                let corrupt = |error: std::io::Error| StreamError::Corrupt(error.to_string());
                let mut decoder = decoder.map_err(corrupt)?;
                decoder
                    .set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))
                    .map_err(corrupt)?;
                Ok(Self::Zstd(Box::new(decoder)))
            }
            Format::Zstd => Err(StreamError::NoUnit("zstd frame")),
        }
    }

    /// Decodes some of `input` into some of `output`.
    pub fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, StreamError> {
        match self {
            Self::Plain => {
                let n = input.len().min(output.len());
                output[..n].copy_from_slice(&input[..n]);
                Ok(Step {
                    consumed: n,
                    written: n,
                    finished: false,
                })
            }
            Self::Skippable(left) => {
                let n = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(input.len());
                *left -= n as u64;
                Ok(Step {
                    consumed: n,
                    written: 0,
                    finished: *left == 0,
                })
            }
            Self::Gzip(inflate) => {
                let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
                let status = inflate
                    .decompress(input, output, FlushDecompress::None)
                    .map_err(|error| StreamError::Corrupt(error.to_string()))?;
                let moved =
                    |after: u64, before: u64| usize::try_from(after - before).unwrap_or(usize::MAX);
                Ok(Step {
                    consumed: moved(inflate.total_in(), before_in),
                    written: moved(inflate.total_out(), before_out),
                    finished: status == Status::StreamEnd,
                })
            }
            Self::Zstd(decoder) => {
                let (mut source, mut sink) = (InBuffer::around(input), OutBuffer::around(output));
                let hint = decoder
                    .run(&mut source, &mut sink)
                    .map_err(|error| StreamError::Corrupt(error.to_string()))?;
                Ok(Step {
                    consumed: source.pos(),
                    written: sink.pos(),
                    finished: hint == 0,
                })
            }
        }
    }
}
