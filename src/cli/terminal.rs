//! Text from the web on a terminal.

use std::borrow::Cow;
use std::io::Write as _;

use crate::escape::{visible, visible_json};

/// `text` with everything escaped that could make a terminal do something: control characters and
/// those that change the direction of writing.
#[must_use]
pub(super) fn printable(text: &str) -> Cow<'_, str> {
    visible(text)
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
    visible_json(&value.to_string()).into_owned()
}
