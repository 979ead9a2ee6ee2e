//! One comparison for all crawlers that it holds for.

use std::collections::HashMap;

use super::{Comparison, DecisionList, MAX_REASONS, WORK};
use crate::dialect::{Choice, Crawler, CrawlerGroups, Dialect, Ruleset};

/// What crawlers obey: a file, or what a response without one means.
#[derive(Clone, Copy, Debug)]
pub enum Policy<'r> {
    /// The rules of a file.
    Rules(&'r Ruleset),
    /// No rules, as after a 404: every path may be fetched.
    AllowAll(Dialect),
    /// No path may be fetched, as RFC 9309 has it after a 503.
    DisallowAll(Dialect),
}

impl<'r> From<&'r Ruleset> for Policy<'r> {
    fn from(ruleset: &'r Ruleset) -> Self {
        Self::Rules(ruleset)
    }
}

impl<'r> Policy<'r> {
    fn groups(self) -> Option<CrawlerGroups<'r>> {
        match self {
            Self::Rules(ruleset) => Some(CrawlerGroups::new(ruleset)),
            Self::AllowAll(_) | Self::DisallowAll(_) => None,
        }
    }
}

/// Crawlers to which the same groups apply in both files, and what changes for them.
#[derive(Clone, Debug)]
pub struct CrawlersComparison<'n, 'r> {
    /// The crawlers, in the order in which they were given.
    pub crawlers: Vec<Crawler<'n>>,
    /// How the paths compare that they may fetch.
    pub comparison: Comparison<'r>,
}

/// Compares two policies of one dialect for each of `crawlers`, in the order of the first
/// crawlers. All the comparisons share one work limit.
///
/// ```
/// use robots_dialects::comparison::{Class, compare_crawlers};
/// use robots_dialects::dialect::{Crawler, Dialect};
///
/// let old = Dialect::Rfc9309.compile(b"User-agent: *\nDisallow: /a\n");
/// let new = Dialect::Rfc9309.compile(b"User-agent: abot\nDisallow: /\n");
/// let crawlers = [Crawler::Other, Crawler::Named(b"abot"), Crawler::Named(b"bbot")];
/// let compared = compare_crawlers(&old, &new, crawlers);
/// assert_eq!(compared[0].crawlers, [Crawler::Other, Crawler::Named(b"bbot")]);
/// assert_eq!(compared[0].comparison.class, Class::Looser);
/// assert_eq!(compared[1].comparison.class, Class::Stricter);
/// ```
#[must_use]
pub fn compare_crawlers<'n, 'r>(
    old: impl Into<Policy<'r>>,
    new: impl Into<Policy<'r>>,
    crawlers: impl IntoIterator<Item = Crawler<'n>>,
) -> Vec<CrawlersComparison<'n, 'r>> {
    let policies = [old.into(), new.into()];
    let groups = policies.map(Policy::groups);
    let mut compared: Vec<CrawlersComparison<'n, 'r>> = Vec::new();
    let mut known: HashMap<[Vec<usize>; 2], usize> = HashMap::new();
    let mut work = WORK;
    for crawler in crawlers {
        let chosen = groups.each_ref().map(|groups| match groups {
            Some(groups) => groups.of(crawler),
            None => (Choice::NoGroup, Vec::new()),
        });
        let key = chosen.clone().map(|(_, groups)| groups);
        if let Some(index) = known.get(&key) {
            compared[*index].crawlers.push(crawler);
            continue;
        }
        let list = |side: usize| match (policies[side], &groups[side]) {
            (Policy::DisallowAll(dialect), _) => DecisionList::disallow_all(dialect),
            (Policy::AllowAll(dialect), _) => DecisionList::allow_all(dialect),
            (Policy::Rules(ruleset), None) => DecisionList::new(ruleset, crawler),
            (Policy::Rules(_), Some(groups)) => {
                DecisionList::of_groups(groups, chosen[side].0, &chosen[side].1)
            }
        };
        let comparison = list(0).compare_within(&list(1), work, MAX_REASONS);
        work = work.saturating_sub(comparison.work);
        known.insert(key, compared.len());
        compared.push(CrawlersComparison {
            crawlers: vec![crawler],
            comparison,
        });
    }
    compared
}
