//! Where a record ends: after its line endings, in padding, with its unit, or cut off.

use std::io;
use std::ops::Range;

use super::window::Reach;
use super::{Found, MAX_WRONG_BYTES, Recovery, Stop, wrong_content_length};
use crate::arc::is_whole_response;
use crate::damage::DamageKind;
use crate::sink::Position;
use crate::syntax::padding_length;

/// The most NUL bytes after a record that are examined to distinguish padding from a block that is
/// longer than its `Content-Length`.
const MAX_PADDING_BYTES: usize = 64 * 1024;

impl Recovery<'_> {
    /// Where the record with this block ends, or what is damaged.
    pub(super) fn checked_end(&mut self, block: Range<usize>) -> Result<usize, Stop> {
        let head_length = block.start;
        match self.end_of_record(block)? {
            Some(end) if !self.window.has_failed_at(end.max(1)) => Ok(end),
            Some(_) => self.cut_off("the record is cut off"),
            None => self.ends_elsewhere(head_length),
        }
    }

    /// Where the record with this block ends: after the line endings that follow. `None` if it
    /// [does not end](crate::syntax::RecordSyntax::is_record_end) there.
    pub(super) fn end_of_record(&mut self, block: Range<usize>) -> io::Result<Option<usize>> {
        let block_end = block.end;
        let mut end = block_end;
        loop {
            if self.window.unit_begins_at(end) {
                return Ok(Some(end));
            }
            self.see_start_at(end)?;
            let bytes = self.window.bytes();
            match bytes.get(end) {
                Some(b'\r' | b'\n') => end += 1,
                Some(0) => {
                    let is_ended = self.syntax().are_enough(&bytes[block_end..end]);
                    return Ok((is_ended || self.padding_follows(end)?).then_some(end));
                }
                _ => {
                    let end = end.min(bytes.len());
                    let line_ends = &bytes[block_end.min(end)..end];
                    let block = bytes.get(block).unwrap_or_default();
                    let is_end = self.syntax().is_record_end(block, line_ends, &bytes[end..]);
                    return Ok(is_end.then_some(end));
                }
            }
        }
    }

    /// Decodes until it is clear whether a record begins at `start`, or the data end.
    fn see_start_at(&mut self, start: usize) -> io::Result<()> {
        let most = self.syntax().start_bytes();
        let mut wanted = most.min(512);
        loop {
            let reach = self.window.reach(start + wanted)?;
            let bytes = self.window.bytes().get(start..).unwrap_or_default();
            if reach != Reach::Yes || wanted == most || self.syntax().is_conclusive(bytes) {
                return Ok(());
            }
            wanted = (wanted * 4).min(most);
        }
    }

    /// Whether only padding comes between `start` and the next record, the next unit or the end, or
    /// so much padding that it is beyond doubt.
    fn padding_follows(&mut self, start: usize) -> io::Result<bool> {
        let mut end = start;
        while end - start < MAX_PADDING_BYTES {
            if self.window.unit_begins_at(end) {
                return Ok(true);
            }
            self.see_start_at(end)?;
            let follows = &self.window.bytes()[end..];
            match padding_length(follows) {
                0 => return Ok(follows.is_empty() || self.syntax().begins_record(follows)),
                more => end += more,
            }
        }
        Ok(true)
    }

    /// Whether the window is a whole ARC record with a length that is a few bytes too large. It is
    /// not cut off if its last unit is intact, or if the response has its declared length.
    pub(super) fn is_whole_though_short(&self, whole: usize, head_length: usize) -> bool {
        let bytes = self.window.bytes();
        let block = bytes.get(head_length..).unwrap_or_default();
        let block = block.strip_suffix(b"\n").unwrap_or(block);
        whole - bytes.len() <= MAX_WRONG_BYTES
            && self.window.failure.is_none()
            && (!self.window.is_plain() || is_whole_response(block))
    }

    /// The ARC record that does not end after `whole` bytes, as its length says, but nearby: at the
    /// next record or unit, or at the end of the data. It loses no bytes.
    pub(super) fn record_that_ends_near(
        &mut self,
        whole: usize,
        head_length: usize,
    ) -> Result<Found, Stop> {
        let position = self.window.position();
        let low = head_length.max(whole.saturating_sub(MAX_WRONG_BYTES));
        // Room for the line end between records.
        let high = whole + MAX_WRONG_BYTES + 2;
        let looked_at = high + self.syntax().start_bytes();
        let is_end = self.window.reach(looked_at)? == Reach::End && self.window.failure.is_none();
        let bytes = self.window.bytes();
        let bytes = &bytes[..bytes.len().min(looked_at)];
        let unit = (low..=high.min(bytes.len())).find(|at| self.window.unit_begins_at(*at));
        let head = self.syntax().find_next_head(bytes, low);
        let end = (is_end && bytes.len() <= high).then_some(bytes.len());
        let nearest = [unit, head.filter(|at| *at <= high), end];
        match nearest.into_iter().flatten().min() {
            Some(end) if !self.window.has_failed_at(end) => {
                let has_line_end = end > head_length && bytes[end - 1] == b'\n';
                let bytes = bytes[..end - usize::from(has_line_end)].to_vec();
                let block_length = (bytes.len() - head_length) as u64;
                self.record(position, bytes, block_length, end)
            }
            _ => self.ends_elsewhere(head_length),
        }
    }

    /// Length in the file of the record just passed, if no other record shares its units.
    pub(super) fn length_of_record(&mut self, position: Position) -> io::Result<Option<u64>> {
        if self.window.is_plain() {
            return Ok(Some(self.window.file_position() - position.offset));
        }
        // Reaching one byte further opens the next unit, if this one ends here.
        let is_end = self.window.reach(1)? == Reach::End && self.window.failure.is_none();
        let is_alone = position.inner_offset == 0 && (self.window.unit_begins_here() || is_end);
        Ok(is_alone.then(|| self.window.file_position().saturating_sub(position.offset)))
    }

    /// Reports a wrong record length; continues at the next head, at least `from` bytes ahead.
    pub(super) fn ends_elsewhere<T>(&mut self, from: usize) -> Result<T, Stop> {
        self.resynchronise(from)?;
        Err(wrong_content_length())
    }

    /// The data end before the record does: its length is wrong if another record follows, else it
    /// is cut off.
    pub(super) fn ends_early<T>(&mut self, head_length: usize) -> Result<T, Stop> {
        if self.advance_to_head(head_length)? {
            return Err(wrong_content_length());
        }
        self.cut_off("the record is cut off")
    }

    /// The decoded data end inside a record: at the end of the file, or where a unit is damaged.
    pub(super) fn cut_off<T>(&mut self, message: &str) -> Result<T, Stop> {
        let failure = self.window.failure.take();
        self.window.discard();
        let Some(failure) = failure else {
            let message = format!("{message} by the end of the file");
            return Err(Stop::Damage(DamageKind::Truncated, message));
        };
        self.window.seek_next_unit(&failure)?;
        Err(Stop::Damage(failure.kind, failure.message))
    }

    /// No decoded data are left: at the end of the file, or where no unit begins.
    pub(super) fn end_of_units(&mut self) -> Result<Found, Stop> {
        let Some(failure) = self.window.failure.take() else {
            // The file may end with units without data.
            self.window.seek_end();
            return Ok(Found::End);
        };
        if self.window.seek_behind_padding(&failure)? {
            return Ok(Found::Padding);
        }
        self.window.seek_next_unit(&failure)?;
        Err(Stop::Damage(failure.kind, failure.message))
    }
}
