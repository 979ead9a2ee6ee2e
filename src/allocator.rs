//! The allocator of the program: mimalloc, told how this program uses memory.
//!
//! Columns and pages grow by doubling, and what one split of an input frees the next one takes.
//! mimalloc gives freed memory back to the system after 10 ms, which the system then has to clear
//! before the next split gets it again.
//!
//! Its second major version: the third takes half as much memory again for an ingest.
//!
//! Why this module holds `unsafe` code: mimalloc is told by a C function.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_long};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
        // The number of an option is that of a major version: 20302 is 2.3.2.
        assert_eq!((version / 10_000, before), (2, 10));
        configure();
        // SAFETY: as above.
        assert_eq!(unsafe { mi_option_get(PURGE_DELAY) }, PURGE_DELAY_MS);
    }
}
