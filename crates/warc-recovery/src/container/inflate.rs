//! Whole gzip members in one call, with libdeflate.
//!
//! Why this module holds `unsafe` code: libdeflate inflates about twice as fast as zlib-rs, and
//! the chain check of the [split reader](crate::split) needs to know where a member *ends*. The
//! safe bindings do not return that number; `libdeflate_gzip_decompress_ex` does. The calls below
//! pass pointers and lengths of live slices only, and the decompressor is owned by one value,
//! freed once.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use crate::memory;
use libdeflate_sys as sys;

/// Bytes at the end of the output that may be wrong if the room ran out: at most the longest match
/// (258; RFC 1951 §3.2.5) and some words.
const UNSURE_BYTES: usize = 384;

pub(super) struct Inflater {
    raw: NonNull<sys::libdeflate_decompressor>,
}

// SAFETY: the decompressor is plain memory without thread affinity, and every use of it takes
// `&mut self`.
unsafe impl Send for Inflater {}

pub(super) enum Inflation {
    /// The member is intact (checksum and length agree): bytes read and bytes written.
    Member {
        consumed: usize,
        written: usize,
    },
    OutputTooSmall,
    /// Not an intact gzip member.
    Bad,
}

impl Default for Inflater {
    fn default() -> Self {
        // SAFETY: no arguments; a null result ends the process.
        let raw = unsafe { sys::libdeflate_alloc_decompressor() };
        Self {
            raw: NonNull::new(raw).unwrap_or_else(|| memory::exhausted()),
        }
    }
}

impl Inflater {
    /// Inflates as much of the gzip member at the start of `input` as fits into `output`. Returns
    /// the number of written bytes that are certain, and the member's length if it fits as a whole.
    ///
    /// libdeflate reports only that the buffer is too small. Its output so far is good, except for
    /// a few bytes at its end, because it copies in whole words. It may also have stopped well
    /// before the end of the buffer, because it writes a stored block as a whole or not at all. So
    /// the buffer is cleared first, and its last byte that is not zero marks the end of the output.
    /// A test checks that libdeflate behaves like this.
    pub(super) fn start(
        &mut self,
        input: &[u8],
        output: &mut [u8],
    ) -> Option<(usize, Option<usize>)> {
        output.fill(0);
        match self.member(input, output) {
            Inflation::Member { consumed, written } => Some((written, Some(consumed))),
            Inflation::OutputTooSmall => {
                let written = output.iter().rposition(|byte| *byte != 0).unwrap_or(0);
                Some((written.saturating_sub(UNSURE_BYTES), None))
            }
            Inflation::Bad => None,
        }
    }

    pub(super) fn member(&mut self, input: &[u8], output: &mut [u8]) -> Inflation {
        let (mut consumed, mut written) = (0, 0);
        // SAFETY: both pointers come from live slices and are passed with their own lengths; the
        // two results are written to locals; `raw` is valid until drop.
        let result = unsafe {
            sys::libdeflate_gzip_decompress_ex(
                self.raw.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
                &raw mut consumed,
                &raw mut written,
            )
        };
        match result {
            sys::libdeflate_result_LIBDEFLATE_SUCCESS => Inflation::Member { consumed, written },
            sys::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Inflation::OutputTooSmall,
            _ => Inflation::Bad,
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: allocated in `default`, freed nowhere else.
        unsafe { sys::libdeflate_free_decompressor(self.raw.as_ptr()) };
    }
}
