//! The groups that apply to a crawler, found for many crawlers in linear time.
//!
//! [`Ruleset::verdict`] chooses groups and judges a path in one pass. A comparison needs the groups
//! by themselves, and asks for every crawler that a file names.

use std::collections::HashMap;

use super::names::Names;
use super::records::StoredRule;
use super::rules::{Decision, WildcardGroups};
use super::{MatchedRule, RuleType, Ruleset};

/// A crawler, as far as a robots.txt distinguishes crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crawler<'n> {
    /// The crawler that asks by this name, as in [`Ruleset::verdict`].
    Named(&'n [u8]),
    /// A crawler that no group names.
    Other,
}

/// The groups of a ruleset by crawler.
#[derive(Debug)]
pub(crate) struct CrawlerGroups<'r> {
    ruleset: &'r Ruleset,
    named: NamedGroups,
    /// The `*` groups that apply to a crawler that no group names.
    wildcard: Vec<usize>,
}

#[derive(Debug)]
enum NamedGroups {
    /// By product token in lower case.
    Tokens(HashMap<Vec<u8>, Vec<usize>>),
    /// The first group with a name that is part of the crawler's.
    Substrings(Box<Names>),
}

/// A rule of a chosen group, as its dialect compares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenRule<'r> {
    pub(crate) rule: MatchedRule<'r>,
    pub(crate) line: u32,
    /// Bytes that count where the longest match decides.
    pub(crate) priority: usize,
    pub(crate) pattern: &'r [u8],
    /// Conner's version 2.0: the pattern is explicit.
    pub(crate) is_version_two: bool,
}

impl<'r> CrawlerGroups<'r> {
    /// Finds the groups of `ruleset`, in time linear in its names.
    pub(crate) fn new(ruleset: &'r Ruleset) -> Self {
        let records = &ruleset.records;
        let wildcards = records.groups().iter().enumerate();
        let wildcards = wildcards.filter(|(_, group)| group.is_wildcard);
        let wildcards = wildcards.map(|(index, _)| index);
        let (named, n_wildcards) = match ruleset.dialect().rules().decision {
            Decision::FirstMatch { .. } => {
                (NamedGroups::Substrings(Box::new(Names::new(records))), 1)
            }
            Decision::LongestMatch { wildcard_groups } => {
                let mut tokens: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
                for (index, group) in records.groups().iter().enumerate() {
                    for name in records.agents(group) {
                        let groups = tokens.entry(name.to_ascii_lowercase()).or_default();
                        if groups.last() != Some(&index) {
                            groups.push(index);
                        }
                    }
                }
                let n_wildcards = match wildcard_groups {
                    WildcardGroups::First => 1,
                    WildcardGroups::Merged => usize::MAX,
                };
                (NamedGroups::Tokens(tokens), n_wildcards)
            }
        };
        Self {
            ruleset,
            named,
            wildcard: wildcards.take(n_wildcards).collect(),
        }
    }

    /// The groups that apply to `crawler`, in file order.
    pub(crate) fn of(&self, crawler: Crawler<'_>) -> Vec<usize> {
        let named = match crawler {
            Crawler::Other => Vec::new(),
            Crawler::Named(agent) => {
                let name = (self.ruleset.dialect().rules().name_of_crawler)(agent);
                let name = name.to_ascii_lowercase();
                match &self.named {
                    NamedGroups::Tokens(tokens) => tokens.get(&name).cloned().unwrap_or_default(),
                    NamedGroups::Substrings(names) => {
                        names.first_within(&name).into_iter().collect()
                    }
                }
            }
        };
        if named.is_empty() {
            self.wildcard.clone()
        } else {
            named
        }
    }

    /// The product tokens that groups name, lower case, each with its groups in file order; none in
    /// the dialects whose names are substrings.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (&[u8], &[usize])> {
        let tokens = match &self.named {
            NamedGroups::Tokens(tokens) => Some(tokens),
            NamedGroups::Substrings(_) => None,
        };
        let all = tokens.into_iter().flatten();
        all.map(|(token, groups)| (token.as_slice(), groups.as_slice()))
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
                priority: rule.priority,
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
    /// Whether a path that this rule decides is allowed: a rule without a path restricts nothing,
    /// whichever its type.
    pub(crate) fn allows(&self) -> bool {
        self.rule.value.is_empty() || self.rule.rule_type == RuleType::Allow
    }
}
