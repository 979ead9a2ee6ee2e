//! Rows of agents: what the merged groups of each product token come to.

use super::{Scratch, count};
use crate::dataset::tables::Builders;
use crate::dataset::tables::agents::AgentRow;
use robots_dialects::document::{Document, RuleLine};
use robots_dialects::pattern::matches_every_path;
use robots_dialects::published::{
    CommonCrawlClass, DataProvenanceClass, ProbeScratch, common_crawl, data_provenance, path_probes,
};
use robots_dialects::restriction::{Restriction, RestrictionScratch, restriction};
use robots_dialects::root::may_disallow_root;
use robots_dialects::rule::{Rule, RuleType};

/// Work on the agents of one policy, some nanoseconds per unit: a fifth of a second. Only a file
/// that was written for it takes as much: thousands of agents, each with a set of groups of its own,
/// that have thousands of rules in common.
const POLICY_WORK: usize = 1 << 26;
/// Work that a rule of an agent stands for, which is looked at for every column.
const RULE_WORK: usize = 32;

/// Appends the rows of a policy's agents, which `scratch` has; `canonical` is its canonical form.
/// Returns how many of them have verdicts that are not proved.
pub(super) fn push_agents(
    builders: &mut Builders,
    scratch: &mut Scratch,
    policy_id: i64,
    document: &Document<'_>,
    canonical: &[u8],
) -> usize {
    let Scratch {
        agents,
        n_agents,
        tokens,
        restriction: restriction_scratch,
        probes,
        roots,
        ..
    } = scratch;
    let agents = &agents[..*n_agents];
    let names = agents.iter().map(|agent| &tokens[agent.token.clone()]);
    let may_disallow_root = |rule: &RuleLine<'_>| may_disallow_root(rule.rule_type, rule.path_raw);
    let roots = if document.rules.iter().any(may_disallow_root) {
        roots.verdicts(canonical, names)
    } else {
        roots.all_allowed(agents.len())
    };
    let wildcard = agents
        .iter()
        .find(|agent| &tokens[agent.token.clone()] == b"*");
    // Agents stacked in one group have the same rules: what was found for one holds for the next.
    let mut last: Option<(&[u32], Verdicts)> = None;
    let mut work = POLICY_WORK;
    let mut tallies: Vec<GroupTally> = Vec::new();
    let mut n_undecided = 0;
    for (agent, root) in agents.iter().zip(roots) {
        let verdicts = match &last {
            Some((groups, verdicts)) if *groups == agent.groups.as_slice() => *verdicts,
            // One rule or none is no work.
            _ if work == 0 && rules_of(document, &agent.groups).nth(1).is_some() => {
                if tallies.is_empty() {
                    tallies.extend(
                        document
                            .groups
                            .iter()
                            .map(|group| GroupTally::of(&document.rules[group.rules.clone()])),
                    );
                }
                Verdicts::undecided(agent.groups.iter().map(|group| tallies[*group as usize]))
            }
            _ => {
                let same = wildcard.map(|wildcard| {
                    rules_of(document, &agent.groups).map(plain).eq(rules_of(
                        document,
                        &wildcard.groups,
                    )
                    .map(plain))
                });
                let verdicts =
                    Verdicts::of(document, &agent.groups, same, restriction_scratch, probes);
                work = work.saturating_sub(
                    (verdicts.n_allow + verdicts.n_disallow) * RULE_WORK
                        + restriction_scratch.work()
                        + probes.work(),
                );
                verdicts
            }
        };
        n_undecided += usize::from(!verdicts.is_proved);
        last = Some((&agent.groups, verdicts));
        let first = &document.user_agents[agent.first];
        let token = &tokens[agent.token.clone()];
        let crawl_delay = agent
            .groups
            .iter()
            .find_map(|group| document.groups[*group as usize].crawl_delay);
        let [
            root_rep1994,
            root_koster1996,
            root_conner1996,
            root_rep2019,
            root_rfc9309,
            root_google,
        ] = *root;
        builders.agents.push(AgentRow {
            policy_id,
            product_token: token,
            user_agent_raw: first.value,
            n_groups: count(agent.groups.len()),
            n_rules: count(verdicts.n_allow + verdicts.n_disallow),
            n_allow: count(verdicts.n_allow),
            n_disallow: count(verdicts.n_disallow),
            crawl_delay,
            has_disallow_root: verdicts.has_disallow_root,
            same_as_wildcard: verdicts.same_as_wildcard.filter(|_| token != b"*"),
            restriction: verdicts.restriction,
            restriction_cc: verdicts.restriction_cc,
            restriction_dpi: verdicts.restriction_dpi,
            restriction_imc: verdicts.restriction_imc,
            root_rep1994,
            root_koster1996,
            root_conner1996,
            root_rep2019,
            root_rfc9309,
            root_google,
        });
    }
    n_undecided
}

