//! The allocator of the program: mimalloc 2, because version 3 takes 50% more memory for an ingest.
//!
//! When memory runs out, the process ends with a message and the exit code of a failure, without
//! aborting. Datasets stay whole whenever their writer ends.
//!
//! This module holds `unsafe` code because an allocator is `unsafe`.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::c_int;

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

const FAILED: c_int = 1;
const OUT_OF_MEMORY: &str = "robostat: out of memory; committed rows are kept, and the same \
    command continues from the last commit: give it more memory (ulimit -v), or use fewer threads \
    with --jobs\n";

struct Allocator;

// SAFETY: every call is passed to mimalloc unchanged.
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
