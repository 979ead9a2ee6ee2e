//! A comparison as JSON.

use robots_dialects::dialect::{Crawler, Dialect};
use serde_json::{Value, json};

use super::change::{Lines, OtherChanges, Outcome, lossy};

/// An outcome by one dialect.
pub(super) fn outcome_json(dialect: Dialect, outcome: &Outcome<'_, '_, '_>) -> Value {
    let names = outcome.crawlers.iter().filter_map(|crawler| match crawler {
        Crawler::Named(name) => Some(lossy(name)),
        Crawler::Other => None,
    });
    let mut value = json!(outcome.comparison);
    value["dialect"] = json!(dialect);
    value["crawlers"] = names.collect();
    value["every_other_crawler"] = outcome.crawlers.contains(&Crawler::Other).into();
    if let Some(urls) = &outcome.changed_urls {
        let urls = urls.iter();
        let urls = urls.map(|(url, is_allowed)| json!({ "url": url, "allowed": is_allowed }));
        value["changed_urls"] = urls.collect();
    }
    value
}

/// What changes besides the rules, as fields of `value`.
pub(super) fn add_others(value: &mut Value, changes: &OtherChanges<'_>) {
    let lines = |lines: &Lines| json!({ "added": lines.added, "removed": lines.removed });
    let delays = changes.crawl_delays.iter();
    let delays = delays.flat_map(|([before, after], crawlers)| {
        crawlers.iter().map(move |crawler| {
            let name = lossy(&crawler.agent_name().to_ascii_lowercase());
            json!({ "product_token": name, "before": before, "after": after })
        })
    });
    value["crawl_delays"] = delays.collect();
    value["preferences"] = lines(&changes.preferences);
    value["sitemaps"] = lines(&changes.sitemaps);
}
