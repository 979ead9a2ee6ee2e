//! Containers: how records are packed into a file.
//!
//! A file is a sequence of *units* that can be decoded on their own: a record (plain), a member
//! (gzip, RFC 1952) or a frame (zstd, RFC 8878, with the dictionary frame of the WARC-zstd
//! specification 1.0). The format is recognised by content, never by name.
//!
//! There are two decoders. [`UnitDecoder`] decodes an intact unit of usual size in one call; the
//! parallel [split reader](crate::split) uses it. [`StreamDecoder`] decodes the units that
//! [`UnitDecoder`] declines (damaged or very large) in small steps under a bound.

mod detect;
pub(crate) mod dictionary;
pub(crate) mod frames;
mod inflate;
mod magic;
mod stream;
mod unit;

use std::io;
use std::sync::Arc;

use memchr::{memchr2_iter, memmem};

use crate::arc;
use crate::input::Input;
use crate::names::names;
use crate::syntax::RecordSyntax;

pub use dictionary::{BadDictionary, Dictionary};
pub use magic::DICTIONARY_MAGIC;
pub(crate) use magic::{GZIP_MAGIC, gzip_candidates};
pub use stream::{DecodeStep, StreamDecoder, UnitState};
pub(crate) use stream::{FrameDecoder, inflate};
pub use unit::{Unit, UnitDecoder};

use frames::{MAX_HEADER_BYTES, MAX_ZSTD_BLOCK_BYTES};
use magic::{ZSTD_MAGIC, begins_skippable_frame, skippable_frame_length};

/// The first data of a member must begin within this many bytes: the longest extra field, 64 KiB,
/// and names and comments, which are short. The bound limits the time to search damaged ranges full
/// of heads.
const GZIP_START_BYTES: usize = 80 * 1024;
/// The same for a frame, whose decoder returns nothing before it has a whole block, with its header
/// of 3 bytes (RFC 8878 §3.1.1.2).
const ZSTD_START_BYTES: usize = MAX_HEADER_BYTES + 3 + MAX_ZSTD_BLOCK_BYTES;
/// If a unit does not begin with a record, one must begin within this many decoded bytes: the block
/// size of the usual block compressors.
const HOLD_BYTES: usize = 64 * 1024;
/// Bytes searched for a candidate at a time.
const SEARCH_WINDOW_BYTES: usize = 256 * 1024;

names! {
    /// How the records of a file are packed.
    pub enum Format {
        /// Records one after the other, not compressed.
        Plain = "plain",
        /// gzip members.
        Gzip = "gzip",
        /// zstd frames.
        Zstd = "zstd",
    }
}

impl Format {
    /// How data that begin with `start`, at least their first four bytes, are packed.
    #[must_use]
    pub fn of_start(start: &[u8]) -> Self {
        if start.starts_with(&GZIP_MAGIC) {
            Self::Gzip
        } else if start.starts_with(&ZSTD_MAGIC) || begins_skippable_frame(start) {
            Self::Zstd
        } else {
            Self::Plain
        }
    }
}

/// A place in a file where a unit begins, or should begin; by default the start of the file. Two
/// readers that reach the same boundary continue alike.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Boundary {
    /// Byte offset in the file.
    pub offset: u64,
    /// Byte offset of the last zstd dictionary frame before [`offset`](Self::offset), whose
    /// dictionary applies from there on; `None` if there is no such frame.
    pub dictionary: Option<u64>,
}

impl Boundary {
    /// The boundary at `offset`, where no dictionary applies.
    #[must_use]
    pub const fn at(offset: u64) -> Self {
        Self {
            offset,
            dictionary: None,
        }
    }

    /// The boundary at `offset`, with the same dictionary.
    #[must_use]
    pub const fn moved_to(self, offset: u64) -> Self {
        Self { offset, ..self }
    }
}

/// An input, and how it is packed.
#[derive(Clone)]
pub struct Container {
    /// The packed records.
    pub input: Input,
    /// The format of its units.
    pub format: Format,
    /// How its records are written.
    pub syntax: RecordSyntax,
    /// Id of the zstd dictionary that the file begins with, 0 for a raw-content dictionary; `None`
    /// without a dictionary, or if the dictionary is damaged.
    pub dictionary_id: Option<u32>,
    dictionaries: Arc<dictionary::Dictionaries>,
}

impl Container {
    /// A container of WARC records; [`detect`](Self::detect) recognises the format of a file.
    #[must_use]
    pub fn new(input: &Input, format: Format) -> Self {
        Self {
            input: input.clone(),
            format,
            syntax: RecordSyntax::Warc,
            dictionary_id: None,
            dictionaries: Arc::default(),
        }
    }

    /// The bytes from offset `start` to `end` as a separate container, packed in the same way.
    #[must_use]
    pub fn part(&self, start: u64, end: u64) -> Self {
        Self {
            input: self.input.part(start, end),
            dictionaries: Arc::clone(&self.dictionaries),
            ..*self
        }
    }

