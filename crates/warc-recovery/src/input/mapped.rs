//! A file mapped into memory, read-only.
//!
//! Why this module holds `unsafe` code: mapping a file is `unsafe` because nothing stops another
//! process from changing the file while it is mapped. Every reader downstream tolerates *any*
//! bytes, so changed bytes can only yield damaged records. A page that cannot be read, because the
//! file was cut short or its disk failed, is different: touching it raises SIGBUS. The handler here
//! reports the file and the offset, and ends the process. Committed data stay whole, as they do
//! whenever the process is killed.
#![allow(unsafe_code)]

use std::fs::File;
use std::io::{self, Cursor, Write as _};
use std::ops::{Deref, Range};
use std::sync::{PoisonError, RwLock};

use memmap2::{Mmap, UncheckedAdvice};

/// Addresses and names of the files that are mapped now, for the SIGBUS handler.
static OPEN: RwLock<Vec<(Range<usize>, String)>> = RwLock::new(Vec::new());

pub(super) struct MappedFile(Mmap);

impl MappedFile {
    /// Maps the whole of `file`. Fails for what cannot be mapped (pipes, some file systems).
    pub(super) fn new(file: &File, name: &str) -> io::Result<Self> {
        // SAFETY: the map is read-only and handed out as `&[u8]` whose bytes are never trusted; the
        // module's documentation says what a change of the file can do.
        let map = unsafe { Mmap::map(file) }?;
        let range = map.as_ptr_range();
        let addresses = range.start.addr()..range.end.addr();
        let mut open = OPEN.write().unwrap_or_else(PoisonError::into_inner);
        open.push((addresses, name.escape_debug().to_string()));
        Ok(Self(map))
    }

    /// Gives back the memory of the bytes from `start` to `end`; the next access reads them from
    /// the file again.
    pub(super) fn release(&self, start: usize, end: usize) {
        // SAFETY: the map is shared and read-only, so its pages hold nothing but the file: a
        // released page is filled from the file when it is touched again. A slice of the map still
        // shows the file's content; the module's documentation covers a file that changes
        // meanwhile.
        let advised = unsafe {
            (self.0).unchecked_advise_range(UncheckedAdvice::DontNeed, start, end - start)
        };
        // If the system ignores the advice, the memory stays in use until the file is closed.
        let _ = advised;
    }
}

impl Deref for MappedFile {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        let start = self.0.as_ptr().addr();
        let mut open = OPEN.write().unwrap_or_else(PoisonError::into_inner);
        open.retain(|(addresses, _)| addresses.start != start);
    }
}

/// From here on, an unreadable page of a mapped file ends the process with `exit_code` and a
/// message: the `program`, the file, the offset, and the `remedy`.
///
/// # Errors
///
/// Fails if the SIGBUS handler cannot be set.
pub fn exit_on_bus_error(
    exit_code: i32,
    program: &'static str,
    remedy: &'static str,
) -> io::Result<()> {
    let tell = move |info: &libc::siginfo_t| {
        // SAFETY: the system fills in the address for this signal.
        let address = unsafe { info.si_addr() }.addr();
        // The thread that got the signal holds the map, so the list has the map's addresses. If
        // another thread has locked the list, the handler does not wait.
        let Ok(open) = OPEN.try_read() else {
            return;
        };
        let mut files = open.iter();
        let Some((addresses, name)) = files.find(|(it, _)| it.contains(&address)) else {
            return;
        };
        let mut message = [0; 4096];
        let mut cursor = Cursor::new(&mut message[..]);
        // Text that does not fit is left out.
        let _ = writeln!(
            cursor,
            "\n{program}: {name}: cannot be read at about offset {}: the file was cut short, or its \
             disk failed; {remedy}",
            address - addresses.start
        );
        let length = usize::try_from(cursor.position()).unwrap_or_default();
        // SAFETY: a live buffer and its length; both calls are safe in a handler (POSIX.1-2024
        // §2.4.3).
        unsafe {
            libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), length);
            libc::_exit(exit_code);
        }
    };
    // SAFETY: the handler neither allocates nor waits: it tries to lock, writes numbers and text to
    // an array on the stack, and makes two system calls. A SIGBUS outside our maps goes to the
    // previous handler.
    unsafe { signal_hook_registry::register_sigaction(libc::SIGBUS, tell) }.map(drop)
}
