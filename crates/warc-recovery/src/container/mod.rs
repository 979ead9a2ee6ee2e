//! Containers: how WARC records are packed into a file.
//!
//! Second stage of the flow, after [`input`](crate::input). A file is a sequence of *units* that
//! can be decoded on their own: a record (plain WARC), a member (gzip, RFC 1952) or a frame
//! (zstd, RFC 8878, with the dictionary frame of the WARC-zstd specification 1.0). The format is
//! recognised by content, never by name.
//!
//! Two ways lead through a unit. [`UnitDecoder`] decodes one that is intact and of usual size in
//! one call; it is what the parallel [split reader](crate::split) uses. [`StreamDecoder`] takes
//! what the first declines (damage, giants) in small steps under a bound.

mod boundary;
pub(crate) mod dictionary;
pub(crate) mod frames;
pub(crate) mod gzip_head;
mod inflate;
mod stream;
mod unit;

use std::io;
use std::sync::Arc;

use memchr::{memchr2_iter, memmem};

use crate::input::Input;
use crate::warc::{begins_record, find_next_head};

use gzip_head::Shape;

pub use boundary::Boundary;
pub use dictionary::{BadDictionary, Dictionary};
pub use stream::{NoUnit, State, Step, StreamDecoder};
pub use unit::{Peek, Unit, UnitDecoder};

/// First bytes of a zstd frame (RFC 8878 §3.1.1), little-endian 0xFD2FB528.
pub(crate) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// First bytes of an ARC file, packed or not (the ancestor of WARC, which is not read).
const ARC_MAGIC: &[u8; 11] = b"filedesc://";
/// Bytes looked at to recognise a format.
const DETECT_BYTES: usize = 64 * 1024;
/// Bytes of a member in which its first data must begin: the longest extra field, 64 KiB, and names
/// and comments, which are short. A bound, so that damaged ranges full of heads are searched in
/// bounded time.
const GZIP_START_BYTES: usize = 80 * 1024;
/// The same for a frame, whose decoder hands out nothing before it has a block of 128 KiB whole
/// (RFC 8878 §3.1.1.2: header of 18 bytes at most, block header of 3).
const ZSTD_START_BYTES: usize = 128 * 1024 + 18 + 3;
/// Bytes that a unit decodes to among which a record must begin, if it does not begin with one: a
/// block of the usual block compressors.
const HOLD_BYTES: usize = 64 * 1024;

/// Bytes searched for a candidate at a time.
const SEARCH_WINDOW_BYTES: usize = 256 * 1024;

/// How the records of a file are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Records one after the other, not compressed.
    Plain,
    /// gzip members.
    Gzip,
    /// zstd frames.
    Zstd,
}

impl Format {
    /// The name used in `inputs.container`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }
}

/// What is known of one file's packing.
#[derive(Clone)]
pub struct Container {
    /// The format of its units.
    pub format: Format,
    /// Id of the zstd dictionary that the file begins with, 0 for a raw-content dictionary; none
    /// where it begins with none, or with one that is damaged.
    pub dictionary_id: Option<u32>,
    dictionaries: Arc<dictionary::Dictionaries>,
}

/// A file that is not read, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct NotWarc {
    /// What it looks like, and the remedy where one is known.
    pub message: String,
}

