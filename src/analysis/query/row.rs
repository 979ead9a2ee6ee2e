//! A row of a result: what DuckDB's `to_json` writes, with every number's digits as they are.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The columns of a row and their values, in order.
#[derive(Debug)]
pub struct Row(pub Vec<(String, Box<RawValue>)>);

impl Row {
    /// Reads a row from a line.
    ///
    /// Fails if the line is not a JSON object, even after NaN and infinities, which JSON does not
    /// have, are replaced by `null`.
    pub fn read(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line).or_else(|_| serde_json::from_str(&without_nan(line)))
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Cells;

        impl<'de> Visitor<'de> for Cells {
            type Value = Row;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Row, M::Error> {
                let mut cells = Vec::new();
                while let Some(cell) = map.next_entry()? {
                    cells.push(cell);
                }
                Ok(Row(cells))
            }
        }

        deserializer.deserialize_map(Cells)
    }
}

/// A value as text without quotes: nothing for null, JSON for lists and structures.
pub fn text(value: &RawValue) -> Cow<'_, str> {
    match value.get() {
        "null" => Cow::Borrowed(""),
        json if json.starts_with('"') => match serde_json::from_str(json) {
            Ok(text) => Cow::Owned(text),
            Err(_) => Cow::Borrowed(json),
        },
        json => Cow::Borrowed(json),
    }
}

/// A row as JSON, with the numbers as text in the columns that are marked.
pub fn with_text(row: &Row, marked: &[bool]) -> String {
    let cells: Vec<String> = row
        .0
        .iter()
        .zip(marked)
        .map(|((name, value), is_text)| {
            let name = serde_json::Value::from(name.as_str());
            match value.get() {
                json if *is_text && json != "null" => format!("{name}:\"{json}\""),
                json => format!("{name}:{json}"),
            }
        })
        .collect();
    format!("{{{}}}", cells.join(","))
}

/// A line with null for the numbers that JSON does not have and DuckDB writes nevertheless.
pub fn without_nan(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(character) = rest.chars().next() {
        if character == '"' {
            let end = string_end(rest);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
            continue;
        }
        let no_number = ["NaN", "-Infinity", "Infinity"]
            .iter()
            .find_map(|number| rest.strip_prefix(number));
        if let Some(after) = no_number {
            out.push_str("null");
            rest = after;
        } else {
            out.push(character);
            rest = &rest[character.len_utf8()..];
        }
    }
    out
}

/// Where the string ends that `text` begins with.
fn string_end(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_their_digits_and_order() {
        let row = Row::read(r#"{"b":170141183460469231731687303715884105727,"a":1.50,"c":"ü\n","d":null,"e":[1,2]}"#)
            .expect("a row");
        let texts: Vec<(&str, Cow<'_, str>)> = row
            .0
            .iter()
            .map(|(name, value)| (name.as_str(), text(value)))
            .collect();
        let expected = [
            ("b", "170141183460469231731687303715884105727"),
            ("a", "1.50"),
            ("c", "ü\n"),
            ("d", ""),
            ("e", "[1,2]"),
        ];
        assert_eq!(
            texts,
            expected.map(|(name, value)| (name, Cow::Borrowed(value)))
        );
    }

    #[test]
    fn what_is_no_number_becomes_null() {
        let row =
            Row::read(r#"{"a\"NaN":NaN,"b":[-Infinity,"NaN\\"],"c":Infinity}"#).expect("a row");
        let values: Vec<&str> = row.0.iter().map(|(_, value)| value.get()).collect();
        assert_eq!(values, ["null", r#"[null,"NaN\\"]"#, "null"]);
        assert!(Row::read("{").is_err());
    }

    #[test]
    fn ids_become_text() {
        let row = Row::read(r#"{"file_id":-6703903964971298549,"policy_id":null,"n":3}"#);
        let row = row.expect("a row");
        assert_eq!(
            with_text(&row, &[true, true, false]),
            r#"{"file_id":"-6703903964971298549","policy_id":null,"n":3}"#
        );
    }
}
