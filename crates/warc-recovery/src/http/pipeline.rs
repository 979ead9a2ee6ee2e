//! A chain of decoders, each feeding the next through a small buffer, and the sink at its end.
//!
//! Codings may be stacked (RFC 9110 §8.4: listed in the order in which they were applied), and a
//! chunked body arrives in slices. Pushing slices through the chain holds one buffer per coding,
//! never a whole stage's output.

use std::mem;
use std::ops::ControlFlow;

use super::coding_step::Status;
use super::content_coding::{Coding, Decoder};

/// Length of the buffer between two stages, in bytes.
const BUFFER_BYTES: usize = 16 * 1024;

/// Bytes that a decoder is given at a time. Decoders keep output back and lose it when they fail,
/// more or less of it by where their input happened to end; in pieces of one length, what is left
/// of a damaged body depends on the body alone and not on its chunks.
const PIECE_BYTES: usize = 1024;

/// How a gzip file begins (RFC 1952 §2.3.1): ID1, ID2, and deflate as the method.
const GZIP_START: [u8; 3] = [0x1f, 0x8b, 8];

/// How much of a stage's input is kept to tell text from coded data, in bytes.
const START_BYTES: usize = 64;

/// Why decoding stopped before the input was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The input of this stage is not what its coding says.
    Failed,
    /// A stage produced more than the decode limit.
    OverLimit,
}

/// Keeps the first bytes of what is decoded and counts all of them.
#[derive(Debug)]
pub(super) struct Sink<'b> {
    kept: &'b mut Vec<u8>,
    keep: usize,
    length: u64,
    /// The first bytes, which are needed even where none is kept.
    start: Vec<u8>,
}

impl<'b> Sink<'b> {
    /// A sink that keeps at most `keep` bytes in `kept`, which is cleared.
    pub(super) fn new(kept: &'b mut Vec<u8>, keep: usize) -> Self {
        kept.clear();
        Self {
            kept,
            keep,
            length: 0,
            start: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let wanted = GZIP_START.len() - self.start.len();
        (self.start).extend_from_slice(&bytes[..bytes.len().min(wanted)]);
        let room = self.keep - self.kept.len();
        self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.length += bytes.len() as u64;
    }

    /// Whether a gzip file was pushed.
    pub(super) fn begins_as_gzip(&self) -> bool {
        self.start == GZIP_START
    }

    /// Bytes pushed, kept or not.
    pub(super) fn length(&self) -> u64 {
        self.length
    }
}

/// One coding being undone.
pub(super) struct Stage {
    coding: Coding,
    decoder: Decoder,
    buffer: Box<[u8]>,
    /// Input that is less than a piece.
    held: Vec<u8>,
    /// The first bytes of the stage's input.
    start: Vec<u8>,
    /// Bytes decoded so far.
    produced: u64,
    has_failed: bool,
}

impl Stage {
    pub(super) fn new(coding: Coding) -> Self {
        Self {
            coding,
            decoder: Decoder::new(coding),
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            held: Vec::new(),
            start: Vec::with_capacity(START_BYTES),
            produced: 0,
            has_failed: false,
        }
    }

    pub(super) fn coding(&self) -> Coding {
        self.coding
    }

    /// Whether a checksum is wrong or data follows the end of the coded stream.
    pub(super) fn is_damaged(&self) -> bool {
        self.decoder.is_damaged()
    }

    /// Whether the coded stream has begun and not ended.
    pub(super) fn is_unfinished(&self) -> bool {
        !self.start.is_empty() && !self.decoder.is_finished()
    }

