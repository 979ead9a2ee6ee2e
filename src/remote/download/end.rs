//! The end of a file, if it is requested first because it names the ranges that are wanted.

use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;

use super::super::cache::Validators;
use super::super::failure::{Failure, status_text};
use super::super::reply::{ContentRange, Span, SpanBytes};
use super::super::target::{EndError, FileEnd};
use super::part::{PartialFile, Plan};
use super::{Download, End, other_part};

/// Bytes of the longest end of a file.
const MAX_END: u64 = 64 << 20;

impl Download<'_> {
    /// Requests the end of the file, and plans the requests for the ranges that it names. A server
    /// that does not send ranges sends the file.
    pub(super) fn request_end(
        &self,
        part: &mut PartialFile,
        wanted: &FileEnd,
    ) -> Result<End, Failure> {
        let mut bytes = wanted.first;
        loop {
            let span = Span {
                bytes: SpanBytes::Last(bytes),
                validator: None,
            };
            let reply = (self.client).get(&self.target.address, Some(span), &*self.stop)?;
            let (start, length) = match (reply.status, reply.range) {
                (200, _) => {
                    let whole = self.all(part, &reply)?;
                    return self.store(part, reply, whole, u64::MAX);
                }
                (206, range) => range
                    .and_then(|range| at_end(range, bytes))
                    .ok_or_else(other_part)?,
                (status, _) => return Err(Failure::Transient(status_text(status))),
            };
            let validators = self.validators(&reply);
            let mut end = Vec::new();
            (reply.body.take(length - start).read_to_end(&mut end))
                .map_err(|error| Failure::Transient(format!("the connection broke: {error}")))?;
            (self.progress)(end.len().try_into().unwrap_or(i64::MAX));
            part.counted += end.len().try_into().unwrap_or(i64::MAX);
            if (end.len() as u64) < length - start {
                let (read, whole) = (end.len(), length - start);
                let message = format!("cut off after {read} of {whole} bytes");
                return Err(Failure::Transient(message));
            }
            let ranges = match (wanted.ranges)(&end, length) {
                Ok(ranges) => ranges,
                Err(EndError::TooShort(needed)) if bytes < needed && needed <= MAX_END => {
                    bytes = needed;
                    continue;
                }
                Err(EndError::TooShort(needed)) => {
                    let message = format!("the end of the file has {needed} bytes");
                    return Err(Failure::Transient(message));
                }
                Err(EndError::Invalid(mistake)) => {
                    let message = format!("the server answered, but not with the file: {mistake}");
                    return Err(Failure::Transient(message));
                }
            };
            self.keep(part, validators, length)?;
            let ranges = ranges.into_iter().map(|it| it.start..it.end.min(start));
            let runs = self.target.address.runs(ranges);
            part.plan = Plan::Ranges { runs, end };
            return Ok(End::NotYet);
        }
    }

    /// Keeps what an earlier run has fetched of the file, if it is still the same.
    fn keep(
        &self,
        part: &mut PartialFile,
        validators: Validators,
        length: u64,
    ) -> Result<(), Failure> {
        if part.bytes > length || part.bytes > 0 && part.validators != validators {
            self.restart(part, validators)?;
        } else if part.bytes == 0 {
            self.cache.note(&self.key, &validators)?;
            part.validators = validators;
        }
        part.complete = Some(length);
        Ok(())
    }
}

impl PartialFile {
    /// Writes the end of the file, if it was requested first, after all other ranges.
    pub(super) fn put_end(&mut self) -> io::Result<()> {
        let Plan::Ranges { end, .. } = &self.plan else {
            return Ok(());
        };
        if let Some(length) = self.complete.filter(|_| !end.is_empty()) {
            self.file.write_all_at(end, length - end.len() as u64)?;
            self.bytes = length;
        }
        Ok(())
    }
}

/// Start and length of a file whose end `range` is, if it has at most so many bytes.
fn at_end(range: ContentRange, bytes: u64) -> Option<(u64, u64)> {
    let (start, last) = range.bytes?;
    let length = range.complete?;
    let is_end = last.checked_add(1) == Some(length) && start < length && length - start <= bytes;
    is_end.then_some((start, length))
}
