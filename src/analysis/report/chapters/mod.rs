//! Readers of answers: one for sections about a row, and one for each section that needs more. They
//! find the values for a section's texts, and its figure.

mod blocked;
mod blockers;
mod change;
mod evidence;
mod row;

use super::context::Context;
use row::row;

pub(super) use evidence::Evidence;
pub(super) use row::{drawable, in_crawl};

/// The reader with this name. A reader returns `None` if the answer has no finding.
pub(super) fn reader(name: &str) -> Option<for<'a> fn(&Context<'a>) -> Option<Evidence<'a>>> {
    Some(match name {
        "" => row,
        "most_blocked" => blocked::most_blocked,
        "crawlers" => blocked::crawlers,
        "effective" => blocked::effective,
        "owner_choices" => blocked::owner_choices,
        "definitions" => blocked::definitions,
        "grouping" => blocked::grouping,
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
