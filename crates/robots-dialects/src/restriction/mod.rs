//! How much of a site the rules of one agent disallow: nothing, something, everything.
//!
//! The verdicts follow RFC 9309 §2.2.2 and §2.2.3: the longest matching pattern in bytes decides,
//! `*` and `$` counted; allow wins ties; a path that no pattern matches is allowed; a pattern that
//! is empty, or begins with neither `/` nor `*`, matches nothing. The paths are all byte strings
//! that begin with `/`, except `/robots.txt`, which is always allowed and carries no information
//! about the site. The answer is decided, not estimated:
//!
//! # Why a few paths are enough
//!
//! Take a byte ζ that no pattern can hold as a literal. The *witness* of a pattern P is P with each
//! `*` replaced by ζ and, unless P ends with `$`, a ζ at the end. A pattern that matches the
//! witness of P matches whatever P matches ([proof](crate::comparison#why-a-few-paths-are-enough)).
//!
//! A rule of the other type overrides rule P where it is long enough. Hence
//!
//! - some path is **disallowed** just when the witness of some disallow rule is matched by no allow
//!   rule of at least its length;
//! - some path is **allowed** just when no disallow rule matches `/ζ`, the witness of every path,
//!   or when the witness of some allow rule is matched by no longer disallow rule. (The first is
//!   the second for a rule `Allow: /` of length 0, which means "a path without a match is
//!   allowed".)
//!
//! Three details. As ζ serves `*` itself: a pattern cannot hold it as a literal, because there it
//! is always special. A pattern that begins with `*` has two witnesses, because paths begin with
//! `/`: its star takes at least the slash (`/ζ` and the rest), or takes nothing (the rest, if that
//! begins with `/`). And `/robots.txt`, aside, is the witness of `/robots.txt$` alone, which
//! matches nothing else: that witness is left out. Every other witness of a pattern that matches
//! `/robots.txt` is a path of its own, so nothing is lost.
//!
//! # Time
//!
//! Usual rule sets are answered by the first one or two witnesses, in one pass over the rules each,
//! without allocation. Only a set whose witnesses are mostly overridden costs more. Where trying
//! every rule becomes too much (`SCAN_STEPS`), the rules become a
//! [`DecisionList`], which looks the overriding patterns up by their beginnings. Rules that were
//! written to prevent that, such as thousands that begin with a star, reach a limit of steps
//! (`LIST_STEPS`, some 50 ms). Then the answer is `Partial` where it ought to be `None` or `Full`,
//! never the other way round, and [`RestrictionScratch::is_exact`] is false.

#[cfg(test)]
mod tests;

use super::comparison::{DecisionList, StepBudget};
use super::dialect::{ChosenRule, Dialect, MatchedRule};
use super::path::ROBOTS_TXT;
use super::pattern::matches;
use super::rule::{Rule, RuleType};
use crate::named::named;

/// Units of work before a list is made: one for each time that a rule is tried on a witness, and
/// one for each 16 bytes of the two.
const SCAN_STEPS: usize = 1 << 17;

/// Steps of work with the list.
const LIST_STEPS: usize = 1 << 25;

named! {
    /// How much of a site the rules keep an agent from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Restriction {
        /// Every path is allowed.
        None = "none",
        /// Some path is allowed and some is not.
        Partial = "partial",
        /// No path is allowed.
        Full = "full",
    }
}

/// Buffers that [`restriction`] reuses from call to call.
#[derive(Debug, Default)]
pub struct RestrictionScratch {
    witness: Vec<u8>,
    is_inexact: bool,
    work: usize,
}

impl RestrictionScratch {
    /// Whether the last answer was proved: false only where the rules were so hostile that the work
    /// limit was reached, and the answer is `Partial`.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        !self.is_inexact
    }

    /// What the last answer took, some nanoseconds per unit.
    #[must_use]
    pub fn work(&self) -> usize {
        self.work
    }
}

/// How much of a site `rules`, the merged rules of one agent in any order, disallow it.
///
/// ```
/// use robots_dialects::restriction::{Restriction, RestrictionScratch, restriction};
/// use robots_dialects::rule::{Rule, RuleType};
///
/// let mut scratch = RestrictionScratch::default();
/// let rules = [Rule::new(RuleType::Disallow, b"/"), Rule::new(RuleType::Allow, b"/*")];
/// // The longer rule allows every path that the other disallows.
/// assert_eq!(restriction(rules.into_iter(), &mut scratch), Restriction::None);
/// assert!(scratch.is_exact());
/// ```
#[must_use]
pub fn restriction<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
) -> Restriction {
    decide(rules, scratch, SCAN_STEPS, LIST_STEPS)
}

