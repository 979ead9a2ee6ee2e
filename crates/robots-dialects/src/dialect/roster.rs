//! One path, many agents: the verdicts of a whole roster in linear time.
//!
//! [`Compiled::verdict`] looks through all names of a body for one agent, which is quadratic where
//! every agent of a body is asked about. Here groups are judged once each, and agents find theirs
//! by a table of names (exact product tokens) or by an automaton (names as substrings, after Aho
//! and Corasick, 1975), so that a body of thirty thousand user-agent lines takes no longer than
//! one of thirty thousand rules.

use std::collections::{HashMap, VecDeque};

use super::longest_match::{Weights, WildcardGroups};
use super::records::Records;
use super::{Choice, Compiled, Dialect, first_match, google};
use crate::agent::{name_without_version, product_token};
use crate::path::UrlPath;

/// Bytes of names times bytes of agents up to which one by one is faster. Bytes, since a
/// comparison may take as long as name and agent are.
const FEW_COMPARISONS: usize = 1 << 16;

impl Compiled {
    /// Whether each of `agents` may fetch `path`: what [`verdict`](Self::verdict) says one by
    /// one, in time linear in the body and the agents.
    #[must_use]
    pub fn allowed_each(&self, agents: &[&[u8]], path: &UrlPath<'_>) -> Vec<bool> {
        let agent_bytes: usize = agents.iter().map(|agent| agent.len()).sum();
        if self.records.name_bytes().saturating_mul(agent_bytes) <= FEW_COMPARISONS {
            let allowed = |agent: &&[u8]| self.verdict(agent, path).allowed;
            return agents.iter().map(allowed).collect();
        }
        self.allowed_each_by_index(agents, path)
    }

    fn allowed_each_by_index(&self, agents: &[&[u8]], path: &UrlPath<'_>) -> Vec<bool> {
        if self.exempts(path) {
            return vec![true; agents.len()];
        }
        let records = &self.records;
        let (path, wildcards) = match self.dialect() {
            Dialect::Rep1994 | Dialect::Koster1996 | Dialect::Conner1996 => {
                return self.first_matches(agents, path);
            }
            Dialect::Rep2019 => (path.normalised(), WildcardGroups::First),
            Dialect::Rfc9309 => (path.normalised(), WildcardGroups::Merged),
            Dialect::Google => (google::compared(path), WildcardGroups::Merged),
        };
        let groups = TokenGroups::new(records, path, wildcards);
        let is_bare = self.dialect() == Dialect::Google;
        let token =
            |agent: &&[u8]| groups.allow(if is_bare { agent } else { product_token(agent) });
        agents.iter().map(token).collect()
    }

    /// The verdicts of the dialects of the 1990s: the first record that is the agent's, the first
    /// rule of it that matches.
    fn first_matches(&self, agents: &[&[u8]], path: &UrlPath<'_>) -> Vec<bool> {
        let records = &self.records;
        let judge = |index| {
            let chosen = (index, Choice::Named);
            first_match::verdict_in(records, chosen, path.bytes(), self.first_match()).allowed
        };
        let allowed: Vec<bool> = (0..records.groups().len()).map(judge).collect();
        let wildcard = records.groups().iter().position(|group| group.is_wildcard);
        let names = Names::new(records);
        let mut lower = Vec::new();
        let mut verdict = |agent: &&[u8]| {
            lower.clear();
            lower.extend(
                name_without_version(agent)
                    .iter()
                    .map(u8::to_ascii_lowercase),
            );
            let group = names.first_within(&lower).or(wildcard);
            group.is_none_or(|group| allowed[group])
        };
        agents.iter().map(&mut verdict).collect()
    }
}

/// What the groups of each product token weigh for one path, merged.
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

    fn allow(&self, token: &[u8]) -> bool {
        let own = self.named.get(&token.to_ascii_lowercase()).copied();
        own.or(self.wildcard).is_none_or(Weights::allow)
    }
}

/// An automaton over the names of all groups: which is the first group with a name that is a
/// substring of a text?
struct Names {
    nodes: Vec<Node>,
    /// Children of the root by their byte. Most bytes of a text begin no name, and are looked up
    /// here alone.
    beginnings: [u32; 256],
}

/// A prefix of names. Children are a list, so that a node takes 20 bytes whatever the alphabet.
#[derive(Clone, Copy)]
struct Node {
    byte: u8,
    first_child: u32,
    next_sibling: u32,
    /// The longest proper suffix that is a prefix of names too.
    suffix: u32,
    /// First group with a name that is a suffix of this prefix.
    first_group: u32,
}

const NONE: u32 = u32::MAX;
const ROOT: u32 = 0;

