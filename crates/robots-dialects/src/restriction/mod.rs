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
//! `*` replaced by ζ and, unless P ends with `$`, a ζ at the end. P matches its own witness. And
//! **a pattern Q that matches the witness of P matches whatever P matches**: Q has no literal ζ, so
//! each ζ of the witness falls to a `*` of Q or to Q's open end, and these match any other
//! bytes there as well. A path that P matches is the witness with zero or more bytes instead of
//! each ζ. So patterns Q₁ … Qₙ match together everything that P matches just when one of
//! them matches the witness of P: if none does, the witness is a path that they miss.
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
//! every rule becomes too much (`SCAN_WORK`), the overriding patterns are put into an index, which
//! answers a witness in about its length. There both searches together may take `INDEX_STEPS`
//! steps, some 50 ms. Tens of thousands of pairs of rules that override each other stay far below;
//! patterns built to defeat the index too (thousands of interleaved subsequences such as `*a*b*a`)
//! can reach the limit. Then a path that might be disallowed is taken to
//! be, and likewise a path that might be allowed. So the answer can be `Partial` where it ought to
//! be `None` or `Full`, never the other way round, and [`RestrictionScratch::is_exact`] is false.

mod index;
#[cfg(test)]
mod tests;

use self::index::CoverIndex;
use super::pattern::matches;
use super::rule::{Rule, RuleType};

/// Units of work before an index is built, per search: one for each time that a rule is tried on a
/// witness, and one for each 16 bytes of the two.
const SCAN_WORK: usize = 1 << 16;

/// Steps in the index, for both searches together.
const INDEX_STEPS: usize = 1 << 21;

/// Units of work for a step in the index.
const INDEX_STEP_WORK: usize = 8;

/// The one path that no rule disallows (RFC 9309 §2.2.2).
const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// How much of a site the rules keep an agent from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Restriction {
    /// Every path is allowed.
    None,
    /// Some path is allowed and some is not.
    Partial,
    /// No path is allowed.
    Full,
}

impl Restriction {
    /// The word in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Partial => "partial",
            Self::Full => "full",
        }
    }
}

/// Buffers that [`restriction`] reuses from call to call.
#[derive(Debug, Default)]
pub struct RestrictionScratch {
    witness: Vec<u8>,
    index: CoverIndex,
    is_inexact: bool,
    work: usize,
    /// For the tests: a path that the last call found allowed and one that it found disallowed,
    /// empty if not looked for or not found.
    #[cfg(test)]
    found: [Vec<u8>; 2],
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
    decide(rules, scratch, SCAN_WORK, INDEX_STEPS)
}

/// [`restriction`] with its work limits as arguments.
fn decide<'a>(
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
    scan_work: usize,
    mut index_steps: usize,
) -> Restriction {
    scratch.is_inexact = false;
    scratch.work = 0;
    let all_steps = index_steps;
    #[cfg(test)]
    scratch.found.iter_mut().for_each(Vec::clear);
    let rules = rules.filter(|rule| matches!(rule.path.first(), Some(b'/' | b'*')));
    let mut exists = |rule_type| {
        let mut work = scan_work;
        let answer = exists_by_scan(rule_type, rules.clone(), scratch, &mut work);
        scratch.work += scan_work - work;
        answer
            .or_else(|| {
                // To build the index takes some time for every rule.
                scratch.work += rules
                    .clone()
                    .map(|rule| 64 + rule.path.len())
                    .sum::<usize>();
                exists_by_index(rule_type, rules.clone(), scratch, &mut index_steps)
            })
            .unwrap_or_else(|| {
                scratch.is_inexact = true;
                true
            })
    };
    let answer = if !exists(RuleType::Disallow) {
        Restriction::None
    } else if exists(RuleType::Allow) {
        Restriction::Partial
    } else {
        // Proved, even if the first search was not: no path is allowed.
        scratch.is_inexact = false;
        Restriction::Full
    };
    scratch.work += (all_steps - index_steps) * INDEX_STEP_WORK;
    answer
}

/// Whether some path is disallowed, or allowed, as `rule_type` says; none if that takes more than
/// `work`. Asks every rule about every witness.
fn exists_by_scan<'a>(
    rule_type: RuleType,
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
    work: &mut usize,
) -> Option<bool> {
    let others = rules.clone().filter(|rule| rule.rule_type != rule_type);
    exists_unless(rule_type, rules, scratch, |witness, length, _| {
        for other in others.clone() {
            // A match is linear in both, and fast: about a nanosecond per unit.
            *work = work.checked_sub(1 + (other.path.len() + witness.len()) / 16)?;
            if other.path.len() >= length && matches(other.path, witness) {
                return Some(true);
            }
        }
        Some(false)
    })
}

/// As [`exists_by_scan`], with the overriding rules in an index; none if that takes more than
/// `steps`.
fn exists_by_index<'a>(
    rule_type: RuleType,
    rules: impl Iterator<Item = Rule<'a>> + Clone,
    scratch: &mut RestrictionScratch,
    steps: &mut usize,
) -> Option<bool> {
    let others = rules.clone().filter(|rule| rule.rule_type != rule_type);
    scratch.index.build(others.map(|rule| rule.path));
    exists_unless(rule_type, rules, scratch, |witness, length, index| {
        index.covers(witness, length, steps)
    })
}

/// Goes through the witnesses of the rules of `rule_type` until one is found that is not
/// `overridden`, which is asked: does a rule of the other type, of at least this length, match this
/// witness? Its none ends the search.
fn exists_unless<'a>(
    rule_type: RuleType,
    rules: impl Iterator<Item = Rule<'a>>,
    scratch: &mut RestrictionScratch,
    mut overridden: impl FnMut(&[u8], usize, &mut CoverIndex) -> Option<bool>,
) -> Option<bool> {
    // Allow wins ties: it overrides at the same length, disallow at a greater one.
    let (default, margin): (Option<(&[u8], usize)>, _) = match rule_type {
        RuleType::Allow => (Some((b"/", 0)), 1),
        RuleType::Disallow => (None, 0),
    };
    let patterns = rules
        .filter(|rule| rule.rule_type == rule_type)
        .map(|rule| (rule.path, rule.path.len()));
    for (pattern, length) in default.into_iter().chain(patterns) {
        for lead in [Lead::Nothing, Lead::Slash] {
            if write_witness(pattern, lead, &mut scratch.witness)
                && !overridden(&scratch.witness, length + margin, &mut scratch.index)?
            {
                #[cfg(test)]
                scratch.found[rule_type as usize].clone_from(&scratch.witness);
                return Some(true);
            }
        }
    }
    Some(false)
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
