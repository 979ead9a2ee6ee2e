//! Rows of page policies, written into the tables.

use page_directives::dialect::{AiUse, Dialect};
use page_directives::html::Place;
use page_directives::policy::{Policy, Source};
use page_directives::rule::ImagePreview;

use crate::dataset::tables::Builders;
use crate::dataset::tables::page_agents::PageAgentRow;
use crate::dataset::tables::page_policies::PagePolicyRow;
use crate::dataset::tables::page_preferences::PagePreferenceRow;
use crate::dataset::tables::page_rules::PageRuleRow;
use crate::dataset::tables::to_int;
use robots_dialects::identity::Id;
use robots_dialects::preferences::{Level, Vocabulary};

pub fn push_page_policy(builders: &mut Builders, id: Id, canonical: &[u8]) {
    let policy = Policy::new(canonical);
    let (mut n_headers, mut n_metas, mut n_misplaced, mut n_ambiguous) = (0, 0, 0, 0);
    let (mut n_rules, mut n_preferences) = (0, 0);
    for (statement_index, statement) in (0..).zip(policy.statements()) {
        match statement.source {
            Source::Header => n_headers += 1,
            Source::Meta | Source::HttpEquiv => n_metas += 1,
        }
        n_misplaced += i32::from(statement.place.is_some_and(|place| place != Place::Head));
        n_ambiguous += i32::from(statement.is_ambiguous());
        let place = statement.place.map(Place::name);
        statement.rules(|product_token, rule| {
            builders.page_rules.push(PageRuleRow {
                page_policy_id: id.low,
                statement_index,
                rule_index: n_rules,
                source: statement.source.name(),
                field: statement.name,
                place,
                product_token,
                rule: &rule.name,
                rule_raw: &rule.raw,
                value: rule.value.as_deref(),
                value_num: rule.number(),
                value_time: rule.time().map(micros),
                is_known: rule.is_known,
                is_tolerated: rule.is_tolerated,
            });
            n_rules += 1;
        });
        let vocabulary = Vocabulary::of_directive(statement.name);
        if let Some(vocabulary) = vocabulary.filter(|_| statement.is_preference()) {
            vocabulary.read(statement.value, |preference| {
                builders.page_preferences.push(PagePreferenceRow {
                    page_policy_id: id.low,
                    statement_index,
                    source: statement.source.name(),
                    place,
                    vocabulary: vocabulary.name(),
                    preference: &preference.preference,
                    value: preference.value,
                    allows: preference.allows,
                    level: preference.level.map(Level::name),
                });
                n_preferences += 1;
            });
        }
    }
    let n_agents = push_page_agents(builders, id, policy);
    builders.page_policies.push(PagePolicyRow {
        page_policy_id: id.low,
        page_policy_id_high: id.high,
        n_headers,
        n_metas,
        n_metas_misplaced: n_misplaced,
        n_rules,
        n_agents,
        n_preferences,
        n_ambiguous,
        is_cut: policy.is_cut(),
        canonical,
    });
}

/// Appends the policy's verdicts for crawlers; returns the number of rows.
fn push_page_agents(builders: &mut Builders, id: Id, policy: Policy<'_>) -> i32 {
    let mut n_rows = 0;
    for dialect in Dialect::ALL {
        let verdicts = dialect.judge(policy);
        n_rows += verdicts.len();
        for (product_token, verdict) in verdicts {
            builders.page_agents.push(PageAgentRow {
                page_policy_id: id.low,
                dialect: dialect.name(),
                product_token: &product_token,
                may_index: verdict.may_index,
                may_follow: verdict.may_follow,
                may_archive: verdict.may_archive,
                may_snippet: verdict.may_snippet,
                may_train: verdict.ai_use.map(AiUse::may_train),
                ai_use: verdict.ai_use.map(AiUse::name),
                index_if_embedded: verdict.index_if_embedded,
                max_snippet: verdict.max_snippet,
                max_image_preview: verdict.max_image_preview.map(ImagePreview::name),
                max_video_preview: verdict.max_video_preview,
                unavailable_after: verdict.unavailable_after.map(micros),
                has_contradiction: verdict.has_contradiction,
            });
        }
    }
    to_int(n_rows)
}

fn micros(seconds: i64) -> i64 {
    seconds.saturating_mul(1_000_000)
}
