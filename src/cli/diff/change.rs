//! The changes between two sides: for crawlers by a dialect, and of lines other than rules.

use std::collections::{BTreeMap, BTreeSet};

use robots_dialects::agent::product_token;
use robots_dialects::agents::Agents;
use robots_dialects::comparison::{Class, Comparison, CrawlersComparison, Policy, Reason};
use robots_dialects::dialect::{Crawler, Dialect};
use robots_dialects::document::Document;
use robots_dialects::path::UrlPath;
use robots_dialects::preferences::Vocabulary;
use serde::Serialize;
use serde_json::{Value, json};

use crate::analysis::policy_diffs::named_tokens;
use crate::escape::lossy;

/// The names of crawlers in either document except `*`, each as first written.
pub(super) fn names(documents: [&Document<'_>; 2]) -> Vec<Vec<u8>> {
    let mut known = BTreeSet::new();
    let names = documents.into_iter().flat_map(|it| named_tokens(it));
    names
        .filter(|name| known.insert(name.to_ascii_lowercase()))
        .map(<[u8]>::to_vec)
        .collect()
}

/// Crawlers for which the same paths change by the same rules, wherever the rules are in the files.
pub(super) struct Outcome<'n, 'r, 'u> {
    pub(super) crawlers: Vec<Crawler<'n>>,
    pub(super) comparison: Comparison<'r>,
    /// Whether the lines of the rules are the same for all these crawlers.
    pub(super) has_same_lines: bool,
    /// The URLs of a list that these crawlers may fetch either before or after the change, but not
    /// both; true for after.
    pub(super) changed_urls: Option<Vec<(&'u [u8], bool)>>,
}

impl Outcome<'_, '_, '_> {
    pub(super) fn json(&self, dialect: Dialect) -> Value {
        let names = self.crawlers.iter().filter_map(|crawler| match crawler {
            Crawler::Named(name) => Some(lossy(name)),
            Crawler::Other => None,
        });
        let mut value = json!(self.comparison);
        value["dialect"] = json!(dialect);
        value["crawlers"] = names.collect();
        value["every_other_crawler"] = self.crawlers.contains(&Crawler::Other).into();
        if let Some(urls) = &self.changed_urls {
            let urls = urls.iter();
            let urls = urls.map(|(url, allowed)| json!({ "url": lossy(url), "allowed": allowed }));
            value["changed_urls"] = urls.collect();
        }
        value
    }
}

/// Joins crawlers whose own groups have the same rules, and tests the URLs of a list.
pub(super) fn outcomes<'n, 'r, 'u>(
    compared: Vec<CrawlersComparison<'n, 'r>>,
    policies: [Policy<'r>; 2],
    urls: Option<&[&'u [u8]]>,
) -> Vec<Outcome<'n, 'r, 'u>> {
    let mut outcomes: Vec<Outcome<'n, 'r, 'u>> = Vec::new();
    for it in compared {
        let (crawlers, comparison) = (it.crawlers, it.comparison);
        let mut known = outcomes.iter_mut();
        if let Some(same) = known.find(|it| is_alike(&it.comparison, &comparison)) {
            same.crawlers.extend(crawlers);
            same.has_same_lines &= same.comparison.reasons == comparison.reasons;
            continue;
        }
        let agent = crawlers[0].agent_name();
        let changed = |url: &&'u [u8]| {
            let path = UrlPath::from_url(url);
            let [before, after] = policies.map(|policy| match policy {
                Policy::Rules(ruleset) => ruleset.verdict(agent, &path).allowed,
                Policy::AllowAll(_) => true,
                Policy::DisallowAll(_) => false,
            });
            (before != after).then_some((*url, after))
        };
        outcomes.push(Outcome {
            changed_urls: urls.map(|urls| urls.iter().filter_map(changed).collect()),
            crawlers,
            comparison,
            has_same_lines: true,
        });
    }
    // Changes first.
    outcomes.sort_by_key(|outcome| outcome.comparison.class == Class::Equal);
    outcomes
}

/// A reason without the lines of its rules, to compare it with others.
fn without_lines(reason: &Reason<'_>) -> impl PartialEq {
    let rules = [reason.old, reason.new].map(|rule| rule.map(|rule| rule.rule));
    let paths = (&reason.patterns, &reason.exceptions);
    (reason.direction, paths, rules)
}

