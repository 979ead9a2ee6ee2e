//! Where records go: the reader hands each record to a sink and does not know what it is for.

use crate::damage::Damage;
use crate::warc::RecordHead;

/// The position of a record in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Byte offset in the file of the record, or of the gzip member or zstd frame that holds it.
    pub offset: u64,
    /// Byte offset of the record in the decoded member or frame; 0 for the first.
    pub inner_offset: u64,
    /// Bytes in the file, if no other record shares the member or frame.
    pub length: Option<u64>,
}

/// Receives the records of a [split](crate::split), in order. The [crate] has an example.
pub trait RecordSink {
    /// Whether the record with this head is wanted. The block of an unwanted record may never be
    /// decoded, which makes crawls of pages cheap to search.
    fn wants(&self, head: &RecordHead<'_>) -> bool;

    /// Takes a wanted record. `block` may be only the beginning of a block of `block_length` bytes:
    /// only the first [4 MiB](crate::recovery::MAX_BLOCK_BYTES) of a giant block are kept.
    fn record(
        &mut self,
        position: Position,
        head: &RecordHead<'_>,
        block: &[u8],
        block_length: u64,
    );

    /// Takes note of a record that is not wanted.
    fn pass_over(&mut self, _head: &RecordHead<'_>) {}

    /// Takes a damaged part of the file, in order with the records around it.
    fn damage(&mut self, _damage: &Damage) {}
}
