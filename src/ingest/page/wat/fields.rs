//! Fields of an extract: JSON objects of text, borrowed from the record.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};

/// Text, borrowed where no character of it is escaped.
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// Names and values, in order. A name whose value is a list has a pair for each of these;
/// values that are not text are left out.
#[derive(Default)]
pub(super) struct Fields<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Fields<'_> {
    /// The values of `name`, ignoring case.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let pairs = self.0.iter();
        pairs
            .filter(move |(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).next()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs<'a>(Fields<'a>);

        impl<'de: 'a, 'a> Visitor<'de> for Pairs<'a> {
            type Value = Fields<'a>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<Fields<'a>, A::Error> {
                while let Some(Text(name)) = map.next_key()? {
                    map.next_value::<Value<'a>>()?.push_to(&mut self.0, &name);
                }
                Ok(self.0)
            }
        }

        deserializer.deserialize_map(Pairs(Fields::default()))
    }
}

/// The value of a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum Value<'a> {
    Text(#[serde(borrow)] Text<'a>),
    List(#[serde(borrow)] Vec<Value<'a>>),
    Other(IgnoredAny),
}

impl<'a> Value<'a> {
    #[expect(clippy::ptr_arg, reason = "the clone of a borrowed name is borrowed")]
    fn push_to(self, fields: &mut Fields<'a>, name: &Cow<'a, str>) {
        match self {
            Self::Text(Text(value)) => fields.0.push((name.clone(), value)),
            Self::List(values) => {
                for value in values {
                    value.push_to(fields, name);
                }
            }
            Self::Other(_) => {}
        }
    }
}
