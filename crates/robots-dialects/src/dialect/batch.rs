//! One path, many agents: verdicts of a whole batch of agents in linear time.
//!
//! [`Ruleset::verdict`] looks through all names of a body for one agent, which is quadratic where
//! every agent of a body is asked about. Here each group is judged once, and agents find theirs by
//! a table of names (equal product tokens) or by an automaton (names as substrings), so that a body
//! of thirty thousand user-agent lines takes no longer than one of thirty thousand rules.

use std::collections::HashMap;

use super::longest_match::Weights;
use super::names::Names;
use super::records::Records;
use super::rules::{Decision, DialectRules, Matches, WildcardGroups};
use super::{Choice, Ruleset, first_match};
use crate::path::UrlPath;

/// Up to this product, bytes of names times bytes of agents, comparing one by one is faster. Bytes
/// are counted because a comparison takes time proportional to them.
const FEW_COMPARISONS: usize = 1 << 16;

impl Ruleset {
    /// Whether each of `agents` may fetch `path`: what [`verdict`](Self::verdict) says one by one,
    /// in time linear in the body and the agents.
    #[must_use]
    pub fn allowed_for_each(&self, agents: &[&[u8]], path: &UrlPath<'_>) -> Vec<bool> {
        let agent_bytes: usize = agents.iter().map(|agent| agent.len()).sum();
        if self.records.name_bytes().saturating_mul(agent_bytes) <= FEW_COMPARISONS {
            let allowed = |agent: &&[u8]| self.allows(agent, path);
            return agents.iter().map(allowed).collect();
        }
        let mut batch = Batch::new(self, path);
        agents.iter().map(|agent| batch.allows(agent)).collect()
    }
}

/// What a ruleset says about one path, ready for many agents. Making it takes time linear in the
/// ruleset; an agent then takes time linear in its name.
///
/// ```
/// use robots_dialects::dialect::{Batch, Dialect};
/// use robots_dialects::path::UrlPath;
///
/// let ruleset = Dialect::Rfc9309.compile(b"User-agent: *\nDisallow: /\n\nUser-agent: abot\nAllow: /\n");
/// let mut batch = Batch::new(&ruleset, &UrlPath::new(b"/page"));
/// assert!(batch.allows(b"ABot/1.0"));
/// assert!(!batch.allows(b"bbot"));
/// ```
#[derive(Debug)]
pub struct Batch {
    rules: &'static DialectRules,
    groups: Groups,
    /// The agent's name in lower case.
    lower: Vec<u8>,
}

/// The groups by the names in them, each with what it says about the path.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "a batch holds one, made once per policy and path"
)]
enum Groups {
    /// The path is exempt from all rules.
    Exempt,
    Substrings {
        names: Names,
        /// By group.
        allowed: Vec<bool>,
        /// The first `*` group.
        wildcard: Option<usize>,
    },
    Tokens(TokenGroups),
}

impl Batch {
    /// Judges the groups of `ruleset` on `path`.
    #[must_use]
    pub fn new(ruleset: &Ruleset, path: &UrlPath<'_>) -> Self {
        let (rules, records) = (ruleset.dialect().rules(), &ruleset.records);
        let compared = (rules.path_form)(path);
        let groups = if (rules.is_exempt)(path) {
            Groups::Exempt
        } else {
            match rules.decision {
                Decision::FirstMatch { matches } => Groups::substrings(records, compared, matches),
                Decision::LongestMatch { wildcard_groups } => {
                    Groups::Tokens(TokenGroups::new(records, compared, wildcard_groups))
                }
            }
        };
        Self {
            rules,
            groups,
            lower: Vec::new(),
        }
    }

    /// Whether `agent` may fetch the path: what [`Ruleset::verdict`] says.
    pub fn allows(&mut self, agent: &[u8]) -> bool {
        let name = (self.rules.name_of_crawler)(agent);
        self.lower.clear();
        self.lower.extend(name.iter().map(u8::to_ascii_lowercase));
        match &self.groups {
            Groups::Exempt => true,
            Groups::Substrings {
                names,
                allowed,
                wildcard,
            } => {
                let group = names.first_within(&self.lower).or(*wildcard);
                group.is_none_or(|group| allowed[group])
            }
            Groups::Tokens(groups) => groups.allow(&self.lower),
        }
    }
}

impl Groups {
    /// By names that are substrings of a crawler's: the first group that has one, and the first
    /// rule of it that matches.
    fn substrings(records: &Records, path: &[u8], matches: Matches) -> Self {
        let judge = |index| {
            let chosen = (index, Choice::Named);
            first_match::verdict_in(records, chosen, path, matches).allowed
        };
        Self::Substrings {
            names: Names::new(records),
            allowed: (0..records.groups().len()).map(judge).collect(),
            wildcard: records.groups().iter().position(|group| group.is_wildcard),
        }
    }
}

/// What the groups of each product token weigh for one path, merged.
#[derive(Debug)]
struct TokenGroups {
    /// By token in lower case.
    named: HashMap<Vec<u8>, Weights>,
    /// For every other; none where no group is for `*`.
    wildcard: Option<Weights>,
}

impl TokenGroups {
    fn new(records: &Records, path: &[u8], wildcards: WildcardGroups) -> Self {
        let mut named: HashMap<Vec<u8>, Weights> = HashMap::new();
        let mut wildcard: Option<Weights> = None;
        for (index, group) in records.groups().iter().enumerate() {
            let weights = Weights::of(records, index, path);
            for name in records.agents(group) {
                let all = named.entry(name.to_ascii_lowercase()).or_default();
                *all = all.and(weights);
            }
            if group.is_wildcard && (wildcard.is_none() || wildcards == WildcardGroups::Merged) {
                wildcard = Some(wildcard.unwrap_or_default().and(weights));
            }
        }
        Self { named, wildcard }
    }

    /// Whether the crawler with this product token, in lower case, is allowed.
    fn allow(&self, token: &[u8]) -> bool {
        let own = self.named.get(token).copied();
        own.or(self.wildcard).is_none_or(Weights::allow)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::Dialect;
    use super::*;
    use crate::thread_time::ThreadTime;

    #[test]
    fn thirty_thousand_agents_take_no_noticeable_time() {
        let names: Vec<String> = (0..30_000u32)
            .map(|number| {
                let letter = |shift: u32| char::from(b'a' + (number >> shift & 15) as u8);
                [12, 8, 4, 0].map(letter).iter().collect()
            })
            .collect();
        let body = format!(
            "User-agent: {}\nDisallow: /\n",
            names.join("\nUser-agent: ")
        );
        let agents: Vec<&[u8]> = names.iter().map(String::as_bytes).collect();
        let start = ThreadTime::now();
        for dialect in Dialect::ALL {
            let ruleset = dialect.compile(body.as_bytes());
            let allowed = ruleset.allowed_for_each(&agents, &UrlPath::new(b"/"));
            assert!(!allowed.contains(&true));
        }
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            start.elapsed()
        );
    }
}
