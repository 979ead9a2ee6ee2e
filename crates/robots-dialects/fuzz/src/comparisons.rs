//! The comparison of two files, checked against the product automaton and the verdicts.

use robots_dialects::comparison::{
    Class, Comparison, DecisionList, Direction, MAX_REASONS, Reason, compare_dialects,
};
use robots_dialects::dialect::{Crawler, Dialect, Ruleset};
use robots_dialects::path::{ROBOTS_TXT, UrlPath};
use robots_dialects::pattern::matches;
use robots_dialects::percent::rfc9309_pattern;

use super::first_line;

/// [`agree`] holds for each dialect, and verdicts confirm the comparison of two dialects on one
/// file.
///
/// The data's first line is a crawler, the second has paths with a space between them; the rest are
/// two files of rules, with a line `=` between them.
pub fn reasons_are_the_verdicts_that_change(data: &[u8]) {
    let (name, rest) = first_line(&data[..data.len().min(400)]);
    let (paths, rest) = first_line(rest);
    let middle = rest.windows(3).position(|part| part == b"\n=\n");
    let (old, new) = rest.split_at(middle.map_or(rest.len(), |at| at + 1));
    let new = new.strip_prefix(b"=\n").unwrap_or(new);
    let paths = paths.split(|byte| *byte == b' ');
    let paths: Vec<Vec<u8>> = paths.map(|path| [b"/", path].concat()).collect();
    // Without a user-agent line no rule would count.
    let bodies = [old, new].map(|rules| [b"User-agent: *\nRobot-version: 2.0\n", rules].concat());
    let bodies = bodies.each_ref().map(Vec::as_slice);
    let rfc9309 = Dialect::Rfc9309.compile(bodies[0]);
    for dialect in Dialect::ALL {
        agree(dialect, bodies, name, &paths);
        let other = dialect.compile(bodies[0]);
        for compared in compare_dialects(&rfc9309, &other, [Crawler::Named(name)]) {
            for reason in &compared.comparison.reasons {
                let found = change(&rfc9309, &other, name, &reason.witness);
                assert_eq!(
                    found.map(|pair| pair.0),
                    Some(reason.direction),
                    "{dialect}"
                );
            }
        }
    }
}

/// Every witness is confirmed by the verdicts, the automaton finds the same pairs of rules, a path
/// whose verdict changes belongs to a listed pair and its patterns, and files have the same meaning
/// exactly when nothing changes. False if a limit was reached, so that not everything could be
/// checked.
pub fn agree(dialect: Dialect, bodies: [&[u8]; 2], name: &[u8], paths: &[Vec<u8>]) -> bool {
    let [old, new] = bodies.map(|body| dialect.compile(body));
    let lists = [&old, &new].map(|ruleset| DecisionList::new(ruleset, Crawler::Named(name)));
    let comparison = lists[0].compare(&lists[1]);
    let inverse = lists[1].compare(&lists[0]);
    let oracle = lists[0].compare_by_states(&lists[1]);
    for reason in comparison.reasons.iter().chain(&oracle.reasons) {
        let found = change(&old, &new, name, &reason.witness);
        assert_eq!(found, Some(lines(reason)), "{dialect}: {reason:?}");
    }
    assert!(comparison.reasons.len() <= MAX_REASONS);
    if let [Some(old), Some(new)] = lists.each_ref().map(DecisionList::meaning)
        && comparison.class != Class::Undecided
    {
        assert_eq!(old == new, comparison.class == Class::Equal, "{dialect}");
    }
    let is_decided = |of: &Comparison<'_>| of.class != Class::Undecided && of.is_complete;
    if !is_decided(&comparison) {
        return false;
    }
    let listed = pairs(&comparison);
    for path in paths {
        let pair = change(&old, &new, name, path);
        assert!(
            pair.is_none_or(|pair| listed.contains(&pair)),
            "{dialect}: {pair:?} not in {comparison:?}"
        );
        let mut reasons = comparison.reasons.iter();
        if dialect == Dialect::Rfc9309 && reasons.all(|reason| reason.exceptions.is_complete) {
            let direction = direction_in_words(&comparison, path);
            assert_eq!(direction, pair.map(|pair| pair.0), "{comparison:?}");
        }
    }
    if is_decided(&inverse) {
        let mut turned = pairs(&inverse).into_iter().map(turn).collect::<Vec<_>>();
        turned.sort_unstable();
        assert_eq!(turned, listed, "{dialect}");
    }
    if is_decided(&oracle) {
        assert_eq!(listed, pairs(&oracle), "{dialect}");
        assert_eq!(comparison.class, oracle.class, "{dialect}");
    }
    is_decided(&inverse) && is_decided(&oracle)
}

/// How `path` changes according to the patterns and exceptions of the reasons alone.
fn direction_in_words(comparison: &Comparison<'_>, path: &[u8]) -> Option<Direction> {
    let path = UrlPath::new(path);
    let is_match = |pattern: &Vec<u8>| {
        let mut scratch = Vec::new();
        matches(rfc9309_pattern(pattern, &mut scratch), path.normalised())
    };
    let mut reasons = comparison.reasons.iter();
    let reason = reasons.find(|reason| {
        let exceptions = &reason.exceptions;
        let mut excluded = exceptions.old.iter().chain(&exceptions.new);
        reason.patterns.iter().any(is_match) && !excluded.any(is_match)
    });
    let reason = reason.filter(|_| path.normalised() != ROBOTS_TXT);
    reason.map(|reason| reason.direction)
}

type Pair = (Direction, Option<u32>, Option<u32>);

/// The pairs of rules of all reasons, sorted.
fn pairs(comparison: &Comparison<'_>) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = comparison.reasons.iter().map(lines).collect();
    pairs.sort_unstable();
    pairs
}

/// The pair of the inverse comparison.
fn turn((direction, old, new): Pair) -> Pair {
    match direction {
        Direction::Blocked => (Direction::Opened, new, old),
        Direction::Opened => (Direction::Blocked, new, old),
    }
}

fn lines(reason: &Reason<'_>) -> Pair {
    let line = |rule: Option<robots_dialects::comparison::DecidingRule<'_>>| rule.map(|it| it.line);
    (reason.direction, line(reason.old), line(reason.new))
}

fn change(old: &Ruleset, new: &Ruleset, name: &[u8], path: &[u8]) -> Option<Pair> {
    let path = UrlPath::new(path);
    let (old, new) = (old.verdict(name, &path), new.verdict(name, &path));
    let direction = match (old.allowed, new.allowed) {
        (true, false) => Direction::Blocked,
        (false, true) => Direction::Opened,
        _ => return None,
    };
    Some((direction, old.line, new.line))
}
