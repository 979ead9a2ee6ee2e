//! Some bytes of an input, as a reader.

use std::io::{self, Read};
use std::sync::Arc;

use warc_recovery::input::Input;

pub(crate) struct Span {
    pub(crate) input: Arc<Input>,
    pub(crate) at: u64,
    pub(crate) end: u64,
}

impl Read for Span {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let bytes = self.input.read(self.at, buffer.len().min(left))?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        self.at += bytes.len() as u64;
        Ok(bytes.len())
    }
}
