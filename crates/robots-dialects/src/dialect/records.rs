//! Groups of agents and rules as a dialect forms them.
//!
//! Storage only, filled by the ruleset builder as each dialect's rules say: it opens a group at a
//! user-agent line, attaches rules to the open group, and drops rules without one. All bytes live
//! in one buffer, so compiling a body costs a handful of allocations whatever its size.

use std::ops::Range;

use super::verdict::{Choice, MatchedRule, Reason, RuleType, Verdict};
use crate::agent;

/// A rule of a group.
#[derive(Clone, Debug)]
pub(super) struct StoredRule {
    pub(super) rule_type: RuleType,
    pub(super) line: u32,
    /// Bytes that count where the longest match decides.
    pub(super) weight: usize,
    value: Range<usize>,
    pattern: Range<usize>,
}

/// A group: agents and rules.
#[derive(Clone, Debug, Default)]
pub(super) struct StoredGroup {
    /// One of its user-agent lines is `*`.
    pub(super) is_wildcard: bool,
    /// Conner's version 2.0: paths are explicit patterns.
    pub(super) is_version_two: bool,
    agents: Range<usize>,
    rules: Range<usize>,
}

/// Every group of a body.
#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    bytes: Vec<u8>,
    agents: Vec<Range<usize>>,
    rules: Vec<StoredRule>,
    groups: Vec<StoredGroup>,
    /// The last group still takes agents and rules.
    is_open: bool,
}

/// An agent named by a user-agent line.
#[derive(Clone, Copy, Debug)]
pub(super) enum AgentOfLine<'a> {
    /// Every crawler that no group names.
    Wildcard,
    /// The crawlers of this name or product token.
    Named(&'a [u8]),
    /// The line opens or joins a group without naming anyone.
    Nobody,
}

impl Records {
    /// A user-agent line: joins the open group, or opens a new one if no group is open or the open
    /// group has rules already.
    pub(super) fn push_agent(&mut self, agent: AgentOfLine<'_>) {
        if !self.is_open
            || self
                .groups
                .last()
                .is_none_or(|group| !group.rules.is_empty())
        {
            self.groups.push(StoredGroup {
                agents: self.agents.len()..self.agents.len(),
                rules: self.rules.len()..self.rules.len(),
                ..StoredGroup::default()
            });
            self.is_open = true;
        }
        let named = match agent {
            AgentOfLine::Named(name) => Some(self.store(name)),
            AgentOfLine::Wildcard | AgentOfLine::Nobody => None,
        };
        if let Some(group) = self.groups.last_mut() {
            match named {
                Some(name) => {
                    self.agents.push(name);
                    group.agents.end += 1;
                }
                None => group.is_wildcard |= matches!(agent, AgentOfLine::Wildcard),
            }
        }
    }

    /// A rule line: belongs to the open group; without one it is dropped. `pattern` is matched, and
    /// `weight` its bytes where the longest match decides.
    pub(super) fn push_rule(
        &mut self,
        rule_type: RuleType,
        value: &[u8],
        line: u32,
        (pattern, weight): (&[u8], usize),
    ) {
        if !self.is_open {
            return;
        }
        let stored = self.store(value);
        let pattern = if pattern == value {
            stored.clone()
        } else {
            self.store(pattern)
        };
        if let Some(group) = self.groups.last_mut() {
            group.rules.end += 1;
            self.rules.push(StoredRule {
                rule_type,
                line,
                weight,
                value: stored,
                pattern,
            });
        }
    }

    /// A line that ends the group, where the dialect has such lines.
    pub(super) fn end_group(&mut self) {
        self.is_open = false;
    }

    /// The group that lines are added to now.
    pub(super) fn open_group(&mut self) -> Option<(usize, &mut StoredGroup)> {
        let index = self.groups.len().checked_sub(1)?;
        self.is_open.then(|| (index, &mut self.groups[index]))
    }

    pub(super) fn groups(&self) -> &[StoredGroup] {
        &self.groups
    }

    /// Bytes of the names in user-agent lines; a repeated name counts each time.
    pub(super) fn name_bytes(&self) -> usize {
        self.agents.iter().map(ExactSizeIterator::len).sum()
    }

    /// The same with `form` applied to every pattern; none where that changes nothing.
    pub(super) fn with_patterns(
        &self,
        form: for<'v> fn(&'v [u8], &'v mut Vec<u8>) -> &'v [u8],
    ) -> Option<Self> {
        let mut other: Option<Self> = None;
        let mut buffer = Vec::new();
        for (index, rule) in self.rules.iter().enumerate() {
            let pattern = self.pattern(rule);
            let formed = form(pattern, &mut buffer);
            if formed != pattern {
                let other = other.get_or_insert_with(|| self.clone());
                other.rules[index].pattern = other.store(formed);
            }
        }
        other
    }

    pub(super) fn rules(&self, group: &StoredGroup) -> &[StoredRule] {
        &self.rules[group.rules.clone()]
    }

    pub(super) fn pattern(&self, rule: &StoredRule) -> &[u8] {
        &self.bytes[rule.pattern.clone()]
    }

    pub(super) fn agents(&self, group: &StoredGroup) -> impl Iterator<Item = &[u8]> {
        self.agents[group.agents.clone()]
            .iter()
            .map(|name| &self.bytes[name.clone()])
    }

    /// The first group with a name that is a substring of the robot's, without regard to case, else
    /// the first `*` group: the choice of the 1990s.
    pub(super) fn first_by_substring(&self, robot: &[u8]) -> Option<(usize, Choice)> {
        let names_robot = |group: &StoredGroup| {
            self.agents(group)
                .any(|name| agent::is_part_of_name(name, robot))
        };
        let named = self.groups.iter().position(names_robot);
        let wildcard = || self.groups.iter().position(|group| group.is_wildcard);
        named
            .map(|index| (index, Choice::Named))
            .or_else(|| wildcard().map(|index| (index, Choice::Wildcard)))
    }

    /// Whether a group names exactly this product token.
    pub(super) fn names_token(&self, group: &StoredGroup, token: &[u8]) -> bool {
        self.agents(group)
            .any(|name| agent::is_same_token(name, token))
    }

    /// The verdict of `rule` in group `index`.
    pub(super) fn verdict_of(
        &self,
        rule: &StoredRule,
        index: usize,
        choice: Choice,
        reason: Reason,
    ) -> Verdict<'_> {
        let matched = self.matched(rule);
        Verdict {
            allowed: matched.allows(),
            line: Some(rule.line),
            rule: Some(matched),
            group: Some(index),
            choice,
            reason: if matched.value.is_empty() {
                Reason::EmptyRule
            } else {
                reason
            },
            is_interpretation: false,
        }
    }

    /// The rule as written.
    pub(super) fn matched(&self, rule: &StoredRule) -> MatchedRule<'_> {
        MatchedRule {
            rule_type: rule.rule_type,
            value: &self.bytes[rule.value.clone()],
        }
    }

    fn store(&mut self, bytes: &[u8]) -> Range<usize> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        start..self.bytes.len()
    }
}
