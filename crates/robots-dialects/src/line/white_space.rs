//! White space at either end of a text.

/// ASCII white space as the parser strips it: including VT and FF, not NBSP.
#[inline]
pub(crate) const fn is_space(byte: u8) -> bool {
    // Most bytes are above both.
    byte <= b' ' && matches!(byte, b' ' | b'\t'..=b'\r')
}

/// `text` without ASCII white space at either end.
#[inline]
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    trim_end(trim_start(text))
}

#[inline]
pub(super) fn trim_start(mut text: &[u8]) -> &[u8] {
    while let [first, rest @ ..] = text
        && is_space(*first)
    {
        text = rest;
    }
    text
}

#[inline]
pub(super) fn trim_end(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., last] = text
        && is_space(*last)
    {
        text = rest;
    }
    text
}
