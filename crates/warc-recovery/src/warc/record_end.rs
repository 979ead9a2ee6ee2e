//! Where a record ends, once its block has ended.
//!
//! Two CRLF end a record (ISO 28500:2017 §4). Some writers count them into `Content-Length`, some
//! write fewer, and some fill up with NUL bytes; a record loses nothing by that.

/// Bytes of line ends at the start of `bytes`.
pub(crate) fn line_ends_length(bytes: &[u8]) -> usize {
    let is_line_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
    bytes.iter().take_while(is_line_end).count()
}

/// Bytes of padding at the start of `bytes`: NUL bytes, and line ends after them.
pub(crate) fn padding_length(bytes: &[u8]) -> usize {
    if bytes.first() != Some(&0) {
        return 0;
    }
    let is_padding = |byte: &&u8| matches!(byte, 0 | b'\r' | b'\n');
    bytes.iter().take_while(is_padding).count()
}
