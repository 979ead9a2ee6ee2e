//! How the window grows: one step of decoding at a time.

use std::io;

use crate::container::{DICTIONARY_MAGIC, Format, StreamDecoder, UnitState};
use crate::damage::DamageKind;

use super::{Failure, STEP_BYTES, Window};

/// Room given to the decoder for a step.
static ZEROS: [u8; STEP_BYTES] = [0; STEP_BYTES];

impl Window<'_> {
    /// Decodes one step further; false at the end of the file and in a damaged unit.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.failure.is_some() {
            return Ok(false);
        }
        let bytes = self.container.input.read(self.position, STEP_BYTES)?;
        if bytes.is_empty() && (self.decoder.is_none() || self.is_plain()) {
            return Ok(false);
        }
        if self.decoder.is_none() && !self.begin_unit(&bytes)? {
            return Ok(false);
        }
        if self.at > 4 * STEP_BYTES && self.at * 2 > self.buffer.len() {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let length = self.buffer.len();
        // Not `resize`: a debug build sets one byte after the other.
        self.buffer.extend_from_slice(&ZEROS);
        let Some(decoder) = self.decoder.as_mut() else {
            return Ok(false);
        };
        let step = decoder.step(&bytes, &mut self.buffer[length..]);
        self.buffer.truncate(length + step.written);
        self.position += step.consumed as u64;
        self.judge_units();
        let is_stuck = step.consumed + step.written == 0;
        let (kind, message) = match step.state {
            UnitState::Corrupt(message) => (DamageKind::Corrupt, message),
            UnitState::Open if is_stuck && bytes.is_empty() => (
                DamageKind::Truncated,
                "cut off by the end of the file".to_owned(),
            ),
            UnitState::Open if is_stuck => (
                DamageKind::Corrupt,
                "the data cannot be decoded further".to_owned(),
            ),
            state => {
                self.decoder.take_if(|_| state == UnitState::Finished);
                // The window's first byte may belong to a unit that was still ahead.
                self.advance(0);
                return Ok(true);
            }
        };
        let unit = self.units.back().copied().unwrap_or(self.unit);
        Ok(self.fail(unit, unit.1 + 1, kind, message))
    }

    /// Begins the unit that begins with `start`; false if it cannot be decoded.
    fn begin_unit(&mut self, start: &[u8]) -> io::Result<bool> {
        let unit = (self.decoded + self.bytes().len() as u64, self.position);
        let format = self.container.format;
        if format == Format::Zstd && start.starts_with(&DICTIONARY_MAGIC) {
            if self.dictionaries.back() != Some(&self.position) {
                self.dictionaries.push_back(self.position);
            }
            self.dictionary = None;
            match self.container.dictionary(self.position)? {
                Ok(dictionary) => self.dictionary = Some(dictionary),
                Err(bad) => {
                    let kind = DamageKind::BadDictionary;
                    return Ok(self.fail(unit, bad.resume, kind, bad.message));
                }
            }
        }
        match StreamDecoder::begin(format, self.dictionary.as_deref(), start) {
            Ok(decoder) => self.decoder = Some(decoder),
            Err(message) => {
                return Ok(self.fail(unit, unit.1 + 1, DamageKind::Corrupt, message));
            }
        }
        if self.is_plain() {
            return Ok(true);
        }
        if let Some(without_data) = self.units.back_mut().filter(|last| last.0 == unit.0) {
            without_data.1 = unit.1;
        } else {
            self.units.push_back(unit);
            self.doubtful += 1;
        }
        Ok(true)
    }

    /// Ends the data with the failure of a unit. Returns false, for [`fill`](Self::fill) to return.
    fn fail(
        &mut self,
        (decoded, file): (u64, u64),
        resume: u64,
        kind: DamageKind,
        message: String,
    ) -> bool {
        self.decoder = None;
        self.failure = Some(Failure {
            kind,
            message,
            file,
            resume,
            decoded,
        });
        false
    }
}
