//! Content codings: their names and their decoders.
//!
//! Implements RFC 9110 §8.4.1 (gzip, deflate), RFC 7932 (br) and RFC 8878 (zstd). Memory is bounded
//! by the window of each format: 32 KiB for deflate, 16 MiB for br (the large-window extension is
//! refused, because RFC 7932 does not define it), and 16 MiB for zstd (RFC 9659 asks for support of
//! 8 MiB in HTTP).

#[cfg(feature = "content-codings")]
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::Decompress;

use crate::container::{DecodeStep, FrameDecoder, UnitState, inflate};

/// Binary logarithm of the largest zstd window that is accepted: 16 MiB.
const ZSTD_WINDOW_LOG_MAX: u32 = 24;

/// A coding that can be undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    /// RFC 1952, one or more members.
    Gzip,
    /// RFC 1950: what RFC 9110 means by `deflate`.
    Zlib,
    /// RFC 1951: what some servers mean by `deflate`.
    Deflate,
    /// RFC 7932.
    Brotli,
    /// RFC 8878, frames concatenated.
    Zstd,
}

/// The meaning of a coding's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodingName {
    /// One of the codings.
    Known(Coding),
    /// `identity`, or an empty list element.
    Identity,
    /// `chunked`, which is not a content coding: its place is `Transfer-Encoding`.
    Chunked,
    /// Anything else.
    Unknown,
}

impl CodingName {
    /// The coding of this name, letters compared without case.
    pub(super) fn parse(name: &[u8]) -> Self {
        match name.to_ascii_lowercase().as_slice() {
            b"" | b"identity" => Self::Identity,
            b"chunked" => Self::Chunked,
            // Without the feature no coding is decoded: each is flagged like an unknown one.
            _ if cfg!(not(feature = "content-codings")) => Self::Unknown,
            b"gzip" | b"x-gzip" => Self::Known(Coding::Gzip),
            b"deflate" => Self::Known(Coding::Zlib),
            b"br" => Self::Known(Coding::Brotli),
            b"zstd" | b"x-zstd" => Self::Known(Coding::Zstd),
            _ => Self::Unknown,
        }
    }
}

#[cfg(feature = "content-codings")]
type Brotli = BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>;

enum Stream {
    Inflate(Decompress),
    #[cfg(feature = "content-codings")]
    Brotli(Box<Brotli>),
    Zstd(Option<FrameDecoder>),
    /// After the end of the stream, where only filler may follow.
    Ended,
}

/// A decoder of one coding.
pub(super) struct Decoder {
    coding: Coding,
    stream: Stream,
    /// Whether the coded stream may end here.
    is_finished: bool,
    /// Whether data follow its end.
    is_damaged: bool,
}

impl Decoder {
    pub(super) fn new(coding: Coding) -> Self {
        let stream = match coding {
            Coding::Gzip => Stream::Inflate(Decompress::new_gzip(15)),
            Coding::Zlib => Stream::Inflate(Decompress::new(true)),
            Coding::Deflate => Stream::Inflate(Decompress::new(false)),
            #[cfg(not(feature = "content-codings"))]
            Coding::Brotli => Stream::Ended,
            #[cfg(feature = "content-codings")]
            Coding::Brotli => Stream::Brotli(Box::new(BrotliState::new_strict(
                StandardAlloc::default(),
                StandardAlloc::default(),
                StandardAlloc::default(),
            ))),
            Coding::Zstd => Stream::Zstd(FrameDecoder::new(None, ZSTD_WINDOW_LOG_MAX).ok()),
        };
        Self {
            coding,
            stream,
            is_finished: false,
            is_damaged: false,
        }
    }

    /// Whether the coded stream may end here.
    pub(super) fn is_finished(&self) -> bool {
        self.is_finished
    }

    /// Whether data follow the end of the stream.
    pub(super) fn is_damaged(&self) -> bool {
        self.is_damaged
    }

    pub(super) fn coding(&self) -> Coding {
        self.coding
    }

    /// Decodes from `input` into `output`. With an empty input, writes what is held back.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> DecodeStep {
        if self.is_finished {
            match (self.coding, input) {
                (_, []) => return DecodeStep::of(0, 0, UnitState::Finished),
                (Coding::Gzip, [0x1f, ..]) if !matches!(self.stream, Stream::Ended) => {
                    self.stream = Stream::Inflate(Decompress::new_gzip(15));
                }
                (Coding::Zstd, _) => {}
                _ => self.stream = Stream::Ended,
            }
        }
        let step = match &mut self.stream {
            Stream::Inflate(inflater) => inflate(inflater, input, output),
            #[cfg(feature = "content-codings")]
            Stream::Brotli(state) => brotli(state, input, output),
            Stream::Zstd(Some(decoder)) => decoder.step(input, output),
            Stream::Zstd(None) => DecodeStep::of(0, 0, UnitState::Open),
            Stream::Ended => {
                let is_filler = |byte: &u8| matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n');
                self.is_damaged |= !input.iter().all(is_filler);
                DecodeStep::of(input.len(), 0, UnitState::Finished)
            }
        };
        self.is_finished = step.state == UnitState::Finished;
        step
    }
}

#[cfg(feature = "content-codings")]
fn brotli(state: &mut Brotli, input: &[u8], output: &mut [u8]) -> DecodeStep {
    let (mut available_in, mut consumed) = (input.len(), 0);
    let (mut available_out, mut written, mut total) = (output.len(), 0, 0);
    let result = BrotliDecompressStream(
        &mut available_in,
        &mut consumed,
        input,
        &mut available_out,
        &mut written,
        output,
        &mut total,
        state,
    );
    let state = match result {
        BrotliResult::NeedsMoreInput | BrotliResult::NeedsMoreOutput => UnitState::Open,
        BrotliResult::ResultSuccess => UnitState::Finished,
        BrotliResult::ResultFailure => UnitState::Corrupt("not brotli".to_owned()),
    };
    DecodeStep::of(consumed, written, state)
}
