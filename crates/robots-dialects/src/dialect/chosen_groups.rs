//! The groups that apply to each crawler, and their rules.
//!
//! [`Ruleset::verdict`] looks through all names of a body for one crawler, which is quadratic if it
//! is called for every crawler that the body names. This module finds a crawler's groups by a table
//! of names (equal product tokens) or by an automaton (names as substrings).

use std::collections::HashMap;

use super::decision::Decision;
use super::names::Names;
use super::ruleset::Ruleset;
use super::verdict::{Choice, MatchedRule};
use crate::path::UrlPath;

/// A crawler, as far as a robots.txt distinguishes crawlers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crawler<'n> {
    /// The crawler with this name, as in [`Ruleset::verdict`].
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

#[derive(Debug)]
pub(crate) struct CrawlerGroups<'r> {
    ruleset: &'r Ruleset,
    /// By product token in lower case, in file order.
    tokens: HashMap<Vec<u8>, Vec<usize>>,
    /// Replaces `tokens` in dialects that match names as substrings.
    names: Option<Names>,
    wildcard: Vec<usize>,
}

/// A rule of a chosen group, as its dialect compares it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenRule<'r> {
    pub(crate) rule: MatchedRule<'r>,
    pub(crate) line: u32,
    pub(crate) weight: usize,
    pub(crate) pattern: &'r [u8],
    /// Conner's version 2.0: the pattern is explicit.
    pub(crate) is_version_two: bool,
}

impl<'r> CrawlerGroups<'r> {
    /// Finds the groups of `ruleset`, in time linear in its names.
    pub(crate) fn new(ruleset: &'r Ruleset) -> Self {
        let (records, decision) = (&ruleset.records, ruleset.dialect().rules().decision);
        let mut tokens: HashMap<Vec<u8>, Vec<usize>> = HashMap::new();
        let names = match decision {
            Decision::FirstMatch { .. } => Some(Names::new(records)),
            Decision::LongestMatch { .. } => {
                for (index, group) in records.groups.iter().enumerate() {
                    for name in records.agents(group) {
                        let groups = tokens.entry(name.to_ascii_lowercase()).or_default();
                        if groups.last() != Some(&index) {
                            groups.push(index);
                        }
                    }
                }
                None
            }
        };
        let groups = records.groups.iter().enumerate();
        let wildcards = groups.filter(|(_, group)| group.is_wildcard);
        let wildcards = wildcards.take(decision.most_wildcards());
        Self {
            ruleset,
            tokens,
            names,
            wildcard: wildcards.map(|(index, _)| index).collect(),
        }
    }

    /// The groups that apply to `crawler`, in file order. Linear in its name.
    pub(crate) fn of(&self, crawler: Crawler<'_>) -> Vec<usize> {
        let named = match crawler {
            Crawler::Other => None,
            Crawler::Named(agent) => {
                let name = (self.ruleset.dialect().rules().name_of_crawler)(agent);
                let name = name.to_ascii_lowercase();
                match &self.names {
                    Some(names) => names.first_within(&name).map(|group| vec![group]),
                    None => self.tokens.get(&name).cloned(),
                }
            }
        };
        named.unwrap_or_else(|| self.wildcard.clone())
    }

    /// The product tokens that groups name, lower case, each with its groups in file order; empty
    /// in dialects that match names as substrings.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = (&[u8], &[usize])> {
        let tokens = self.tokens.iter();
        tokens.map(|(token, groups)| (token.as_slice(), groups.as_slice()))
    }
}

impl Ruleset {
    /// Whether each of `agents` may fetch `path`, as [`verdict`](Self::verdict) decides one by one.
    /// Agents to which the same groups apply are judged once.
    #[must_use]
    pub fn allowed_for_each(&self, agents: &[&[u8]], path: &UrlPath<'_>) -> Vec<bool> {
        let rules = self.dialect().rules();
        if (rules.is_exempt)(path) {
            return vec![true; agents.len()];
        }
        let (groups, compared) = (CrawlerGroups::new(self), (rules.path_form)(path));
        let allows = |chosen: &Vec<usize>| {
            let chosen = chosen.iter().copied();
            let verdict =
                (rules.decision).verdict_in(&self.records, chosen, Choice::Named, compared);
            verdict.allowed
        };
        let mut known: HashMap<Vec<usize>, bool> = HashMap::new();
        let allowed = agents.iter().map(|agent| {
            let allowed = known.entry(groups.of(Crawler::Named(agent)));
            *allowed.or_insert_with_key(allows)
        });
        allowed.collect()
    }

    pub(crate) fn rules_of(&self, groups: &[usize]) -> impl Iterator<Item = ChosenRule<'_>> {
        let records = &self.records;
        groups.iter().flat_map(move |index| {
            let group = &records.groups[*index];
            records.rules(group).iter().map(move |rule| ChosenRule {
                rule: records.matched(rule),
                line: rule.line,
                weight: rule.weight,
                pattern: records.pattern(rule),
                is_version_two: group.is_version_two(),
            })
        })
    }
}
