//! Groups of agents and rules as a dialect forms them.
//!
//! All bytes are in one buffer: compiling a body of any size takes a handful of allocations.

use std::ops::Range;

use super::verdict::{MatchedRule, RuleType};
use crate::percent::rfc9309_unescaped;
use crate::visit::{RobotVersion, VisitTerms};

#[derive(Clone, Debug)]
pub(super) struct StoredRule {
    pub(super) rule_type: RuleType,
    pub(super) line: u32,
    /// Length in bytes that counts if the longest match decides.
    pub(super) weight: usize,
    value: Range<usize>,
    pattern: Range<usize>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct StoredGroup {
    pub(super) is_wildcard: bool,
    /// Empty if the dialect has no such terms.
    pub(super) terms: VisitTerms,
    agents: Range<usize>,
    pub(super) rules: Range<usize>,
}

impl StoredGroup {
    /// Conner's version 2.0: paths are explicit patterns.
    pub(super) fn is_version_two(&self) -> bool {
        self.terms.version == Some(RobotVersion::Two)
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Records {
    bytes: Vec<u8>,
    agents: Vec<Range<usize>>,
    rules: Vec<StoredRule>,
    pub(super) groups: Vec<StoredGroup>,
}

impl Records {
    pub(super) fn begin_group(&mut self) {
        let (agents, rules) = (self.agents.len(), self.rules.len());
        self.groups.push(StoredGroup {
            agents: agents..agents,
            rules: rules..rules,
            ..StoredGroup::default()
        });
    }

    pub(super) fn push_agent(&mut self, name: &[u8]) {
        if let Some(group) = self.groups.last_mut() {
            group.agents.end += 1;
            let name = self.store(name);
            self.agents.push(name);
        }
    }

    /// Adds a rule to the last group; `pattern` is matched.
    pub(super) fn push_rule(
        &mut self,
        rule_type: RuleType,
        value: &[u8],
        line: u32,
        (pattern, weight): (&[u8], usize),
    ) {
        let Some(group) = self.groups.last_mut() else {
            return;
        };
        group.rules.end += 1;
        let (value, pattern) = (self.store(value), self.store(pattern));
        self.rules.push(StoredRule {
            rule_type,
            line,
            weight,
            value,
            pattern,
        });
    }

    /// A copy with the reserved characters of every pattern unescaped; `None` if that changes
    /// nothing.
    pub(super) fn unescaped(&self) -> Option<Self> {
        let mut other: Option<Self> = None;
        let mut buffer = Vec::new();
        for (index, rule) in self.rules.iter().enumerate() {
            let pattern = self.pattern(rule);
            let unescaped = rfc9309_unescaped(pattern, &mut buffer);
            if unescaped != pattern {
                let other = other.get_or_insert_with(|| self.clone());
                other.rules[index].pattern = other.store(unescaped);
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
