//! A window over an unpacked input, for the readers of lines, rows and entries.

use std::io;
use std::sync::Arc;

use memchr::memchr;
use warc_recovery::container::{DICTIONARY_MAGIC, Format, StreamDecoder, UnitState};
use warc_recovery::damage::{Damage, DamageKind};
use warc_recovery::input::Input;

use super::batch::RowLocation;

const STEP_BYTES: usize = 64 * 1024;

/// Space for the output of the decoder in a step.
static ZEROS: [u8; STEP_BYTES] = [0; STEP_BYTES];

/// The bytes of an input in order, unpacked; bytes that are not used yet are held.
pub(crate) struct Window {
    input: Arc<Input>,
    packing: Format,
    /// Offset in the file of the next byte to be unpacked.
    at: u64,
    decoder: Option<StreamDecoder>,
    /// Offset in the file up to which [`take_read`](Self::take_read) has counted.
    counted: u64,
    held: Vec<u8>,
    /// Bytes at the start of `held` that are used; they are dropped when more is read.
    used: usize,
    /// Offset of the first byte held, in the unpacked file.
    pub(crate) start: u64,
    pub(crate) is_ended: bool,
    /// The end of a packed file that could not be unpacked, until it is taken.
    pub(crate) damage: Option<Damage>,
}

impl Window {
    pub(crate) fn new(input: Arc<Input>, packing: Format) -> Self {
        Self {
            input,
            packing,
            at: 0,
            decoder: None,
            counted: 0,
            held: Vec::new(),
            used: 0,
            start: 0,
            is_ended: false,
            damage: None,
        }
    }

    pub(crate) fn of(input: &Arc<Input>) -> io::Result<Self> {
        let packing = Self::packing(&input.read(0, 4)?);
        Ok(Self::new(Arc::clone(input), packing))
    }

    pub(super) fn again(&self) -> Self {
        Self::new(Arc::clone(&self.input), self.packing)
    }

    pub(crate) fn packing(start: &[u8]) -> Format {
        // Only archives have a dictionary, and only their reader applies it.
        if start.starts_with(&DICTIONARY_MAGIC) {
            return Format::Plain;
        }
        Format::of_start(start)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.held[self.used..]
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.packing == Format::Plain
    }

    /// The location of everything that has been passed since `start`.
    pub(super) fn location(&self, start: u64, name: String) -> RowLocation {
        RowLocation::new(start, self.start - start, self.is_plain(), name)
    }

    /// Reads until at least `length` bytes are held, fewer only at the end.
    pub(crate) fn fill(&mut self, length: usize) -> io::Result<()> {
        if self.bytes().len() >= length || self.is_ended {
            return Ok(());
        }
        self.held.drain(..self.used);
        self.used = 0;
        while self.held.len() < length && !self.is_ended {
            let from = self.at;
            if let Some((kind, message)) = self.step()? {
                self.is_ended = true;
                self.damage = Some(Damage {
                    offset: self.at,
                    length: self.input.len() - self.at,
                    kind,
                    message,
                });
            }
            self.input.release(from, self.at);
        }
        Ok(())
    }

    /// Unpacks some bytes. Returns why the next bytes cannot be unpacked, if so.
    fn step(&mut self) -> io::Result<Option<(DamageKind, String)>> {
        let piece = self.input.read(self.at, STEP_BYTES)?;
        let is_plain = self.packing == Format::Plain;
        let decoder = match &mut self.decoder {
            Some(decoder) => decoder,
            // Padding, as on tapes.
            None if !is_plain && piece.iter().all(|byte| *byte == 0) => {
                self.at += piece.len() as u64;
                self.is_ended = self.at == self.input.len();
                return Ok(None);
            }
            None => match StreamDecoder::begin(self.packing, None, &piece) {
                Ok(decoder) => self.decoder.insert(decoder),
                Err(message) => return Ok(Some((DamageKind::Corrupt, message))),
            },
        };
        let filled = self.held.len();
        // Not `resize`: a debug build sets one byte after the other.
        self.held.extend_from_slice(&ZEROS);
        let step = decoder.step(&piece, &mut self.held[filled..]);
        self.held.truncate(filled + step.written);
        self.at += step.consumed as u64;
        let is_stuck = step.consumed + step.written == 0;
        let is_read = self.at == self.input.len();
        Ok(match step.state {
            UnitState::Corrupt(message) => Some((DamageKind::Corrupt, message)),
            UnitState::Open if is_plain || !is_stuck => {
                self.is_ended = is_plain && is_read;
                None
            }
            UnitState::Open if is_read => {
                let message = "the file is cut off within a gzip member or zstd frame";
                Some((DamageKind::Truncated, message.to_owned()))
            }
            UnitState::Open => Some((DamageKind::Corrupt, "it does not unpack".to_owned())),
            UnitState::Finished => {
                self.decoder = None;
                self.is_ended = is_read;
                None
            }
        })
    }

    pub(crate) fn advance(&mut self, length: usize) {
        self.used += length;
        self.start += length as u64;
    }

    pub(super) fn take(&mut self, length: usize) -> Vec<u8> {
        let taken = self.bytes()[..length].to_vec();
        self.advance(length);
        taken
    }

    /// Drops `length` bytes, fewer only at the end. Returns how many.
    pub(super) fn skip(&mut self, length: u64) -> io::Result<u64> {
        let mut left = length;
        loop {
            let held = self.bytes().len();
            let dropped = usize::try_from(left).map_or(held, |left| left.min(held));
            self.advance(dropped);
            left -= dropped as u64;
            if left == 0 || self.is_ended {
                return Ok(length - left);
            }
            self.fill(STEP_BYTES)?;
        }
    }

    /// Reads until the next line is held. Returns its length, line end included; `None` if no line
    /// end comes before the end of the file, or within `most` bytes.
    pub(crate) fn line(&mut self, line_end: u8, most: usize) -> io::Result<Option<usize>> {
        let mut searched = 0;
        loop {
            if let Some(end) = memchr(line_end, &self.bytes()[searched..]) {
                return Ok(Some(searched + end + 1));
            }
            searched = self.bytes().len();
            if self.is_ended || searched >= most {
                return Ok(None);
            }
            self.fill((searched * 2).clamp(STEP_BYTES, most))?;
        }
    }

    /// Drops the first line that is held, with its end. Returns 1 if it has an end, else 0.
    pub(crate) fn skip_line(&mut self, line_end: u8) -> io::Result<u64> {
        loop {
            let end = memchr(line_end, self.bytes());
            self.advance(end.map_or(self.bytes().len(), |end| end + 1));
            if end.is_some() || self.is_ended {
                return Ok(u64::from(end.is_some()));
            }
            self.fill(STEP_BYTES)?;
        }
    }

    /// Bytes of a packed file that have been unpacked since the last call; 0 for a plain one.
    pub(super) fn take_read(&mut self) -> u64 {
        if self.is_plain() {
            return 0;
        }
        let counted = std::mem::replace(&mut self.counted, self.at);
        self.at - counted
    }
}
