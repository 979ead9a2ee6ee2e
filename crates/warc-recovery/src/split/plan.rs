//! Planning: where a file is split.

use std::io;

use super::Split;
use crate::container::frames::{Frame, Frames};
use crate::container::{Boundary, Container, Format};

/// Bytes of a split, before it is extended to the next candidate. Large enough that hand-offs
/// cost nothing, small enough that a file of a few MiB occupies several cores.
const SPLIT_BYTES: u64 = 512 * 1024;
/// The same for plain WARC, of which little is read.
const PLAIN_SPLIT_BYTES: u64 = 4 * 1024 * 1024;
/// Bytes searched for a candidate before a split ends without one. Recovery, which reads a giant
/// unit in steps, then reads the rest.
const SEARCH_BYTES: u64 = 64 * 1024 * 1024;

/// The split that begins at `start`. Where it ends depends on `start` and the file alone.
///
/// # Errors
///
/// Fails where the file cannot be read, or has been cut short since it was opened.
pub fn plan(container: &Container, start: Boundary) -> io::Result<Split> {
    let length = container.input.len();
    let split_bytes = match container.format {
        Format::Plain => PLAIN_SPLIT_BYTES,
        Format::Gzip | Format::Zstd => SPLIT_BYTES,
    };
    let target = start.offset.saturating_add(split_bytes).min(length);
    let bound = target.saturating_add(SEARCH_BYTES).min(length);
    let end = if container.format == Format::Zstd {
        walk(container, start, target, bound)?
    } else {
        let found = container.next_candidate(target, bound)?;
        start.moved_to(found.unwrap_or(bound))
    };
    Ok(Split { start, end })
}

/// Offset of the last dictionary frame before `end` that a walk over the frames leads to.
pub(crate) fn last_dictionary(container: &Container, end: u64) -> io::Result<Option<u64>> {
    let start = Boundary::at(container.input.start());
    Ok(walk(container, start, end, end)?.dictionary)
}

/// The first boundary at or after `target` that a walk over the frames from `start` on reaches.
/// Behind damage the walk goes on at the next candidate, which is a guess.
fn walk(container: &Container, start: Boundary, target: u64, bound: u64) -> io::Result<Boundary> {
    let mut frames = Frames::new(&container.input);
    let mut at = start;
    while at.offset < target {
        match frames.frame(at.offset, bound)? {
            Frame::Ends(end) => at.offset = end,
            Frame::Dictionary(end) => {
                at = Boundary {
                    offset: end,
                    dictionary: Some(at.offset),
                }
            }
            // The search begins after the frames that were walked over, so that time is linear.
            Frame::Unknown(reached) => {
                let found = container.next_candidate(reached + 1, bound)?;
                at.offset = found.unwrap_or(bound);
            }
        }
    }
    Ok(at)
}
