//! The finding of a reader: values for the texts of a section, and its figure.

use crate::analysis::report::context::Pair;
use crate::analysis::report::figure::Plot;
use crate::analysis::report::template::Value;

#[derive(Debug, Default)]
pub struct Evidence<'a> {
    /// The row that the headline is about: its columns are values too.
    pub lead: Option<Pair<'a>>,
    /// Values by name; sentences that need a missing value are left out.
    pub values: Vec<(&'static str, Option<Value>)>,
    pub plot: Option<Plot>,
}

impl<'a> Evidence<'a> {
    pub fn about(lead: Pair<'a>) -> Self {
        Self {
            lead: Some(lead),
            ..Self::default()
        }
    }

    pub fn drawing(mut self, plot: Plot) -> Self {
        self.plot = Some(plot);
        self
    }

    pub fn with(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        self.values.push((name, value.map(Into::into)));
        self
    }
}
