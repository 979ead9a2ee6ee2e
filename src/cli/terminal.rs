//! Text from the web on a terminal.

use std::borrow::Cow;

/// `text` with everything escaped that could make a terminal do something: control characters and
/// those that change the direction of writing.
#[must_use]
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hostile(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

fn is_hostile(character: char) -> bool {
    let is_control = character.is_control() && character != '\n' && character != '\t';
    let is_bidi = matches!(character, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    is_control || is_bidi
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_shown_not_obeyed() {
        assert_eq!(printable("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(printable("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(printable("ümlaut\n"), "ümlaut\n");
    }
}
