//! When a C library gets no memory, the process ends as it does when Rust gets none.
//!
//! A decoder without memory looks like damage. If it were taken for damage, a whole record would be
//! lost for good, because the input counts as read.

/// zstd's message when out of memory (`ERR_getErrorString`).
pub(crate) const OF_ZSTD: &str = "not enough memory";

/// Ends the process: a C library got no memory. More memory than there can be is requested from
/// Rust's allocator, so that the program decides how it ends; by default it aborts.
pub fn exhausted() -> ! {
    let all = vec![0_u8; isize::MAX.unsigned_abs()];
    drop(all);
    std::process::abort() // never reached
}

/// The `message` of an error of zstd. Ends the process if it reports a lack of memory.
#[must_use]
pub fn unless_exhausted<M: AsRef<str>>(message: M) -> M {
    if message.as_ref().contains(OF_ZSTD) {
        exhausted()
    }
    message
}
