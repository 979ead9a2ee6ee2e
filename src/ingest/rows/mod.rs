//! Rows of files and policies: the content of a parsed robots.txt, written into the tables.

mod pages;

use std::borrow::Cow;
use std::ops::Range;

pub use self::pages::push_page_policy;
use crate::dataset::tables::agents::AgentRow;
use crate::dataset::tables::damage::{DamageBuilder, DamageRow};
use crate::dataset::tables::directives::DirectiveRow;
use crate::dataset::tables::effective_preferences::EffectivePreferenceRow;
use crate::dataset::tables::files::FileRow;
use crate::dataset::tables::grouping_errors::GroupingErrorRow;
use crate::dataset::tables::groups::GroupRow;
use crate::dataset::tables::platforms::PlatformRow;
use crate::dataset::tables::policies::PolicyRow;
use crate::dataset::tables::preferences::PreferenceRow;
use crate::dataset::tables::remarks::RemarkRow;
use crate::dataset::tables::rules::RuleRow;
use crate::dataset::tables::sitemaps::SitemapRow;
use crate::dataset::tables::{Builders, to_bigint, to_int};
use crate::url_parts::{Url, host_name};
use robots_dialects::agents::Agents;
use robots_dialects::comparison::{Class, Meaning};
use robots_dialects::content::{ContentClass, Encoding, mentions_eu_2019_790};
use robots_dialects::dialect::Dialect;
use robots_dialects::document::{DirectiveLine, Document, RuleLine, UserAgentLine, number};
use robots_dialects::identity::Id;
use robots_dialects::pattern::{has_end_anchor, matches_every_path};
use robots_dialects::platform::Authors;
use robots_dialects::preferences::{Level, Vocabulary, crawler_preferences};
use robots_dialects::published::CommonCrawlClass;
use robots_dialects::rule::RuleType;
use robots_dialects::shadow::shadowed;
use robots_dialects::visit::VisitDirective;
use warc_recovery::damage::Damage;

/// The input of rows, as in their columns.
#[derive(Debug, Clone, Copy)]
pub struct InputName<'a> {
    /// `inputs.input_id`.
    pub id: i64,
    /// `inputs.path`.
    pub name: &'a str,
}

pub(crate) fn push_damage(rows: &mut DamageBuilder, input: InputName<'_>, damage: &Damage) {
    rows.push(DamageRow {
        input_id: input.id,
        warc_filename: input.name.as_bytes(),
        offset: to_bigint(damage.offset),
        length: to_bigint(damage.length),
        kind: damage.kind.name(),
        message: damage.message.as_bytes(),
    });
}

