//! A window on the decoded data of consecutive units.

mod fill;
mod seek;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;

use crate::container::{Boundary, Container, Dictionary, Format, StreamDecoder};
use crate::damage::DamageKind;
use crate::sink::Position;
use crate::syntax::line_ends_length;

/// Bytes read from the file, and room given to the decoder, per step.
const STEP_BYTES: usize = 64 * 1024;

/// Whether enough decoded bytes are in the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Yes,
    /// Before that, at this byte of the window, a unit begins with a record head.
    NextRecord(usize),
    /// The data end before that, at the end of the file or in a damaged unit.
    End,
}

/// Why a unit does not decode to its end.
pub(super) struct Failure {
    pub(super) kind: DamageKind,
    pub(super) message: String,
    /// Offset in the file of the unit that does not decode.
    file: u64,
    /// Offset in the file where the search for the next unit begins.
    resume: u64,
    /// Decoded bytes before that unit.
    decoded: u64,
}

/// Decoded bytes of consecutive units, with the places where units begin.
pub(super) struct Window<'i> {
    pub(super) container: &'i Container,
    buffer: Vec<u8>,
    /// Where the window begins in `buffer`.
    at: usize,
    /// Decoded bytes before the window.
    decoded: u64,
    /// Offset in the file of the next byte to decode.
    position: u64,
    decoder: Option<StreamDecoder>,
    dictionary: Option<Arc<Dictionary>>,
    /// Offsets in the file of the dictionary frames seen, in order; of the frames already accounted
    /// for, only the last.
    dictionaries: VecDeque<u64>,
    /// The unit of the window's first byte: decoded bytes before it, and its offset in the file.
    unit: (u64, u64),
    /// Units that begin in the window, in order; of consecutive units without data, only the last.
    /// Hostile archives have millions of units, so none is examined repeatedly.
    units: VecDeque<(u64, u64)>,
    /// How many of the last `units` have too few bytes yet to recognise their beginning.
    doubtful: usize,
    /// The units that begin with a record head: decoded bytes before each.
    records: VecDeque<u64>,
    /// Why the data end before the end of the file: a unit does not decode.
    pub(super) failure: Option<Failure>,
    /// Offset in the file where the first window began.
    start: u64,
    /// Units decoded in search of a record that begins further on.
    looks: u64,
}

impl<'i> Window<'i> {
    pub(super) fn new(container: &'i Container, start: Boundary) -> io::Result<Self> {
        let dictionary = container.dictionary_at(start)?;
        let dictionaries = start.dictionary.into_iter().collect();
        let start = start.offset;
        Ok(Self {
            container,
            buffer: Vec::new(),
            at: 0,
            decoded: 0,
            position: start,
            decoder: None,
            dictionary,
            dictionaries,
            unit: (0, start),
            units: VecDeque::new(),
            doubtful: 0,
            records: VecDeque::new(),
            failure: None,
            start,
            looks: 0,
        })
    }

    /// The boundary at `offset`, before which everything is accounted for.
    pub(super) fn boundary(&mut self, offset: u64) -> Boundary {
        while self.dictionaries.get(1).is_some_and(|next| *next < offset) {
            self.dictionaries.pop_front();
        }
        let dictionary = self.dictionaries.front().copied();
        let dictionary = dictionary.filter(|first| *first < offset);
        Boundary { offset, dictionary }
    }

