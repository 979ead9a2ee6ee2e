//! A file mapped into memory, read-only.
//!
//! Why this module holds `unsafe` code: mapping a file is `unsafe` because nothing stops another
//! process from changing the file while it is mapped. Every reader downstream tolerates *any*
//! octets, so changed octets can only yield damaged records. A file that is *cut short* while
//! mapped is different: touching the lost pages ends the process with SIGBUS. What was committed
//! before stays whole, and `--no-mmap` reads such files instead; the help says so.
#![allow(unsafe_code)]

use std::fs::File;
use std::io;

use memmap2::{Mmap, UncheckedAdvice};

/// Maps the whole of `file`. Fails for what cannot be mapped (pipes, some file systems).
pub(super) fn map(file: &File) -> io::Result<Mmap> {
    // SAFETY: the map is read-only and handed out as `&[u8]` whose octets are never trusted; see
    // the file's head for what a change under us can do.
    unsafe { Mmap::map(file) }
}

/// Gives back the memory that the octets from `start` to `end` take up. Whoever reads them again
/// makes the system bring them back from the file.
pub(super) fn release(map: &Mmap, start: usize, end: usize) {
    // SAFETY: the map is shared and read-only, so its pages are the file's, never ours to lose: a
    // page given back is filled from the file when it is touched again. A slice of the map thus
    // goes on showing what the file holds; see the file's head for a file that changes meanwhile.
    let advised =
        unsafe { map.unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start) };
    // It is advice: where it is not taken, the memory stays in use until the file is closed.
    let _ = advised;
}
