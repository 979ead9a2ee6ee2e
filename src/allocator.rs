//! The allocator of the program: jemalloc, told how this program uses memory.
//!
//! Columns and pages are made by one thread and freed by another, and grow by doubling. What one
//! split of an input frees the next one takes. So:
//!
//! - `thp`: huge pages, which save nine page faults in ten;
//! - `dirty_decay_ms`, `muzzy_decay_ms`: freed memory is never given back to the system, which
//!   would only have to clear it again;
//! - `narenas`: two arenas for all threads, so that what one frees another takes.
//!   Threads have small blocks for themselves, so that they seldom meet.
//!
//! Why this module holds `unsafe` code: jemalloc finds its settings by the name of a symbol.
#![allow(unsafe_code)]

#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

/// jemalloc's `malloc_conf`: a pointer to text that ends with NUL.
// SAFETY: no other symbol has this name; a reference to an array is a pointer, as jemalloc declares
// it.
#[unsafe(export_name = "_rjem_malloc_conf")]
static SETTINGS: &[u8; 57] = b"thp:always,dirty_decay_ms:-1,muzzy_decay_ms:-1,narenas:2\0";

#[cfg(test)]
mod tests {
    use std::ffi::{CStr, c_int, c_uint, c_void};
    use std::ptr::null_mut;

    use tikv_jemalloc_sys::mallctl;

    /// What jemalloc goes by.
    fn setting<T: Default>(name: &CStr) -> T {
        let mut value = T::default();
        let mut size = size_of::<T>();
        // SAFETY: the name ends with NUL; at most `size` bytes are written to the value.
        let error: c_int = unsafe {
            mallctl(
                name.as_ptr(),
                (&raw mut value).cast::<c_void>(),
                &raw mut size,
                null_mut(),
                0,
            )
        };
        assert_eq!((error, size), (0, size_of::<T>()), "{name:?}");
        value
    }

    #[test]
    fn jemalloc_goes_by_the_settings() {
        assert_eq!(setting::<c_uint>(c"opt.narenas"), 2);
        assert_eq!(setting::<isize>(c"opt.dirty_decay_ms"), -1);
    }
}
