//! Percent-encoding: the forms in which rules and URL paths are compared.
//!
//! Three ways exist. Google's parser upper-cases escapes and encodes bytes outside US-ASCII in
//! rules only ([`google_escape`]). RFC 9309 §2.2.2 encodes those bytes on both sides and decodes
//! escaped unreserved characters ([`rfc9309_normalise`], [`rfc9309_pattern`], [`rfc9309_path`]).
//! The 1996 draft decodes every escape except `%2F` ([`koster_starts_with`]).
//!
//! Functions that rewrite return their input if nothing changes, else the caller's scratch buffer.

const HEX: &[u8; 16] = b"0123456789ABCDEF";

/// A rule value as Google's parser stores it: bytes above 0x7F become `%XX`, valid escapes are
/// upper-cased, nothing is decoded.
pub fn google_escape<'v>(value: &'v [u8], scratch: &'v mut Vec<u8>) -> &'v [u8] {
    rewrite(value, scratch, |_| false, |_, _| false)
}

/// A rule value or URL path normalised under RFC 9309 §2.2.2: bytes outside US-ASCII are encoded,
/// escaped *unreserved* characters (RFC 3986 §2.3) are decoded, the hexadecimal digits of the other
/// escapes are upper-cased. Reserved characters stay as they are, escaped or not; so `%2A` and
/// `%24` remain distinct from the special `*` and `$`.
///
/// ```
/// use robots_dialects::percent::rfc9309_normalise;
///
/// let mut buffer = Vec::new();
/// assert_eq!(rfc9309_normalise(b"/%62%2f\xc3\xa9", &mut buffer), b"/b%2F%C3%A9");
/// ```
pub fn rfc9309_normalise<'v>(value: &'v [u8], scratch: &'v mut Vec<u8>) -> &'v [u8] {
    rewrite(value, scratch, is_unreserved, |_, _| false)
}

/// The form of a rule that is matched against [`rfc9309_path`]: normalised, and a `$` that is not
/// special (it is not the last byte) written `%24`.
pub fn rfc9309_pattern<'v>(value: &'v [u8], scratch: &'v mut Vec<u8>) -> &'v [u8] {
    let last = value.len().saturating_sub(1);
    rewrite(value, scratch, is_unreserved, move |index, byte| {
        byte == b'$' && index < last
    })
}

/// The form of a URL path that is matched against [`rfc9309_pattern`]: normalised, and every
/// literal `*` and `$` written `%2A` and `%24`, as in rules (RFC 9309 §2.2.3). Such a rule then
/// matches the character whether or not the URL escapes it.
pub fn rfc9309_path<'v>(path: &'v [u8], scratch: &'v mut Vec<u8>) -> &'v [u8] {
    rewrite(path, scratch, is_unreserved, |_, byte| {
        matches!(byte, b'*' | b'$')
    })
}

/// A [pattern](rfc9309_pattern) or [path](rfc9309_path) with its escaped reserved characters (RFC
/// 3986 §2.2) decoded, except `*` and `$`. RFC 9309 §2.2.2 requires reserved characters to be
/// encoded before the comparison, so that they equal their escapes. RFC 3986 §2.2 distinguishes
/// characters from their escapes, so a verdict that depends on this is ambiguous.
pub(crate) fn rfc9309_unescaped<'v>(form: &'v [u8], scratch: &'v mut Vec<u8>) -> &'v [u8] {
    rewrite(form, scratch, is_reserved, |_, _| false)
}

/// Whether `path` starts with `rule` after both were decoded as the 1996 draft says (§3.2.2): every
/// escape means its byte, except `%2F`, which equals only itself and never a slash.
///
/// ```
/// use robots_dialects::percent::koster_starts_with;
///
/// assert!(koster_starts_with(b"/%7Ejoe/a.html", b"/~joe"));
/// assert!(!koster_starts_with(b"/a/b.html", b"/a%2fb"));
/// ```
#[must_use]
pub fn koster_starts_with(path: &[u8], rule: &[u8]) -> bool {
    let mut path = koster_units(path);
    koster_units(rule).all(|unit| path.next() == Some(unit))
}

/// Whether two paths are equal in the 1996 comparison.
#[must_use]
pub fn koster_equals(one: &[u8], other: &[u8]) -> bool {
    koster_units(one).eq(koster_units(other))
}

/// Rewrites escapes and bytes of `value`: `decode` selects the escaped bytes to decode, `encode`
/// the bytes inside US-ASCII to encode, by index and byte.
#[inline]
fn rewrite<'v>(
    value: &'v [u8],
    scratch: &'v mut Vec<u8>,
    decode: impl Fn(u8) -> bool,
    encode: impl Fn(usize, u8) -> bool,
) -> &'v [u8] {
    let changes = |index: usize, byte: u8| match byte {
        b'%' => escaped_byte(&value[index..]).is_some_and(|decoded| {
            decode(decoded)
                || value[index + 1..index + 3]
                    .iter()
                    .any(u8::is_ascii_lowercase)
        }),
        _ => !byte.is_ascii() || encode(index, byte),
    };
    // A valid escape contains no `%`, so no position inside it is mistaken for another escape; its
    // digits are never encoded.
    let Some(first) = value
        .iter()
        .enumerate()
        .position(|(index, byte)| changes(index, *byte))
    else {
        return value;
    };

    scratch.clear();
    scratch.extend_from_slice(&value[..first]);
    let mut index = first;
    while let Some(&byte) = value.get(index) {
        if let Some(decoded) = escaped_byte(&value[index..]) {
            if decode(decoded) {
                scratch.push(decoded);
            } else {
                scratch.extend(escape(decoded));
            }
            index += 3;
        } else {
            if byte.is_ascii() && !encode(index, byte) {
                scratch.push(byte);
            } else {
                scratch.extend(escape(byte));
            }
            index += 1;
        }
    }
    scratch
}

/// The byte encoded by a valid escape at the start of `text`.
#[inline]
pub(crate) fn escaped_byte(text: &[u8]) -> Option<u8> {
    match text {
        [b'%', high, low, ..] => Some(hex_digit(*high)? << 4 | hex_digit(*low)?),
        _ => None,
    }
}

#[inline]
const fn hex_digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

pub(crate) fn escape(byte: u8) -> [u8; 3] {
    [
        b'%',
        HEX[usize::from(byte >> 4)],
        HEX[usize::from(byte & 15)],
    ]
}

/// RFC 3986 §2.3.
pub(crate) const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

/// RFC 3986 §2.2, without the characters that are special in patterns.
fn is_reserved(byte: u8) -> bool {
    b":/?#[]@!&'()+,;=".contains(&byte)
}

/// `%2F` in the 1996 comparison, as opposed to the three bytes to which `%252F` decodes.
pub(crate) const ESCAPED_SLASH: u16 = 256;

/// The units that the 1996 comparison compares: decoded bytes, and [`ESCAPED_SLASH`].
pub(crate) fn koster_units(mut path: &[u8]) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let (byte, rest) = path.split_first()?;
        let decoded = escaped_byte(path);
        path = decoded.map_or(rest, |_| &path[3..]);
        Some(match decoded {
            Some(b'/') => ESCAPED_SLASH,
            _ => u16::from(decoded.unwrap_or(*byte)),
        })
    })
}