impl Names {
    fn new(records: &Records) -> Self {
        let mut names = Self {
            nodes: vec![Node::new(0)],
            beginnings: [NONE; 256],
        };
        for (index, group) in (0u32..).zip(records.groups()) {
            // An empty name is part of none.
            for name in records.agents(group).filter(|name| !name.is_empty()) {
                let mut at = ROOT;
                for byte in name.iter().map(u8::to_ascii_lowercase) {
                    at = names.child(at, byte).unwrap_or_else(|| names.add(at, byte));
                }
                let node = names.at_mut(at);
                node.first_group = node.first_group.min(index);
            }
        }
        names.link();
        names
    }

    /// Sets the suffixes, shorter prefixes before longer ones.
    fn link(&mut self) {
        let mut queue = VecDeque::from([ROOT]);
        while let Some(parent) = queue.pop_front() {
            let mut child = self.at(parent).first_child;
            while child != NONE {
                queue.push_back(child);
                let byte = self.at(child).byte;
                let suffix = if parent == ROOT {
                    ROOT
                } else {
                    self.step(self.at(parent).suffix, byte)
                };
                let first_group = self.at(suffix).first_group;
                let node = self.at_mut(child);
                node.suffix = suffix;
                node.first_group = node.first_group.min(first_group);
                child = node.next_sibling;
            }
        }
    }

    /// The first group with a name, in lower case, that is a substring of `text`.
    fn first_within(&self, text: &[u8]) -> Option<usize> {
        let mut at = ROOT;
        let mut first = NONE;
        for byte in text {
            at = self.step(at, *byte);
            first = first.min(self.at(at).first_group);
        }
        (first != NONE).then_some(first as usize)
    }

    fn step(&self, mut at: u32, byte: u8) -> u32 {
        loop {
            match self.child(at, byte) {
                Some(child) => return child,
                None if at == ROOT => return ROOT,
                None => at = self.at(at).suffix,
            }
        }
    }

    fn child(&self, parent: u32, byte: u8) -> Option<u32> {
        let mut child = if parent == ROOT {
            self.beginnings[usize::from(byte)]
        } else {
            self.at(parent).first_child
        };
        while child != NONE && self.at(child).byte != byte {
            child = self.at(child).next_sibling;
        }
        (child != NONE).then_some(child)
    }

    fn add(&mut self, parent: u32, byte: u8) -> u32 {
        // A body has far fewer bytes than there are indices.
        let child = u32::try_from(self.nodes.len()).unwrap_or(NONE);
        let next_sibling = std::mem::replace(&mut self.at_mut(parent).first_child, child);
        self.nodes.push(Node {
            next_sibling,
            ..Node::new(byte)
        });
        if parent == ROOT {
            self.beginnings[usize::from(byte)] = child;
        }
        child
    }

    fn at(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    fn at_mut(&mut self, node: u32) -> &mut Node {
        &mut self.nodes[node as usize]
    }
}

impl Node {
    const fn new(byte: u8) -> Self {
        Self {
            byte,
            first_child: NONE,
            next_sibling: NONE,
            suffix: ROOT,
            first_group: NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use proptest::prelude::*;

    use super::*;
    use crate::thread_time::ThreadTime;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]
        #[test]
        fn equals_verdicts_one_by_one(
            lines in proptest::collection::vec(prop_oneof![
                "User-agent: [ab*1]{0,4}",
                "(Dis)?allow: (/|\\*|/a|/\\*a)?",
                Just(String::new()),
                Just("Robot-version: 2.0".to_owned()),
                Just("useragent b".to_owned()),
            ], 0..16),
            agents in proptest::collection::vec("[abAB1/*]{0,5}", 0..6),
            path in prop_oneof!["/[ab]{0,2}", Just("/robots.txt".to_owned())],
        ) {
            let body = lines.join("\n");
            let agents: Vec<&[u8]> = agents.iter().map(String::as_bytes).collect();
            let path = UrlPath::new(path.as_bytes());
            for dialect in Dialect::all() {
                let compiled = dialect.compile(body.as_bytes());
                let one_by_one: Vec<bool> =
                    agents.iter().map(|agent| compiled.verdict(agent, &path).allowed).collect();
                prop_assert_eq!(compiled.allowed_each_by_index(&agents, &path), one_by_one, "{}", dialect);
            }
        }
    }

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
        for dialect in Dialect::all() {
            let compiled = dialect.compile(body.as_bytes());
            let allowed = compiled.allowed_each(&agents, &UrlPath::new(b"/"));
            assert!(!allowed.contains(&true));
        }
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            start.elapsed()
        );
    }
}
