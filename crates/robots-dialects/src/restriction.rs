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
//! Take a byte ζ that no pattern can contain as a literal. The *witness* of a pattern P is P with
//! each `*` replaced with ζ and, unless P ends with `$`, a ζ at the end. A pattern that matches the
//! witness of P matches whatever P matches ([proof](crate::comparison#why-a-few-paths-are-enough)).
//!
//! A rule of the other type overrides rule P if it is long enough. Hence
//!
//! - some path is **disallowed** exactly when the witness of some disallow rule is matched by no
//!   allow rule of at least its length;
//! - some path is **allowed** exactly when no disallow rule matches `/ζ`, the witness of every
//!   path, or when the witness of some allow rule is matched by no longer disallow rule. (The first
//!   case is the second for an implied rule `Allow: /` of length 0, which means "a path without a
//!   match is allowed".)
//!
//! Three details. `*` itself serves as ζ: a pattern cannot contain it as a literal, because there
//! it is always special. A pattern that begins with `*` has two witnesses, because paths begin with
//! `/`: its star takes at least the slash (`/ζ` and the rest), or takes nothing (the rest, if that
//! begins with `/`). And `/robots.txt`, which is excepted, is a witness only of `/robots.txt$`,
//! which matches nothing else, and of `*/robots.txt$` if its star takes nothing: that witness is
//! left out. Every other witness of a pattern that matches `/robots.txt` is a different path, so
//! nothing is lost.
//!
//! # Time
//!
//! For usual rule sets, the first one or two witnesses decide, each in one pass over the rules.
//! Only a set whose witnesses are mostly overridden costs more. Such a set of thousands of rules
//! reaches a limit of steps (`STEPS`, some 30 ms). The answer is then `Partial`, even if it ought
//! to be `None` or `Full` (never the other way round), and [`Judgement::is_exact`] is false.

use super::path::ROBOTS_TXT;
use super::pattern::{matches, split_anchor};
use super::rule::{Rule, RuleType};
use crate::named::named;

/// Units of work: one for each rule that is examined for a witness. Matching a rule takes one more
/// for each 16 bytes of rule and witness, and 16 more if the rule has a star.
const STEPS: usize = 5 << 20;

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

/// How much of a site rules disallow, and what it took to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// How much.
    pub restriction: Restriction,
    /// Whether the restriction was proved: false only if the rules reached the work limit.
    pub is_exact: bool,
    /// Units of work, some nanoseconds each.
    pub work: usize,
}

/// How much of a site `rules` disallow: the merged rules of one agent, in any order.
///
/// ```
/// use robots_dialects::restriction::{Restriction, restriction};
/// use robots_dialects::rule::{Rule, RuleType};
///
/// let rules = [Rule::new(RuleType::Disallow, b"/"), Rule::new(RuleType::Allow, b"/*")];
/// let judged = restriction(rules.into_iter());
/// // The longer rule allows every path that the other disallows.
/// assert_eq!(judged.restriction, Restriction::None);
/// assert!(judged.is_exact);
/// ```
#[must_use]
pub fn restriction<'a>(rules: impl Iterator<Item = Rule<'a>> + Clone) -> Judgement {
    let rules = rules.filter(|rule| matches!(rule.path.first(), Some(b'/' | b'*')));
    let mut left = STEPS;
    let mut decide = || {
        Some(if !exists(RuleType::Disallow, &rules, &mut left)? {
            Restriction::None
        } else if exists(RuleType::Allow, &rules, &mut left)? {
            Restriction::Partial
        } else {
            Restriction::Full
        })
    };
    let answer = decide();
    Judgement {
        restriction: answer.unwrap_or(Restriction::Partial),
        is_exact: answer.is_some(),
        work: STEPS - left,
    }
}

/// Whether some path is disallowed, or allowed (`rule_type`): whether a rule of this type has a
/// witness that no other rule overrides. `None` if the search takes more than `work`.
fn exists<'a>(
    rule_type: RuleType,
    rules: &(impl Iterator<Item = Rule<'a>> + Clone),
    work: &mut usize,
) -> Option<bool> {
    // Allow wins ties: it overrides at the same length, disallow at a greater one.
    let (default, margin): (Option<(&[u8], usize)>, _) = match rule_type {
        RuleType::Allow => (Some((b"/", 0)), 1),
        RuleType::Disallow => (None, 0),
    };
    let patterns = rules
        .clone()
        .filter(|rule| rule.rule_type == rule_type)
        .map(|rule| (rule.path, rule.path.len()));
    let mut witness = Vec::new();
    for (pattern, length) in default.into_iter().chain(patterns) {
        for takes_slash in [false, true] {
            if write_witness(pattern, takes_slash, &mut witness)
                && !is_overridden(&witness, rule_type, length + margin, rules.clone(), work)?
            {
                return Some(true);
            }
        }
    }
    Some(false)
}

/// Whether a rule of the other type, with a pattern of at least `length` bytes, matches `witness`;
/// `None` if the search takes more than `work`.
fn is_overridden<'a>(
    witness: &[u8],
    rule_type: RuleType,
    length: usize,
    rules: impl Iterator<Item = Rule<'a>>,
    work: &mut usize,
) -> Option<bool> {
    for other in rules {
        *work = work.checked_sub(1)?;
        if other.rule_type == rule_type {
            continue;
        }
        // Matching is linear in pattern and witness, and takes a few nanoseconds per unit.
        let search = usize::from(other.traits.has_wildcard) * 16;
        *work = work.checked_sub(search + (other.path.len() + witness.len()) / 16)?;
        if other.path.len() >= length && matches(other.path, witness) {
            return Some(true);
        }
    }
    Some(false)
}

/// Writes a witness of `pattern`, with `*` for ζ. A star at its beginning takes the slash and more
/// if `takes_slash`, else nothing. False if there is no such witness, or it is `/robots.txt`.
fn write_witness(pattern: &[u8], takes_slash: bool, witness: &mut Vec<u8>) -> bool {
    let (pattern, is_anchored) = split_anchor(pattern);
    let stars = pattern.iter().take_while(|byte| **byte == b'*').count();
    let rest = &pattern[stars..];
    let has_witness = if takes_slash {
        stars > 0
    } else {
        rest.starts_with(b"/")
    };
    witness.clear();
    witness.extend_from_slice(if takes_slash { b"/*" } else { b"" });
    witness.extend_from_slice(rest);
    witness.extend_from_slice(if is_anchored { b"" } else { b"*" });
    has_witness && witness != ROBOTS_TXT
}
