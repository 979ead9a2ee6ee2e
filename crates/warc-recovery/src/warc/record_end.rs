//! Where a record ends, once its block has ended.
//!
//! Two CRLF end a record (ISO 28500:2017 §4). Some writers count them into `Content-Length`, some
//! write fewer, and some fill up with NUL bytes; a record loses nothing by that.

use super::resync::begins_record;

/// Whether a record ends with `line_ends`, the line ends after its block, where `follows` comes
/// after them: two line ends do; with fewer, another record or the end of the data has to follow,
/// NUL bytes before it aside.
///
/// `follows` is empty only at the end of the data. A record that ends as it should is intact,
/// whatever the damage that follows it.
pub(crate) fn is_record_end(line_ends: &[u8], follows: &[u8]) -> bool {
    let next = &follows[padding_length(follows)..];
    are_two(line_ends) || next.is_empty() || begins_record(next)
}

/// Whether line ends are as many as the standard asks for.
pub(crate) fn are_two(line_ends: &[u8]) -> bool {
    matches!(
        line_ends,
        [b'\r', b'\n', b'\r', b'\n', ..] | [b'\n', b'\n', ..]
    )
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_line_ends_suffice_and_fewer_do_before_a_record() {
        assert!(is_record_end(b"\r\n\r\n", b"damage"));
        assert!(is_record_end(b"\n\n", b"damage"));
        for few in [&b""[..], b"\r\n", b"\n", b"\r"] {
            assert!(is_record_end(few, b""));
            assert!(is_record_end(few, b"WARC/1.0\r\n"));
            assert!(is_record_end(few, b"\0\0\0"));
            assert!(is_record_end(few, b"\0\0\0WARC/1.0\r\n"));
            assert!(is_record_end(few, b"\0\0\0\r\nWARC/1.0\r\n"));
            assert!(!is_record_end(few, b"damage"));
            assert!(!is_record_end(few, b"\0\0\0damage"));
        }
    }
}
