//! Where the window continues after a failure: at the next unit that can be read.

use std::io;

use crate::container::frames::{MAX_HEADER_BYTES, frame_header};
use crate::container::{Boundary, DICTIONARY_MAGIC, Format, StreamDecoder};
use crate::syntax::padding_length;

use super::{Failure, STEP_BYTES, Window};

/// A search for the next record may decode the beginning of this many candidates, and of one more
/// per [`BYTES_PER_LOOK`] bytes searched; of the others it decodes only enough to recognise a
/// record at their start. The bound keeps the time linear in damaged ranges that are full of member
/// heads.
const FREE_LOOKS: u64 = 100;
const BYTES_PER_LOOK: u64 = 4096;

impl Window<'_> {
    /// Continues at the next unit that decodes to a record, or to a record's end and the next one.
    pub(in crate::recovery) fn seek_next_unit(&mut self, failure: &Failure) -> io::Result<()> {
        // The length of a damaged dictionary frame is certain if another unit follows it.
        let is_dictionary = self.dictionaries.back() == Some(&failure.file);
        if is_dictionary && self.is_unit(&self.container.input.read(failure.resume, 8)?) {
            self.go_to(failure.resume);
            return Ok(());
        }
        let end = self.container.input.len();
        let unit = self.find_unit(failure.resume, end)?;
        self.go_to(unit.unwrap_or(end));
        Ok(())
    }

    /// Goes back to the first unit that begins within the frame at `file`, if the window has left
    /// the frame. A frame without a checksum that has lost bytes may take as many from the frames
    /// after it.
    pub(in crate::recovery) fn seek_within_frame(&mut self, file: u64) -> io::Result<()> {
        let end = self.unit.1;
        if self.container.format != Format::Zstd || end <= file {
            return Ok(());
        }
        let start = self.container.input.read(file, MAX_HEADER_BYTES)?;
        let is_unchecked = frame_header(&start).is_some_and(|(_, has_checksum)| !has_checksum);
        if is_unchecked && let Some(unit) = self.find_unit(file + 1, end)? {
            self.failure = None;
            self.discard();
            self.go_to(unit);
        }
        Ok(())
    }

    /// Offset of the first candidate between `from` and `end` where reading may continue.
    fn find_unit(&mut self, mut from: u64, end: u64) -> io::Result<Option<u64>> {
        const WINDOW_BYTES: usize = 1024 * 1024;
        while from < end {
            let bytes = self.container.input.read(from, WINDOW_BYTES)?;
            let mut at = 0;
            while let Some(candidate) = self.container.find_candidate(&bytes, at) {
                let file = from + candidate as u64;
                if file >= end {
                    return Ok(None);
                }
                if self.may_read_on_at(file, &bytes[candidate..])? {
                    return Ok(Some(file));
                }
                at = candidate + 1;
            }
            if bytes.len() < WINDOW_BYTES {
                break;
            }
            from += (WINDOW_BYTES - self.container.syntax.overlap_bytes()) as u64;
        }
        Ok(None)
    }

    /// Whether reading may continue at the candidate at `file`, which begins with `start`.
    fn may_read_on_at(&mut self, file: u64, start: &[u8]) -> io::Result<bool> {
        let boundary = Boundary {
            offset: file,
            dictionary: self.dictionaries.back().copied(),
        };
        let has_look = self.looks < FREE_LOOKS + (file - self.start) / BYTES_PER_LOOK;
        self.looks += u64::from(has_look);
        if start.starts_with(&DICTIONARY_MAGIC) && !self.is_plain() {
            Ok(has_look && self.container.holds_dictionary_at(boundary)?)
        } else if has_look {
            self.container.holds_record_at(boundary)
        } else {
            self.container.begins_record_at(boundary)
        }
    }

    pub(in crate::recovery) fn seek_end(&mut self) {
        self.go_to(self.container.input.len());
    }

    /// Goes past NUL bytes in place of the failed unit, to the next unit or the end of the file.
    /// False without NUL bytes, or if anything else follows them.
    pub(in crate::recovery) fn seek_behind_padding(
        &mut self,
        failure: &Failure,
    ) -> io::Result<bool> {
        let mut end = failure.file;
        loop {
            let bytes = self.container.input.read(end, STEP_BYTES)?;
            let padding = padding_length(&bytes);
            end += padding as u64;
            if bytes.is_empty() || padding < bytes.len() {
                break;
            }
        }
        let next = self.container.input.read(end, 8)?;
        let is_next = next.is_empty() || self.is_unit(&next);
        if end == failure.file || !is_next {
            return Ok(false);
        }
        self.go_to(end);
        Ok(true)
    }

    fn is_unit(&self, start: &[u8]) -> bool {
        StreamDecoder::begin(self.container.format, None, start).is_ok()
    }

    fn go_to(&mut self, file: u64) {
        self.decoder = None;
        self.position = file;
        self.unit = (self.decoded, file);
        self.units.clear();
        self.records.clear();
        self.doubtful = 0;
    }
}
