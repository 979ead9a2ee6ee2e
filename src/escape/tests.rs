//! The cases of `tests.md`.

use super::*;
use crate::tests::check;

#[test]
fn cases() {
    check(file!(), |question, [asked, ..]| match question {
        "text" => text(asked).into_owned(),
        "line" => line(asked),
        "shell-word" => shell_word(asked),
        "json" => {
            let written = serde_json::Value::from(asked).to_string();
            let escaped = json(&written);
            let read: serde_json::Value = serde_json::from_str(&escaped).expect("JSON");
            assert_eq!(read, asked);
            escaped.into_owned()
        }
        _ => panic!("{question}"),
    });
}
