//! The meaning of rules without a star but at the end, as most lists are: in one pass.
//!
//! The patterns are taken in the order of their literals. A pattern comes after every prefix that
//! matches what it matches, and all that stands between the two begins with that prefix: so the
//! prefixes of a pattern are a stack. A rule decides a path if no earlier one is on its stack.
//! It begins a new layer of the normal form (see `normal_form`) if its effect is not the one of the
//! last such rule on the stack.

use std::cmp::Reverse;

use super::normal_form::FormBytes;
use crate::dialect::{ChosenRule, RuleType};
use crate::identity::Id;
use crate::path::ROBOTS_TXT;

/// The place of a rule among those that decide: the longest first, and allow wins ties.
type Place = (Reverse<usize>, RuleType, u32);

struct Entry<'r> {
    literals: &'r [u8],
    is_exact: bool,
    place: Place,
    allows: bool,
}

/// A prefix on the stack.
struct Prefix<'r> {
    literals: &'r [u8],
    /// The first place among itself and the prefixes below it.
    first: Place,
    /// Layers that hold its own string.
    layer: usize,
}

/// What [`DecisionList::meaning`](super::DecisionList::meaning) says of rules by RFC 9309, and the
/// positions of rules that decide nothing; none if a star stands within a rule.
pub(super) fn meaning<'r>(rules: impl Iterator<Item = ChosenRule<'r>>) -> Option<(Id, Box<[u32]>)> {
    let mut entries = vec![Entry {
        literals: ROBOTS_TXT,
        is_exact: true,
        place: (Reverse(usize::MAX), RuleType::Allow, 0),
        allows: true,
    }];
    let mut is_dead = Vec::new();
    for (position, rule) in (0u32..).zip(rules) {
        is_dead.push(true);
        let (mut literals, mut is_exact) = match rule.pattern {
            [open @ .., b'$'] => (open, true),
            pattern => (pattern, false),
        };
        while let [start @ .., b'*'] = literals {
            (literals, is_exact) = (start, false);
        }
        if literals.contains(&b'*') {
            return None;
        }
        // Every path begins with a slash.
        if literals.is_empty() && !is_exact {
            literals = b"/";
        }
        if literals.starts_with(b"/") {
            entries.push(Entry {
                literals,
                is_exact,
                place: (Reverse(rule.weight), rule.rule.rule_type, position),
                allows: rule.rule.allows(),
            });
        }
    }
    entries.sort_unstable_by_key(|entry| (entry.literals, entry.is_exact, entry.place));
    let mut layers: Vec<Vec<&Entry<'_>>> = Vec::new();
    let mut stack: Vec<Prefix<'_>> = Vec::new();
    let mut last_exact: &[u8] = b"";
    for entry in &entries {
        while (stack.last()).is_some_and(|prefix| !entry.literals.starts_with(prefix.literals)) {
            stack.pop();
        }
        let (first, outer) = stack
            .last()
            .map_or((None, 0), |prefix| (Some(prefix.first), prefix.layer));
        let is_repeated = entry.is_exact && last_exact == entry.literals;
        if is_repeated || first.is_some_and(|first| first < entry.place) {
            continue;
        }
        if entry.place.0 != Reverse(usize::MAX) {
            is_dead[entry.place.2 as usize] = false;
        }
        let mut layer = outer;
        if entry.allows != (outer % 2 == 0) {
            layer += 1;
            if layers.len() < layer {
                layers.push(Vec::new());
            }
            layers[outer].push(entry);
        }
        if entry.is_exact {
            last_exact = entry.literals;
        } else {
            stack.push(Prefix {
                literals: entry.literals,
                first: entry.place,
                layer,
            });
        }
    }
    let mut bytes = FormBytes::default();
    for layer in layers {
        for entry in layer {
            let literals = entry.literals.iter().copied().map(u16::from);
            bytes.pattern(literals.chain((!entry.is_exact).then_some(super::symbol::STAR)));
        }
        bytes.end_layer();
    }
    let dead = (0u32..).zip(is_dead).filter(|(_, is_dead)| *is_dead);
    Some((bytes.id(), dead.map(|(position, _)| position).collect()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::decision_list::DecisionList;
    use super::super::step_budget::WORK;
    use super::*;
    use crate::dialect::{Crawler, CrawlerGroups, Dialect};

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn equals_what_any_list_means(
            rules in "((Allow|Disallow): (/?([ab/]|%2A|%61){0,3}|/robots\\.txt)(\\*{1,3})?\\$?\n){0,9}",
        ) {
            let body = format!("User-agent: *\n{rules}");
            let ruleset = Dialect::Rfc9309.compile(body.as_bytes());
            let groups = CrawlerGroups::new(&ruleset);
            let chosen = groups.of(Crawler::Other);
            let Some((id, dead)) = meaning(groups.rules(&chosen)) else {
                return Err(TestCaseError::fail("a star"));
            };
            let list = DecisionList::of_groups(&groups, &chosen);
            prop_assert_eq!(list.meaning_within(WORK), Some(id), "{}", body);
            let lines: Vec<u32> = dead.iter().map(|at| list.lines[*at as usize]).collect();
            prop_assert_eq!(list.dead_rules(), Some(lines), "{}", body);
        }
    }
}