/// Whether two comparisons differ at most in the lines of rules.
fn is_alike(one: &Comparison<'_>, other: &Comparison<'_>) -> bool {
    let (reasons, others) = (one.reasons.iter(), other.reasons.iter());
    one.class == other.class
        && one.is_complete == other.is_complete
        && reasons.map(without_lines).eq(others.map(without_lines))
}

/// A crawl-delay in seconds before and after, and the crawlers for which it changes in this way.
pub(super) type DelayChange<'n> = ([Option<f64>; 2], Vec<Crawler<'n>>);

pub(super) struct OtherChanges<'n> {
    pub(super) crawl_delays: Vec<DelayChange<'n>>,
    pub(super) preferences: Lines,
    pub(super) sitemaps: Lines,
}

#[derive(Serialize)]
pub(super) struct Lines {
    pub(super) added: Vec<String>,
    pub(super) removed: Vec<String>,
}

impl<'n> OtherChanges<'n> {
    pub(super) fn of([old, new]: [&Document<'_>; 2], asked: &[Crawler<'n>]) -> Self {
        Self {
            crawl_delays: crawl_delays([old, new], asked),
            preferences: Lines::of([old, new].map(preferences)),
            sitemaps: Lines::of([old, new].map(|document| {
                let lines = document.sitemaps.iter();
                lines.map(|line| lossy(line.value)).collect()
            })),
        }
    }

    pub(super) fn add_to(&self, value: &mut Value) {
        let delays = self.crawl_delays.iter();
        let delays = delays.flat_map(|([before, after], crawlers)| {
            crawlers.iter().map(move |crawler| {
                let name = lossy(&crawler.agent_name().to_ascii_lowercase());
                json!({ "product_token": name, "before": before, "after": after })
            })
        });
        value["crawl_delays"] = delays.collect();
        value["preferences"] = json!(self.preferences);
        value["sitemaps"] = json!(self.sitemaps);
    }
}

impl Lines {
    fn of([old, new]: [BTreeSet<String>; 2]) -> Self {
        Self {
            added: new.difference(&old).cloned().collect(),
            removed: old.difference(&new).cloned().collect(),
        }
    }
}

/// The delays that change: a crawler's own, else the delay of `*`.
fn crawl_delays<'n>(documents: [&Document<'_>; 2], asked: &[Crawler<'n>]) -> Vec<DelayChange<'n>> {
    let delays = documents.map(|document| {
        let agents = Agents::of(document);
        let judged = agents.judged();
        judged
            .map(|agent| (agent.name.to_vec(), agent.crawl_delay))
            .collect::<BTreeMap<Vec<u8>, Option<f64>>>()
    });
    let mut changes: Vec<DelayChange<'n>> = Vec::new();
    for crawler in asked {
        let name = match crawler {
            Crawler::Named(name) => product_token(name).to_ascii_lowercase(),
            Crawler::Other => b"*".to_vec(),
        };
        let delay = delays.each_ref().map(|delays| {
            let own = delays.get(&name).or_else(|| delays.get(&b"*"[..]));
            own.copied().flatten()
        });
        match changes.iter_mut().find(|(known, _)| *known == delay) {
            _ if delay[0] == delay[1] => {}
            Some((_, crawlers)) => crawlers.push(*crawler),
            None => changes.push((delay, vec![*crawler])),
        }
    }
    changes
}

/// Lines about the use of content, each with the crawlers that it addresses.
fn preferences(document: &Document<'_>) -> BTreeSet<String> {
    let lines = document.directives.iter().filter_map(|line| {
        let key = line.key.to_ascii_lowercase();
        let vocabulary = Vocabulary::of_directive(&key)?;
        let text = format!("{}: {}", lossy(&key), lossy(line.value));
        let block = line.block.filter(|_| !vocabulary.is_site_wide());
        let block = block.and_then(|block| document.blocks.get(block));
        let names = block.and_then(|block| document.user_agents.get(block.user_agents.clone()));
        let Some(names) = names else {
            return Some(text);
        };
        let names: Vec<String> = names.iter().map(|line| lossy(line.value)).collect();
        Some(format!("{text} (for {})", names.join(", ")))
    });
    lines.collect()
}
