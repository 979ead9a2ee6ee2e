//! What changed from one answer to the next.

use std::collections::BTreeMap;

use serde::Serialize;

/// What differs from the previous answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Change {
    /// Nothing was known before.
    First,
    /// Nothing: the same file, or again none.
    Same,
    /// Comments, blank lines or sitemaps; the rules are the same.
    File(Difference),
    /// The rules; also where a file came or went.
    Rules(Difference),
}

impl Change {
    /// What is different, where something is.
    pub fn difference(&self) -> Option<&Difference> {
        match self {
            Self::First | Self::Same => None,
            Self::File(difference) | Self::Rules(difference) => Some(difference),
        }
    }
}

/// How two files and their policies differ; the fields are in JSON too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Product tokens that have a group now and had none.
    pub agents_added: Vec<String>,
    /// Product tokens whose group was removed.
    pub agents_removed: Vec<String>,
    /// Product tokens with a group before and now whose restriction is another.
    pub restrictions: Vec<NewRestriction>,
    /// Allow and disallow lines that were not there, whatever group they are in.
    pub rules_added: usize,
    /// Such lines that are gone.
    pub rules_removed: usize,
    /// Sitemaps that were not named.
    pub sitemaps_added: Vec<String>,
    /// Sitemaps that are no longer named.
    pub sitemaps_removed: Vec<String>,
}

/// The restriction of an agent before and after a change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewRestriction {
    pub product_token: String,
    pub before: String,
    pub after: String,
}

/// What one answer says, for comparison.
#[derive(Debug, Clone, Default)]
pub(super) struct Side<'p> {
    /// Restriction by product token.
    pub(super) agents: BTreeMap<&'p str, &'p str>,
    /// How often each allow or disallow line occurs.
    pub(super) rules: BTreeMap<(&'p str, &'p str), usize>,
    pub(super) sitemaps: Vec<&'p str>,
}

impl Difference {
    pub(super) fn of(before: &Side<'_>, now: &Side<'_>) -> Self {
        let only = |one: &Side<'_>, other: &Side<'_>| -> Vec<String> {
            let tokens = one
                .agents
                .keys()
                .filter(|it| !other.agents.contains_key(*it));
            tokens.map(|token| (*token).to_owned()).collect()
        };
        let restrictions = before.agents.iter().filter_map(|(token, before)| {
            let after = now.agents.get(token).filter(|now| *now != before)?;
            let [product_token, before, after] = [token, before, after].map(|it| (*it).to_owned());
            Some(NewRestriction {
                product_token,
                before,
                after,
            })
        });
        let more_rules = |one: &Side<'_>, other: &Side<'_>| -> usize {
            let more = one.rules.iter().map(|(rule, times)| {
                times.saturating_sub(other.rules.get(rule).copied().unwrap_or(0))
            });
            more.sum()
        };
        let more_sitemaps = |one: &Side<'_>, other: &Side<'_>| -> Vec<String> {
            let mut more: Vec<String> = (one.sitemaps.iter())
                .filter(|it| !other.sitemaps.contains(it))
                .map(|it| (*it).to_owned())
                .collect();
            more.sort_unstable();
            more.dedup();
            more
        };
        Self {
            agents_added: only(now, before),
            agents_removed: only(before, now),
            restrictions: restrictions.collect(),
            rules_added: more_rules(now, before),
            rules_removed: more_rules(before, now),
            sitemaps_added: more_sitemaps(now, before),
            sitemaps_removed: more_sitemaps(before, now),
        }
    }
}
