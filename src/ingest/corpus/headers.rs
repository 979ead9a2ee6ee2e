//! Response headers as tables of fetches have them.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};

#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Headers(pub(super) Vec<(String, Vec<u8>)>);

impl Headers {
    /// Headers in text: JSON, or header lines as HTTP/1.1 has them. Fails with what is wrong.
    pub(super) fn parse(text: &[u8]) -> Result<Self, String> {
        if matches!(text.trim_ascii_start().first(), Some(b'{' | b'[')) {
            let headers = serde_json::from_slice(text);
            return headers.map_err(|error| {
                format!("the headers are not JSON with names and values: {error}")
            });
        }
        let mut headers = Self::default();
        for line in text.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            let is_status_line = headers.0.is_empty() && line.starts_with(b"HTTP/");
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
            headers.push(&name, line[colon + 2..].trim_ascii());
        }
        Ok(headers)
    }

    pub(super) fn get(&self, name: &str) -> Option<&[u8]> {
        let mut lines = self.0.iter();
        let line = lines.find(|line| line.0.eq_ignore_ascii_case(name));
        line.map(|(_, value)| value.as_slice())
    }

    /// Adds a line unless its name is not allowed in HTTP/1.1, such as `:status`.
    pub(super) fn push(&mut self, name: &str, value: &[u8]) {
        let name = name.trim();
        let is_name = |byte: u8| byte.is_ascii_graphic() && byte != b':';
        if !name.is_empty() && name.bytes().all(is_name) {
            self.0.push((name.to_owned(), value.to_vec()));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let lines = self.0.iter();
        let bytes = lines.map(|(name, value)| name.len() + value.len() + 16);
        bytes.sum()
    }
}

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(HeadersVisitor)
    }
}

/// Reads an object, whose values may be lists, or a list of pairs or of objects with `name` (or
/// `key`) and `value`.
pub(super) struct HeadersVisitor;

impl<'de> Visitor<'de> for HeadersVisitor {
    type Value = Headers;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("headers: an object, or a list of pairs")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Headers, A::Error> {
        let mut headers = Headers::default();
        while let Some((name, values)) = map.next_entry::<String, Values>()? {
            values.push_to(&mut headers, &name);
        }
        Ok(headers)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Headers, A::Error> {
        let mut headers = Headers::default();
        while let Some(pair) = seq.next_element()? {
            let (Pair::List(name, values) | Pair::Object { name, values }) = pair;
            values.push_to(&mut headers, &name);
        }
        Ok(headers)
    }
}

/// One value, or several. Each variant that does not fit costs an error, so the usual ones come
/// first.
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
    fn push_to(self, headers: &mut Headers, name: &str) {
        let value = match self {
            Self::Null => return,
            Self::List(values) => {
                for value in values {
                    headers.push(name, value.as_bytes());
                }
                return;
            }
            Self::Text(text) => text,
            Self::Flag(flag) => flag.to_string(),
            Self::Signed(number) => number.to_string(),
            Self::Unsigned(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
        };
        headers.push(name, value.as_bytes());
    }
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected the name and value of a header")]
enum Pair {
    List(String, Values),
    Object {
        #[serde(alias = "Name", alias = "NAME")]
        #[serde(alias = "key", alias = "Key", alias = "KEY")]
        name: String,
        #[serde(default, rename = "value", alias = "Value", alias = "VALUE")]
        values: Values,
    },
}
