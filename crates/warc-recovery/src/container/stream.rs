//! Decoding a unit in small steps, under a bound on memory.

use flate2::{Decompress, FlushDecompress, Status};
use zstd::zstd_safe::{self, DCtx, DParameter, InBuffer, OutBuffer};

use super::magic::{GZIP_MAGIC, ZSTD_MAGIC, skippable_frame_length};
use super::{Dictionary, Format};
use crate::memory;

/// Largest zstd window accepted, as a power of two: 128 MiB, as in `zstd -d`.
pub(super) const MAX_WINDOW_LOG: u32 = 27;

/// The result of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeStep {
    /// Bytes of input used.
    pub consumed: usize,
    /// Bytes of output written; those before damage are good.
    pub written: usize,
    /// The state of the unit after the step.
    pub state: UnitState,
}

impl DecodeStep {
    pub(crate) const fn of(consumed: usize, written: usize, state: UnitState) -> Self {
        Self {
            consumed,
            written,
            state,
        }
    }
}

/// The state of a unit after a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnitState {
    /// More of the unit follows.
    Open,
    /// The unit has ended.
    Finished,
    /// The unit is damaged.
    Corrupt(String),
}

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

/// A decoder of zstd frames.
pub struct FrameDecoder {
    context: DCtx<'static>,
    /// Bytes of input that the context takes next: up to the end of a block. Given no more than
    /// that, it returns every block before a damaged one.
    wanted: usize,
}

impl StreamDecoder {
    /// A decoder for the unit that begins with `start` (at least its first 8 bytes, fewer only
    /// at the end of the file). The content of a dictionary frame is skipped.
    ///
    /// # Errors
    ///
    /// Fails if `start` does not begin the gzip member or zstd frame that the format requires, or
    /// the dictionary cannot be loaded.
    pub fn begin(
        format: Format,
        dictionary: Option<&Dictionary>,
        start: &[u8],
    ) -> Result<Self, String> {
        match format {
            Format::Plain => Ok(Self::Plain),
            Format::Gzip if start.starts_with(&GZIP_MAGIC) => {
                Ok(Self::Gzip(Box::new(Decompress::new_gzip(15))))
            }
            Format::Gzip => Err("no gzip member begins here".to_owned()),
            Format::Zstd if start.starts_with(&ZSTD_MAGIC) => {
                FrameDecoder::new(dictionary, MAX_WINDOW_LOG).map(Self::Zstd)
            }
            Format::Zstd => skippable_frame_length(start)
                .map(Self::Skippable)
                .ok_or_else(|| "no zstd frame begins here".to_owned()),
        }
    }

    /// Decodes some of `input` into some of `output`.
    pub fn step(&mut self, input: &[u8], output: &mut [u8]) -> DecodeStep {
        match self {
            Self::Plain => {
                let n = input.len().min(output.len());
                output[..n].copy_from_slice(&input[..n]);
                DecodeStep::of(n, n, UnitState::Open)
            }
            Self::Skippable(left) => {
                let n = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(input.len());
                *left -= n as u64;
                let state = match *left {
                    0 => UnitState::Finished,
                    _ => UnitState::Open,
                };
                DecodeStep::of(n, 0, state)
            }
            Self::Gzip(inflater) => inflate(inflater, input, output),
            Self::Zstd(frame) => frame.step(input, output),
        }
    }
}

/// A step of deflate, bare or within gzip or zlib.
pub(crate) fn inflate(inflater: &mut Decompress, input: &[u8], output: &mut [u8]) -> DecodeStep {
    let (before_in, before_out) = (inflater.total_in(), inflater.total_out());
    let state = match inflater.decompress(input, output, FlushDecompress::None) {
        Ok(Status::StreamEnd) => UnitState::Finished,
        Ok(_) => UnitState::Open,
        // The message of zlib-rs is nearly always "repeated call with bad state".
        Err(_) => UnitState::Corrupt("the compressed data are invalid".to_owned()),
    };
    let moved = |after: u64, before: u64| usize::try_from(after - before).unwrap_or(usize::MAX);
    let consumed = moved(inflater.total_in(), before_in);
    DecodeStep::of(consumed, moved(inflater.total_out(), before_out), state)
}

impl FrameDecoder {
    /// A decoder of frames with windows of at most 2 to the power `max_window_log` bytes.
    pub(crate) fn new(
        dictionary: Option<&Dictionary>,
        max_window_log: u32,
    ) -> Result<Self, String> {
        let refuse = |code| memory::unless_exhausted(zstd_safe::get_error_name(code)).to_owned();
        let mut context = DCtx::try_create().unwrap_or_else(|| memory::exhausted());
        let max_window = DParameter::WindowLogMax(max_window_log);
        context.set_parameter(max_window).map_err(refuse)?;
        if let Some(dictionary) = dictionary {
            (context.load_dictionary(&dictionary.content)).map_err(refuse)?;
        }
        Ok(Self { context, wanted: 1 })
    }

    /// After the end of a frame another may follow.
    pub(crate) fn step(&mut self, input: &[u8], output: &mut [u8]) -> DecodeStep {
        let input = &input[..input.len().min(self.wanted)];
        let (mut source, mut sink) = (InBuffer::around(input), OutBuffer::around(output));
        let state = match self.context.decompress_stream(&mut sink, &mut source) {
            Ok(0) => {
                self.wanted = 1;
                UnitState::Finished
            }
            Ok(hint) => {
                self.wanted = hint;
                UnitState::Open
            }
            Err(code) => {
                let message = memory::unless_exhausted(zstd_safe::get_error_name(code));
                UnitState::Corrupt(explain(message))
            }
        };
        DecodeStep::of(source.pos(), sink.pos(), state)
    }
}

/// zstd's message, with the remedy if one is known, and reworded if it is about zstd's own buffers.
fn explain(message: &str) -> String {
    let explained = match message {
        "Dictionary mismatch" => {
            "the frame needs a zstd dictionary that is in no intact dictionary frame before it; put \
             the dictionary frame (0x184D2A5D) there, or unpack the file first (zstd -d -D)"
        }
        "Destination buffer is too small" => "a block decodes to more than its frame says",
        other => other,
    };
    explained.to_owned()
}
