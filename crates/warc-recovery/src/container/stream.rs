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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Bytes of input used.
    pub consumed: usize,
    /// Bytes of output written; those before damage are good.
    pub written: usize,
    /// What became of the unit.
    pub state: State,
}

/// What became of a unit in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// There is more of it.
    Open,
    /// It has ended.
    Finished,
    /// It is damaged.
    Corrupt(String),
}

/// Nothing that could be decoded begins here.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{0}")]
pub struct NoUnit(String);

/// A decoder of one unit.
pub enum StreamDecoder<'c> {
    /// Bytes as they are.
    Plain,
    /// One gzip member.
    Gzip(Box<Decompress>),
    /// One zstd frame.
    Zstd {
        /// The decoder.
        decoder: Box<Decoder<'c>>,
        /// Bytes of input that it takes next: up to the end of a block. Given no more, it hands
        /// out every block before a damaged one.
        wanted: usize,
    },
    /// A skippable frame: bytes still to pass over.
    Skippable(u64),
}

impl<'c> StreamDecoder<'c> {
    /// A decoder for the unit that begins with `start` (at least its first 8 bytes, fewer only
    /// at the end of the file).
    pub fn begin(container: &'c Container, start: &[u8]) -> Result<Self, NoUnit> {
        match container.format {
            Format::Plain => Ok(Self::Plain),
            Format::Gzip if start.starts_with(&GZIP_MAGIC) => {
                Ok(Self::Gzip(Box::new(Decompress::new_gzip(15))))
            }
            Format::Gzip => Err(NoUnit("no gzip member begins here".to_owned())),
            Format::Zstd if is_skippable_frame(start) => Ok(Self::Skippable(
                skippable_frame_length(start).unwrap_or_default(),
            )),
            Format::Zstd if start.starts_with(&ZSTD_MAGIC) => {
                let decoder = match &container.dictionary {
                    Some(dictionary) => Decoder::with_prepared_dictionary(&dictionary.prepared),
                    None => Decoder::new(),
                };
                let refuse = |error: std::io::Error| NoUnit(error.to_string());
                let mut decoder = decoder.map_err(refuse)?;
                decoder
                    .set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))
                    .map_err(refuse)?;
                Ok(Self::Zstd {
                    decoder: Box::new(decoder),
                    wanted: 1,
                })
            }
            Format::Zstd => Err(NoUnit("no zstd frame begins here".to_owned())),
        }
    }

    /// Decodes some of `input` into some of `output`.
    pub fn step(&mut self, input: &[u8], output: &mut [u8]) -> Step {
        match self {
            Self::Plain => {
                let n = input.len().min(output.len());
                output[..n].copy_from_slice(&input[..n]);
                Step {
                    consumed: n,
                    written: n,
                    state: State::Open,
                }
            }
            Self::Skippable(left) => {
                let n = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(input.len());
                *left -= n as u64;
                let state = if *left == 0 {
                    State::Finished
                } else {
                    State::Open
                };
                Step {
                    consumed: n,
                    written: 0,
                    state,
                }
            }
            Self::Gzip(inflate) => {
                let (before_in, before_out) = (inflate.total_in(), inflate.total_out());
                let result = inflate.decompress(input, output, FlushDecompress::None);
                let moved =
                    |after: u64, before: u64| usize::try_from(after - before).unwrap_or(usize::MAX);
                Step {
                    consumed: moved(inflate.total_in(), before_in),
                    written: moved(inflate.total_out(), before_out),
                    state: match result {
                        Ok(Status::StreamEnd) => State::Finished,
                        Ok(_) => State::Open,
                        Err(error) => State::Corrupt(error.to_string()),
                    },
                }
            }
            Self::Zstd { decoder, wanted } => {
                let input = &input[..input.len().min(*wanted)];
                let (mut source, mut sink) = (InBuffer::around(input), OutBuffer::around(output));
                let state = match decoder.run(&mut source, &mut sink) {
                    Ok(0) => State::Finished,
                    Ok(hint) => {
                        *wanted = hint;
                        State::Open
                    }
                    Err(error) => State::Corrupt(explain(&error)),
                };
                Step {
                    consumed: source.pos(),
                    written: sink.pos(),
                    state,
                }
            }
        }
    }
}

/// What zstd says, with the remedy where one is known.
fn explain(error: &std::io::Error) -> String {
    let message = error.to_string();
    if message == "Dictionary mismatch" {
        return "the frame was packed with a zstd dictionary that does not stand at the start of the \
                file; put the dictionary frame (0x184D2A5D) there, or unpack the file first (zstd -d -D)"
            .to_owned();
    }
    message
}
