//! Decoding a unit in small steps, under a bound on memory.

use std::sync::Arc;

use flate2::{Decompress, FlushDecompress, Status};
use thiserror::Error;
use zstd::zstd_safe::{self, DCtx, DParameter, InBuffer, OutBuffer};

use super::{Dictionary, Format, ZSTD_MAGIC, gzip_head, skippable_frame_length};
use crate::memory;

/// Largest zstd window accepted, as a power of two: 128 MiB, what `zstd -d` accepts too.
const MAX_WINDOW_LOG: u32 = 27;

/// What one step did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeStep {
    /// Bytes of input used.
    pub consumed: usize,
    /// Bytes of output written; those before damage are good.
    pub written: usize,
    /// What became of the unit.
    pub state: UnitState,
}

/// What became of a unit in a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitState {
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
pub enum StreamDecoder {
    /// Bytes as they are.
    Plain,
    /// One gzip member.
    Gzip(Box<Decompress>),
    /// One zstd frame.
    Zstd(FrameDecoder),
    /// A skippable frame: bytes still to skip.
    Skippable(u64),
}

/// A decoder of one zstd frame.
pub struct FrameDecoder {
    /// Given back to the dictionary that it has loaded when the decoder is dropped.
    context: Option<DCtx<'static>>,
    dictionary: Option<Arc<Dictionary>>,
    /// Bytes of input that it takes next: up to the end of a block. Given no more, it hands out
    /// every block before a damaged one.
    wanted: usize,
}

impl StreamDecoder {
    /// A decoder for the unit that begins with `start` (at least its first 8 bytes, fewer only
    /// at the end of the file). A zstd frame is decoded with `dictionary`; the content of a
    /// dictionary frame is skipped.
    ///
    /// # Errors
    ///
    /// `start` begins no gzip member or no zstd frame, as the format needs, or the dictionary
    /// cannot be loaded. A plain file always begins.
    pub fn begin(
        format: Format,
        dictionary: Option<&Arc<Dictionary>>,
        start: &[u8],
    ) -> Result<Self, NoUnit> {
        match format {
            Format::Plain => Ok(Self::Plain),
            Format::Gzip if start.starts_with(&gzip_head::MAGIC) => {
                Ok(Self::Gzip(Box::new(Decompress::new_gzip(15))))
            }
            Format::Gzip => Err(NoUnit("no gzip member begins here".to_owned())),
            Format::Zstd if start.starts_with(&ZSTD_MAGIC) => {
                FrameDecoder::new(dictionary).map(Self::Zstd)
            }
            Format::Zstd => skippable_frame_length(start)
                .map(Self::Skippable)
                .ok_or_else(|| NoUnit("no zstd frame begins here".to_owned())),
        }
    }

    /// Decodes some of `input` into some of `output`.
    pub fn step(&mut self, input: &[u8], output: &mut [u8]) -> DecodeStep {
        match self {
            Self::Plain => {
                let n = input.len().min(output.len());
                output[..n].copy_from_slice(&input[..n]);
                DecodeStep {
                    consumed: n,
                    written: n,
                    state: UnitState::Open,
                }
            }
            Self::Skippable(left) => {
                let n = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(input.len());
                *left -= n as u64;
                let state = if *left == 0 {
                    UnitState::Finished
                } else {
                    UnitState::Open
                };
                DecodeStep {
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
                DecodeStep {
                    consumed: moved(inflate.total_in(), before_in),
                    written: moved(inflate.total_out(), before_out),
                    state: match result {
                        Ok(Status::StreamEnd) => UnitState::Finished,
                        Ok(_) => UnitState::Open,
                        Err(error) => UnitState::Corrupt(error.to_string()),
                    },
                }
            }
            Self::Zstd(frame) => frame.step(input, output),
        }
    }
}

impl FrameDecoder {
    fn new(dictionary: Option<&Arc<Dictionary>>) -> Result<Self, NoUnit> {
        let refuse = |message: &str| NoUnit(message.to_owned());
        let mut context = match dictionary {
            Some(dictionary) => dictionary.take_context().map_err(refuse)?,
            None => DCtx::try_create().unwrap_or_else(|| memory::exhausted()),
        };
        context
            .set_parameter(DParameter::WindowLogMax(MAX_WINDOW_LOG))
            .map_err(|code| refuse(memory::unless_exhausted(zstd_safe::get_error_name(code))))?;
        Ok(Self {
            context: Some(context),
            dictionary: dictionary.cloned(),
            wanted: 1,
        })
    }

    fn step(&mut self, input: &[u8], output: &mut [u8]) -> DecodeStep {
        let input = &input[..input.len().min(self.wanted)];
        let (mut source, mut sink) = (InBuffer::around(input), OutBuffer::around(output));
        let result = match &mut self.context {
            Some(context) => context.decompress_stream(&mut sink, &mut source),
            None => Ok(0), // only while it is dropped
        };
        let state = match result {
            Ok(0) => UnitState::Finished,
            Ok(hint) => {
                self.wanted = hint;
                UnitState::Open
            }
            Err(code) => {
                let message = memory::unless_exhausted(zstd_safe::get_error_name(code));
                UnitState::Corrupt(explain(message))
            }
        };
        DecodeStep {
            consumed: source.pos(),
            written: sink.pos(),
            state,
        }
    }
}

impl Drop for FrameDecoder {
    fn drop(&mut self) {
        if let (Some(dictionary), Some(context)) = (&self.dictionary, self.context.take()) {
            dictionary.return_context(context);
        }
    }
}

/// What zstd says, with the remedy where one is known.
fn explain(message: &str) -> String {
    if message == "Dictionary mismatch" {
        return "the frame was packed with a zstd dictionary that no intact dictionary frame before \
                it holds; put the dictionary frame (0x184D2A5D) there, or unpack the file first \
                (zstd -d -D)"
            .to_owned();
    }
    message.to_owned()
}
