//! Agents: what a robots.txt says to each crawler that it names.
//!
//! A name is a product token as HTTP has it, which crawlers publish and match, and not the shorter
//! one of RFC 9309. The groups of one name are merged (RFC 9309 §2.2.1), and the merged rules are
//! judged: how much of the site they restrict, exactly and as published studies would have it, and
//! whether the agent may fetch `/` under each dialect. [`Agents::of`] finds the agents of a
//! document, [`Agents::judged`] judges them.
//!
//! Work is bounded: a document that was written to make judging slow has agents whose verdicts
//! claim the least ([`JudgedAgent::is_proved`]).

mod judge;

use std::collections::HashMap;

pub use self::judge::JudgedAgent;
use super::comparison::Meaning;
use super::document::{Document, UserAgentBlock};

/// The agents of a document, in the order of their first user-agent lines.
#[derive(Debug)]
pub struct Agents<'d, 'a> {
    document: &'d Document<'a>,
    named: Vec<Agent>,
}

impl<'d, 'a> Agents<'d, 'a> {
    /// The agents of `document`, the groups of each name merged. Linear in its user-agent lines.
    #[must_use]
    pub fn of(document: &'d Document<'a>) -> Self {
        let mut named: Vec<Agent> = Vec::new();
        let mut by_name: HashMap<Vec<u8>, usize> = HashMap::new();
        for (group_index, group) in (0u32..).zip(&document.groups) {
            for first_line in group.user_agents.clone() {
                let line = &document.user_agents[first_line];
                if line.product_token.is_empty() {
                    continue;
                }
                let name = line.product_token.to_ascii_lowercase();
                let index = *by_name.entry(name).or_insert_with_key(|name| {
                    named.push(Agent {
                        name: name.clone(),
                        first_line,
                        ..Agent::default()
                    });
                    named.len() - 1
                });
                let agent = &mut named[index];
                let block = &document.blocks[line.block];
                agent.delays.add_crawl_delay(block.crawl_delay);
                agent.delays.has_crawl_delay_conflict |= block.has_crawl_delay_conflict;
                if agent.groups.last() != Some(&group_index) {
                    agent.groups.push(group_index);
                }
            }
        }
        Self { document, named }
    }

    /// Number of distinct names, `*` included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.named.len()
    }

    /// What the document means to each of them by RFC 9309.
    #[must_use]
    pub fn meaning(&self) -> Meaning {
        Meaning::of(self.document)
    }

    /// Whether no user-agent line names anyone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[derive(Debug, Default)]
struct Agent {
    /// Lower case.
    name: Vec<u8>,
    first_line: usize,
    groups: Vec<u32>,
    /// The crawl-delays of all its blocks together.
    delays: UserAgentBlock,
}
