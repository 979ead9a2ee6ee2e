//! The effects of a change, for the history of a site: a line per direction and group of crawlers.

use indexmap::IndexMap;
use robots_dialects::comparison::{Class, Comparison, Direction, Policy, compare_crawlers};
use robots_dialects::dialect::{Crawler, Dialect};
use robots_dialects::document::Document;

use super::change::{OtherChanges, names};
use super::text::{crawlers, other_lines, paths, patterns};

const MAX_REASONS: usize = 4;
const MAX_EXCEPTIONS: usize = 2;

/// What crawlers may fetch now but could not before, and the reverse, under RFC 9309, then changes
/// of crawl-delays and preferences. `None` is an answer without a file, which allows everything.
pub fn effects(old: Option<&str>, new: Option<&str>) -> Vec<String> {
    let dialect = Dialect::Rfc9309;
    let bodies = [old, new].map(|body| body.map(str::as_bytes));
    let rulesets = bodies.map(|body| body.map(|body| dialect.compile(body)));
    let policies = rulesets.each_ref().map(|ruleset| match ruleset {
        Some(ruleset) => Policy::Rules(ruleset),
        None => Policy::AllowAll(dialect),
    });
    let documents = bodies.map(|body| Document::read(body.unwrap_or_default(), 0));
    let names = names(documents.each_ref());
    let asked = names.iter().map(|name| Crawler::Named(name));
    let asked: Vec<Crawler<'_>> = asked.chain([Crawler::Other]).collect();
    let compared = compare_crawlers(policies[0], policies[1], asked.iter().copied());
    let mut lines: IndexMap<String, Vec<Crawler<'_>>> = IndexMap::new();
    for group in &compared {
        for line in effects_of(&group.comparison) {
            lines.entry(line).or_default().extend(&group.crawlers);
        }
    }
    let n_asked = asked.len();
    let to = |(line, these): (String, Vec<Crawler<'_>>)| match these.len() {
        n if n == n_asked => format!("{line} to everyone"),
        _ => format!("{line} to {}", crawlers(&these, false)),
    };
    let mut effects: Vec<String> = lines.into_iter().map(to).collect();
    if effects.is_empty() {
        effects.push("the paths that crawlers may fetch stay the same".to_owned());
    }
    let others = OtherChanges::of(documents.each_ref(), &asked);
    effects.extend(other_lines(&others, n_asked));
    effects
}

fn effects_of(comparison: &Comparison<'_>) -> Vec<String> {
    if comparison.class == Class::Undecided {
        return vec!["too many rules to compare: unknown changes".to_owned()];
    }
    let line = |(direction, verb): (Direction, &str)| {
        let reasons = comparison.reasons.iter();
        let paths: Vec<String> = reasons
            .filter(|reason| reason.direction == direction)
            .map(|reason| match reason.exceptions.new.len() {
                // Many exceptions would hide the path.
                n if n > MAX_EXCEPTIONS && reason.patterns != [b"/"] => {
                    format!("most of {}", patterns(reason))
                }
                _ => paths(reason),
            })
            .collect();
        let shown = match paths.first()?.as_str() {
            "everything" => 1,
            _ => paths.len().min(MAX_REASONS),
        };
        let more = match paths.len() - shown {
            n_more if n_more > 0 && shown > 1 => format!(" and {n_more} more"),
            _ => String::new(),
        };
        Some(format!("{verb} {}{more}", paths[..shown].join(", ")))
    };
    let directions = [
        (Direction::Opened, "opened"),
        (Direction::Blocked, "closed"),
    ];
    directions.into_iter().filter_map(line).collect()
}