/// What can be said of a group's rules without comparing them.
#[derive(Clone, Copy)]
struct GroupTally {
    n_allow: usize,
    n_disallow: usize,
    has_disallow_root: bool,
}

impl GroupTally {
    fn of(rules: &[RuleLine<'_>]) -> Self {
        let is_disallow = |rule: &&RuleLine<'_>| rule.rule_type == RuleType::Disallow;
        let n_disallow = rules.iter().filter(is_disallow).count();
        Self {
            n_allow: rules.len() - n_disallow,
            n_disallow,
            has_disallow_root: rules
                .iter()
                .filter(is_disallow)
                .any(|rule| matches_every_path(&rule.path)),
        }
    }
}

/// What the merged rules of an agent come to.
#[derive(Clone, Copy)]
struct Verdicts {
    n_allow: usize,
    n_disallow: usize,
    has_disallow_root: bool,
    same_as_wildcard: Option<bool>,
    restriction: &'static str,
    restriction_cc: Option<&'static str>,
    restriction_dpi: &'static str,
    restriction_imc: &'static str,
    /// False where the limits of work were reached.
    is_proved: bool,
}

impl Verdicts {
    /// What is said of an agent of several rules once the work on its policy is used up: the counts,
    /// and of what is closed to it the answer that claims least.
    fn undecided(groups: impl Iterator<Item = GroupTally>) -> Self {
        let mut all = Self {
            n_allow: 0,
            n_disallow: 0,
            has_disallow_root: false,
            same_as_wildcard: None,
            restriction: Restriction::Partial.as_str(),
            restriction_cc: Some(CommonCrawlClass::AllowPart.as_str()),
            restriction_dpi: DataProvenanceClass::Some.as_str(),
            restriction_imc: Restriction::Partial.as_str(),
            is_proved: false,
        };
        for group in groups {
            all.n_allow += group.n_allow;
            all.n_disallow += group.n_disallow;
            all.has_disallow_root |= group.has_disallow_root;
        }
        all
    }

    fn of(
        document: &Document<'_>,
        groups: &[u32],
        same_as_wildcard: Option<bool>,
        scratch: &mut RestrictionScratch,
        probes: &mut ProbeScratch,
    ) -> Self {
        let lines = || rules_of(document, groups);
        let rules = || {
            lines().map(|line| Rule {
                rule_type: line.rule_type,
                path: &line.path,
                path_raw: line.path_raw,
            })
        };
        let (mut n_allow, mut n_disallow, mut has_disallow_root) = (0, 0, false);
        for line in lines() {
            match line.rule_type {
                RuleType::Allow => n_allow += 1,
                RuleType::Disallow => {
                    n_disallow += 1;
                    has_disallow_root |= matches_every_path(&line.path);
                }
            }
        }
        let file_paths = document.rules.iter().map(|line| line.path_raw);
        let restriction = restriction(rules(), scratch);
        let path_probes = path_probes(rules(), file_paths, probes);
        Self {
            n_allow,
            n_disallow,
            has_disallow_root,
            same_as_wildcard,
            restriction: restriction.as_str(),
            restriction_cc: common_crawl(rules()).map(CommonCrawlClass::as_str),
            restriction_dpi: data_provenance(rules()).as_str(),
            restriction_imc: path_probes.as_str(),
            is_proved: scratch.is_exact() && probes.is_exact(),
        }
    }
}

/// The rules of some groups, in file order.
fn rules_of<'d, 'a>(
    document: &'d Document<'a>,
    groups: &'d [u32],
) -> impl Iterator<Item = &'d RuleLine<'a>> + Clone {
    groups
        .iter()
        .flat_map(|group| &document.rules[document.groups[*group as usize].rules.clone()])
}

/// What a rule says, without where it stands.
fn plain<'d>(line: &'d RuleLine<'_>) -> (RuleType, &'d [u8]) {
    (line.rule_type, &line.path)
}