/// [`restriction`] with its work limits as arguments.
fn decide<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
    scan_work: usize,
    list_work: usize,
) -> Restriction {
    let rules = rules.filter(|rule| matches!(rule.path.first(), Some(b'/' | b'*')));
    let mut left = scan_work;
    let mut answer = by_scan(rules.clone(), scratch, &mut left);
    scratch.work = scan_work - left;
    if answer.is_none() {
        // To make the list takes some time for every rule.
        scratch.work += rules
            .clone()
            .map(|rule| 64 + rule.path.len())
            .sum::<usize>();
        let mut left = StepBudget::new(list_work);
        answer = by_list(rules, &mut left);
        scratch.work += list_work - left.left();
    }
    scratch.is_inexact = answer.is_none();
    answer.unwrap_or(Restriction::Partial)
}

/// The answer, by asking every rule about every witness; none if that takes more than `work`.
fn by_scan<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
    work: &mut usize,
) -> Option<Restriction> {
    Some(
        if !exists(RuleType::Disallow, rules.clone(), scratch, work)? {
            Restriction::None
        } else if exists(RuleType::Allow, rules, scratch, work)? {
            Restriction::Partial
        } else {
            Restriction::Full
        },
    )
}

/// Whether some path is disallowed, or allowed, as `rule_type` says: a rule of this type has a
/// witness that no rule overrides.
fn exists<'a>(
    rule_type: RuleType,
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
    work: &mut usize,
) -> Option<bool> {
    // Allow wins ties: it overrides at the same length, disallow at a greater one.
    let (default, margin): (Option<(&[u8], usize)>, _) = match rule_type {
        RuleType::Allow => (Some((b"/", 0)), 1),
        RuleType::Disallow => (None, 0),
    };
    let others = rules.clone().filter(|rule| rule.rule_type != rule_type);
    let patterns = rules
        .filter(|rule| rule.rule_type == rule_type)
        .map(|rule| (rule.path, rule.path.len()));
    for (pattern, length) in default.into_iter().chain(patterns) {
        for lead in [Lead::Nothing, Lead::Slash] {
            let witness = &mut scratch.witness;
            if write_witness(pattern, lead, witness)
                && !is_overridden(witness, length + margin, others.clone(), work)?
            {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether one of `others`, of at least this length, matches `witness`; none if that takes more
/// than `work`.
fn is_overridden<'a>(
    witness: &[u8],
    length: usize,
    others: impl Iterator<Item = Rule<'a>>,
    work: &mut usize,
) -> Option<bool> {
    for other in others {
        // A match is linear in both, and fast: about a nanosecond per unit.
        *work = work.checked_sub(1 + (other.path.len() + witness.len()) / 16)?;
        if other.path.len() >= length && matches(other.path, witness) {
            return Some(true);
        }
    }
    Some(false)
}

/// The answer by a list of the rules; none if that takes more than `work`.
fn by_list<'a>(
    rules: impl Iterator<Item = Rule<'a>>,
    work: &mut StepBudget,
) -> Option<Restriction> {
    let rules = (1..).zip(rules).map(|(line, rule)| ChosenRule {
        rule: MatchedRule {
            rule_type: rule.rule_type,
            value: rule.path_raw,
        },
        line,
        weight: rule.path.len(),
        pattern: rule.path,
        is_version_two: false,
    });
    let list = DecisionList::of_rules(Dialect::Rfc9309, rules);
    let [allowed, disallowed] = [true, false].map(|allowed| list.has_path(allowed, work).ok());
    match (allowed, disallowed) {
        (Some(false), _) => Some(Restriction::Full),
        (_, Some(false)) => Some(Restriction::None),
        (Some(true), Some(true)) => Some(Restriction::Partial),
        _ => None,
    }
}

/// What the star takes that a pattern begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Nothing, or there is no such star: the rest begins with the slash.
    Nothing,
    /// The slash and more.
    Slash,
}

/// Writes the witness of `pattern`, with `*` for ζ; false if the pattern has no witness for this
/// `lead`, or only `/robots.txt`.
fn write_witness(pattern: &[u8], lead: Lead, witness: &mut Vec<u8>) -> bool {
    let (pattern, is_anchored) = match pattern {
        [start @ .., b'$'] => (start, true),
        _ => (pattern, false),
    };
    witness.clear();
    let stars = pattern.iter().take_while(|byte| **byte == b'*').count();
    let rest = &pattern[stars..];
    match lead {
        Lead::Slash if stars > 0 => witness.extend_from_slice(b"/*"),
        Lead::Nothing if rest.starts_with(b"/") => {}
        _ => return false,
    }
    witness.extend_from_slice(rest);
    if !is_anchored {
        witness.push(b'*');
    }
    witness != ROBOTS_TXT
}
