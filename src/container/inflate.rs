//! Whole gzip members in one call, with libdeflate.
//!
//! Why this module holds `unsafe` code: libdeflate inflates about twice as fast as zlib-rs, and
//! the chain check of the [extent reader](crate::extent) needs to know where a member *ends*. The
//! safe bindings do not return that number; `libdeflate_gzip_decompress_ex` does. The calls below
//! pass pointers and lengths of live slices only, and the decompressor is owned by one value,
//! freed once.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use libdeflate_sys as sys;

/// A reusable libdeflate decompressor.
pub(super) struct Inflater {
    raw: NonNull<sys::libdeflate_decompressor>,
}

// SAFETY: the decompressor is plain memory without thread affinity, and every use of it takes
// `&mut self`.
unsafe impl Send for Inflater {}

/// How one member came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Inflated {
    /// The member is intact (checksum and length agree): octets read and octets written.
    Member {
        /// Compressed octets from the member's first to its last.
        consumed: usize,
        /// Octets written to the output.
        written: usize,
    },
    /// The output is too small for the member.
    OutputTooSmall,
    /// Not an intact gzip member.
    Bad,
}

impl Default for Inflater {
    fn default() -> Self {
        Self::new()
    }
}

impl Inflater {
    /// A new decompressor.
    ///
    /// # Panics
    /// When the process is out of memory, as any allocation does.
    #[must_use]
    pub(super) fn new() -> Self {
        // SAFETY: no arguments; a null result is turned into a panic.
        let raw = unsafe { sys::libdeflate_alloc_decompressor() };
        Self {
            raw: NonNull::new(raw).expect("out of memory for a decompressor"),
        }
    }

    /// Inflates the one gzip member (RFC 1952) at the start of `input`.
    pub(super) fn member(&mut self, input: &[u8], output: &mut [u8]) -> Inflated {
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
            sys::libdeflate_result_LIBDEFLATE_SUCCESS => Inflated::Member { consumed, written },
            sys::libdeflate_result_LIBDEFLATE_INSUFFICIENT_SPACE => Inflated::OutputTooSmall,
            _ => Inflated::Bad,
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: allocated in `new`, freed nowhere else.
        unsafe { sys::libdeflate_free_decompressor(self.raw.as_ptr()) };
    }
}
