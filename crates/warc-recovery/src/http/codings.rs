//! Content codings, undone one after the other: each stage reads the output of the stage before,
//! and holds one piece of it.
//!
//! Implements RFC 9110 §8.4.1 (gzip, deflate), RFC 7932 (br) and RFC 8878 (zstd). Memory is bounded
//! by the window of each format: 32 KiB for deflate, 16 MiB for br (the large-window extension is
//! refused, because RFC 7932 does not define it), and 16 MiB for zstd (RFC 9659 requires 8 MiB in
//! HTTP).

#[cfg(feature = "content-codings")]
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::Decompress;

use super::issue::BodyIssue;
use crate::container::{DecodeStep, FrameDecoder, UnitState, inflate};

/// Binary logarithm of the largest zstd window that is accepted: 16 MiB.
const ZSTD_WINDOW_LOG_MAX: u32 = 24;
/// Bytes that a decoder is given at a time. Decoders hold output back and lose it when they fail;
/// how much depends on where their input ended. With pieces of a fixed length, the decoded part of
/// a damaged body depends on the body alone.
const PIECE_BYTES: usize = 1024;
/// Bytes of a stage's input that are kept to distinguish text from coded data.
const START_BYTES: usize = 64;

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

impl Coding {
    pub(super) fn of_name(name: &[u8]) -> Option<Self> {
        Some(match name {
            // Without the feature no coding is decoded: each is flagged like an unknown one.
            _ if cfg!(not(feature = "content-codings")) => return None,
            b"gzip" | b"x-gzip" => Self::Gzip,
            b"deflate" => Self::Zlib,
            b"br" => Self::Brotli,
            b"zstd" | b"x-zstd" => Self::Zstd,
            _ => return None,
        })
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

/// The decoder of one coding.
pub(super) struct Stage {
    pub(super) coding: Coding,
    stream: Stream,
    /// `Finished` if the coded stream may end here.
    state: UnitState,
    piece: Vec<u8>,
    /// Bytes of `piece` that have been decoded.
    used: usize,
    /// Whether the decoder may have more output without more input.
    may_hold_more: bool,
    /// The first bytes of the input.
    start: Vec<u8>,
    produced: u64,
    /// Whether data other than filler follow the end of the stream.
    pub(super) has_data_behind: bool,
}

impl Stage {
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
            state: UnitState::Open,
            piece: Vec::new(),
            used: 0,
            may_hold_more: false,
            start: Vec::new(),
            produced: 0,
            has_data_behind: false,
        }
    }

    pub(super) fn is_unfinished(&self) -> bool {
        !self.start.is_empty() && self.state != UnitState::Finished
    }

    fn has_failed(&self) -> bool {
        matches!(self.state, UnitState::Corrupt(_))
    }

    /// Whether the input of the stage was never coded: nothing came out before the stage failed, or
    /// the input reads as text. (`br` and raw deflate have no magic number, so text may decode to a
    /// few bytes before it fails.)
    pub(super) fn was_given_plain_data(&self) -> bool {
        let is_broken = self.has_failed() || self.is_unfinished();
        is_broken && (self.has_failed() && self.produced == 0 || is_text(&self.start))
    }

    /// Reads the next piece of the output of the stages `before`.
    fn fill(
        &mut self,
        before: &mut [Self],
        stored: &mut &[u8],
        max_decoded: u64,
    ) -> Result<(), BodyIssue> {
        let (mut filled, mut result) = (0, Ok(1));
        self.piece.resize(PIECE_BYTES, 0);
        while filled < PIECE_BYTES && !matches!(result, Ok(0) | Err(_)) {
            result = read(before, stored, &mut self.piece[filled..], max_decoded);
            filled += result.unwrap_or(0);
        }
        self.piece.truncate(filled);
        self.used = 0;
        if self.start.is_empty() {
            self.start = self.piece[..filled.min(START_BYTES)].to_vec();
        }
        result.map(drop)
    }

    /// Decodes from the piece into `output`; once the piece is used up, writes the output that the
    /// decoder holds back. Returns the number of bytes written.
    fn step(&mut self, output: &mut [u8]) -> usize {
        let input = &self.piece[self.used..];
        if self.state == UnitState::Finished {
            match (self.coding, input) {
                (_, []) => {
                    self.may_hold_more = false;
                    return 0;
                }
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
                self.has_data_behind |= !input.iter().all(is_filler);
                DecodeStep::of(input.len(), 0, UnitState::Finished)
            }
        };
        let is_stuck = step.consumed + step.written == 0 && !input.is_empty();
        self.state = match step.state {
            _ if is_stuck => UnitState::Corrupt("it cannot be decoded further".to_owned()),
            state => state,
        };
        self.used += step.consumed;
        self.may_hold_more = step.written == output.len();
        step.written
    }
}

/// Decodes some of `stored` through all `stages` into `output`. Returns the number of bytes
/// written, 0 at the end, or why decoding stopped. No stage may produce more than `max_decoded`.
pub(super) fn read(
    stages: &mut [Stage],
    stored: &mut &[u8],
    output: &mut [u8],
    max_decoded: u64,
) -> Result<usize, BodyIssue> {
    let Some((stage, before)) = stages.split_last_mut() else {
        let (now, later) = stored.split_at(stored.len().min(output.len()));
        output[..now.len()].copy_from_slice(now);
        *stored = later;
        return Ok(now.len());
    };
    loop {
        if stage.produced > max_decoded {
            return Err(BodyIssue::OverDecodeLimit);
        }
        if stage.has_failed() {
            return Err(BodyIssue::BadEncoding);
        }
        if stage.used == stage.piece.len() && !stage.may_hold_more {
            stage.fill(before, stored, max_decoded)?;
            if stage.piece.is_empty() {
                return Ok(0);
            }
        }
        let written = stage.step(output);
        let left = usize::try_from(max_decoded - stage.produced).unwrap_or(usize::MAX);
        stage.produced += written as u64;
        if written > 0 && left > 0 {
            return Ok(written.min(left));
        }
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

/// Whether bytes read as text: UTF-8 (a character may be cut at the end) without control characters
/// other than white space.
fn is_text(bytes: &[u8]) -> bool {
    let is_utf8 = std::str::from_utf8(bytes).map_or_else(|it| it.error_len().is_none(), |_| true);
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    !bytes.is_empty() && is_utf8 && !bytes.iter().any(is_control)
}
