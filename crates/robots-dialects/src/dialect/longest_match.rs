//! Choice and precedence since 2019: exact product token, longest match.
//!
//! RFC 9309 §2.2.1 and §2.2.2. Shared by rep2019, rfc9309 and google, which differ in how they read
//! lines, in the forms they compare and in which `*` groups apply.

use std::cmp::Ordering;

use super::records::{Records, StoredRule};
use super::verdict::{Choice, Reason, RuleType, Verdict};
use crate::pattern;

/// The best rule of each type so far, with its group.
#[derive(Default)]
struct BestRules<'r> {
    allow: Option<(&'r StoredRule, usize)>,
    disallow: Option<(&'r StoredRule, usize)>,
}

/// The verdict for a product token and a path, both in the forms in which they are compared. All
/// groups that name the token are one; a group that names it switches the `*` groups off even if it
/// has no rules.
pub(super) fn verdict<'r>(
    records: &'r Records,
    token: &[u8],
    path: &[u8],
    merges_wildcards: bool,
) -> Verdict<'r> {
    let groups = records.groups();
    let first_named = groups
        .iter()
        .position(|group| records.names_token(group, token));
    let (first, choice) = match first_named {
        Some(index) => (index, Choice::Named),
        None => match groups.iter().position(|group| group.is_wildcard) {
            Some(index) => (index, Choice::Wildcard),
            None => return Verdict::NO_GROUP,
        },
    };

    let mut best = BestRules::default();
    for (index, group) in groups.iter().enumerate().skip(first) {
        let is_chosen = index == first
            || match choice {
                Choice::Named => records.names_token(group, token),
                _ => group.is_wildcard && merges_wildcards,
            };
        if !is_chosen {
            continue;
        }
        best.improve(records, index, path);
    }

    let Weights { allow, disallow } = best.weights();
    let (decisive, reason) = match allow.cmp(&disallow) {
        Ordering::Less => (best.disallow, Reason::LongestMatch),
        Ordering::Equal => (best.allow, Reason::AllowWinsTie),
        Ordering::Greater => (best.allow, Reason::LongestMatch),
    };
    decisive.map_or(Verdict::no_match(first, choice), |(rule, index)| {
        records.verdict_of(rule, index, choice, reason)
    })
}

impl<'r> BestRules<'r> {
    /// Replaces them by rules of group `index` that outweigh them.
    fn improve(&mut self, records: &'r Records, index: usize, path: &[u8]) {
        for rule in records.rules(&records.groups()[index]) {
            let best = match rule.rule_type {
                RuleType::Allow => &mut self.allow,
                RuleType::Disallow => &mut self.disallow,
            };
            // The first among equals stays; what could not win is not matched.
            if best.is_none_or(|(other, _)| other.weight < rule.weight)
                && pattern::matches(records.pattern(rule), path)
            {
                *best = Some((rule, index));
            }
        }
    }

    fn weights(&self) -> Weights {
        let [allow, disallow] =
            [self.allow, self.disallow].map(|it| it.map(|(rule, _)| rule.weight));
        Weights { allow, disallow }
    }
}

/// What the rules of one group, or of several, weigh for one path.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Weights {
    allow: Option<usize>,
    disallow: Option<usize>,
}

impl Weights {
    /// The weights of group `index`.
    pub(super) fn of(records: &Records, index: usize, path: &[u8]) -> Self {
        let mut best = BestRules::default();
        best.improve(records, index, path);
        best.weights()
    }

    /// A weight for a verdict that was found in another way.
    pub(super) fn of_verdict(is_allowed: bool) -> Self {
        Self {
            allow: None,
            disallow: (!is_allowed).then_some(1),
        }
    }

    /// The weights of these rules and others together.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            allow: self.allow.max(other.allow),
            disallow: self.disallow.max(other.disallow),
        }
    }

    /// Whether the path is allowed: allow wins ties, and a rule without a path (of no weight)
    /// restricts nothing.
    pub(super) fn allow(self) -> bool {
        self.disallow.is_none_or(|weight| weight == 0) || self.allow >= self.disallow
    }
}
