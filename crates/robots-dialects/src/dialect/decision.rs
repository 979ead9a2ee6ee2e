//! How groups are chosen for a crawler, and which of their rules decides.

use std::cmp::Ordering;

use super::records::{Records, StoredGroup, StoredRule};
use super::verdict::{Choice, Reason, RuleType, Verdict};
use crate::agent::{is_part_of_name, is_same_token};
use crate::pattern;

#[derive(Clone, Copy, Debug)]
pub(super) enum Decision {
    /// The 1990s: the first group with a name that is a substring of the crawler's name, without
    /// regard to case, else the first `*` group; its first matching rule decides.
    FirstMatch { matches: Matches },
    /// Since 2019: all groups with the crawler's product token, without regard to case, else the
    /// `*` groups; the longest of their matching rules decides, and allow wins ties (RFC 9309
    /// §2.2.1, §2.2.2). A group that names the token switches the `*` groups off even if it has no
    /// rules.
    LongestMatch {
        /// How many `*` groups apply if no group names the crawler, in file order.
        most_wildcards: usize,
    },
}

/// Whether a rule of a group matches a path: the group, the rule's type and pattern, the path.
pub(super) type Matches = fn(&StoredGroup, RuleType, &[u8], &[u8]) -> bool;

type IsName = fn(&[u8], &[u8]) -> bool;

type Indexed<'r> = (usize, &'r StoredRule);

impl Decision {
    pub(super) const fn most_wildcards(self) -> usize {
        match self {
            Self::FirstMatch { .. } => 1,
            Self::LongestMatch { most_wildcards } => most_wildcards,
        }
    }

    pub(super) fn verdict<'r>(self, records: &'r Records, name: &[u8], path: &[u8]) -> Verdict<'r> {
        let groups = &records.groups;
        let (is_name, most_named) = match self {
            Self::FirstMatch { .. } => (is_part_of_name as IsName, 1),
            Self::LongestMatch { .. } => (is_same_token as IsName, usize::MAX),
        };
        let names_crawler = |index: &usize| {
            let mut names = records.agents(&groups[*index]);
            names.any(|written| is_name(written, name))
        };
        let named = (0..groups.len()).filter(names_crawler).take(most_named);
        let mut named = named.peekable();
        if named.peek().is_some() {
            return self.verdict_in(records, named, Choice::Named, path);
        }
        let wildcards = (0..groups.len()).filter(|index| groups[*index].is_wildcard);
        let wildcards = wildcards.take(self.most_wildcards());
        self.verdict_in(records, wildcards, Choice::Wildcard, path)
    }

    pub(super) fn verdict_in<'r>(
        self,
        records: &'r Records,
        groups: impl Iterator<Item = usize>,
        choice: Choice,
        path: &[u8],
    ) -> Verdict<'r> {
        let mut groups = groups.peekable();
        let Some(first) = groups.peek().copied() else {
            return Verdict::without_group(Reason::NoGroup);
        };
        let mut rules = groups.flat_map(|index| {
            let rules = records.rules(&records.groups[index]);
            rules.iter().map(move |rule| (index, rule))
        });
        let deciding = match self {
            Self::FirstMatch { matches } => {
                let found = rules.find(|(index, rule)| {
                    let pattern = records.pattern(rule);
                    matches(&records.groups[*index], rule.rule_type, pattern, path)
                });
                found.map(|rule| (rule, Reason::FirstMatch))
            }
            Self::LongestMatch { .. } => longest_match(records, rules, path),
        };
        let Some(((group, rule), reason)) = deciding else {
            return Verdict {
                group: Some(first),
                choice,
                ..Verdict::without_group(Reason::NoMatch)
            };
        };
        let matched = records.matched(rule);
        Verdict {
            allowed: matched.allows(),
            line: Some(rule.line),
            rule: Some(matched),
            group: Some(group),
            choice,
            reason: match matched.value {
                [] => Reason::EmptyRule,
                _ => reason,
            },
            is_interpretation: false,
        }
    }
}

fn longest_match<'r>(
    records: &'r Records,
    rules: impl Iterator<Item = Indexed<'r>>,
    path: &[u8],
) -> Option<(Indexed<'r>, Reason)> {
    // The best rule of each type so far: allow and disallow.
    let mut best: [Option<Indexed<'r>>; 2] = [None; 2];
    rules.for_each(|(index, rule)| {
        let best = &mut best[rule.rule_type as usize];
        // The first among equals stays; a rule that could not win is not matched.
        if best.is_none_or(|(_, other)| other.weight < rule.weight)
            && pattern::matches(records.pattern(rule), path)
        {
            *best = Some((index, rule));
        }
    });
    let [allow, disallow] = best;
    let [allow_weight, disallow_weight] = best.map(|it| it.map(|(_, rule)| rule.weight));
    let (deciding, reason) = match allow_weight.cmp(&disallow_weight) {
        Ordering::Less => (disallow, Reason::LongestMatch),
        Ordering::Equal => (allow, Reason::AllowWinsTie),
        Ordering::Greater => (allow, Reason::LongestMatch),
    };
    Some((deciding?, reason))
}
