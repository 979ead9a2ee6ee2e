//! The judgement of each agent's merged rules, within a limit of work per document.

use super::{Agent, Agents};
use crate::agent::rfc9309_token;
use crate::document::{Document, RuleLine};
use crate::pattern::matches_every_path;
use crate::published::{
    CommonCrawlClass, DataProvenanceClass, ProbeScratch, common_crawl, data_provenance, path_probes,
};
use crate::restriction::{Restriction, RestrictionScratch, restriction};
use crate::root::{RootJudge, RootVerdicts};
use crate::rule::{Rule, RuleType};

/// The most work that goes into the agents of one document, in units of some nanoseconds: about a
/// fifth of a second. Only a file that is written to be slow reaches it: thousands of agents, each
/// with its own set of groups, which have thousands of rules in common.
const DOCUMENT_STEPS: usize = 1 << 26;
/// Units of work for each rule of an agent: every field of its row reads the rule once.
const RULE_STEPS: usize = 32;

/// Buffers used from document to document.
#[derive(Debug, Default)]
pub(super) struct JudgeBuffers {
    restriction: RestrictionScratch,
    probes: ProbeScratch,
    root: RootJudge,
    tallies: Vec<Tally>,
}

/// What a document says to one agent, its groups merged.
#[derive(Debug, Clone, Copy)]
pub struct JudgedAgent<'r> {
    /// Its name, a [product token](crate::agent::product_token) in lower case; `*` for the wildcard
    /// groups.
    pub name: &'r [u8],
    /// What RFC 9309 takes of its name ([`rfc9309_token`]), lower case; `*` for the wildcard, empty
    /// where its grammar takes nothing.
    pub rfc9309_token: &'r [u8],
    /// Value of the first user-agent line with this name, as written.
    pub user_agent: &'r [u8],
    /// Number of its groups.
    pub n_groups: usize,
    /// The first numeric crawl-delay that holds for it, line by line
    /// ([`UserAgentBlock`](crate::document::UserAgentBlock)), in seconds.
    pub crawl_delay: Option<f64>,
    /// Whether several different crawl-delays hold for it.
    pub has_crawl_delay_conflict: bool,
    /// What its rules say together.
    pub rules: RulesJudgement,
    /// Whether it may fetch `/`, by dialect, each asked by this name. `*` is a crawler that
    /// no group names.
    pub root: RootVerdicts,
}

impl JudgedAgent<'_> {
    /// Whether everything is proved: false only where the document is so hostile that the limits of
    /// work were reached. The restrictions are then those that claim the least, partial.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.rules.is_proved
    }
}

/// What the merged rules of an agent say.
#[derive(Debug, Clone, Copy)]
pub struct RulesJudgement {
    /// Allow rules.
    pub n_allow: usize,
    /// Disallow rules.
    pub n_disallow: usize,
    /// Whether a disallow rule matches every path, whatever else is said.
    pub has_disallow_root: bool,
    /// Exact.
    pub restriction: Restriction,
    /// By Common Crawl's definition; `None` without a rule.
    pub common_crawl: Option<CommonCrawlClass>,
    /// By the Data Provenance Initiative's.
    pub data_provenance: DataProvenanceClass,
    /// By path probes.
    pub path_probes: Restriction,
    is_proved: bool,
    /// What it took to judge, of [`DOCUMENT_STEPS`].
    work: usize,
}