/// Appends the rows of a file: its `row`, completed from `document`, which was read from `parsed`.
/// Its id is the hash of the bytes [`identified`](robots_dialects::limit::identified).
pub fn push_file(
    builders: &mut Builders,
    row: FileRow<'_>,
    authors: &Authors,
    document: &Document<'_>,
    parsed: &[u8],
    identified: &[u8],
) {
    let file_id = row.file_id;
    let counts = &document.counts;
    let is_valid_utf8 = match std::str::from_utf8(identified) {
        Ok(_) => true,
        // A character may be cut if no line is complete within the limit.
        Err(error) => parsed.is_empty() && error.error_len().is_none(),
    };
    let content_class = ContentClass::of_document(identified, document);
    let platform = authors.parts.first();
    builders.files.push(FileRow {
        parsed_length: to_int(parsed.len()),
        content_class: content_class.name(),
        encoding: Encoding::of(identified, is_valid_utf8).name(),
        is_valid_utf8,
        has_nul: document.has_nul,
        line_ending: document.line_endings.name(),
        max_line_length: to_int(counts.max_line_length),
        n_lines: to_int(counts.lines),
        n_blank_lines: to_int(counts.blank_lines),
        n_comment_lines: to_int(counts.comment_lines),
        n_user_agent_lines: to_int(counts.user_agent_lines),
        n_groups: to_int(document.groups.len()),
        n_allow: to_int(counts.allow),
        n_disallow: to_int(counts.disallow),
        n_crawl_delay: to_int(counts.crawl_delay),
        n_sitemaps: to_int(counts.sitemaps),
        n_other_directives: to_int(counts.other_directives),
        n_unknown_directives: to_int(counts.unknown_directives),
        n_typos: to_int(counts.typos),
        n_missing_colons: to_int(counts.missing_colons),
        n_orphan_rules: to_int(counts.orphan_rules),
        n_invalid_lines: to_int(counts.invalid_lines),
        has_wildcard_group: document.has_wildcard_group(),
        platform: platform.map(|part| part.platform),
        platform_version: platform.and_then(|part| part.version),
        n_platform_groups: to_int(authors.n_platform_groups()),
        mentions_eu_2019_790: mentions_eu_2019_790(parsed),
        ..row
    });
    for sitemap in &document.sitemaps {
        let url = std::str::from_utf8(sitemap.value).ok();
        let parts = url.and_then(|url| Url::parse(url).ok());
        let parts = parts.filter(|parts| matches!(parts.scheme(), "http" | "https"));
        let host = parts.as_ref().and_then(host_name);
        builders.sitemaps.push(SitemapRow {
            file_id,
            line_number: to_int(sitemap.line_number),
            sitemap_url: sitemap.value,
            sitemap_host: host.map(str::as_bytes),
            is_absolute: parts.is_some(),
        });
    }
    for (part_index, part) in (0..).zip(&authors.parts) {
        let Range { start, end } = part.groups;
        builders.platforms.push(PlatformRow {
            file_id,
            part_index,
            platform: part.platform,
            platform_version: part.version,
            line_start: to_int(part.line_start),
            line_end: to_int(part.line_end),
            group_first: (start < end).then(|| to_int(start)),
            group_last: (start < end).then(|| to_int(end - 1)),
        });
    }
    for (group_index, group) in (0..).zip(&document.groups) {
        let n_user_agents = to_int(group.user_agents.len());
        if let Some(kept) = group.kept_by_scripts
            && to_int(kept.fewest()) < n_user_agents
        {
            builders.grouping_errors.push(GroupingErrorRow {
                file_id,
                group_index,
                n_user_agents,
                n_kept_cc: to_int(kept.common_crawl),
                n_kept_dpi: to_int(kept.data_provenance),
                n_kept_ha: to_int(kept.http_archive),
            });
        }
    }
    for remark in content_class.worth_keeping(&document.remarks) {
        builders.remarks.push(RemarkRow {
            file_id,
            line_number: to_int(remark.line_number),
            kind: remark.kind.name(),
            text: remark.text,
        });
    }
}

/// Appends the rows of a policy, taken from `document`, its first file, with `agents`.
pub fn push_policy(
    builders: &mut Builders,
    id: Id,
    exemplar_file_id: i64,
    document: &Document<'_>,
    agents: &Agents<'_, '_>,
    canonical: &[u8],
) {
    let meaning = Meaning::of(document);
    let n_undecided = push_agents(builders, id.low, agents, &meaning);
    builders.policies.push(PolicyRow {
        policy_id: id.low,
        policy_id_high: id.high,
        exemplar_file_id,
        n_groups: to_int(document.groups.len()),
        n_agents: to_int(agents.len()),
        n_rules: to_int(document.rules.len()),
        n_directives: to_int(document.directives.len()),
        n_agents_undecided: to_int(n_undecided),
        meaning_id: meaning.id().map(|id| id.low),
        canonical,
    });
    push_groups(builders, id.low, document, &meaning);
    for directive in &document.directives {
        push_directive(builders, id.low, document, directive);
    }
    for held in crawler_preferences(document) {
        let preference = &held.preference;
        builders.effective_preferences.push(EffectivePreferenceRow {
            policy_id: id.low,
            product_token: &held.product_token,
            path: held.path,
            vocabulary: preference.vocabulary.name(),
            preference: &preference.category,
            allows: preference.allows,
            line_number: to_int(preference.line),
        });
    }
}

