//! JSON objects as lists of pairs.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};

/// The names and values of an object, in order; a name may occur several times.
pub(super) struct Pairs<N, V>(pub(super) Vec<(N, V)>);

impl<N, V> Default for Pairs<N, V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, N: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Pairs<N, V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor(PhantomData))
    }
}

struct PairsVisitor<N, V>(PhantomData<(N, V)>);

impl<'de, N: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for PairsVisitor<N, V> {
    type Value = Pairs<N, V>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Pairs(pairs))
    }
}
