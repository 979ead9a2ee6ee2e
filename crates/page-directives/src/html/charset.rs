//! Character sets: which pages must be decoded before tags can be found.
//!
//! Names and values of robots meta tags are ASCII, and so are the bytes around them in every
//! encoding that browsers support except UTF-16 (WHATWG Encoding §4.2). A byte order mark decides,
//! then the charset of the Content-Type header; a `meta charset=utf-16` that can be read as ASCII
//! cannot be true, and means UTF-8 (HTML Living Standard §13.2.3.2).

use std::borrow::Cow;

/// The bytes of a page in an encoding that agrees with ASCII, without a byte order mark.
///
/// ```
/// use page_directives::html::decode;
///
/// assert_eq!(&*decode(b"\xff\xfe<\0p\0", None), b"<p");
/// assert_eq!(&*decode(b"\xef\xbb\xbf<p", Some(b"utf-16")), b"<p");
/// assert_eq!(&*decode(b"\0<\0p", Some(b"UTF-16BE")), b"<p");
/// ```
#[must_use]
pub fn decode<'b>(bytes: &'b [u8], charset: Option<&[u8]>) -> Cow<'b, [u8]> {
    // The labels of WHATWG Encoding §4.2.
    let label = charset.map(|label| label.trim_ascii().to_ascii_lowercase());
    let (units, unit): (_, fn([u8; 2]) -> u16) = match (bytes, label.as_deref()) {
        ([0xef, 0xbb, 0xbf, text @ ..], _) => return Cow::Borrowed(text),
        ([0xff, 0xfe, units @ ..], _) => (units, u16::from_le_bytes),
        ([0xfe, 0xff, units @ ..], _) => (units, u16::from_be_bytes),
        (_, Some(b"utf-16be" | b"unicodefffe")) => (bytes, u16::from_be_bytes),
        (
            _,
            Some(
                b"utf-16" | b"utf-16le" | b"ucs-2" | b"unicode" | b"unicodefeff" | b"csunicode"
                | b"iso-10646-ucs-2",
            ),
        ) => (bytes, u16::from_le_bytes),
        _ => return Cow::Borrowed(bytes),
    };
    let units = units.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let characters = char::decode_utf16(units);
    let text: String = characters
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    Cow::Owned(text.into_bytes())
}
