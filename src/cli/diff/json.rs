//! A comparison as JSON.

use robots_dialects::comparison::{DecidingRule, Reason};
use robots_dialects::dialect::{Crawler, Dialect};
use serde_json::{Value, json};

use super::change::{ChangedUrl, Lines, OtherChanges, Outcome, lossy};

/// An outcome by one dialect.
pub(super) fn outcome_json(
    dialect: Dialect,
    outcome: &Outcome<'_, '_, '_>,
    urls: Option<&[ChangedUrl<'_>]>,
) -> Value {
    let names = outcome.crawlers.iter().filter_map(|crawler| match crawler {
        Crawler::Named(name) => Some(lossy(name)),
        Crawler::Other => None,
    });
    let names: Vec<String> = names.collect();
    let comparison = outcome.comparison;
    let reasons: Vec<Value> = comparison.reasons.iter().map(reason_json).collect();
    let mut value = json!({
        "dialect": dialect.name(),
        "crawlers": names,
        "every_other_crawler": outcome.crawlers.contains(&Crawler::Other),
        "class": comparison.class.name(),
        "is_complete": comparison.is_complete,
        "reasons": reasons,
    });
    if let Some(urls) = urls {
        let urls = urls
            .iter()
            .map(|url| json!({ "url": url.url, "allowed": url.is_allowed }));
        value["changed_urls"] = urls.collect();
    }
    value
}

fn reason_json(reason: &Reason<'_>) -> Value {
    let rule = |rule: Option<DecidingRule<'_>>| {
        rule.map(|rule| {
            let value = lossy(rule.rule.value);
            json!({
                "line": rule.line,
                "rule": format!("{}: {value}", rule.rule.rule_type.name()),
            })
        })
    };
    let patterns = |patterns: &[Vec<u8>]| {
        let patterns = patterns.iter().map(|pattern| lossy(pattern));
        patterns.collect::<Vec<String>>()
    };
    json!({
        "direction": reason.direction.name(),
        "old": rule(reason.old),
        "new": rule(reason.new),
        "patterns": patterns(&reason.patterns),
        "except": patterns(&reason.exceptions.new),
        "already": patterns(&reason.exceptions.old),
        "has_all_exceptions": reason.exceptions.is_complete,
        "example": lossy(&reason.witness),
    })
}

/// What changes besides the rules, as fields of `value`.
pub(super) fn add_others(value: &mut Value, changes: &OtherChanges<'_>) {
    let lines = |lines: &Lines| json!({ "added": lines.added, "removed": lines.removed });
    let delays = changes.crawl_delays.iter().flat_map(|change| {
        change.crawlers.iter().map(move |crawler| {
            let name = lossy(&crawler.agent_name().to_ascii_lowercase());
            json!({ "product_token": name, "before": change.before, "after": change.after })
        })
    });
    value["crawl_delays"] = delays.collect();
    value["preferences"] = lines(&changes.preferences);
    value["sitemaps"] = lines(&changes.sitemaps);
}
