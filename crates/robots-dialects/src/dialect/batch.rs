//! One path, many agents: verdicts of a whole batch of agents in linear time.
//!
//! Each group is judged once, and agents find theirs by name, so that a body of thirty thousand
//! user-agent lines takes no longer than one of thirty thousand rules.

use super::crawler_values::CrawlerValues;
use super::longest_match::Weights;
use super::rules::{Decision, DialectRules};
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
    /// What the groups of each agent weigh for the path; none where it is exempt from all rules.
    weights: Option<CrawlerValues<Weights>>,
    /// The agent's name in lower case.
    lower: Vec<u8>,
}

impl Batch {
    /// Judges the groups of `ruleset` on `path`.
    #[must_use]
    pub fn new(ruleset: &Ruleset, path: &UrlPath<'_>) -> Self {
        let (rules, records) = (ruleset.dialect().rules(), &ruleset.records);
        let compared = (rules.path_form)(path);
        let judge = |index| match rules.decision {
            Decision::FirstMatch { matches } => {
                let chosen = (index, Choice::Named);
                let verdict = first_match::verdict_in(records, chosen, compared, matches);
                Weights::of_verdict(verdict.allowed)
            }
            Decision::LongestMatch { .. } => Weights::of(records, index, compared),
        };
        let weights = (!(rules.is_exempt)(path)).then(|| {
            let groups: Vec<Weights> = (0..records.groups().len()).map(judge).collect();
            CrawlerValues::new(ruleset, |all: &mut Weights, index| {
                *all = all.and(groups[index]);
            })
        });
        Self {
            rules,
            weights,
            lower: Vec::new(),
        }
    }

    /// Whether `agent` may fetch the path: what [`Ruleset::verdict`] says.
    pub fn allows(&mut self, agent: &[u8]) -> bool {
        let name = (self.rules.name_of_crawler)(agent);
        self.lower.clear();
        self.lower.extend(name.iter().map(u8::to_ascii_lowercase));
        let weights = self.weights.as_ref();
        let own = weights.and_then(|weights| weights.of(&self.lower));
        own.is_none_or(|weights| weights.allow())
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
