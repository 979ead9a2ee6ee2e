//! Text from the web, made harmless to look at: what a reader or a terminal would obey is shown.

use std::borrow::Cow;
use std::fmt::Write as _;

/// `text` with everything escaped that is not seen but obeyed: control characters (line ends and
/// tabs stay), those that change the direction of writing, and those without width that could hide
/// a difference.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_obeyed(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

/// The same for text that has one line, such as the name of a file: line ends and tabs are escaped
/// too, so that a name cannot pass for a message of its own.
#[must_use]
pub fn visible_line(text: &str) -> Cow<'_, str> {
    if !text.contains(['\n', '\t']) {
        return visible(text);
    }
    let lines = text.replace('\n', "\\n").replace('\t', "\\t");
    Cow::Owned(visible(&lines).into_owned())
}

/// JSON with the same characters as `\u` escapes: the reader of the JSON gets them as they were, a
/// terminal does not.
#[must_use]
pub fn visible_json(json: &str) -> Cow<'_, str> {
    if !json.chars().any(is_obeyed) {
        return Cow::Borrowed(json);
    }
    // Outside strings JSON is ASCII, so whatever is escaped here stands in a string.
    let mut escaped = String::with_capacity(json.len() + 16);
    for character in json.chars() {
        if is_obeyed(character) {
            let mut units = [0; 2];
            for unit in character.encode_utf16(&mut units) {
                // Writing to a String cannot fail.
                let _ = write!(escaped, "\\u{unit:04x}");
            }
        } else {
            escaped.push(character);
        }
    }
    Cow::Owned(escaped)
}

fn is_obeyed(character: char) -> bool {
    let is_control = character.is_control() && character != '\n' && character != '\t';
    let is_bidi = matches!(character, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_unseen = matches!(
        character,
        '\u{200b}' | '\u{2028}' | '\u{2029}' | '\u{2060}' | '\u{feff}'
    );
    is_control || is_bidi || is_unseen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_shown_not_obeyed() {
        assert_eq!(visible("a\u{1b}[31mb"), "a\\u{1b}[31mb");
        assert_eq!(visible("x\u{202e}y"), "x\\u{202e}y");
        assert_eq!(visible("x\u{200b}y"), "x\\u{200b}y");
        assert_eq!(visible("ümlaut\n"), "ümlaut\n");
        assert_eq!(visible_line("a\n\u{7}\tb"), "a\\n\\u{7}\\tb");
    }

    #[test]
    fn json_keeps_its_value() {
        let value = serde_json::json!({ "a\u{1b}\u{9b}": "x\u{202e}ü\n\u{7f}" });
        let json = value.to_string();
        let json = visible_json(&json);
        assert_eq!(json, r#"{"a\u001b\u009b":"x\u202eü\n\u007f"}"#);
        let read: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(read, value);
    }
}
