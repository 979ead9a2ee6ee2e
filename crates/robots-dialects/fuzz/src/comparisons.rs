//! The comparison of two files, checked against the product automaton and the verdicts.

use robots_dialects::comparison::{
    Class, Comparison, DecisionList, Direction, MAX_REASONS, Reason, compare_dialects,
};
use robots_dialects::dialect::{Crawler, Dialect, Ruleset};
use robots_dialects::path::UrlPath;

use super::first_line;

/// Every witness is confirmed by the verdicts, the automaton finds the same pairs of rules, a path
/// whose verdict changes is one of a listed pair, and files have one meaning just when nothing
/// changes.
///
/// The data's first line is a crawler, the second a path; the rest are two files of rules, with a
/// line `=` between them.
pub fn reasons_are_the_verdicts_that_change(data: &[u8]) {
    let (name, rest) = first_line(&data[..data.len().min(400)]);
    let (path, rest) = first_line(rest);
    let middle = rest.windows(3).position(|part| part == b"\n=\n");
    let (old, new) = rest.split_at(middle.map_or(rest.len(), |at| at + 1));
    let new = new.strip_prefix(b"=\n").unwrap_or(new);
    let path = [b"/", path].concat();
    // Without a user-agent line no rule would count.
    let bodies = [old, new].map(|rules| [b"User-agent: *\nRobot-version: 2.0\n", rules].concat());
    let rfc9309 = Dialect::Rfc9309.compile(&bodies[0]);
    for dialect in Dialect::ALL {
        let [old, new] = bodies.each_ref().map(|body| dialect.compile(body));
        let lists = [&old, &new].map(|ruleset| DecisionList::new(ruleset, Crawler::Named(name)));
        let comparison = lists[0].compare(&lists[1]);
        let oracle = lists[0].compare_by_states(&lists[1]);
        for reason in comparison.reasons.iter().chain(&oracle.reasons) {
            let found = change(&old, &new, name, &reason.witness);
            assert_eq!(found, Some(lines(reason)), "{dialect}: {reason:?}");
        }
        let is_decided = |of: &Comparison<'_>| of.class != Class::Undecided && of.is_complete;
        if is_decided(&comparison) {
            let mut listed: Vec<_> = comparison.reasons.iter().map(lines).collect();
            listed.sort_unstable();
            if let Some(pair) = change(&old, &new, name, &path) {
                assert!(
                    listed.contains(&pair),
                    "{dialect}: {pair:?} not in {comparison:?}"
                );
            }
            if is_decided(&oracle) {
                let mut found: Vec<_> = oracle.reasons.iter().map(lines).collect();
                found.sort_unstable();
                assert_eq!(listed, found, "{dialect}");
                assert_eq!(comparison.class, oracle.class, "{dialect}");
            }
        }
        assert!(comparison.reasons.len() <= MAX_REASONS);
        if let [Some(old), Some(new)] = lists.each_ref().map(DecisionList::meaning)
            && comparison.class != Class::Undecided
        {
            assert_eq!(old == new, comparison.class == Class::Equal, "{dialect}");
        }
        for compared in compare_dialects(&rfc9309, &old, [Crawler::Named(name)]) {
            for reason in &compared.comparison.reasons {
                let found = change(&rfc9309, &old, name, &reason.witness);
                assert_eq!(
                    found.map(|pair| pair.0),
                    Some(reason.direction),
                    "{dialect}"
                );
            }
        }
    }
}

type Pair = (Direction, Option<u32>, Option<u32>);

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
