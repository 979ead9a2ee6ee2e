//! The allocator of the program: mimalloc, told how this program uses memory.
//!
//! Columns and pages grow by doubling, and what one split of an input frees the next one takes.
//! mimalloc gives freed memory back to the system after 10 ms, which the system then has to clear
//! before the next split gets it again.
//!
//! The program uses its second major version: the third takes half as much memory again for an
//! ingest.
//!
//! When there is no more memory, the process ends with a message and the exit code of a failure
//! instead of an abort. Datasets survive the end of their writer at any moment.
//!
//! This module holds `unsafe` code because an allocator is `unsafe`, and because the options of
//! mimalloc are set by a C function.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_long};

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// The exit code: the run failed.
const FAILED: c_int = 1;
const OUT_OF_MEMORY: &str = "robostat: out of memory; what was committed stays, and the same \
    command goes on from there: give it more memory (ulimit -v), or use fewer threads with --jobs\n";

/// mimalloc, which ends the process when it has no more memory.
struct Allocator;

// SAFETY: every call goes to mimalloc as it is.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        or_end(unsafe { MiMalloc.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's layout.
        or_end(unsafe { MiMalloc.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's pointer, which is mimalloc's.
        unsafe { MiMalloc.dealloc(pointer, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's pointer, which is mimalloc's, and size.
        or_end(unsafe { MiMalloc.realloc(pointer, layout, size) })
    }
}

/// `pointer`, if it is not null.
#[inline]
fn or_end(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        end()
    }
    pointer
}

#[cold]
fn end() -> ! {
    // SAFETY: a live buffer and its length. Neither call allocates.
    unsafe {
        let (message, length) = (OUT_OF_MEMORY.as_ptr().cast(), OUT_OF_MEMORY.len());
        libc::write(libc::STDERR_FILENO, message, length);
        libc::_exit(FAILED)
    }
}

/// `mi_option_purge_delay` of mimalloc.h: milliseconds until freed memory is given back.
const PURGE_DELAY: c_int = 15;
/// Longer than several splits take, and shorter than a person notices.
const PURGE_DELAY_MS: c_long = 1000;

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
}

/// Sets the options from here on.
pub(crate) fn configure() {
    // SAFETY: declared as in mimalloc.h, and mimalloc ignores the number of an option that it does
    // not have. Called before there is a second thread.
    unsafe { mi_option_set(PURGE_DELAY, PURGE_DELAY_MS) };
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn mi_option_get(option: c_int) -> c_long;
        fn mi_version() -> c_int;
    }

    #[test]
    fn mimalloc_goes_by_the_options() {
        // SAFETY: declared as in mimalloc.h; neither changes anything.
        let (version, before) = unsafe { (mi_version(), mi_option_get(PURGE_DELAY)) };
        // An option's number belongs to one major version: 20302 is 2.3.2.
        assert_eq!((version / 10_000, before), (2, 10));
        configure();
        // SAFETY: as above.
        assert_eq!(unsafe { mi_option_get(PURGE_DELAY) }, PURGE_DELAY_MS);
    }
}
