//! How the window grows: one step of decoding at a time.

use std::io;

use crate::container::{DICTIONARY_MAGIC, Format, StreamDecoder, UnitState};
use crate::damage::DamageKind;

use super::{Failure, STEP_BYTES, Window};

impl Window<'_> {
    /// Decodes one step further; false at the end of the file and in a damaged unit.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.failure.is_some() {
            return Ok(false);
        }
        let bytes = self.input.read(self.position, STEP_BYTES)?;
        if bytes.is_empty() && (self.decoder.is_none() || self.is_plain()) {
            return Ok(false);
        }
        let end = self.decoded + self.bytes().len() as u64;
        if self.decoder.is_none() {
            let mut failure = self.begin_dictionary(&bytes)?;
            if failure.is_none() {
                let format = self.container.format;
                match StreamDecoder::begin(format, self.dictionary.as_ref(), &bytes) {
                    Ok(decoder) => self.decoder = Some(decoder),
                    Err(error) => {
                        let resume = self.position + 1;
                        failure = Some((DamageKind::Corrupt, error.to_string(), resume));
                    }
                }
            }
            if let Some((kind, message, resume)) = failure {
                self.failure = Some(Failure {
                    kind,
                    message,
                    file: self.position,
                    resume,
                    decoded: end,
                });
                return Ok(false);
            }
            if !self.is_plain() {
                if let Some(without_data) = self.units.back_mut().filter(|unit| unit.0 == end) {
                    without_data.1 = self.position;
                } else {
                    self.units.push_back((end, self.position));
                    self.doubtful += 1;
                }
            }
        }
        if self.at > 4 * STEP_BYTES && self.at * 2 > self.buffer.len() {
            self.buffer.drain(..self.at);
            self.at = 0;
        }
        let length = self.buffer.len();
        self.buffer.resize(length + STEP_BYTES, 0);
        let Some(decoder) = self.decoder.as_mut() else {
            return Ok(false);
        };
        let step = decoder.step(&bytes, &mut self.buffer[length..]);
        self.buffer.truncate(length + step.written);
        self.position += step.consumed as u64;
        self.judge_units();
        match step.state {
            UnitState::Corrupt(message) => return Ok(self.fail(DamageKind::Corrupt, message)),
            UnitState::Finished => self.decoder = None,
            UnitState::Open if step.consumed == 0 && step.written == 0 => {
                return Ok(if bytes.is_empty() {
                    self.fail(
                        DamageKind::Truncated,
                        "cut off by the end of the file".to_owned(),
                    )
                } else {
                    self.fail(
                        DamageKind::Corrupt,
                        "the data cannot be decoded further".to_owned(),
                    )
                });
            }
            UnitState::Open => {}
        }
        // The window's first byte may have come with a unit that was still ahead.
        self.advance(0);
        Ok(true)
    }

    /// Takes the dictionary of the unit that begins with `start`, if it is a dictionary frame. What
    /// is wrong with it, and where to read on.
    fn begin_dictionary(&mut self, start: &[u8]) -> io::Result<Option<(DamageKind, String, u64)>> {
        if self.container.format != Format::Zstd || !start.starts_with(&DICTIONARY_MAGIC) {
            return Ok(None);
        }
        if self.dictionaries.back() != Some(&self.position) {
            self.dictionaries.push_back(self.position);
        }
        let loaded = self.container.dictionary(self.input, self.position)?;
        self.dictionary = loaded.as_ref().ok().cloned();
        Ok(loaded
            .err()
            .map(|bad| (DamageKind::BadDictionary, bad.message, bad.resume)))
    }

    fn fail(&mut self, kind: DamageKind, message: String) -> bool {
        let (decoded, file) = self.units.back().copied().unwrap_or(self.unit);
        self.decoder = None;
        self.failure = Some(Failure {
            kind,
            message,
            file,
            resume: file + 1,
            decoded,
        });
        false
    }
}
