//! Builds a ruleset from lines, by a dialect's rules.

use super::conner1996::add_visit_term;
use super::rules::DialectRules;
use super::verdict::RuleType;
use super::{Dialect, Ruleset};
use crate::agent::is_wildcard;
use crate::line::{Line, LineKind, read_lines};

impl Dialect {
    /// Reads a body once for many verdicts. Never fails; linear in the body.
    #[must_use]
    pub fn compile(self, body: &[u8]) -> Ruleset {
        let mut builder = RulesetBuilder::new(self);
        read_lines(body, |line| builder.line(line));
        builder.ruleset
    }
}

pub(crate) struct RulesetBuilder {
    rules: &'static DialectRules,
    pub(crate) ruleset: Ruleset,
    /// The last group still takes agents and rules.
    is_open: bool,
    buffer: Vec<u8>,
}

impl RulesetBuilder {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self {
            rules: dialect.rules(),
            ruleset: Ruleset::empty(dialect),
            is_open: false,
            buffer: Vec::new(),
        }
    }

    pub(crate) fn of_lines<'l>(
        dialect: Dialect,
        lines: impl IntoIterator<Item = &'l Line<'l>>,
    ) -> Ruleset {
        let mut builder = Self::new(dialect);
        lines.into_iter().for_each(|line| builder.line(line));
        builder.ruleset
    }

    fn line(&mut self, line: &Line<'_>) {
        let is_strict = line.is_strict();
        match line.kind {
            LineKind::Empty => self.is_open &= !self.rules.blank_line_ends_group,
            LineKind::UserAgent => self.user_agent(line.value, is_strict),
            LineKind::Allow => self.rule(RuleType::Allow, line.value, line.number, is_strict),
            LineKind::Disallow => self.rule(RuleType::Disallow, line.value, line.number, is_strict),
            LineKind::Other if !line.is_missing_colon => self.directive(line.key, line.value),
            LineKind::Other | LineKind::Sitemap | LineKind::Comment | LineKind::Invalid => {}
        }
    }

    /// Adds a user-agent line; `is_strict` is [`Line::is_strict`]. It joins the open group unless
    /// that group has rules.
    pub(crate) fn user_agent(&mut self, value: &[u8], is_strict: bool) {
        if !self.reads(is_strict) {
            return;
        }
        let records = &mut self.ruleset.records;
        let last = records.groups.last();
        if !self.is_open || last.is_none_or(|group| !group.rules.is_empty()) {
            records.begin_group();
            self.is_open = true;
        }
        if let Some(group) = records.groups.last_mut()
            && is_wildcard(value)
        {
            group.is_wildcard = true;
        } else if let Some(name) = (self.rules.name_in_line)(value) {
            records.push_agent(name);
        }
    }

    /// Adds an allow or disallow line, or drops it if no group is open.
    pub(crate) fn rule(&mut self, rule_type: RuleType, value: &[u8], number: u32, is_strict: bool) {
        let is_known = rule_type == RuleType::Disallow || self.rules.knows_allow;
        if is_known && self.is_open && self.reads(is_strict) {
            let records = &mut self.ruleset.records;
            let (pattern, weight) = (self.rules.pattern)(value, &mut self.buffer);
            records.push_rule(rule_type, value, number, (pattern, weight));
            if let Some(second) = (self.rules.second_pattern)(rule_type, pattern) {
                records.push_rule(rule_type, value, number, (&second, second.len()));
            }
        }
    }

    /// Adds a line with a colon and a key that the protocol does not define.
    fn directive(&mut self, key: &[u8], value: &[u8]) {
        if self.rules.has_visit_terms
            && self.is_open
            && let Some(group) = self.ruleset.records.groups.last_mut()
        {
            add_visit_term(key, value, &mut group.terms);
        }
    }

    fn reads(&self, is_strict: bool) -> bool {
        is_strict || self.rules.tolerates_misspelt_keys
    }
}
