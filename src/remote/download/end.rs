//! Requests the end of a file first, if the end lists the wanted ranges.

use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;

use super::super::failure::{Failure, status_text};
use super::super::reply::ContentRange;
use super::super::target::{EndError, FileEnd};
use super::{Download, End, Plan, cut_off, not_the_file, other_part, wanted_before};

/// Length of the longest end of a file, in bytes.
const MAX_END: u64 = 64 << 20;

impl Download<'_> {
    /// Plans requests for the listed ranges. A server without ranges sends the whole file.
    pub(super) fn request_end(&mut self, wanted: &FileEnd) -> Result<End, Failure> {
        let mut bytes = wanted.first;
        loop {
            let reply = self.get(Some(&format!("bytes=-{bytes}")), None)?;
            let (start, length) = match (reply.status, reply.range) {
                (200, _) => {
                    let whole = self.all(&reply)?;
                    return self.store(reply, whole, u64::MAX);
                }
                (206, range) => range
                    .and_then(|range| at_end(range, bytes))
                    .ok_or_else(other_part)?,
                (status, _) => return Err(Failure::Transient(status_text(status))),
            };
            let validators = reply.validators;
            let mut end = Vec::new();
            (reply.body.take(length - start).read_to_end(&mut end))
                .map_err(|error| Failure::Transient(format!("the connection broke: {error}")))?;
            let read = end.len() as u64;
            if read < length - start {
                return Err(cut_off(read, length - start));
            }
            let message = match (wanted.ranges)(&end, length) {
                Ok(ranges) => {
                    // Bytes of an earlier run count if the file is still the same.
                    if self.bytes == 0 || self.bytes > length || self.validators != validators {
                        self.restart(validators)?;
                    }
                    self.complete = Some(length);
                    let ranges = ranges.into_iter().map(|it| it.start..it.end.min(start));
                    let runs = self.target.address.runs(ranges);
                    self.received = read + wanted_before(self.bytes, &runs);
                    self.plan = Plan::Ranges { runs, end };
                    return Ok(End::NotYet);
                }
                Err(EndError::TooShort(needed)) if bytes < needed && needed <= MAX_END => {
                    bytes = needed;
                    continue;
                }
                Err(EndError::TooShort(needed)) => {
                    format!("the end of the file has {needed} bytes")
                }
                Err(EndError::Invalid(why)) => not_the_file(&why),
            };
            return Err(Failure::Transient(message));
        }
    }

    pub(super) fn put_end(&mut self) -> io::Result<()> {
        if let Plan::Ranges { end, .. } = &self.plan
            && let Some(length) = self.complete.filter(|_| !end.is_empty())
        {
            self.file.write_all_at(end, length - end.len() as u64)?;
            self.bytes = length;
        }
        Ok(())
    }
}

/// The start of `range` and the length of the file, if `range` is its end and has at most `bytes`.
fn at_end(range: ContentRange, bytes: u64) -> Option<(u64, u64)> {
    let (start, last) = range.bytes?;
    let length = range.complete?;
    let is_end = last.checked_add(1) == Some(length) && start < length && length - start <= bytes;
    is_end.then_some((start, length))
}
