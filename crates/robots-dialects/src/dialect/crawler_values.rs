//! The groups of a ruleset by the names in them, found for many crawlers in linear time.
//!
//! [`Ruleset::verdict`] looks through all names of a body for one crawler, which is quadratic where
//! every crawler that a body names is asked about. Here crawlers find their groups by a table of
//! names (equal product tokens) or by an automaton (names as substrings).

use std::collections::HashMap;

use super::Ruleset;
use super::names::Names;
use super::rules::Decision;

/// A value for each crawler, made of the groups that apply to it.
#[derive(Debug)]
pub(super) struct CrawlerValues<T> {
    named: Values<T>,
    /// Of the `*` groups that apply to a crawler that no group names; none without such a group.
    wildcard: Option<T>,
}

#[derive(Debug)]
enum Values<T> {
    /// By product token in lower case.
    Tokens(HashMap<Vec<u8>, T>),
    /// By group: the first that has a name which is part of the crawler's applies.
    Substrings(Box<Names>, Vec<T>),
}

impl<T: Default> CrawlerValues<T> {
    /// Makes the values in time linear in the names of `ruleset`: `add` adds the group at an index
    /// to a value, in file order.
    pub(super) fn new(ruleset: &Ruleset, mut add: impl FnMut(&mut T, usize)) -> Self {
        let records = &ruleset.records;
        let groups = || records.groups().iter().enumerate();
        let decision = ruleset.dialect().rules().decision;
        let n_wildcards = match decision {
            Decision::LongestMatch {
                merges_wildcards: true,
            } => usize::MAX,
            _ => 1,
        };
        let mut wildcard = None;
        for (index, _) in groups()
            .filter(|(_, group)| group.is_wildcard)
            .take(n_wildcards)
        {
            add(wildcard.get_or_insert_default(), index);
        }
        let named = match decision {
            Decision::FirstMatch { .. } => {
                let mut values = Vec::new();
                values.resize_with(records.groups().len(), T::default);
                for (index, value) in values.iter_mut().enumerate() {
                    add(value, index);
                }
                Values::Substrings(Box::new(Names::new(records)), values)
            }
            Decision::LongestMatch { .. } => {
                let mut tokens: HashMap<Vec<u8>, T> = HashMap::new();
                for (index, group) in groups() {
                    for name in records.agents(group) {
                        add(tokens.entry(name.to_ascii_lowercase()).or_default(), index);
                    }
                }
                Values::Tokens(tokens)
            }
        };
        Self { named, wildcard }
    }

    /// The value for the crawler with this name, in lower case and as its dialect compares it; none
    /// if no group applies.
    pub(super) fn of(&self, name: &[u8]) -> Option<&T> {
        let named = match &self.named {
            Values::Tokens(tokens) => tokens.get(name),
            Values::Substrings(names, values) => names.first_within(name).map(|at| &values[at]),
        };
        named.or(self.wildcard())
    }

    /// The value for a crawler that no group names.
    pub(super) fn wildcard(&self) -> Option<&T> {
        self.wildcard.as_ref()
    }

    /// The values by product token, lower case; none in the dialects whose names are substrings.
    pub(super) fn tokens(&self) -> impl Iterator<Item = (&Vec<u8>, &T)> {
        let tokens = match &self.named {
            Values::Tokens(tokens) => Some(tokens),
            Values::Substrings(..) => None,
        };
        tokens.into_iter().flatten()
    }
}
