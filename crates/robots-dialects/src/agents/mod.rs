//! Agents: what a robots.txt says to each crawler that it names.
//!
//! A name is a product token as HTTP has it, which crawlers publish and match, and not the shorter
//! one of RFC 9309. The groups of one name are merged (RFC 9309 §2.2.1), and the merged rules are
//! judged: how much of the site they restrict, exactly and as published studies would have it, and
//! whether the agent may fetch `/` under each dialect. [`AgentReader::read`] finds the agents of a
//! document, [`Agents::judged`] judges them.
//!
//! Work is bounded: a document that was written to make judging slow has agents whose verdicts
//! claim the least ([`JudgedAgent::is_proved`]).

mod judge;

use std::collections::HashMap;
use std::ops::Range;

use self::judge::JudgeBuffers;
pub use self::judge::JudgedAgent;
use super::comparison::{Meaning, MeaningReader};
use super::document::{Document, UserAgentBlock};

/// Finds and judges the agents of document after document; keeps its buffers.
#[derive(Debug, Default)]
pub struct AgentReader {
    names: Names,
    judge: JudgeBuffers,
    meaning: MeaningReader,
}

impl AgentReader {
    /// The agents of `document`, the groups of each name merged. Linear in its user-agent lines.
    pub fn read<'r, 'd, 'a>(&'r mut self, document: &'d Document<'a>) -> Agents<'r, 'd, 'a> {
        self.names.read(document);
        Agents {
            document,
            names: &self.names,
            judge: &mut self.judge,
            meaning: &mut self.meaning,
        }
    }
}

/// The agents of a document, in the order of their first user-agent lines.
#[derive(Debug)]
pub struct Agents<'r, 'd, 'a> {
    document: &'d Document<'a>,
    names: &'r Names,
    judge: &'r mut JudgeBuffers,
    meaning: &'r mut MeaningReader,
}

impl Agents<'_, '_, '_> {
    /// Number of distinct names, `*` included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.agents().len()
    }

    /// What the document means to each of them by RFC 9309.
    pub fn meaning(&mut self) -> Meaning {
        self.meaning.read(self.document)
    }

    /// Whether no user-agent line names anyone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A name of a document, and where it stands.
#[derive(Debug, Default)]
struct Agent {
    /// Lower case; a range of [`Names::bytes`].
    name: Range<usize>,
    /// Index of its first user-agent line.
    first_line: usize,
    /// Indices of its groups.
    groups: Vec<u32>,
    /// The first numeric crawl-delay of its blocks, in seconds.
    crawl_delay: Option<f64>,
    /// Whether another of them differs.
    has_crawl_delay_conflict: bool,
}

impl Agent {
    /// Takes the crawl-delays of a block that has its name.
    fn add_crawl_delay(&mut self, block: &UserAgentBlock) {
        let differs = block.crawl_delay.is_some()
            && self.crawl_delay.is_some()
            && self.crawl_delay != block.crawl_delay;
        self.has_crawl_delay_conflict |= differs || block.has_crawl_delay_conflict;
        self.crawl_delay = self.crawl_delay.or(block.crawl_delay);
    }
}

/// The names in the user-agent lines of one document.
#[derive(Debug, Default)]
struct Names {
    /// Agents of this document, then spent ones of earlier documents.
    agents: Vec<Agent>,
    n_agents: usize,
    bytes: Vec<u8>,
    lower: Vec<u8>,
}

impl Names {
    fn agents(&self) -> &[Agent] {
        &self.agents[..self.n_agents]
    }

    fn name(&self, agent: &Agent) -> &[u8] {
        &self.bytes[agent.name.clone()]
    }

    fn read(&mut self, document: &Document<'_>) {
        self.bytes.clear();
        self.n_agents = 0;
        let mut by_name: HashMap<Vec<u8>, usize> = HashMap::new();
        for (group_index, group) in (0u32..).zip(&document.groups) {
            for line_index in group.user_agents.clone() {
                let line = &document.user_agents[line_index];
                let name = line.product_token;
                if name.is_empty() {
                    continue;
                }
                self.lower.clear();
                self.lower.extend(name.iter().map(u8::to_ascii_lowercase));
                let agent = by_name.get(&self.lower).copied().unwrap_or_else(|| {
                    by_name.insert(self.lower.clone(), self.n_agents);
                    self.begin_agent(line_index)
                });
                let agent = &mut self.agents[agent];
                agent.add_crawl_delay(&document.blocks[line.block]);
                if agent.groups.last() != Some(&group_index) {
                    agent.groups.push(group_index);
                }
            }
        }
    }

    /// Adds the agent whose name is in `lower`; its index.
    fn begin_agent(&mut self, first_line: usize) -> usize {
        let index = self.n_agents;
        self.n_agents += 1;
        if self.agents.len() == index {
            self.agents.push(Agent::default());
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&self.lower);
        let agent = &mut self.agents[index];
        agent.name = start..self.bytes.len();
        agent.first_line = first_line;
        agent.groups.clear();
        agent.crawl_delay = None;
        agent.has_crawl_delay_conflict = false;
        index
    }
}
