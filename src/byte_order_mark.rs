//! The byte order mark of UTF-8, which some editors write at the start of a text.

pub fn without_bom(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}
