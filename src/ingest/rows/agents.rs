//! Rows of agents: what the merged groups of each name say.

use crate::dataset::tables::Builders;
use crate::dataset::tables::agents::AgentRow;
use crate::dataset::tables::to_int;
use robots_dialects::agents::Agents;
use robots_dialects::comparison::{Class, Meaning};
use robots_dialects::dialect::Dialect;
use robots_dialects::published::CommonCrawlClass;

/// Appends the rows of a policy's agents. Returns how many of them have verdicts that are not
/// proved.
pub(super) fn push_agents(
    builders: &mut Builders,
    policy_id: i64,
    agents: &Agents<'_, '_>,
    meaning: &Meaning,
) -> usize {
    let mut n_undecided = 0;
    let judged: Vec<_> = agents.judged().collect();
    let wildcard = judged.iter().find(|agent| agent.name == b"*");
    let wildcard = wildcard.map(|agent| agent.rules);
    for agent in &judged {
        n_undecided += usize::from(!agent.is_proved());
        let rules = &agent.rules;
        let verdicts = Dialect::ALL.iter().zip(agent.root);
        let disallowing = verdicts.filter(|(_, is_allowed)| !is_allowed);
        let root_disallowed_by: Vec<&[u8]> = disallowing
            .map(|(dialect, _)| dialect.name().as_bytes())
            .collect();
        let versus_wildcard = Some(meaning.versus_wildcard(agent.name))
            .filter(|class| *class != Class::Undecided && agent.name != b"*");
        builders.agents.push(AgentRow {
            policy_id,
            product_token: agent.name,
            rfc9309_token: Some(agent.rfc9309_token).filter(|token| !token.is_empty()),
            user_agent_raw: agent.user_agent,
            n_groups: to_int(agent.n_groups),
            n_rules: to_int(rules.n_allow + rules.n_disallow),
            n_allow: to_int(rules.n_allow),
            n_disallow: to_int(rules.n_disallow),
            crawl_delay: agent.crawl_delay,
            has_crawl_delay_conflict: agent.has_crawl_delay_conflict,
            has_disallow_root: rules.has_disallow_root,
            versus_wildcard: versus_wildcard.map(Class::name),
            restriction: rules.restriction.name(),
            restriction_cc: rules.common_crawl.map(CommonCrawlClass::name),
            restriction_dpi: rules.data_provenance.name(),
            restriction_imc: rules.path_probes.name(),
            wildcard_restriction: wildcard.map(|it| it.restriction.name()),
            wildcard_restriction_cc: wildcard
                .and_then(|it| it.common_crawl)
                .map(CommonCrawlClass::name),
            wildcard_restriction_dpi: wildcard.map(|it| it.data_provenance.name()),
            wildcard_restriction_imc: wildcard.map(|it| it.path_probes.name()),
            root_disallowed_by: &root_disallowed_by,
        });
    }
    n_undecided
}
