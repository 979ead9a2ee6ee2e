//! Text from the web on a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;

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

/// Prints `text` on standard error, control characters escaped. Nobody listening there is no
/// reason to stop: the exit code says how the run went.
pub(super) fn tell(text: &str) {
    let _ = std::io::stderr()
        .lock()
        .write_all(printable(text).as_bytes());
}

/// `value` as JSON on one line, with the same characters as `\u` escapes: the reader of the JSON
/// gets them as they were, a terminal does not.
#[must_use]
pub(super) fn printable_json(value: &serde_json::Value) -> String {
    let json = value.to_string();
    if !json.chars().any(is_hostile) {
        return json;
    }
    // Outside strings JSON is ASCII, so whatever is escaped here stands in a string.
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_hostile(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
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

    #[test]
    fn json_keeps_its_value() {
        let value = serde_json::json!({ "a\u{1b}\u{9b}": "x\u{202e}ü\n\u{7f}" });
        let json = printable_json(&value);
        assert_eq!(json, r#"{"a\u001b\u009b":"x\u202eü\n\u007f"}"#);
        let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read, value);
    }
}
