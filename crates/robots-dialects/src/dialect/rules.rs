//! The facts that a dialect's file states.

use super::decision::Decision;
use super::records::StoredGroup;
use super::verdict::{MatchedRule, RuleType};
use crate::path::UrlPath;

/// Everything in which a dialect differs from others: the one constant of its file. The builder,
/// rulesets and [`chosen_groups`](super::chosen_groups) only interpret it.
#[derive(Debug)]
pub(super) struct DialectRules {
    pub(super) source: &'static str,
    /// Whether the dialect accepts the other keys that Google's parser accepts: longer keys that
    /// begin with the name, some misspellings, and white space instead of the colon.
    pub(super) tolerates_misspelt_keys: bool,
    /// Whether `Allow` is a rule; else it is an unknown line.
    pub(super) knows_allow: bool,
    pub(super) blank_line_ends_group: bool,
    /// Whether a record may state its version, and when and how fast a robot may visit
    /// (`Robot-version`, `Visit-time`, `Request-rate`, `Comment`).
    pub(super) has_visit_terms: bool,
    /// The name of crawlers, or product token, in the value of a user-agent line that is not `*`;
    /// `None` if the line opens or joins a group without naming anyone.
    pub(super) name_in_line: fn(&[u8]) -> Option<&[u8]>,
    /// The part of a crawler's name that is compared with the names in the file.
    pub(super) name_of_crawler: fn(&[u8]) -> &[u8],
    pub(super) paths: PathForm,
    /// A rule's value in the form that is compared, and its weight in bytes if the longest match
    /// decides.
    pub(super) pattern: PatternOf,
    /// Another pattern by which a rule of this type and pattern matches.
    pub(super) second_pattern: fn(RuleType, &[u8]) -> Option<Vec<u8>>,
    /// The form of a URL's path with which patterns are compared.
    pub(super) path_form: for<'p> fn(&'p UrlPath<'_>) -> &'p [u8],
    /// Whether this path, as the dialect compares paths, is the robots.txt itself, and so exempt.
    pub(super) is_exempt: fn(&UrlPath<'_>) -> bool,
    pub(super) decision: Decision,
    /// Whether the dialect's text, as far as it is preserved, leaves open the verdict of this group
    /// by this rule (`None` if no rule matched), so that the verdict is our interpretation.
    pub(super) is_interpretation: fn(&StoredGroup, Option<MatchedRule<'_>>) -> bool,
    /// Whether the text may also mean that reserved characters equal their escapes
    /// ([`percent::rfc9309_unescaped`](crate::percent::rfc9309_unescaped)). A verdict that would
    /// then be different is our interpretation.
    pub(super) may_unescape: bool,
}

type PatternOf = for<'v> fn(&'v [u8], &'v mut Vec<u8>) -> (&'v [u8], usize);

/// The form in which a dialect compares paths and patterns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathForm {
    /// Bytes as they are.
    Bytes,
    /// Escapes are decoded, except for `%2F`.
    Decoded,
    /// Some bytes of patterns are escaped, and nothing is decoded: a pattern can write a literal
    /// `$` only as it is.
    Escaped,
    /// Normalised as in RFC 9309 §2.2.2.
    Normalised,
}
