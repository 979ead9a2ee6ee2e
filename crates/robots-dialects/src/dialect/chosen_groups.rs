//! The groups that apply to a crawler, and their rules.
//!
//! [`Ruleset::verdict`] chooses groups and judges a path in one pass. A comparison needs the groups
//! by themselves, and asks for every crawler that a file names.

use super::crawler_values::CrawlerValues;
use super::records::StoredRule;
use super::{MatchedRule, Ruleset};

/// A crawler, as far as a robots.txt distinguishes crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crawler<'n> {
    /// The crawler that asks by this name, as in [`Ruleset::verdict`].
    Named(&'n [u8]),
    /// A crawler that no group names.
    Other,
}

impl<'n> Crawler<'n> {
    /// Its name for [`Ruleset::verdict`]; `*` for a crawler that no group names.
    #[must_use]
    pub fn agent_name(self) -> &'n [u8] {
        match self {
            Self::Named(name) => name,
            Self::Other => b"*",
        }
    }
}

/// The groups of a ruleset by crawler.
#[derive(Debug)]
pub(crate) struct CrawlerGroups<'r> {
    ruleset: &'r Ruleset,
    by_name: CrawlerValues<Vec<usize>>,
}

/// A rule of a chosen group, as its dialect compares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenRule<'r> {
    pub(crate) rule: MatchedRule<'r>,
    pub(crate) line: u32,
    /// Bytes that count where the longest match decides.
    pub(crate) weight: usize,
    pub(crate) pattern: &'r [u8],
    /// Conner's version 2.0: the pattern is explicit.
    pub(crate) is_version_two: bool,
}

impl<'r> CrawlerGroups<'r> {
    /// Finds the groups of `ruleset`, in time linear in its names.
    pub(crate) fn new(ruleset: &'r Ruleset) -> Self {
        let by_name = CrawlerValues::new(ruleset, |groups: &mut Vec<usize>, index| {
            if groups.last() != Some(&index) {
                groups.push(index);
            }
        });
        Self { ruleset, by_name }
    }

    /// The groups that apply to `crawler`, in file order.
    pub(crate) fn of(&self, crawler: Crawler<'_>) -> Vec<usize> {
        let groups = match crawler {
            Crawler::Other => self.by_name.wildcard(),
            Crawler::Named(agent) => {
                let name = (self.ruleset.dialect().rules().name_of_crawler)(agent);
                self.by_name.of(&name.to_ascii_lowercase())
            }
        };
        groups.cloned().unwrap_or_default()
    }

    /// The product tokens that groups name, lower case, each with its groups in file order; none in
    /// the dialects whose names are substrings.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (&[u8], &[usize])> {
        let tokens = self.by_name.tokens();
        tokens.map(|(token, groups)| (token.as_slice(), groups.as_slice()))
    }

    /// The rules of `groups`, in file order.
    pub(crate) fn rules(&self, groups: &[usize]) -> impl Iterator<Item = ChosenRule<'r>> {
        let records = &self.ruleset.records;
        groups.iter().flat_map(move |index| {
            let group = &records.groups()[*index];
            let rules = records.rules(group).iter();
            rules.map(move |rule: &StoredRule| ChosenRule {
                rule: records.matched(rule),
                line: rule.line,
                weight: rule.weight,
                pattern: records.pattern(rule),
                is_version_two: group.is_version_two,
            })
        })
    }

    /// The ruleset whose groups these are.
    pub(crate) fn ruleset(&self) -> &'r Ruleset {
        self.ruleset
    }
}

impl ChosenRule<'_> {
    /// Whether a path that this rule decides is allowed.
    pub(crate) fn allows(&self) -> bool {
        self.rule.allows()
    }
}
