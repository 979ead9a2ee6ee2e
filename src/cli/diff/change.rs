//! What changes between two sides: for crawlers by a dialect, and besides the rules.

use std::collections::{BTreeMap, BTreeSet};

use robots_dialects::agent::product_token;
use robots_dialects::agents::AgentReader;
use robots_dialects::comparison::{Class, Comparison, CrawlersComparison, Policy};
use robots_dialects::dialect::Crawler;
use robots_dialects::document::Document;
use robots_dialects::path::UrlPath;
use robots_dialects::preferences::Vocabulary;

/// The names of crawlers in both documents, as written first, `*` aside.
pub(super) fn names(documents: [&Document<'_>; 2]) -> Vec<Vec<u8>> {
    let mut known = BTreeSet::new();
    let lines = documents.iter().flat_map(|document| &document.user_agents);
    let names = lines.map(|line| product_token(line.value));
    names
        .filter(|name| !matches!(*name, b"" | b"*"))
        .filter(|name| known.insert(name.to_ascii_lowercase()))
        .map(<[u8]>::to_vec)
        .collect()
}

/// A URL of a list that a crawler may fetch before or after the change, but not both.
pub(super) struct ChangedUrl<'u> {
    pub(super) url: &'u str,
    pub(super) is_allowed: bool,
}

/// The URLs of a list that change for a crawler.
pub(super) fn changed_urls<'u>(
    urls: &'u [String],
    policies: [Policy<'_>; 2],
    crawler: Crawler<'_>,
) -> Vec<ChangedUrl<'u>> {
    let agent = crawler.agent_name();
    let changed = urls.iter().filter_map(|url| {
        let path = UrlPath::from_url(url.as_bytes());
        let [before, after] = policies.map(|policy| match policy {
            Policy::Rules(ruleset) => ruleset.verdict(agent, &path).allowed,
            Policy::AllowAll(_) => true,
            Policy::DisallowAll(_) => false,
        });
        (before != after).then_some(ChangedUrl {
            url,
            is_allowed: after,
        })
    });
    changed.collect()
}

/// Crawlers for which the same paths change by the same rules, wherever these are in the files.
pub(super) struct Outcome<'c, 'n, 'r> {
    pub(super) crawlers: Vec<Crawler<'n>>,
    pub(super) comparison: &'c Comparison<'r>,
    /// Whether the lines of the rules are the same for all these crawlers.
    pub(super) has_same_lines: bool,
}

/// Puts together crawlers that have groups of their own with the same rules.
pub(super) fn outcomes<'c, 'n, 'r>(
    compared: &'c [CrawlersComparison<'n, 'r>],
) -> Vec<Outcome<'c, 'n, 'r>> {
    let mut outcomes: Vec<Outcome<'c, 'n, 'r>> = Vec::new();
    for group in compared {
        let same = outcomes
            .iter_mut()
            .find(|outcome| is_alike(outcome.comparison, &group.comparison));
        match same {
            Some(same) => {
                same.crawlers.extend(&group.crawlers);
                same.has_same_lines &= same.comparison.reasons == group.comparison.reasons;
            }
            None => outcomes.push(Outcome {
                crawlers: group.crawlers.clone(),
                comparison: &group.comparison,
                has_same_lines: true,
            }),
        }
    }
    // Changes first.
    outcomes.sort_by_key(|outcome| outcome.comparison.class == Class::Equal);
    outcomes
}

/// Whether two comparisons differ in the lines of rules alone.
fn is_alike(one: &Comparison<'_>, other: &Comparison<'_>) -> bool {
    let pairs = one.reasons.iter().zip(&other.reasons);
    one.class == other.class
        && one.is_complete == other.is_complete
        && one.reasons.len() == other.reasons.len()
        && pairs.into_iter().all(|(one, other)| {
            let rules = |reason: &robots_dialects::comparison::Reason<'_>| {
                [reason.old, reason.new]
                    .map(|rule| rule.map(|rule| (rule.rule.rule_type, rule.rule.value.to_vec())))
            };
            one.direction == other.direction
                && one.patterns == other.patterns
                && one.exceptions == other.exceptions
                && rules(one) == rules(other)
        })
}

/// A crawl-delay that changes, in seconds.
pub(super) struct DelayChange<'n> {
    pub(super) crawlers: Vec<Crawler<'n>>,
    /// Whether these are all crawlers that were compared.
    pub(super) is_for_all: bool,
    pub(super) before: Option<f64>,
    pub(super) after: Option<f64>,
}

/// What changes besides the rules.
pub(super) struct OtherChanges<'n> {
    pub(super) crawl_delays: Vec<DelayChange<'n>>,
    pub(super) preferences: Lines,
    pub(super) sitemaps: Lines,
}

/// Lines that came and lines that went.
#[derive(Default)]
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
        let mut reader = AgentReader::default();
        let mut agents = reader.read(document);
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
        let [before, after] = delays.each_ref().map(|delays| {
            let own = delays.get(&name).or_else(|| delays.get(&b"*"[..]));
            own.copied().flatten()
        });
        if before == after {
            continue;
        }
        let same = changes
            .iter_mut()
            .find(|it| (it.before, it.after) == (before, after));
        match same {
            Some(same) => same.crawlers.push(*crawler),
            None => changes.push(DelayChange {
                crawlers: vec![*crawler],
                is_for_all: false,
                before,
                after,
            }),
        }
    }
    for change in &mut changes {
        change.is_for_all = change.crawlers.len() == asked.len();
    }
    changes
}

/// Lines about the use of content, each with the crawlers that it is for.
fn preferences(document: &Document<'_>) -> BTreeSet<String> {
    let lines = document.directives.iter().filter_map(|line| {
        let key = line.key.to_ascii_lowercase();
        let vocabulary = Vocabulary::of_directive(&key)?;
        let text = format!("{}: {}", lossy(&key), lossy(line.value));
        let block = line.block.filter(|_| !vocabulary.is_site_wide());
        let block = block.and_then(|block| document.blocks.get(block));
        let names = block.and_then(|block| document.user_agents.get(block.user_agents.clone()));
        Some(match names {
            Some(names) => {
                let names: Vec<String> = names.iter().map(|line| lossy(line.value)).collect();
                format!("{text} (for {})", names.join(", "))
            }
            None => text,
        })
    });
    lines.collect()
}

/// Bytes as text.
pub(super) fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
