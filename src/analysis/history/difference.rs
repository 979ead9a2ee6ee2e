//! What changed from one answer to the next.

use std::collections::BTreeSet;

use serde::Serialize;

use super::policy::Policy;

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
    pub agents_removed: Vec<String>,
    /// Product tokens with a group before and now whose restriction is another.
    pub restrictions: Vec<NewRestriction>,
    /// Allow and disallow lines that were not there, whatever group they are in.
    pub rules_added: usize,
    pub rules_removed: usize,
    /// Sitemaps that were not named.
    pub sitemaps_added: Vec<String>,
    pub sitemaps_removed: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NewRestriction {
    pub product_token: String,
    pub before: String,
    pub after: String,
}

impl Difference {
    /// The difference between two policies, each with the sitemaps of its file.
    pub(super) fn of(
        before: (&Policy, &BTreeSet<String>),
        now: (&Policy, &BTreeSet<String>),
    ) -> Self {
        let only = |one: &Policy, other: &Policy| -> Vec<String> {
            let tokens = one.agents.keys();
            let tokens = tokens.filter(|it| !other.agents.contains_key(*it));
            tokens.cloned().collect()
        };
        let restrictions = before.0.agents.iter().filter_map(|(token, before)| {
            let after = now.0.agents.get(token).filter(|now| *now != before)?;
            let [product_token, before, after] = [token, before, after].map(String::clone);
            Some(NewRestriction {
                product_token,
                before,
                after,
            })
        });
        let more_rules = |one: &Policy, other: &Policy| -> usize {
            let more = one.rules.iter().map(|(rule, times)| {
                times.saturating_sub(other.rules.get(rule).copied().unwrap_or(0))
            });
            more.sum()
        };
        Self {
            agents_added: only(now.0, before.0),
            agents_removed: only(before.0, now.0),
            restrictions: restrictions.collect(),
            rules_added: more_rules(now.0, before.0),
            rules_removed: more_rules(before.0, now.0),
            sitemaps_added: now.1.difference(before.1).cloned().collect(),
            sitemaps_removed: before.1.difference(now.1).cloned().collect(),
        }
    }
}
