//! What is particular to a dialect, as one value.
//!
//! Each dialect's file exports one constant of this type, which names everything in which the
//! dialect differs from others; [`ruleset_builder`](super::ruleset_builder),
//! [`ruleset`](super::ruleset) and [`chosen_groups`](super::chosen_groups) only interpret it.

use super::decision::Decision;
use super::records::StoredGroup;
use super::verdict::{MatchedRule, RuleType};
use crate::path::UrlPath;

/// Everything that is particular to one dialect.
#[derive(Debug)]
pub(crate) struct DialectRules {
    /// The name in commands and columns.
    pub(super) name: &'static str,
    /// The document that the dialect implements.
    pub(super) source: &'static str,
    /// Whether the dialect accepts the other keys that Google's parser does: longer keys that begin
    /// with the name, some misspellings, and white space instead of the colon.
    pub(super) tolerates_misspelt_keys: bool,
    /// Whether `Allow` is a rule; an unknown line otherwise.
    pub(super) knows_allow: bool,
    /// Whether a blank line ends a group.
    pub(super) blank_line_ends_group: bool,
    /// Whether a record may say by which version it is written, and when and how fast a robot may
    /// visit (`Robot-version`, `Visit-time`, `Request-rate`, `Comment`).
    pub(super) has_visit_terms: bool,
    /// The name of crawlers, or product token, in the value of a user-agent line that is not `*`;
    /// none where the line opens or joins a group without naming anyone.
    pub(super) name_in_line: fn(&[u8]) -> Option<&[u8]>,
    /// The part of a crawler's name that is compared with the names in the file.
    pub(super) name_of_crawler: fn(&[u8]) -> &[u8],
    /// A rule's value in the form that is compared, and its weight in bytes where the longest match
    /// decides.
    pub(super) pattern: PatternOf,
    /// Another pattern by which a rule of this type and pattern matches.
    pub(super) second_pattern: fn(RuleType, &[u8]) -> Option<Vec<u8>>,
    /// The form of a URL's path that patterns are compared with.
    pub(super) path_form: for<'p> fn(&'p UrlPath<'_>) -> &'p [u8],
    /// Whether this path is the robots.txt itself, as the dialect compares paths, and the dialect
    /// exempts it from all rules.
    pub(super) is_exempt: fn(&UrlPath<'_>) -> bool,
    /// How groups are chosen, and which of their rules decides.
    pub(super) decision: Decision,
    /// Whether the dialect's text, as far as it is preserved, leaves open the verdict of this group
    /// by this rule (none where no rule matched), so that it is our interpretation.
    pub(super) is_interpretation: fn(&StoredGroup, Option<MatchedRule<'_>>) -> bool,
    /// Another form of patterns and paths that the dialect's text may mean as well. A verdict that
    /// would be another with it is our interpretation.
    pub(super) other_form: Option<OtherForm>,
}

/// A rule's pattern with its weight, by its value and a buffer.
pub(super) type PatternOf = for<'v> fn(&'v [u8], &'v mut Vec<u8>) -> (&'v [u8], usize);

/// Brings a pattern, or a path, from the form that is compared into another.
pub(super) type OtherForm = for<'v> fn(&'v [u8], &'v mut Vec<u8>) -> &'v [u8];
