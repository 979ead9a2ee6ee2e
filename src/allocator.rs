//! The allocator of the program: mimalloc, told to keep the memory that it has.
//!
//! Columns and pages are made by one thread and freed by another, and grow by doubling. What one
//! stretch of an input frees the next one takes, so to give it back to the system only costs page
//! faults, and takes apart the huge pages that save most of them.
//!
//! Why this module holds `unsafe` code: mimalloc is told so by a C function, of two numbers.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_long};

use libmimalloc_sys::mi_option_set;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc.h, which the bindings leave out: milliseconds until freed
/// memory is given back.
const PURGE_DELAY: c_int = 15;
/// Never.
const NEVER: c_long = -1;

/// Freed memory stays with the program from now on.
pub(crate) fn keep_memory() {
    // SAFETY: both arguments are plain numbers, and mimalloc ignores an option that it does not have.
    unsafe { mi_option_set(PURGE_DELAY, NEVER) };
}

#[cfg(test)]
mod tests {
    use libmimalloc_sys::mi_option_get;

    use super::*;

    /// The number is mimalloc's own; the default tells whether it still means what is meant.
    #[test]
    fn the_option_is_the_one_that_is_meant() {
        // SAFETY: a plain number.
        let delay = || unsafe { mi_option_get(PURGE_DELAY) };
        assert_eq!(delay(), 1000);
        keep_memory();
        assert_eq!(delay(), NEVER);
    }
}
