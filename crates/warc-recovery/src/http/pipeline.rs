//! A chain of decoders, each of which reads what the one before has decoded.
//!
//! Codings may be stacked (RFC 9110 §8.4: listed in the order in which they were applied). Reading
//! through the chain holds one piece of input per coding, never a whole stage's output.

use super::content_coding::{Coding, Decoder};
use crate::container::UnitState;

/// Bytes that a decoder is given at a time. Decoders keep output back and lose it when they fail,
/// more or less of it by where their input happened to end; in pieces of one length, what is left
/// of a damaged body depends on the body alone.
const PIECE_BYTES: usize = 1024;

/// How much of a stage's input is kept to tell text from coded data, in bytes.
const START_BYTES: usize = 64;

/// Why decoding stopped before the input was used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// The input of a stage is not what its coding says.
    Failed,
    /// A stage produced more than the decode limit.
    OverLimit,
}

/// One coding being undone.
pub(super) struct Stage {
    decoder: Decoder,
    /// The input at hand.
    piece: Vec<u8>,
    /// Bytes of it that have been decoded.
    used: usize,
    /// Whether the decoder may give more without more input.
    may_hold_more: bool,
    /// The first bytes of the input.
    start: Vec<u8>,
    /// Bytes decoded so far.
    produced: u64,
    has_failed: bool,
}

impl Stage {
    pub(super) fn new(coding: Coding) -> Self {
        Self {
            decoder: Decoder::new(coding),
            piece: Vec::new(),
            used: 0,
            may_hold_more: false,
            start: Vec::new(),
            produced: 0,
            has_failed: false,
        }
    }

    pub(super) fn coding(&self) -> Coding {
        self.decoder.coding()
    }

    /// Whether data follows the end of the coded stream.
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

    /// Takes the next piece of what the stages `before` give.
    fn fill(
        &mut self,
        before: &mut [Self],
        stored: &mut &[u8],
        max_decoded: u64,
    ) -> Result<(), Stop> {
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
}

/// Decodes some of `stored` through all `stages` into `output`: how many bytes, none at the end.
/// No stage may produce more than `max_decoded`.
pub(super) fn read(
    stages: &mut [Stage],
    stored: &mut &[u8],
    output: &mut [u8],
    max_decoded: u64,
) -> Result<usize, Stop> {
    let Some((stage, before)) = stages.split_last_mut() else {
        let (now, later) = stored.split_at(stored.len().min(output.len()));
        output[..now.len()].copy_from_slice(now);
        *stored = later;
        return Ok(now.len());
    };
    loop {
        if stage.produced > max_decoded {
            return Err(Stop::OverLimit);
        }
        if stage.has_failed {
            return Err(Stop::Failed);
        }
        if stage.used == stage.piece.len() && !stage.may_hold_more {
            stage.fill(before, stored, max_decoded)?;
            if stage.piece.is_empty() {
                return Ok(0);
            }
        }
        let input = &stage.piece[stage.used..];
        let step = stage.decoder.step(input, output);
        let is_idle = step.consumed == 0 && step.written == 0;
        stage.has_failed =
            matches!(step.state, UnitState::Corrupt(_)) || is_idle && !input.is_empty();
        stage.used += step.consumed;
        stage.may_hold_more = step.written == output.len();
        let left = usize::try_from(max_decoded - stage.produced).unwrap_or(usize::MAX);
        stage.produced += step.written as u64;
        if step.written > 0 && left > 0 {
            return Ok(step.written.min(left));
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
