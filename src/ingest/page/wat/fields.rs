//! Fields of an extract: JSON objects of text, borrowed from the record.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

/// Text, borrowed where no character of it is escaped.
#[derive(Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] pub(super) Cow<'a, str>);

/// Names and values, in order. A name whose value is a list has a pair for each of these; what is
/// no text is left out.
#[derive(Default)]
pub(super) struct Fields<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl Fields<'_> {
    /// The values of a field; case of the name aside.
    pub(super) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        let pairs = self.0.iter();
        pairs
            .filter(move |(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
    }

    /// The first of these.
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
                    let fields = &mut self.0;
                    map.next_value_seed(Values {
                        name: &name,
                        fields,
                    })?;
                }
                Ok(self.0)
            }
        }

        deserializer.deserialize_map(Pairs(Fields::default()))
    }
}

/// Takes the value of a field, or its values.
struct Values<'f, 'a> {
    name: &'f Cow<'a, str>,
    fields: &'f mut Fields<'a>,
}

impl<'a> Values<'_, 'a> {
    fn push(self, value: Cow<'a, str>) {
        self.fields.0.push((self.name.clone(), value));
    }
}

impl<'de: 'a, 'a> DeserializeSeed<'de> for Values<'_, 'a> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de: 'a, 'a> Visitor<'de> for Values<'_, 'a> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_borrowed_str<E: Error>(self, value: &'de str) -> Result<(), E> {
        self.push(Cow::Borrowed(value));
        Ok(())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        self.push(Cow::Owned(value.to_owned()));
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let Self { name, fields } = self;
        while values
            .next_element_seed(Values {
                name,
                fields: &mut *fields,
            })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }
}
