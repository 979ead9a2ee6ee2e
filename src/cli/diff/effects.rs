//! What a change did, in a line for each group of crawlers: for the history of a site.

use robots_dialects::comparison::{Class, Comparison, Direction, Policy, compare_crawlers};
use robots_dialects::dialect::{Crawler, Dialect};
use robots_dialects::document::Document;

use super::change::{lossy, names, outcomes};
use super::text::{crawlers, shortened};

/// Patterns of a direction that are shown.
const MAX_PATTERNS: usize = 4;

/// What crawlers may fetch now, and could not before, or the other way about, by RFC 9309. `None`
/// for an answer without a file, which allows everything.
pub(in crate::cli) fn effects(old: Option<&str>, new: Option<&str>) -> Vec<String> {
    let dialect = Dialect::Rfc9309;
    let bodies = [old, new].map(|body| body.map(str::as_bytes));
    let rulesets = bodies.map(|body| body.map(|body| dialect.compile(body)));
    let policies = rulesets.each_ref().map(|ruleset| match ruleset {
        Some(ruleset) => Policy::Rules(ruleset),
        None => Policy::AllowAll(dialect),
    });
    let documents = bodies.map(|body| Document::read(body.unwrap_or_default(), 0, &mut Vec::new()));
    let names = names(documents.each_ref());
    let asked = names.iter().map(|name| Crawler::Named(name));
    let compared = compare_crawlers(policies[0], policies[1], asked.chain([Crawler::Other]));
    let outcomes = outcomes(&compared);
    let is_only = outcomes.len() == 1;
    let changed = outcomes
        .iter()
        .filter(|outcome| is_only || outcome.comparison.class != Class::Equal);
    let line = |outcome: &super::Outcome<'_, '_, '_>| {
        let effect = effect(outcome.comparison);
        format!("{effect} for {}", crawlers(&outcome.crawlers, is_only))
    };
    changed.map(line).collect()
}

fn effect(comparison: &Comparison<'_>) -> String {
    match comparison.class {
        Class::Equal => return "nothing changes".to_owned(),
        Class::Undecided => return "too many rules to compare".to_owned(),
        Class::Stricter | Class::Looser | Class::Mixed => {}
    }
    let of = |direction: Direction| {
        let reasons = comparison.reasons.iter();
        let reasons = reasons.filter(|reason| reason.direction == direction);
        let patterns: Vec<String> = reasons
            .flat_map(|reason| &reason.patterns)
            .map(|pattern| shortened(&lossy(pattern)))
            .collect();
        let shown = patterns.len().min(MAX_PATTERNS);
        let more = match patterns.len() - shown {
            0 => String::new(),
            n_more => format!(" and {n_more} more"),
        };
        let verb = match direction {
            Direction::Blocked => "closed",
            Direction::Opened => "opened",
        };
        (shown > 0).then(|| format!("{verb} {}{more}", patterns[..shown].join(", ")))
    };
    let both = [of(Direction::Opened), of(Direction::Blocked)];
    both.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