impl Container {
    /// A container of this format; [`detect`](Self::detect) recognises that of a file.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self {
            format,
            dictionary_id: None,
            dictionaries: Arc::default(),
        }
    }

    /// Recognises the container of `input` by its first bytes.
    ///
    /// ```
    /// use warc_recovery::container::{Container, Format};
    /// use warc_recovery::input::{Input, Source};
    ///
    /// # let directory = tempfile::tempdir()?;
    /// # let path = directory.path().join("file");
    /// std::fs::write(&path, "WARC/1.0\r\nContent-Length: 0\r\n\r\n\r\n\r\n")?;
    /// let input = Input::open(&Source::Path(path.clone()), true, &std::env::temp_dir())?;
    /// let container = Container::detect(&input)?.expect("a WARC file");
    /// assert_eq!(container.format, Format::Plain);
    ///
    /// std::fs::write(&path, "BZh91AY")?;
    /// let input = Input::open(&Source::Path(path), true, &std::env::temp_dir())?;
    /// let not_warc = Container::detect(&input)?.err().expect("no WARC file");
    /// assert!(not_warc.message.contains("bzip2 -d"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read. The inner result is the verdict on its content.
    pub fn detect(input: &Input) -> io::Result<Result<Self, NotWarc>> {
        let start = input.read(0, DETECT_BYTES)?;
        if start.starts_with(&dictionary::MAGIC) {
            let mut container = Self::new(Format::Zstd);
            let dictionary = container.dictionary(input, 0)?;
            container.dictionary_id = dictionary.ok().map(|dictionary| dictionary.id);
            return Ok(Ok(container));
        }
        let format = if start.starts_with(&gzip_head::MAGIC) {
            Format::Gzip
        } else if start.starts_with(&ZSTD_MAGIC)
            || is_skippable_frame(&start)
            || dictionary::begins_without_head(&start)
        {
            Format::Zstd
        } else if begins_record(&start) {
            Format::Plain
        } else {
            return Self::detect_behind_damage(input, &start);
        };
        let container = Self::new(format);
        let mut unpacked = [0; ARC_MAGIC.len()];
        container.decode_start(input, Boundary::START, &mut unpacked)?;
        Ok(if unpacked == *ARC_MAGIC {
            Err(NotWarc {
                message: describe(&unpacked),
            })
        } else {
            Ok(container)
        })
    }

    /// The dictionary in the zstd dictionary frame at `offset` in `input`.
    ///
    /// # Errors
    ///
    /// Fails where the file cannot be read. The inner error is a dictionary that cannot be used.
    pub fn dictionary(
        &self,
        input: &Input,
        offset: u64,
    ) -> io::Result<Result<Arc<Dictionary>, BadDictionary>> {
        self.dictionaries.get(input, offset)
    }

    /// The dictionary that applies at `boundary`; none where there is none, or a damaged one.
    pub(crate) fn dictionary_at(
        &self,
        input: &Input,
        boundary: Boundary,
    ) -> io::Result<Option<Arc<Dictionary>>> {
        match boundary.dictionary {
            Some(offset) => Ok(self.dictionary(input, offset)?.ok()),
            None => Ok(None),
        }
    }

    /// Recognises a container whose first unit is damaged by the next one.
    fn detect_behind_damage(input: &Input, start: &[u8]) -> io::Result<Result<Self, NotWarc>> {
        for format in [Format::Plain, Format::Gzip, Format::Zstd] {
            let container = Self::new(format);
            let mut from = 0;
            while let Some(at) = container.find_candidate(start, from) {
                if container.holds_record_at(input, Boundary::at(at as u64))? {
                    return Ok(Ok(container));
                }
                from = at + 1;
            }
        }
        Ok(Err(NotWarc {
            message: describe(start),
        }))
    }

    /// Whether the unit at `boundary` decodes to the start of a record.
    pub(crate) fn begins_record_at(&self, input: &Input, boundary: Boundary) -> io::Result<bool> {
        let mut start = [0; 5];
        self.decode_start(input, boundary, &mut start)?;
        Ok(begins_record(&start))
    }

    /// Whether a record begins among the first bytes that the unit at `boundary` decodes to: block
    /// compressors let a record run on from one member into the next.
    pub(crate) fn holds_record_at(&self, input: &Input, boundary: Boundary) -> io::Result<bool> {
        let mut start = vec![0; HOLD_BYTES];
        let length = self.decode_start(input, boundary, &mut start)?;
        let start = &start[..length];
        // A packed dictionary whose frame has lost its head holds pieces of records, no records.
        let is_dictionary = start.starts_with(&dictionary::FORMATTED_MAGIC);
        Ok(begins_record(start) || !is_dictionary && find_next_head(start, 0).is_some())
    }

    /// Whether a dictionary frame begins at `boundary` whose dictionary is one beyond doubt: it has
    /// entropy tables, or the frame after it decodes with it to a record.
    pub(crate) fn holds_dictionary_at(
        &self,
        input: &Input,
        boundary: Boundary,
    ) -> io::Result<bool> {
        let head = input.read(boundary.offset, 8)?;
        let Some(length) = skippable_frame_length(&head) else {
            return Ok(false);
        };
        let Ok(dictionary) = dictionary::read(input, boundary.offset)? else {
            return Ok(false);
        };
        if dictionary.is_formatted() {
            return Ok(true);
        }
        let next = Boundary {
            offset: boundary.offset + length,
            dictionary: Some(boundary.offset),
        };
        self.begins_record_at(input, next)
    }

    /// Fills `start` with the first bytes that the unit at `boundary` decodes to, as far as it does;
    /// how many.
    fn decode_start(
        &self,
        input: &Input,
        boundary: Boundary,
        start: &mut [u8],
    ) -> io::Result<usize> {
        let start_bytes = match self.format {
            Format::Plain => start.len(),
            Format::Gzip => GZIP_START_BYTES,
            Format::Zstd => ZSTD_START_BYTES,
        };
        let bytes = input.read(boundary.offset, start_bytes)?;
        let dictionary = self.dictionary_at(input, boundary)?;
        let Ok(mut decoder) = StreamDecoder::begin(self.format, dictionary.as_ref(), &bytes) else {
            return Ok(0);
        };
        let (mut filled, mut used) = (0, 0);
        while filled < start.len() {
            let step = decoder.step(&bytes[used..], &mut start[filled..]);
            used += step.consumed;
            filled += step.written;
            if step.state != State::Open || step.consumed + step.written == 0 {
                break;
            }
        }
        Ok(filled)
    }

    /// Bytes at the end of a window in which a candidate may begin that is not recognised yet. A
    /// search window by window begins the next one so many bytes before the end of the last.
    pub(crate) const CANDIDATE_OVERLAP_BYTES: usize = 16;

    /// The first [candidate](Self::find_candidate) in the file at or after `from` and before `bound`.
    pub(crate) fn next_candidate(
        &self,
        input: &Input,
        from: u64,
        bound: u64,
    ) -> io::Result<Option<u64>> {
        let mut start = from;
        while start < bound {
            let window = input.read(start, SEARCH_WINDOW_BYTES)?;
            if let Some(at) = self.find_candidate(&window, 0) {
                return Ok(Some(start + at as u64).filter(|at| *at < bound));
            }
            start += (SEARCH_WINDOW_BYTES - Self::CANDIDATE_OVERLAP_BYTES) as u64;
        }
        Ok(None)
    }

    /// The first candidate as [`next_candidate`](Self::next_candidate) finds it, but in a gzip file
    /// preferably one with a head like that of the member at `start`.
    pub(crate) fn next_candidate_like(
        &self,
        input: &Input,
        start: u64,
        from: u64,
        bound: u64,
    ) -> io::Result<Option<u64>> {
        let shape = match self.format {
            Format::Gzip => Shape::of(&input.read(start, Shape::BYTES)?),
            Format::Plain | Format::Zstd => None,
        };
        if shape.is_some() {
            // As far as a member of usual size reaches.
            let window = input.read(from, SEARCH_WINDOW_BYTES)?;
            let found = gzip_candidates(&window).find(|at| Shape::of(&window[*at..]) == shape);
            if let Some(at) = found {
                return Ok(Some(from + at as u64).filter(|at| *at < bound));
            }
        }
        self.next_candidate(input, from, bound)
    }

    /// The next offset in `bytes`, from `from` on, where a unit may begin.
    ///
    /// A cheap look for magic numbers, and no proof: such bytes also occur inside units. Who
    /// starts there has to check that the unit before ends there, or that what follows decodes.
    #[must_use]
    pub fn find_candidate(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let rest = bytes.get(from..)?;
        match self.format {
            Format::Plain => memmem::find(rest, b"\nWARC/").map(|at| from + at + 1),
            Format::Zstd => memchr2_iter(ZSTD_MAGIC[0], dictionary::MAGIC[0], rest)
                .find(|&at| {
                    rest[at..].starts_with(&ZSTD_MAGIC)
                        || rest[at..].starts_with(&dictionary::MAGIC)
                })
                .map(|at| from + at),
            Format::Gzip => (gzip_candidates(rest).next()).map(|at| from + at),
        }
    }
}

