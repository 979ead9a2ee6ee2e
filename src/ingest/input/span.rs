//! Some bytes of an input, as a reader.

use std::io;
use std::sync::Arc;

use rawzip::{RangeReader, ReaderAt};
use warc_recovery::input::Input;

pub(crate) type Span = RangeReader<Bytes>;

/// The bytes of an input, at any offset.
pub(crate) struct Bytes(pub(crate) Arc<Input>);

impl ReaderAt for Bytes {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let bytes = self.0.read(offset, buffer.len())?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}