    /// The first [candidate](Self::find_candidate) at or after `from` and before `bound`.
    pub(crate) fn next_candidate(&self, from: u64, bound: u64) -> io::Result<Option<u64>> {
        let mut start = from;
        while start < bound {
            let window = self.input.read(start, SEARCH_WINDOW_BYTES)?;
            if let Some(at) = self.find_candidate(&window, 0) {
                return Ok(Some(start + at as u64).filter(|at| *at < bound));
            }
            start += (SEARCH_WINDOW_BYTES - self.syntax.overlap_bytes()) as u64;
        }
        Ok(None)
    }

    /// The next offset in `bytes`, from `from` on, where a unit may begin.
    ///
    /// Only magic numbers are compared, which also occur inside units. So the offset is a guess: a
    /// reader that starts there must check that the previous unit ends there, or that the next one
    /// decodes.
    #[must_use]
    pub fn find_candidate(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        match self.format {
            Format::Plain if self.syntax == RecordSyntax::Arc => arc::find_next_head(bytes, from),
            Format::Plain => memmem::find(rest, b"\nWARC/").map(|at| from + at + 1),
            Format::Zstd => {
                let magics = [ZSTD_MAGIC, DICTIONARY_MAGIC];
                let is_magic = |at: &usize| magics.iter().any(|it| rest[*at..].starts_with(it));
                let mut firsts = memchr2_iter(ZSTD_MAGIC[0], DICTIONARY_MAGIC[0], rest);
                firsts.find(is_magic).map(|at| from + at)
            }
            Format::Gzip => gzip_candidates(rest).next().map(|at| from + at),
        }
    }

    /// The dictionary in the zstd dictionary frame at `offset`.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read. The inner error is a dictionary that cannot be used.
    pub fn dictionary(&self, offset: u64) -> io::Result<Result<Arc<Dictionary>, BadDictionary>> {
        self.dictionaries.get(&self.input, offset)
    }

    /// The dictionary that applies at `boundary`; `None` without one, or if it is damaged.
    pub(crate) fn dictionary_at(&self, boundary: Boundary) -> io::Result<Option<Arc<Dictionary>>> {
        match boundary.dictionary {
            Some(offset) => Ok(self.dictionary(offset)?.ok()),
            None => Ok(None),
        }
    }

    /// Whether the unit at `boundary` decodes to the start of a record.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn begins_record_at(&self, boundary: Boundary) -> io::Result<bool> {
        let mut start = vec![0; self.syntax.start_bytes()];
        let length = self.decode_start(boundary, &mut start)?;
        Ok(self.syntax.begins_record(&start[..length]))
    }

    /// Whether a record begins among the first bytes that the unit at `boundary` decodes to: in
    /// archives packed by block compressors, a record may run on from one member into the next.
    pub(crate) fn holds_record_at(&self, boundary: Boundary) -> io::Result<bool> {
        let mut start = vec![0; HOLD_BYTES];
        let length = self.decode_start(boundary, &mut start)?;
        let start = &start[..length];
        // A packed dictionary whose frame has lost its head holds pieces of records, not records.
        let is_dictionary = start.starts_with(&dictionary::FORMATTED_MAGIC);
        let holds = |start| self.syntax.find_next_head(start, 0).is_some();
        Ok(self.syntax.begins_record(start) || !is_dictionary && holds(start))
    }

    /// Whether a dictionary frame begins at `boundary` beyond doubt: the dictionary has entropy
    /// tables, or with it the next frame decodes to a record.
    pub(crate) fn holds_dictionary_at(&self, boundary: Boundary) -> io::Result<bool> {
        let head = self.input.read(boundary.offset, 8)?;
        let Some(length) = skippable_frame_length(&head) else {
            return Ok(false);
        };
        let Ok(dictionary) = dictionary::read(&self.input, boundary.offset)? else {
            return Ok(false);
        };
        if dictionary.is_formatted() {
            return Ok(true);
        }
        let next = Boundary {
            offset: boundary.offset + length,
            dictionary: Some(boundary.offset),
        };
        self.begins_record_at(next)
    }

    /// Fills `start` with the first bytes that the unit at `boundary` decodes to. Returns how many.
    fn decode_start(&self, boundary: Boundary, start: &mut [u8]) -> io::Result<usize> {
        let start_bytes = match self.format {
            Format::Plain => start.len(),
            Format::Gzip => GZIP_START_BYTES,
            Format::Zstd => ZSTD_START_BYTES,
        };
        let bytes = self.input.read(boundary.offset, start_bytes)?;
        let dictionary = self.dictionary_at(boundary)?;
        let Ok(mut decoder) = StreamDecoder::begin(self.format, dictionary.as_deref(), &bytes)
        else {
            return Ok(0);
        };
        let (mut filled, mut used) = (0, 0);
        while filled < start.len() {
            let step = decoder.step(&bytes[used..], &mut start[filled..]);
            used += step.consumed;
            filled += step.written;
            if step.state != UnitState::Open || step.consumed + step.written == 0 {
                break;
            }
        }
        Ok(filled)
    }
}

#[cfg(test)]
mod tests;
