//! Readers of answers: of a row, and of the sections that need more than a row. They find values
//! for the texts of a section, and its figure.

mod blocked;
mod blockers;
mod change;
pub(super) mod row;

use super::context::{Context, Pair};
use super::figure::Plot;
use super::template::Value;

#[derive(Debug, Default)]
pub(super) struct Evidence<'a> {
    /// The row that the headline is about: its columns are values too.
    pub(super) lead: Option<Pair<'a>>,
    /// Values by name; null where a sentence has to do without.
    pub(super) values: Vec<(&'static str, Option<Value>)>,
    pub(super) plot: Option<Plot>,
}

impl<'a> Evidence<'a> {
    pub(super) fn about(lead: Pair<'a>) -> Self {
        Self {
            lead: Some(lead),
            ..Self::default()
        }
    }

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

/// A reader of answers. None where there is nothing to say.
pub(super) type Reader = for<'a> fn(&Context<'a>) -> Option<Evidence<'a>>;

pub(super) fn reader(name: &str) -> Option<Reader> {
    Some(match name {
        "" => row::row,
        "most_blocked" => blocked::most_blocked,
        "crawlers" => blocked::crawlers,
        "effective" => blocked::effective,
        "owner_choices" => blocked::owner_choices,
        "definitions" => blocked::definitions,
        "by_whom" => blockers::by_whom,
        "by_tld" => blockers::by_tld,
        "by_rank" => blockers::by_rank,
        "classes_by_rank" => blockers::classes_by_rank,
        "together" => blocked::together,
        "operators" => blocked::operators,
        "panel" => change::panel,
        "timeline" => change::timeline,
        "openings" => change::openings,
        _ => return None,
    })
}
