//! Lines to groups, as a dialect's rules say.

use super::conner1996::add_visit_term;
use super::records::Records;
use super::rules::{DialectRules, Keys};
use super::verdict::RuleType;
use crate::line::{Line, LineHandler, LineKind};
use crate::visit::{RobotVersion, VisitTerms};

/// Draws a dialect's groups from lines.
pub(super) struct Reader {
    rules: &'static DialectRules,
    records: Records,
    /// One entry per group where the dialect has visit terms, else empty.
    terms: Vec<VisitTerms>,
    forms: Vec<u8>,
}

impl Reader {
    pub(super) fn new(rules: &'static DialectRules) -> Self {
        Self {
            rules,
            records: Records::default(),
            terms: Vec::new(),
            forms: Vec::new(),
        }
    }

    /// The groups of the lines so far, and their visit terms.
    pub(super) fn finish(mut self) -> (Records, Vec<VisitTerms>) {
        if self.rules.has_visit_terms {
            let n_groups = self.records.groups().len();
            self.terms.resize_with(n_groups, VisitTerms::default);
        }
        (self.records, self.terms)
    }

    /// A blank line.
    pub(super) fn blank_line(&mut self) {
        if self.rules.blank_line_ends_group {
            self.records.end_group();
        }
    }

    /// A user-agent line; `is_strict` as [`Line::is_strict`] says.
    pub(super) fn user_agent(&mut self, value: &[u8], is_strict: bool) {
        if self.reads(is_strict) {
            self.records.push_agent((self.rules.agent_of_line)(value));
        }
    }

    /// An allow or disallow line.
    pub(super) fn rule(&mut self, rule_type: RuleType, value: &[u8], number: u32, is_strict: bool) {
        let is_known = match rule_type {
            RuleType::Allow => self.rules.knows_allow,
            RuleType::Disallow => true,
        };
        if is_known && self.reads(is_strict) {
            let Self { records, forms, .. } = self;
            records.push_rule(rule_type, value, number, forms, self.rules.add_rule);
        }
    }

    /// A line with a colon and a key that is none of the protocol's.
    pub(super) fn directive(&mut self, key: &[u8], value: &[u8]) {
        if !self.rules.has_visit_terms {
            return;
        }
        let Some((index, group)) = self.records.open_group() else {
            return;
        };
        if self.terms.len() <= index {
            self.terms.resize_with(index + 1, VisitTerms::default);
        }
        add_visit_term(key, value, &mut self.terms[index]);
        group.is_version_two = self.terms[index].version == Some(RobotVersion::Two);
    }

    fn reads(&self, is_strict: bool) -> bool {
        match self.rules.keys {
            Keys::Exact => is_strict,
            Keys::Tolerant => true,
        }
    }
}

impl<'a> LineHandler<'a> for Reader {
    fn line(&mut self, line: &Line<'a>) {
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
}
