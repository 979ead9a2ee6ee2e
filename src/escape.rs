//! Text from the web, escaped for display: control and invisible characters become visible.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Bytes as text, not escaped: U+FFFD replaces bytes that are not UTF-8.
pub fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Escapes control characters (line endings and tabs stay), characters that change the direction of
/// writing, and zero-width characters, which could hide a difference. Rust's escapes are used:
/// `\u{1b}`.
pub fn text(text: &str) -> Cow<'_, str> {
    escaped(text, |text, character| {
        text.extend(character.escape_default());
    })
}

/// Escapes one line of text, such as a file name: like [`text`](self::text()), but with line
/// endings and tabs escaped too, so that a name cannot pass for a separate message.
pub fn line(line: &str) -> String {
    let line = line.replace('\n', "\\n").replace('\t', "\\t");
    text(&line).into_owned()
}

/// Escapes JSON: the same characters as [`text`](self::text()), as `\u` escapes. A JSON parser
/// reads the value unchanged; a terminal shows the escapes.
pub fn json(json: &str) -> Cow<'_, str> {
    // Outside strings JSON is ASCII, so every escaped character is in a string.
    escaped(json, |json, character| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            // Writing to a String cannot fail.
            let _ = write!(json, "\\u{unit:04x}");
        }
    })
}

/// `text`, with `write` called for each character to escape.
fn escaped(text: &str, write: impl Fn(&mut String, char)) -> Cow<'_, str> {
    // Bytes are quicker to check than characters, and most text is ASCII.
    let is_plain = |byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(is_plain) || !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_escaped(character) {
            write(&mut escaped, character);
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// A word of a command, quoted if a shell would not read it as one plain word.
pub fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn is_escaped(character: char) -> bool {
    let is_control = character.is_control() && character != '\n' && character != '\t';
    let is_bidi = matches!(
        character,
        '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    let is_unseen = matches!(
        character,
        '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{feff}'
    );
    is_control || is_bidi || is_unseen
}

#[cfg(test)]
mod tests;
