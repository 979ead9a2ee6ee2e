//! Readers of the sections that need more than a row of their answer.

mod blocked;
mod change;
mod rank;
mod related;
mod whom;

use super::answer::Row;
use super::reading::Reader;

pub(super) use rank::range_in_words;

/// The arguments of `agent-panel`.
pub(super) const PANEL: [(&str, &str); 2] = [("agents", "usual"), ("before", "before")];

/// The reader of that name.
pub(super) fn reader(name: &str) -> Option<Reader> {
    Some(match name {
        "most_blocked" => blocked::most_blocked,
        "crawlers" => blocked::crawlers,
        "effective" => blocked::effective,
        "owner_choices" => blocked::owner_choices,
        "definitions" => blocked::definitions,
        "by_whom" => whom::by_whom,
        "by_tld" => whom::by_tld,
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

/// The row with most of a column; of several the first.
fn most<'a>(
    rows: impl DoubleEndedIterator<Item = Row<'a>>,
    number: impl Fn(&Row<'a>) -> f64,
) -> Option<Row<'a>> {
    rows.rev()
        .max_by(|one, other| number(one).total_cmp(&number(other)))
}

/// The first rules of a rule set: a list that the query cuts at 70 characters.
pub(super) fn rules_in_words(rules: &str) -> String {
    let end = if rules.chars().count() >= 70 {
        "…"
    } else {
        ""
    };
    let rules: Vec<&str> = rules.split(", ").collect();
    let rules = rules.iter().map(|rule| match rule.trim_end() {
        "disallow:" => "disallow: (nothing)",
        rule => rule,
    });
    rules.collect::<Vec<_>>().join(", ") + end
}
