//! Walking zstd frames by their headers, without decoding them.
//!
//! A frame's blocks declare their lengths (RFC 8878 §3.1.1.2), so a few bytes of each lead to the
//! end of the frame. A walk from a frame's true start finds the true start of every frame up to the
//! first damage, and so every dictionary frame.

use std::borrow::Cow;
use std::io;

use super::magic::{DICTIONARY_MAGIC, ZSTD_MAGIC, skippable_frame_length};
use crate::input::Input;

const WINDOW_BYTES: usize = 64 * 1024;
/// The most bytes that a block may have (RFC 8878 §3.1.1.2.4).
pub(super) const MAX_ZSTD_BLOCK_BYTES: usize = 128 * 1024;
/// Frame descriptor bit: window size equals content size (RFC 8878 §3.1.1.1.1).
pub(super) const ZSTD_SINGLE_SEGMENT: u8 = 0x20;
/// Bytes of the longest frame header, magic number included (RFC 8878 §3.1.1.1).
pub(crate) const MAX_HEADER_BYTES: usize = 18;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A frame of data or a skippable frame, by its end.
    Ends(u64),
    /// A dictionary frame, by its end.
    Dictionary(u64),
    /// No frame, or a frame that ends beyond the bound: the offset of the header where the walk
    /// stops.
    Unknown(u64),
}

pub(crate) struct Frames<'i> {
    input: &'i Input,
    window: Cow<'i, [u8]>,
    /// Where the window begins in the file.
    start: u64,
}

impl<'i> Frames<'i> {
    pub(crate) fn new(input: &'i Input) -> Self {
        Self {
            input,
            window: Cow::Borrowed(&[]),
            start: 0,
        }
    }

    /// The frame at `offset`, which must end at or before `bound` and the file's end.
    pub(crate) fn frame(&mut self, offset: u64, bound: u64) -> io::Result<Frame> {
        let bound = bound.min(self.input.len());
        let start = self.bytes(offset, MAX_HEADER_BYTES)?;
        if let Some(length) = skippable_frame_length(start) {
            let is_dictionary = start.starts_with(&DICTIONARY_MAGIC);
            let end = offset.saturating_add(length);
            return Ok(match is_dictionary {
                _ if end > bound => Frame::Unknown(offset),
                true => Frame::Dictionary(end),
                false => Frame::Ends(end),
            });
        }
        let Some((header_length, has_checksum)) = frame_header(start) else {
            return Ok(Frame::Unknown(offset));
        };
        let mut at = offset + header_length;
        loop {
            let [low, middle, high] = *self.bytes(at, 3)? else {
                return Ok(Frame::Unknown(at));
            };
            let head = u32::from_le_bytes([low, middle, high, 0]);
            let (is_last, kind, size) = (head & 1 == 1, head >> 1 & 3, u64::from(head >> 3));
            let length = match kind {
                0 | 2 if size <= MAX_ZSTD_BLOCK_BYTES as u64 => size,
                1 if size <= MAX_ZSTD_BLOCK_BYTES as u64 => 1,
                _ => return Ok(Frame::Unknown(at)),
            };
            let mut end = at + 3 + length;
            if is_last && has_checksum {
                end += 4;
            }
            if end > bound {
                return Ok(Frame::Unknown(at));
            }
            if is_last {
                return Ok(Frame::Ends(end));
            }
            at = end;
        }
    }

    /// `length` bytes from `offset` on; fewer only at the file's end.
    fn bytes(&mut self, offset: u64, length: usize) -> io::Result<&[u8]> {
        let end = self.start + self.window.len() as u64;
        if offset < self.start || offset.saturating_add(length as u64) > end {
            self.window = self.input.read(offset, WINDOW_BYTES)?;
            self.start = offset;
        }
        let at = usize::try_from(offset - self.start).unwrap_or(usize::MAX);
        Ok(&self.window[at..self.window.len().min(at + length)])
    }
}

/// Bytes of the frame header at the start of `bytes`, magic number included, and whether a checksum
/// ends the frame; `None` if no header begins there (RFC 8878 §3.1.1.1).
pub(crate) fn frame_header(bytes: &[u8]) -> Option<(u64, bool)> {
    let descriptor = *bytes.strip_prefix(&ZSTD_MAGIC)?.first()?;
    if descriptor & 0x08 != 0 {
        return None; // reserved
    }
    let is_single_segment = descriptor & ZSTD_SINGLE_SEGMENT != 0;
    let dictionary_id = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => u64::from(is_single_segment),
        log => 1 << log,
    };
    let length = 5 + u64::from(!is_single_segment) + dictionary_id + content_size;
    Some((length, descriptor & 0x04 != 0))
}
