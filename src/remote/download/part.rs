//! The part of a file that is there, between two tries and in one.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom};
use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use super::super::cache::Validators;
use super::super::failure::Failure;
use super::{Download, disk};

/// A file between two tries.
pub(in crate::remote) struct PartialDownload {
    pub(super) part: PartialFile,
    /// Tries since one brought something new.
    pub(super) tries: u32,
    /// The most bytes that were there after a try.
    pub(super) most: u64,
    /// Answers with 403.
    pub(super) refusals: u32,
    /// Requests for whichever file that had succeeded when this one was refused last.
    pub(super) successes: Option<u64>,
    /// Whether it is refused where others are not.
    pub(super) is_alone: bool,
}

/// The part of a file that is there.
pub(super) struct PartialFile {
    pub(super) file: File,
    /// Offset up to which everything that is wanted is there.
    pub(super) bytes: u64,
    /// Bytes reported to [`Download::progress`].
    pub(super) counted: i64,
    /// Bytes of the whole file, where only ranges are wanted and it is known.
    pub(super) complete: Option<u64>,
    /// Bytes that were there when a body ended whose end the server did not mark.
    pub(super) unmarked_end: Option<u64>,
    pub(super) validators: Validators,
}

impl PartialDownload {
    pub(super) fn new(part: PartialFile) -> Self {
        Self {
            most: part.bytes,
            part,
            tries: 0,
            refusals: 0,
            successes: None,
            is_alone: false,
        }
    }
}

impl Download<'_> {
    /// Opens the part that an earlier try, or run, has left.
    pub(super) fn open(&self) -> io::Result<PartialFile> {
        let mut file = self.cache.open_part(&self.key)?;
        let validators = (self.cache.validators(&self.key)).filter(|validators| {
            validators.url == self.key
                && validators.bytes.is_none()
                && validators.validator().is_some()
        });
        if validators.is_none() {
            file.set_len(0)?;
        }
        let bytes = file.seek(SeekFrom::End(0))?;
        let wanted = |run: &Range<u64>| run.end.min(bytes).saturating_sub(run.start);
        let there = match &self.runs {
            Some(runs) => runs.iter().map(wanted).sum(),
            None => bytes,
        };
        let counted = i64::try_from(there).unwrap_or(i64::MAX);
        (self.progress)(counted);
        Ok(PartialFile {
            file,
            bytes,
            counted,
            complete: None,
            unmarked_end: None,
            validators: validators.unwrap_or_default(),
        })
    }

    /// The next bytes to request, after the bytes that are there. `None` if the file is complete.
    pub(super) fn wanted(&self, part: &PartialFile) -> io::Result<Option<Range<u64>>> {
        let Some(runs) = &self.runs else {
            return Ok(Some(part.bytes..u64::MAX));
        };
        if part.complete.is_some_and(|complete| complete <= part.bytes) {
            return Ok(None);
        }
        let mut start = [0; 8];
        let start = match usize::try_from(part.bytes) {
            Ok(bytes) if bytes < start.len() => &mut start[..0],
            _ => &mut start[..],
        };
        part.file.read_exact_at(start, 0)?;
        let head = self.target.ranges.as_ref();
        let head = head.map_or(0, |ranges| ranges.head_bytes(start));
        if (1..head).contains(&part.bytes) {
            return Ok(Some(part.bytes..head));
        }
        let run = runs.iter().find(|run| run.end > part.bytes);
        Ok(run.map(|run| run.start.max(part.bytes)..run.end))
    }

    /// Begins the file again, now with these validators.
    pub(super) fn restart(
        &self,
        part: &mut PartialFile,
        validators: Validators,
    ) -> Result<(), Failure> {
        (self.progress)(-part.counted);
        (part.file.set_len(0))
            .and_then(|()| part.file.rewind())
            .and_then(|()| self.cache.note(&self.key, &validators))
            .map_err(|error| disk(&error))?;
        (part.bytes, part.validators) = (0, validators);
        (part.counted, part.complete) = (0, None);
        Ok(())
    }
}
