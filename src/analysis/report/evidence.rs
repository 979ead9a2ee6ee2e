//! What a reader finds in the answers of a section: values for its texts, and a figure.

use super::context::Pair;
use super::figure::plot::Plot;
use super::template::Value;

/// What a reader found in an answer.
#[derive(Debug, Default)]
pub(super) struct Evidence<'a> {
    /// The row that the headline is about: its columns are values too.
    pub(super) lead: Option<Pair<'a>>,
    /// Values by name; null where a sentence has to do without.
    pub(super) values: Vec<(&'static str, Option<Value>)>,
    pub(super) plot: Option<Plot>,
}

impl<'a> Evidence<'a> {
    /// A row, without a figure.
    pub(super) fn about(lead: Pair<'a>) -> Self {
        Self {
            lead: Some(lead),
            ..Self::default()
        }
    }

    /// The same with a figure.
    pub(super) fn drawing(self, plot: Plot) -> Self {
        Self {
            plot: Some(plot),
            ..self
        }
    }

    /// The same with a value, which may be null.
    pub(super) fn with(mut self, name: &'static str, value: Option<impl Into<Value>>) -> Self {
        self.values.push((name, value.map(Into::into)));
        self
    }
}