/// Returns how many agents have verdicts that are not proved.
fn push_agents(
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
        n_undecided += usize::from(!agent.rules.is_proved);
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

fn push_directive(
    builders: &mut Builders,
    policy_id: i64,
    document: &Document<'_>,
    directive: &DirectiveLine<'_>,
) {
    let lines = document.user_agents_of(directive);
    let lines = lines.map(|lines| (to_int(lines.start + 1), to_int(lines.end)));
    let (user_agent_first, user_agent_last) = lines.unzip();
    let lower = directive.key.to_ascii_lowercase();
    if let Some(vocabulary) = Vocabulary::of_directive(&lower) {
        let has_group = !vocabulary.is_site_wide() && directive.group.is_some();
        vocabulary.read(directive.value, |preference| {
            builders.preferences.push(PreferenceRow {
                policy_id,
                group_index: directive.group.map(to_int).filter(|_| has_group),
                user_agent_first: user_agent_first.filter(|_| has_group),
                user_agent_last: user_agent_last.filter(|_| has_group),
                line_number: to_int(directive.line_number),
                vocabulary: vocabulary.name(),
                path: preference.path,
                preference: &preference.preference,
                value: preference.value,
                allows: preference.allows,
                level: preference.level.map(Level::name),
            });
        });
    }
    let VisitDirective { rate, window } = VisitDirective::read(directive.key, directive.value);
    builders.directives.push(DirectiveRow {
        policy_id,
        group_index: directive.group.map(to_int),
        user_agent_first,
        user_agent_last,
        line_number: to_int(directive.line_number),
        directive: &lower,
        directive_raw: directive.key,
        value: directive.value,
        value_num: number(directive.value),
        visit_time_start: window.map(|time| i32::from(time.start)),
        visit_time_end: window.map(|time| i32::from(time.end)),
        request_rate_documents: rate.map(|rate| i64::from(rate.documents)),
        request_rate_seconds: rate.map(|rate| i64::from(rate.seconds)),
        is_known: directive.is_known,
        is_typo: directive.is_typo,
        is_missing_colon: directive.is_missing_colon,
    });
}

fn push_groups(
    builders: &mut Builders,
    policy_id: i64,
    document: &Document<'_>,
    meaning: &Meaning,
) {
    let mut rule_index = 0;
    for (group_index, group) in (0..).zip(&document.groups) {
        let lines = &document.user_agents[group.user_agents.clone()];
        let user_agents: Vec<&[u8]> = lines.iter().map(|line| line.value).collect();
        let lower = |line: &UserAgentLine<'_>| line.product_token.to_ascii_lowercase();
        let lower: Vec<Vec<u8>> = lines.iter().map(lower).collect();
        let product_tokens: Vec<&[u8]> = lower.iter().map(Vec::as_slice).collect();
        let rules = &document.rules[group.rules.clone()];
        let is_allow = |rule: &&RuleLine<'_>| rule.rule_type == RuleType::Allow;
        let n_allow = rules.iter().filter(is_allow).count();
        builders.groups.push(GroupRow {
            policy_id,
            group_index,
            user_agents: &user_agents,
            product_tokens: &product_tokens,
            n_allow: to_int(n_allow),
            n_disallow: to_int(rules.len() - n_allow),
            crawl_delay: group.crawl_delay,
            line_start: to_int(lines.first().map_or(0, |line| line.line_number)),
            line_end: to_int(group.line_end),
        });
        let has_both = n_allow > 0 && n_allow < rules.len();
        let shadowed = has_both.then(|| shadowed(rules));
        for (at, rule) in rules.iter().enumerate() {
            let path: &[u8] = &rule.path;
            // A path that normalisation does not change is borrowed.
            let is_rewritten = matches!(rule.path, Cow::Owned(_));
            builders.rules.push(RuleRow {
                policy_id,
                group_index,
                rule_index,
                line_number: to_int(rule.line_number),
                rule_type: rule.rule_type.name(),
                path,
                path_raw: is_rewritten.then_some(rule.path_raw),
                path_length: to_int(path.len()),
                has_wildcard: rule.traits.has_wildcard,
                has_end_anchor: has_end_anchor(path),
                has_query: rule.traits.has_query,
                is_root: matches_every_path(path),
                is_empty: path.is_empty(),
                is_typo: rule.is_typo,
                is_missing_colon: rule.is_missing_colon,
                is_dead: meaning.is_dead(rule.line_number),
                is_shadowed: shadowed.as_ref().is_some_and(|it| it[at]),
            });
            rule_index += 1;
        }
    }
}
