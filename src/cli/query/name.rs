//! The argument that names a query: any text; completions offer the names of shipped queries.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

use crate::analysis::query::shipped;

/// Accepts any text; completions offer the shipped queries.
#[derive(Debug, Clone)]
pub(super) struct QueryName;

impl TypedValueParser for QueryName {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = shipped::all()
            .iter()
            .map(|query| PossibleValue::new(query.name));
        Some(Box::new(names))
    }
}
