//! The arguments that name datasets and a query: any text; completions offer the names of shipped
//! queries.

use std::ffi::{OsStr, OsString};

use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};

use crate::analysis::query::shipped;

/// Accepts any text; completions offer the shipped queries.
#[derive(Debug, Clone)]
pub(super) struct QueryName;

impl TypedValueParser for QueryName {
    type Value = OsString;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<OsString, clap::Error> {
        OsStringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = shipped::all()
            .iter()
            .map(|query| PossibleValue::new(query.name));
        Some(Box::new(names))
    }
}
