//! Builds a ruleset from lines, as a dialect's rules say.

use super::conner1996::add_visit_term;
use super::rules::DialectRules;
use super::verdict::RuleType;
use super::{Dialect, Ruleset};
use crate::document::PolicyLine;
use crate::line::{Line, LineKind};
use crate::visit::{RobotVersion, VisitTerms};

/// Forms a dialect's groups from lines.
pub(crate) struct RulesetBuilder {
    rules: &'static DialectRules,
    ruleset: Ruleset,
    buffer: Vec<u8>,
}

impl RulesetBuilder {
    /// A builder of `dialect` without a line so far.
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self {
            rules: dialect.rules(),
            ruleset: Ruleset::empty(dialect),
            buffer: Vec::new(),
        }
    }

    /// The ruleset of some lines of a document.
    pub(crate) fn of_lines<'d, 'a: 'd>(
        dialect: Dialect,
        lines: impl IntoIterator<Item = PolicyLine<'d, 'a>>,
    ) -> Ruleset {
        let mut builder = Self::new(dialect);
        for line in lines {
            builder.policy_line(line);
        }
        builder.finish()
    }

    /// The ruleset of the lines so far.
    pub(crate) fn finish(mut self) -> Ruleset {
        if self.rules.has_visit_terms {
            let n_groups = self.ruleset.n_groups();
            self.ruleset
                .terms
                .resize_with(n_groups, VisitTerms::default);
        }
        self.ruleset
    }

    /// A line of a body.
    pub(super) fn line(&mut self, line: &Line<'_>) {
        let is_strict = line.is_strict();
        match line.kind {
            LineKind::Empty => self.blank_line(),
            LineKind::UserAgent => self.user_agent(line.value, is_strict),
            LineKind::Allow => self.rule(RuleType::Allow, line.value, line.number, is_strict),
            LineKind::Disallow => self.rule(RuleType::Disallow, line.value, line.number, is_strict),
            LineKind::Other if !line.is_missing_colon => self.directive(line.key, line.value),
            LineKind::Other | LineKind::Sitemap | LineKind::Comment | LineKind::Invalid => {}
        }
    }

    /// A line of a document.
    fn policy_line(&mut self, line: PolicyLine<'_, '_>) {
        match line {
            PolicyLine::BlankLine => self.blank_line(),
            PolicyLine::UserAgent(line) => self.user_agent(line.value, line.is_strict()),
            PolicyLine::Rule(rule) => self.rule(
                rule.rule_type,
                rule.path_raw,
                rule.line_number,
                rule.is_strict(),
            ),
            PolicyLine::Directive(line) if line.is_missing_colon => {}
            PolicyLine::Directive(line) => self.directive(line.key, line.value),
        }
    }

    /// A blank line.
    fn blank_line(&mut self) {
        if self.rules.blank_line_ends_group {
            self.ruleset.records.end_group();
        }
    }

    /// A user-agent line; `is_strict` as [`Line::is_strict`] says.
    pub(crate) fn user_agent(&mut self, value: &[u8], is_strict: bool) {
        if self.reads(is_strict) {
            let agent = (self.rules.agent_of_line)(value);
            self.ruleset.records.push_agent(agent);
        }
    }

    /// An allow or disallow line.
    pub(crate) fn rule(&mut self, rule_type: RuleType, value: &[u8], number: u32, is_strict: bool) {
        let is_known = match rule_type {
            RuleType::Allow => self.rules.knows_allow,
            RuleType::Disallow => true,
        };
        if is_known && self.reads(is_strict) {
            let records = &mut self.ruleset.records;
            let (pattern, weight) = (self.rules.pattern)(value, &mut self.buffer);
            records.push_rule(rule_type, value, number, (pattern, weight));
            if let Some(second) = (self.rules.second_pattern)(rule_type, pattern) {
                records.push_rule(rule_type, value, number, (&second, second.len()));
            }
        }
    }

    /// A line with a colon and a key that the protocol does not define.
    fn directive(&mut self, key: &[u8], value: &[u8]) {
        if !self.rules.has_visit_terms {
            return;
        }
        let Ruleset { records, terms, .. } = &mut self.ruleset;
        let Some((index, group)) = records.open_group() else {
            return;
        };
        if terms.len() <= index {
            terms.resize_with(index + 1, VisitTerms::default);
        }
        add_visit_term(key, value, &mut terms[index]);
        group.is_version_two = terms[index].version == Some(RobotVersion::Two);
    }

    fn reads(&self, is_strict: bool) -> bool {
        is_strict || self.rules.tolerates_misspelt_keys
    }
}
