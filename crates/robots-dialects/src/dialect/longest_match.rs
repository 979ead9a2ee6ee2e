//! Choice and precedence since 2019: exact product token, longest match.
//!
//! RFC 9309 §2.2.1 and §2.2.2. Shared by rep2019, rfc9309 and google, which differ in how they read
//! lines, in the forms they compare and in which `*` groups apply.

use std::cmp::Ordering;

use super::records::{Records, StoredRule};
use super::verdict::{Choice, Reason, Verdict};
use crate::pattern;

/// The verdict for a product token and a path, both in the forms in which they are compared. All
/// groups that name the token are one; a group that names it switches the `*` groups off even if it
/// has no rules.
pub(super) fn verdict<'r>(
    records: &'r Records,
    token: &[u8],
    path: &[u8],
    most_wildcards: usize,
) -> Verdict<'r> {
    let groups = records.groups();
    let names_token = |index: &usize| records.names_token(&groups[*index], token);
    if let Some(first) = (0..groups.len()).find(names_token) {
        let named = (first + 1..groups.len()).filter(names_token);
        let named = std::iter::once(first).chain(named);
        return verdict_in(records, named, Choice::Named, path);
    }
    let wildcards = (0..groups.len()).filter(|index| groups[*index].is_wildcard);
    verdict_in(
        records,
        wildcards.take(most_wildcards),
        Choice::Wildcard,
        path,
    )
}

/// The verdict of the chosen groups, in file order.
pub(super) fn verdict_in<'r>(
    records: &'r Records,
    chosen: impl Iterator<Item = usize>,
    choice: Choice,
    path: &[u8],
) -> Verdict<'r> {
    let mut first = None;
    // The best rule of each type so far, with its group: allow and disallow.
    let mut best: [Option<(&StoredRule, usize)>; 2] = [None; 2];
    for index in chosen {
        first.get_or_insert(index);
        for rule in records.rules(&records.groups()[index]) {
            let best = &mut best[rule.rule_type as usize];
            // The first among equals stays; what could not win is not matched.
            if best.is_none_or(|(other, _)| other.weight < rule.weight)
                && pattern::matches(records.pattern(rule), path)
            {
                *best = Some((rule, index));
            }
        }
    }
    let Some(first) = first else {
        return Verdict::NO_GROUP;
    };
    let [allow, disallow] = best;
    let [allow_weight, disallow_weight] = best.map(|it| it.map(|(rule, _)| rule.weight));
    let (decisive, reason) = match allow_weight.cmp(&disallow_weight) {
        Ordering::Less => (disallow, Reason::LongestMatch),
        Ordering::Equal => (allow, Reason::AllowWinsTie),
        Ordering::Greater => (allow, Reason::LongestMatch),
    };
    decisive.map_or(Verdict::no_match(first, choice), |(rule, index)| {
        records.verdict_of(rule, index, choice, reason)
    })
}