    pub(super) fn is_plain(&self) -> bool {
        self.container.format == Format::Plain
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    /// The position of the record that begins the window; its length is not known yet.
    pub(super) fn position(&self) -> Position {
        let (offset, inner_offset) = if self.is_plain() {
            (self.file_position(), 0)
        } else {
            (self.unit.1, self.decoded - self.unit.0)
        };
        Position {
            offset,
            inner_offset,
            length: None,
        }
    }

    /// Offset in the file up to which input was used for the data before the window; exact where a
    /// unit begins.
    pub(super) fn file_position(&self) -> u64 {
        if self.is_plain() {
            return self.position - self.bytes().len() as u64;
        }
        let end = self.units.partition_point(|unit| unit.0 <= self.decoded);
        match end.checked_sub(1).and_then(|last| self.units.get(last)) {
            Some((decoded, file)) if *decoded == self.decoded => *file,
            _ if self.decoded == self.unit.0 && !self.bytes().is_empty() => self.unit.1,
            // The window begins inside a unit: the unit counts as used up to the next one, or as
            // far as it is decoded; never further, or a unit that begins where a record ends would
            // be missed.
            _ => self.units.front().map_or(self.position, |(_, file)| *file),
        }
    }

    /// Whether the window begins where a unit does; for a plain container, always.
    pub(super) fn unit_begins_here(&self) -> bool {
        self.is_plain() || self.unit_begins_at(0)
    }

    pub(super) fn unit_begins_at(&self, ahead: usize) -> bool {
        let decoded = self.decoded + ahead as u64;
        if self.is_plain() {
            return false;
        }
        let is_ahead = self.units.binary_search_by_key(&decoded, |unit| unit.0);
        let is_known = is_ahead.is_ok() || self.unit.0 == decoded && !self.bytes().is_empty();
        let failed_at = self.failure.as_ref().map(|failure| failure.decoded);
        let is_between = self.bytes().len() == ahead
            && self.decoder.is_none()
            && failed_at.is_none_or(|failed| failed == decoded);
        is_known || is_between
    }

    /// Whether the window's data end `ahead` bytes on because a unit with data before that point is
    /// damaged: a record that ends there is damaged.
    pub(super) fn has_failed_at(&self, ahead: usize) -> bool {
        let end = self.decoded + ahead as u64;
        let has_failed_before = (self.failure.as_ref()).is_some_and(|it| it.decoded < end);
        ahead >= self.bytes().len() && has_failed_before
    }

    /// Decodes until `wanted` bytes are in the window.
    pub(super) fn reach(&mut self, wanted: usize) -> io::Result<Reach> {
        loop {
            // A unit at the window's start is not ahead of the window.
            let within = |decoded: u64| {
                let ahead = usize::try_from(decoded - self.decoded).unwrap_or(usize::MAX);
                (1..wanted).contains(&ahead).then_some(ahead)
            };
            if let Some(ahead) = self.records.front().copied().and_then(within) {
                return Ok(Reach::NextRecord(ahead));
            }
            let mut doubtful = self.units.range(self.units.len() - self.doubtful..);
            let is_doubtful = doubtful.any(|unit| within(unit.0).is_some());
            if self.bytes().len() >= wanted && !is_doubtful {
                return Ok(Reach::Yes);
            }
            if !self.fill()? {
                let is_there = self.bytes().len() >= wanted;
                return Ok(if is_there { Reach::Yes } else { Reach::End });
            }
        }
    }

    pub(super) fn skip_line_ends(&mut self) -> io::Result<Reach> {
        loop {
            if self.reach(1)? == Reach::End {
                return Ok(Reach::End);
            }
            let ends = line_ends_length(self.bytes());
            if ends == 0 {
                return Ok(Reach::Yes);
            }
            self.advance(ends);
        }
    }

    pub(super) fn advance(&mut self, bytes: usize) {
        let bytes = bytes.min(self.bytes().len());
        self.at += bytes;
        self.decoded += bytes as u64;
        // A unit that begins at the window's end has no data there yet: it stays ahead.
        let has_data = u64::from(!self.bytes().is_empty());
        let end = self.decoded + has_data;
        let passed = self.units.partition_point(|unit| unit.0 < end);
        if let Some(last) = self.units.drain(..passed).next_back() {
            self.unit = last;
        }
        self.doubtful = self.doubtful.min(self.units.len());
        let passed = self.records.partition_point(|at| *at <= self.decoded);
        self.records.drain(..passed);
    }

    /// Notes which units begin with a record head, as far as there are enough bytes to tell.
    fn judge_units(&mut self) {
        while self.doubtful > 0 {
            let (decoded, _) = self.units[self.units.len() - self.doubtful];
            let ahead = usize::try_from(decoded - self.decoded).unwrap_or(usize::MAX);
            match self.bytes().get(ahead..) {
                Some(start) if self.container.syntax.is_conclusive(start) => {
                    if ahead > 0 && self.container.syntax.begins_record(start) {
                        self.records.push_back(decoded);
                    }
                    self.doubtful -= 1;
                }
                _ => break,
            }
        }
    }

    pub(super) fn discard(&mut self) {
        self.advance(self.bytes().len());
    }

    pub(super) fn skip(&mut self, bytes: u64) -> io::Result<Reach> {
        let mut left = bytes;
        loop {
            let here = left.min(self.bytes().len() as u64);
            self.advance(usize::try_from(here).unwrap_or(usize::MAX));
            left -= here;
            if left == 0 {
                return Ok(Reach::Yes);
            }
            if self.is_plain() {
                let step = left.min(self.container.input.len() - self.position);
                self.position += step;
                return Ok(if step == left { Reach::Yes } else { Reach::End });
            }
            let next = usize::try_from(left).unwrap_or(usize::MAX).min(STEP_BYTES);
            match self.reach(next)? {
                Reach::NextRecord(at) => {
                    self.advance(at);
                    return Ok(Reach::NextRecord(0));
                }
                Reach::End if self.bytes().is_empty() => return Ok(Reach::End),
                Reach::Yes | Reach::End => {}
            }
        }
    }

    /// Whether the file can hold `bytes` more from the window on; always true if compressed.
    pub(super) fn can_hold(&self, bytes: u64) -> bool {
        !self.is_plain() || bytes <= self.container.input.len() - self.file_position()
    }
}