/// Where gzip members may begin in `bytes`.
pub(crate) fn gzip_candidates(bytes: &[u8]) -> impl Iterator<Item = usize> {
    memmem::find_iter(bytes, &gzip_head::MAGIC).filter(|at| gzip_head::begins_member(&bytes[*at..]))
}

/// A skippable frame (RFC 8878 §3.1.2): magic 0x184D2A5? in little-endian order.
fn is_skippable_frame(bytes: &[u8]) -> bool {
    bytes.len() >= 8 && bytes[0] & 0xf0 == 0x50 && bytes[1..4] == [0x2a, 0x4d, 0x18]
}

/// Bytes of the skippable frame at the start of `bytes`, head included.
fn skippable_frame_length(bytes: &[u8]) -> Option<u64> {
    let size = bytes.get(4..8)?.try_into().ok().map(u32::from_le_bytes)?;
    is_skippable_frame(bytes).then_some(8 + u64::from(size))
}

/// Names what a file is that is no WARC, with the remedy.
fn describe(start: &[u8]) -> String {
    let known: [(&[u8], &str); 12] = [
        (b"\x04\x22\x4d\x18", "an LZ4 file: unpack it first (lz4 -d)"),
        (b"BZh", "a bzip2 file: unpack it first (bzip2 -d)"),
        (b"\xfd7zXZ", "an xz file: unpack it first (xz -d)"),
        (
            b"PK\x03\x04",
            "a ZIP archive: unpack it first (WACZ files hold their WARCs under archive/)",
        ),
        (
            ARC_MAGIC,
            "an ARC file: convert it to WARC first (warcio recompress)",
        ),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"\x89PNG", "a PNG image"),
        (b"%PDF", "a PDF document"),
        (b"PAR1", "a Parquet file: query it with DuckDB"),
        (b"<", "HTML or XML"),
        (b"{", "JSON"),
        (b"\x7fELF", "a program"),
    ];
    let what = known
        .iter()
        .find(|(magic, _)| start.starts_with(magic))
        .map(|(_, what)| *what);
    match what {
        Some(what) => format!("not a WARC file but {what}"),
        None => {
            "not a WARC file: no WARC record, gzip member or zstd frame at its start".to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_found_by_magic() {
        let gzip = Container::new(Format::Gzip);
        let bytes = b"xx\x1f\x8b\x08\xff\0\0\0\0\0\x03\x1f\x8b\x08\0\0\0\0\0\0\x03rest";
        assert_eq!(
            gzip.find_candidate(bytes, 0),
            Some(12),
            "reserved flags rule the first out"
        );
        let plain = Container::new(Format::Plain);
        assert_eq!(plain.find_candidate(b"WARC/1.0\r\n\nWARC/1.1", 0), Some(11));
        assert_eq!(plain.find_candidate(b"WARC/1.0", 40), None);
    }

    #[test]
    fn other_files_are_named_with_their_remedy() {
        assert!(describe(b"\x04\x22\x4d\x18rest").contains("lz4 -d"));
        assert!(describe(b"\xff\xd8\xff\xe0").contains("JPEG"));
        assert!(describe(b"hello").contains("no WARC record"));
    }
}
