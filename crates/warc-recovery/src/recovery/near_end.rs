//! Lengths of ARC records that are wrong by a few bytes.
//!
//! Some writers of ARC counted the line end after a block, or its last byte, differently from one
//! release to the next; readers have always looked for the next record nearby. So does recovery: no
//! record is lost by it, and its block ends where the next record begins.

use std::io;

use super::{Reach, Recovery};

/// Bytes by which the length of an ARC record may be wrong.
pub(super) const MAX_WRONG_BYTES: usize = 8;

impl Recovery<'_> {
    /// Where the block ends that should end at `block_end`, and where the record does; none where
    /// nothing ends near by. The block begins at `block_start`.
    pub(super) fn near_end(
        &mut self,
        block_start: usize,
        block_end: usize,
    ) -> io::Result<Option<(usize, usize)>> {
        let low = block_start.max(block_end.saturating_sub(MAX_WRONG_BYTES));
        // Room for the line end between records.
        let high = block_end + MAX_WRONG_BYTES + 2;
        let looked_at = high + self.syntax().start_bytes();
        let is_end = self.window.reach(looked_at)? == Reach::End && !self.window.has_failed();
        let bytes = self.window.bytes();
        let bytes = &bytes[..bytes.len().min(looked_at)];
        let unit = (low..=high.min(bytes.len())).find(|at| self.window.unit_begins_at(*at));
        let head = self.syntax().find_next_head(bytes, low);
        let end = (is_end && bytes.len() <= high).then_some(bytes.len());
        let nearest = [unit, head.filter(|at| *at <= high), end];
        Ok(nearest.into_iter().flatten().min().map(|next| {
            let has_line_end = next > block_start && bytes[next - 1] == b'\n';
            (next - usize::from(has_line_end), next)
        }))
    }
}
