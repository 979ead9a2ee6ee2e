//! Serialisation by serde, with the feature `serde`: values by their names, verdicts and
//! comparisons as `robostat check --json` and `robostat diff --json` print them. Bytes that are not
//! UTF-8 become U+FFFD.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::comparison::Reason;
use crate::dialect::{Dialect, MatchedRule};

impl<'de> Deserialize<'de> for Dialect {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(D::Error::custom)
    }
}

/// As text, `disallow: /path`.
impl Serialize for MatchedRule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = String::from_utf8_lossy(self.value);
        serializer.collect_str(&format_args!("{}: {value}", self.rule_type.name()))
    }
}

impl Serialize for Reason<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let texts = |patterns: &[Vec<u8>]| {
            let texts = patterns.iter();
            let texts = texts.map(|it| String::from_utf8_lossy(it).into_owned());
            texts.collect::<Vec<String>>()
        };
        let mut fields = serializer.serialize_struct("Reason", 8)?;
        fields.serialize_field("direction", &self.direction)?;
        fields.serialize_field("old", &self.old)?;
        fields.serialize_field("new", &self.new)?;
        fields.serialize_field("patterns", &texts(&self.patterns))?;
        fields.serialize_field("except", &texts(&self.exceptions.new))?;
        fields.serialize_field("already", &texts(&self.exceptions.old))?;
        fields.serialize_field("has_all_exceptions", &self.exceptions.is_complete)?;
        fields.serialize_field("example", &String::from_utf8_lossy(&self.witness))?;
        fields.end()
    }
}
