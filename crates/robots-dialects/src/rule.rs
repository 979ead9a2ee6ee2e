//! A rule: one allow or disallow line of a group (RFC 9309 §2.2.2).

use crate::named::named;
use crate::pattern::PatternTraits;

named! {
    /// What a rule does to the paths that its pattern matches.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum RuleType {
        /// `Allow:`
        Allow = "allow",
        /// `Disallow:`
        Disallow = "disallow",
    }
}

/// A rule, borrowed from the lines or the policy that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rule<'a> {
    /// Allow or disallow.
    pub rule_type: RuleType,
    /// Pattern, normalised (RFC 9309 §2.2.2); `*` and a final `$` are special.
    pub path: &'a [u8],
    /// Pattern as written, without white space at either end.
    pub path_raw: &'a [u8],
    /// What occurs in the pattern as written; `*` and `?` are the same in the normalised one.
    pub traits: PatternTraits,
}

impl<'a> Rule<'a> {
    /// A rule whose pattern is the same as written and normalised.
    #[must_use]
    pub fn new(rule_type: RuleType, path: &'a [u8]) -> Self {
        Self {
            rule_type,
            path,
            path_raw: path,
            traits: PatternTraits::of(path),
        }
    }
}
