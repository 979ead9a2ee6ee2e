//! Where the window goes on after a failure: at the next unit that can be read.

use std::io;

use crate::container::{Boundary, DICTIONARY_MAGIC, StreamDecoder};
use crate::warc::record_end::padding_length;

use super::{Failure, STEP_BYTES, Window};

/// A search for the next record may decode the beginning of this many candidates, and of one more
/// per [`BYTES_PER_LOOK`] bytes searched; of all others it decodes 5 bytes. The bound keeps the
/// time linear in damaged ranges that are full of heads of members.
const FREE_LOOKS: u64 = 100;
const BYTES_PER_LOOK: u64 = 4096;

impl Window<'_> {
    /// Why the data end before the end of the file; forgotten with this call.
    pub(in crate::recovery) fn take_failure(&mut self) -> Option<Failure> {
        let failure = self.failure.take()?;
        self.position = failure.file;
        self.resume = failure.resume;
        Some(failure)
    }

    /// After a failure: goes on at the next unit that decodes to a record, or to the end of one and
    /// the next.
    pub(in crate::recovery) fn seek_next_unit(&mut self) -> io::Result<()> {
        const WINDOW_BYTES: usize = 1024 * 1024;
        self.decoder = None;
        let mut from = self.resume;
        if self.is_behind_dictionary()? {
            self.go_to(from);
            return Ok(());
        }
        while from < self.input.len() {
            let bytes = self.input.read(from, WINDOW_BYTES)?;
            let mut at = 0;
            while let Some(candidate) = self.container.find_candidate(&bytes, at) {
                let file = from + candidate as u64;
                if self.may_read_on_at(file, &bytes[candidate..])? {
                    self.go_to(file);
                    return Ok(());
                }
                at = candidate + 1;
            }
            if bytes.len() < WINDOW_BYTES {
                break;
            }
            from += (WINDOW_BYTES - self.syntax().overlap_bytes()) as u64;
        }
        self.seek_end();
        Ok(())
    }

    /// Whether reading continues right after a damaged dictionary frame: its length is certain if
    /// another unit follows it.
    fn is_behind_dictionary(&self) -> io::Result<bool> {
        let is_dictionary = self.dictionaries.back() == Some(&self.position);
        let next = self.input.read(self.resume, 8)?;
        Ok(is_dictionary && StreamDecoder::begin(self.container.format, None, &next).is_ok())
    }

    /// Whether the candidate at `file`, which begins with `start`, is a unit to read on at.
    fn may_read_on_at(&mut self, file: u64, start: &[u8]) -> io::Result<bool> {
        let boundary = Boundary {
            offset: file,
            dictionary: self.dictionaries.back().copied(),
        };
        let has_look = self.looks < FREE_LOOKS + (file - self.start) / BYTES_PER_LOOK;
        self.looks += u64::from(has_look);
        if start.starts_with(&DICTIONARY_MAGIC) && !self.is_plain() {
            Ok(has_look && self.container.holds_dictionary_at(self.input, boundary)?)
        } else if has_look {
            self.container.holds_record_at(self.input, boundary)
        } else {
            self.container.begins_record_at(self.input, boundary)
        }
    }

    /// Goes to the end of the file.
    pub(in crate::recovery) fn seek_end(&mut self) {
        self.decoder = None;
        self.go_to(self.input.len());
    }

    /// Goes to the unit, or the end of the file, that comes after NUL bytes; false where there are
    /// none, or something else comes after them.
    pub(in crate::recovery) fn seek_behind_padding(&mut self) -> io::Result<bool> {
        let mut end = self.position;
        loop {
            let bytes = self.input.read(end, STEP_BYTES)?;
            let padding = padding_length(&bytes);
            end += padding as u64;
            if bytes.is_empty() || padding < bytes.len() {
                break;
            }
        }
        let next = self.input.read(end, 8)?;
        let is_next =
            next.is_empty() || StreamDecoder::begin(self.container.format, None, &next).is_ok();
        if end == self.position || !is_next {
            return Ok(false);
        }
        self.go_to(end);
        Ok(true)
    }

    fn go_to(&mut self, file: u64) {
        self.position = file;
        self.unit = (self.decoded, file);
        self.units.clear();
        self.records.clear();
        self.doubtful = 0;
    }
}
