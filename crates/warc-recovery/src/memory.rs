//! Ends the process if a C library runs out of memory, as if Rust did.
//!
//! A decoder that runs out of memory looks like damage. If it were recorded as damage, a whole
//! record would be lost for good, because the input counts as read.

/// zstd's message when out of memory (`ERR_getErrorString`).
pub(crate) const OF_ZSTD: &str = "not enough memory";

/// Ends the process because a C library is out of memory. Requests more memory than can exist from
/// Rust's allocator, so that the program decides how it ends; by default it aborts.
pub fn exhausted() -> ! {
    let all = vec![0_u8; isize::MAX.unsigned_abs()];
    drop(all);
    std::process::abort() // never reached
}

/// Returns zstd's error `message`. Ends the process if the message reports a lack of memory.
#[must_use]
pub fn unless_exhausted<M: AsRef<str>>(message: M) -> M {
    if message.as_ref().contains(OF_ZSTD) {
        exhausted()
    }
    message
}