impl<'a> Agents<'_, '_, 'a> {
    /// Judges every agent, in order. Linear in the document but for hostile ones, on which the work
    /// is limited.
    pub fn judged(&mut self) -> impl Iterator<Item = JudgedAgent<'_>> {
        let Self {
            document,
            named: agents,
            judge,
            ..
        } = self;
        let document: &Document<'a> = document;
        let JudgeBuffers {
            restriction,
            probes,
            root,
            tallies,
        } = &mut **judge;
        tallies.clear();
        let names = agents.iter().map(|agent| agent.name.as_slice());
        let roots = root.verdicts(document, names);
        // Agents named together in one group have the same rules, and so have many that follow each
        // other in groups of their own: what was found for one holds for the next.
        let mut last: Option<(&[u32], RulesJudgement)> = None;
        let mut work = DOCUMENT_STEPS;
        agents.iter().zip(roots).map(move |(agent, root)| {
            let judged = match &last {
                Some((groups, judged)) if *groups == agent.groups.as_slice() => *judged,
                // One rule or none takes no work.
                _ if work == 0 && rules_of(document, &agent.groups).nth(1).is_some() => {
                    if tallies.is_empty() {
                        let rules = document.groups.iter().map(|group| group.rules.clone());
                        tallies.extend(rules.map(|rules| Tally::of(&document.rules[rules])));
                    }
                    let groups = agent.groups.iter();
                    let tallies = groups.map(|group| tallies[*group as usize]);
                    RulesJudgement::undecided(tallies.fold(Tally::default(), Tally::and))
                }
                last => {
                    let judged = match last {
                        Some((groups, judged))
                            if have_equal_rules(document, groups, &agent.groups) =>
                        {
                            *judged
                        }
                        _ => RulesJudgement::of(document, agent, restriction, probes),
                    };
                    work = work.saturating_sub(judged.work);
                    judged
                }
            };
            last = Some((&agent.groups, judged));
            let name = agent.name.as_slice();
            JudgedAgent {
                name,
                rfc9309_token: if name == b"*" {
                    name
                } else {
                    rfc9309_token(name)
                },
                user_agent: document.user_agents[agent.first_line].value,
                n_groups: agent.groups.len(),
                crawl_delay: agent.crawl_delay,
                has_crawl_delay_conflict: agent.has_crawl_delay_conflict,
                rules: judged,
                root: *root,
            }
        })
    }
}

/// The facts about rules that take no comparison.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    n_allow: usize,
    n_disallow: usize,
    has_disallow_root: bool,
}

impl Tally {
    fn of<'l, 'a: 'l>(rules: impl IntoIterator<Item = &'l RuleLine<'a>>) -> Self {
        let mut tally = Self::default();
        for rule in rules {
            match rule.rule_type {
                RuleType::Allow => tally.n_allow += 1,
                RuleType::Disallow => {
                    tally.n_disallow += 1;
                    tally.has_disallow_root |= matches_every_path(&rule.path);
                }
            }
        }
        tally
    }

    /// The facts about these rules and others together.
    fn and(self, other: Self) -> Self {
        Self {
            n_allow: self.n_allow + other.n_allow,
            n_disallow: self.n_disallow + other.n_disallow,
            has_disallow_root: self.has_disallow_root | other.has_disallow_root,
        }
    }
}

impl RulesJudgement {
    /// The result for an agent with several rules once the work on its document is used up: the
    /// counts, and the restriction that claims least.
    fn undecided(tally: Tally) -> Self {
        Self {
            n_allow: tally.n_allow,
            n_disallow: tally.n_disallow,
            has_disallow_root: tally.has_disallow_root,
            restriction: Restriction::Partial,
            common_crawl: Some(CommonCrawlClass::AllowPart),
            data_provenance: DataProvenanceClass::Some,
            path_probes: Restriction::Partial,
            is_proved: false,
            work: 0,
        }
    }

    fn of(
        document: &Document<'_>,
        agent: &Agent,
        scratch: &mut RestrictionScratch,
        probes: &mut ProbeScratch,
    ) -> Self {
        let rules = || rules_of(document, &agent.groups).map(Rule::from);
        let tally = Tally::of(rules_of(document, &agent.groups));
        let file_paths = document.rules.iter().map(|line| line.path_raw);
        let restriction = restriction(rules(), scratch);
        let path_probes = path_probes(rules(), file_paths, probes);
        let n_rules = tally.n_allow + tally.n_disallow;
        Self {
            restriction,
            common_crawl: common_crawl(rules()),
            data_provenance: data_provenance(rules()),
            path_probes,
            is_proved: scratch.is_exact() && probes.is_exact(),
            work: n_rules * RULE_STEPS + scratch.work() + probes.work(),
            ..Self::undecided(tally)
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

/// Whether some groups have the same rules as others, as written and in the same order.
fn have_equal_rules(document: &Document<'_>, groups: &[u32], others: &[u32]) -> bool {
    let mut others = rules_of(document, others);
    let is_next = |rule: &RuleLine<'_>| {
        let next = others.next();
        next.is_some_and(|it| (it.rule_type, it.path_raw) == (rule.rule_type, rule.path_raw))
    };
    rules_of(document, groups).all(is_next) && others.next().is_none()
}