    /// Whether what the stage was given was never coded: nothing came out of it before it failed,
    /// or it reads as text. (`br` and raw deflate have no magic number, so that text may decode to
    /// a few bytes before it fails.)
    pub(super) fn was_given_plain_data(&self) -> bool {
        let is_broken = self.has_failed || self.is_unfinished();
        is_broken && (self.has_failed && self.produced == 0 || is_text(&self.start))
    }
}

/// Decodes `input` through all `stages` into `sink`, except for what does not fill
/// a piece yet. No stage may produce more than `max_decoded` bytes.
pub(super) fn feed(
    stages: &mut [Stage],
    mut input: &[u8],
    sink: &mut Sink<'_>,
    max_decoded: u64,
) -> ControlFlow<Stop> {
    let Some((stage, rest)) = stages.split_first_mut() else {
        sink.push(input);
        return ControlFlow::Continue(());
    };
    let wanted = START_BYTES - stage.start.len();
    stage
        .start
        .extend_from_slice(&input[..input.len().min(wanted)]);
    while let Some((now, later)) = input.split_at_checked(PIECE_BYTES - stage.held.len()) {
        input = later;
        if stage.held.is_empty() {
            decode(stage, rest, now, sink, max_decoded)?;
        } else {
            stage.held.extend_from_slice(now);
            decode_held(stage, rest, sink, max_decoded)?;
        }
    }
    stage.held.extend_from_slice(input);
    ControlFlow::Continue(())
}

/// Decodes what the stages hold at the end of the input.
pub(super) fn finish(
    stages: &mut [Stage],
    sink: &mut Sink<'_>,
    max_decoded: u64,
) -> ControlFlow<Stop> {
    let Some((stage, rest)) = stages.split_first_mut() else {
        return ControlFlow::Continue(());
    };
    if !stage.held.is_empty() {
        decode_held(stage, rest, sink, max_decoded)?;
    }
    finish(rest, sink, max_decoded)
}

fn decode_held(
    stage: &mut Stage,
    rest: &mut [Stage],
    sink: &mut Sink<'_>,
    max_decoded: u64,
) -> ControlFlow<Stop> {
    let mut piece = mem::take(&mut stage.held);
    let flow = decode(stage, rest, &piece, sink, max_decoded);
    piece.clear();
    stage.held = piece;
    flow
}

/// Decodes one piece through `stage` and feeds the `rest`.
fn decode(
    stage: &mut Stage,
    rest: &mut [Stage],
    mut input: &[u8],
    sink: &mut Sink<'_>,
    max_decoded: u64,
) -> ControlFlow<Stop> {
    loop {
        let step = stage.decoder.step(input, &mut stage.buffer);
        input = &input[step.read..];
        let left = max_decoded - stage.produced;
        stage.produced += step.written as u64;
        let written = step
            .written
            .min(usize::try_from(left).unwrap_or(usize::MAX));
        if written > 0 {
            feed(rest, &stage.buffer[..written], sink, max_decoded)?;
        }
        if stage.produced > max_decoded {
            return ControlFlow::Break(Stop::OverLimit);
        }
        let is_idle = step.read == 0 && step.written == 0;
        let may_hold_more = step.written == stage.buffer.len();
        if step.status == Status::Failed || (is_idle && !input.is_empty()) {
            stage.has_failed = true;
            return ControlFlow::Break(Stop::Failed);
        }
        if input.is_empty() && !may_hold_more {
            return ControlFlow::Continue(());
        }
    }
}

/// Whether bytes read as text: UTF-8 (a character may be cut at the end) without control characters
/// other than white space.
fn is_text(bytes: &[u8]) -> bool {
    let is_utf8 = match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    !bytes.is_empty() && is_utf8 && !bytes.iter().any(is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_what_is_not() {
        assert!(is_text(b"User-agent: *\r\n\tDisallow: /caf\xc3"));
        assert!(is_text("\u{feff}# häufig".as_bytes()));
        for coded in [
            &b""[..],
            b"\x1f\x8b\x08",
            b"\x28\xb5\x2f\xfd",
            b"a\0b",
            b"caf\xe9 ",
            b"\x7f",
        ] {
            assert!(!is_text(coded));
        }
    }
}
