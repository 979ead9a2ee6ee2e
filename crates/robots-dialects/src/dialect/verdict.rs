//! A dialect's answer.

use crate::named::named;

pub use crate::rule::RuleType;

named! {
    /// How the group was chosen.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Choice {
        /// A group names the agent.
        Named = "named",
        /// No group names the agent; a `*` group applies.
        Wildcard = "wildcard",
        /// No group applies.
        NoGroup = "none",
    }
}

named! {
    /// What decided.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Reason {
        /// The path is `/robots.txt`, which the dialect exempts.
        RobotsTxt = "robots_txt",
        /// No group names the agent and none is for `*`.
        NoGroup = "no_group",
        /// The chosen group has no rule that matches.
        NoMatch = "no_match",
        /// The first matching rule of the record.
        FirstMatch = "first_match",
        /// The longest matching rule of the chosen groups.
        LongestMatch = "longest_match",
        /// An allow and a disallow rule match with the same length.
        AllowWinsTie = "allow_wins_tie",
        /// Only a rule without a path applies; it restricts nothing.
        EmptyRule = "empty_rule",
        /// The response to the robots.txt request, which has no rules.
        Response = "response",
    }
}

/// The rule that decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchedRule<'c> {
    /// Allow or disallow.
    pub rule_type: RuleType,
    /// The value as written.
    pub value: &'c [u8],
}

impl MatchedRule<'_> {
    /// Whether the rule allows paths: without a path it restricts nothing, whatever its type.
    pub(crate) fn allows(&self) -> bool {
        self.value.is_empty() || self.rule_type == RuleType::Allow
    }
}

/// Whether the agent may fetch the path, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Verdict<'c> {
    /// Whether the agent may fetch the path.
    pub allowed: bool,
    /// Line of the rule that decided, from 1.
    pub line: Option<u32>,
    /// The rule that decided.
    pub rule: Option<MatchedRule<'c>>,
    /// What decided.
    pub reason: Reason,
    /// Index of the group that decided, in file order from 0, as the dialect forms groups: the
    /// group of the rule, or the first chosen group if no rule matched.
    pub group: Option<usize>,
    /// How the group was chosen.
    pub choice: Choice,
    /// The dialect's text, as far as it is preserved, leaves this verdict open; it is our
    /// interpretation: version 2.0 records of conner1996, an empty `Disallow` in koster1996, and in
    /// rep2019 and rfc9309 a reserved character on one side and its escape on the other.
    #[cfg_attr(feature = "serde", serde(rename = "interpretation"))]
    pub is_interpretation: bool,
}

impl Verdict<'_> {
    pub(super) const fn without_group(reason: Reason) -> Self {
        Self {
            allowed: true,
            line: None,
            rule: None,
            group: None,
            choice: Choice::NoGroup,
            reason,
            is_interpretation: false,
        }
    }

    pub(crate) const fn of_response(allowed: bool) -> Self {
        Self {
            allowed,
            ..Self::without_group(Reason::Response)
        }
    }
}
