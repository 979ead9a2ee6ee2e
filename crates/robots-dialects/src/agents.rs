//! Agents: what a robots.txt says to each crawler that it names.
//!
//! A name is a product token as HTTP defines it, because crawlers publish and match that, not RFC
//! 9309's shorter token. The groups of one name are merged (RFC 9309 §2.2.1) and judged together.
//! In a document that was written to make judging slow, some agents get the verdicts that claim the
//! least ([`RulesJudgement::is_proved`]).

use std::collections::HashMap;

use super::agent::rfc9309_token;
use super::document::{Document, Group, RuleLine, UserAgentBlock};
use super::pattern::matches_every_path;
use super::published::{
    CommonCrawlClass, DataProvenanceClass, common_crawl, data_provenance, path_probes,
};
use super::restriction::{Restriction, restriction};
use super::root::{RootVerdicts, root_verdicts};
use super::rule::{Rule, RuleType};

/// Limit of the work on one document's agents, in units of a few nanoseconds: about a fifth of a
/// second. Only a file that is written to be slow reaches it: thousands of agents with different
/// sets of groups that share thousands of rules.
const DOCUMENT_STEPS: usize = 1 << 26;
/// Units of work for each rule of an agent: each verdict on the agent reads the rule once.
const RULE_STEPS: usize = 32;

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

    /// Whether no user-agent line names an agent.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Judges every agent, in order. Linear in the document; work on hostile documents is limited.
    pub fn judged(&self) -> impl Iterator<Item = JudgedAgent<'_>> {
        let document = self.document;
        let names: Vec<&[u8]> = self.named.iter().map(|it| it.name.as_slice()).collect();
        let roots = root_verdicts(document, &names);
        let tallies: Vec<Tally> = document
            .groups
            .iter()
            .map(|it| tally(document, it))
            .collect();
        // Agents of the same groups have the same rules.
        let mut known: HashMap<&[u32], RulesJudgement> = HashMap::new();
        let mut work = DOCUMENT_STEPS;
        self.named.iter().zip(roots).map(move |(agent, root)| {
            let (name, groups) = (agent.name.as_slice(), agent.groups.as_slice());
            let rules = known.entry(groups);
            JudgedAgent {
                name,
                rfc9309_token: if name == b"*" {
                    name
                } else {
                    rfc9309_token(name)
                },
                user_agent: document.user_agents[agent.first_line].value,
                n_groups: groups.len(),
                crawl_delay: agent.delays.crawl_delay,
                has_crawl_delay_conflict: agent.delays.has_crawl_delay_conflict,
                rules: *rules
                    .or_insert_with(|| RulesJudgement::of(document, &tallies, groups, &mut work)),
                root,
            }
        })
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

/// What a document says to one agent, its groups merged.
#[derive(Debug, Clone, Copy)]
pub struct JudgedAgent<'r> {
    /// Its [product token](crate::agent::product_token), lower case; `*` for the wildcard groups.
    pub name: &'r [u8],
    /// RFC 9309's token of its name ([`rfc9309_token`]), lower case; `*` for the wildcard, empty if
    /// the RFC's grammar accepts no part of the name.
    pub rfc9309_token: &'r [u8],
    /// Value of the first user-agent line with this name, as written.
    pub user_agent: &'r [u8],
    /// Number of its groups.
    pub n_groups: usize,
    /// The first numeric crawl-delay that applies to it (see [`UserAgentBlock`]), in seconds.
    pub crawl_delay: Option<f64>,
    /// Whether different crawl-delays apply to it.
    pub has_crawl_delay_conflict: bool,
    /// What its rules say together.
    pub rules: RulesJudgement,
    /// Whether it may fetch `/` under this name, by dialect. `*` is a crawler that no group names.
    pub root: RootVerdicts,
}

/// What the merged rules of an agent say.
#[derive(Debug, Clone, Copy)]
pub struct RulesJudgement {
    /// Allow rules.
    pub n_allow: usize,
    /// Disallow rules.
    pub n_disallow: usize,
    /// Whether a disallow rule matches every path, whatever the other rules.
    pub has_disallow_root: bool,
    /// Exact.
    pub restriction: Restriction,
    /// By Common Crawl's definition; `None` without a rule.
    pub common_crawl: Option<CommonCrawlClass>,
    /// By the Data Provenance Initiative's definition.
    pub data_provenance: DataProvenanceClass,
    /// By path probes.
    pub path_probes: Restriction,
    /// Whether the verdicts are proved: false only if the document is so hostile that the work
    /// limits were reached. The restrictions then claim the least: partial.
    pub is_proved: bool,
}

impl RulesJudgement {
    /// Judges the rules of some groups, and subtracts the effort from `work`. If `work` is used up,
    /// the judgement has only the counts and the restrictions that claim the least.
    fn of(document: &Document<'_>, tallies: &[Tally], groups: &[u32], work: &mut usize) -> Self {
        let rules = || rules_of(document, groups).map(Rule::from);
        let tallies = groups.iter().map(|group| tallies[*group as usize]);
        let [n_allow, n_disallow, n_root] = tallies.fold([0; 3], |sum, tally| {
            std::array::from_fn(|index| sum[index] + tally[index])
        });
        let n_rules = n_allow + n_disallow;
        let undecided = Self {
            n_allow,
            n_disallow,
            has_disallow_root: n_root > 0,
            restriction: Restriction::Partial,
            common_crawl: Some(CommonCrawlClass::AllowPart),
            data_provenance: DataProvenanceClass::Some,
            path_probes: Restriction::Partial,
            is_proved: false,
        };
        // Judging a single rule, or none, takes no work.
        if *work == 0 && n_rules > 1 {
            return undecided;
        }
        let exact = restriction(rules());
        let file_paths = document.rules.iter().map(|line| line.path_raw);
        let probed = path_probes(rules(), file_paths);
        *work = work.saturating_sub(n_rules * RULE_STEPS + exact.work + probed.work);
        Self {
            restriction: exact.restriction,
            common_crawl: common_crawl(rules()),
            data_provenance: data_provenance(rules()),
            path_probes: probed.restriction,
            is_proved: exact.is_exact && probed.is_exact,
            ..undecided
        }
    }
}

/// Numbers of a group's allow rules, disallow rules, and disallow rules that match every path.
type Tally = [usize; 3];

/// The tally of a group, counted once, so that agents with many groups need not read each rule.
fn tally(document: &Document<'_>, group: &Group) -> Tally {
    let mut tally = [0; 3];
    for rule in &document.rules[group.rules.clone()] {
        match rule.rule_type {
            RuleType::Allow => tally[0] += 1,
            RuleType::Disallow => {
                tally[1] += 1;
                tally[2] += usize::from(matches_every_path(&rule.path));
            }
        }
    }
    tally
}

fn rules_of<'d, 'a>(
    document: &'d Document<'a>,
    groups: &'d [u32],
) -> impl Iterator<Item = &'d RuleLine<'a>> + Clone {
    groups
        .iter()
        .flat_map(|group| &document.rules[document.groups[*group as usize].rules.clone()])
}
