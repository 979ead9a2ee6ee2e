//! Response headers as tables of fetches have them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

pub(super) type HeaderLine = (String, Vec<u8>);

pub(super) fn get<'h>(lines: &'h [HeaderLine], name: &str) -> Option<&'h [u8]> {
    let line = lines.iter().find(|line| line.0.eq_ignore_ascii_case(name));
    line.map(|(_, value)| value.as_slice())
}

pub(super) fn has(lines: &[HeaderLine], name: &str) -> bool {
    get(lines, name).is_some()
}

/// Bytes of all lines.
pub(super) fn bytes(lines: &[HeaderLine]) -> usize {
    let bytes = lines
        .iter()
        .map(|(name, value)| name.len() + value.len() + 16);
    bytes.sum()
}

/// Headers in text: JSON, as [`Headers`] reads it, or header lines as HTTP/1.1 has them.
///
/// # Errors
///
/// What is wrong with the text, in words.
pub(super) fn parse(text: &[u8]) -> Result<Vec<HeaderLine>, String> {
    if matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
        let headers = serde_json::from_slice::<Headers>(text);
        return match headers {
            Ok(Headers(lines)) => Ok(lines),
            Err(error) => Err(format!(
                "the headers are not JSON with names and values: {error}"
            )),
        };
    }
    let mut lines = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.trim_ascii();
        let is_status_line = lines.is_empty() && line.starts_with(b"HTTP/");
        if line.is_empty() || is_status_line {
            continue;
        }
        // The first colon may belong to a name of HTTP/2, such as `:status`.
        let colon = line.iter().skip(1).position(|byte| *byte == b':');
        let Some(colon) = colon else {
            return Err(format!(
                "the line `{}` of the headers has no colon",
                String::from_utf8_lossy(&line[..line.len().min(80)])
            ));
        };
        let name = String::from_utf8_lossy(&line[..=colon]);
        push(&mut lines, &name, line[colon + 2..].trim_ascii().to_vec());
    }
    Ok(lines)
}

/// Adds a line unless its name is not allowed in HTTP/1.1, such as `:status`.
pub(super) fn push(lines: &mut Vec<HeaderLine>, name: &str, value: Vec<u8>) {
    let name = name.trim();
    let is_name = |byte: u8| byte.is_ascii_graphic() && byte != b':';
    if !name.is_empty() && name.bytes().all(is_name) {
        lines.push((name.to_owned(), value));
    }
}

/// Headers in JSON: an object, whose values may be lists, or a list of pairs or of objects with
/// `name` (or `key`) and `value`.
pub(super) struct Headers(pub(super) Vec<HeaderLine>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HeadersVisitor).map(Self)
    }
}

pub(super) struct HeadersVisitor;

impl<'de> Visitor<'de> for HeadersVisitor {
    type Value = Vec<HeaderLine>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("headers: an object, or a list of pairs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut lines = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            map.next_value::<Values>()?.push_to(&mut lines, &name);
        }
        Ok(lines)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let mut lines = Vec::new();
        while let Some(pair) = seq.next_element()? {
            let (Pair::List(name, value) | Pair::Object { name, value }) = pair;
            value.push_to(&mut lines, &name);
        }
        Ok(lines)
    }
}

/// One value, or several. A variant that does not fit costs an error: the usual ones come first.
#[derive(Default, Deserialize)]
#[serde(untagged, expecting = "expected the value of a header")]
enum Values {
    Text(String),
    List(Vec<String>),
    Signed(i64),
    Unsigned(u64),
    Real(f64),
    Flag(bool),
    #[default]
    Null,
}

impl Values {
    fn push_to(self, lines: &mut Vec<HeaderLine>, name: &str) {
        let values = match self {
            Self::Null => Vec::new(),
            Self::Text(text) => vec![text],
            Self::Flag(flag) => vec![flag.to_string()],
            Self::Signed(number) => vec![number.to_string()],
            Self::Unsigned(number) => vec![number.to_string()],
            Self::Real(number) => vec![number.to_string()],
            Self::List(values) => values,
        };
        for value in values {
            push(lines, name, value.into_bytes());
        }
    }
}

/// A name with its value.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name and value of a header")]
enum Pair {
    List(String, Values),
    Object {
        #[serde(
            alias = "Name",
            alias = "NAME",
            alias = "key",
            alias = "Key",
            alias = "KEY"
        )]
        name: String,
        #[serde(default, alias = "Value", alias = "VALUE")]
        value: Values,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::check;

    #[test]
    fn cases() {
        check(file!(), |_, [text, ..]| {
            let line = |(name, value): &HeaderLine| {
                format!("{name}={}", String::from_utf8_lossy(value).trim())
            };
            match parse(text.as_bytes()) {
                Ok(lines) => lines.iter().map(line).collect::<Vec<_>>().join("; "),
                Err(problem) => problem,
            }
        });
    }
}
