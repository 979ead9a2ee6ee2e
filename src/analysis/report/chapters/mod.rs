//! Readers of answers: of a row, and of the sections that need more than a row.

mod blocked;
mod blockers;
mod change;
mod rank;
mod related;
pub(super) mod row;

use super::context::Context;
use super::evidence::Evidence;

/// A reader of answers. None where there is nothing to say.
pub(super) type Reader = for<'a> fn(&Context<'a>) -> Option<Evidence<'a>>;

/// The reader of that name.
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
        "by_rank" => rank::by_rank,
        "classes_by_rank" => rank::classes_by_rank,
        "together" => related::together,
        "operators" => related::operators,
        "panel" => change::panel,
        "timeline" => change::timeline,
        "openings" => change::openings,
        _ => return None,
    })
}
