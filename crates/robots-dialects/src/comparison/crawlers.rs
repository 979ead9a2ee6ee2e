//! One comparison for all crawlers to which the same groups apply.

use std::collections::HashMap;

use super::WORK;
use super::decision_list::DecisionList;
use super::findings::MAX_REASONS;
use super::result::Comparison;
use crate::dialect::{Crawler, CrawlerGroups, Dialect, Ruleset};

/// What crawlers obey: a file, or the meaning of a response without a file.
#[derive(Clone, Copy, Debug)]
pub enum Policy<'r> {
    /// The rules of a file.
    Rules(&'r Ruleset),
    /// No rules, as after a 404: every path may be fetched.
    AllowAll(Dialect),
    /// No path may be fetched, as RFC 9309 requires after a 503.
    DisallowAll(Dialect),
}

impl<'r> From<&'r Ruleset> for Policy<'r> {
    fn from(ruleset: &'r Ruleset) -> Self {
        Self::Rules(ruleset)
    }
}

impl<'r> Policy<'r> {
    fn ruleset(self) -> Option<&'r Ruleset> {
        match self {
            Self::Rules(ruleset) => Some(ruleset),
            Self::AllowAll(_) | Self::DisallowAll(_) => None,
        }
    }

    fn list(self, chosen: &[usize]) -> DecisionList<'r> {
        match self {
            Self::Rules(ruleset) => DecisionList::of_groups(ruleset, chosen),
            Self::AllowAll(dialect) => DecisionList::allow_all(dialect),
            Self::DisallowAll(dialect) => DecisionList::disallow_all(dialect),
        }
    }
}

/// Crawlers to which the same groups apply in both files, and what changes for them.
#[derive(Clone, Debug)]
pub struct CrawlersComparison<'n, 'r> {
    /// The crawlers, in the order in which they were given.
    pub crawlers: Vec<Crawler<'n>>,
    /// How the paths that they may fetch compare.
    pub comparison: Comparison<'r>,
}

/// Compares two policies of one dialect for each of `crawlers`. Results are in the order of their
/// first crawler. All the comparisons share one work limit.
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
    let (old, new) = (old.into(), new.into());
    let rulesets = [old, new].map(Policy::ruleset);
    compare_each(rulesets, crawlers, |_, [of_old, of_new], work| {
        let new = new.list(of_new);
        old.list(of_old).compare_within(&new, work, MAX_REASONS)
    })
}

/// Calls `compare` for the first of each set of crawlers with the same groups on both sides.
pub(super) fn compare_each<'n, 'r>(
    rulesets: [Option<&'r Ruleset>; 2],
    crawlers: impl IntoIterator<Item = Crawler<'n>>,
    compare: impl Fn(Crawler<'n>, [&[usize]; 2], usize) -> Comparison<'r>,
) -> Vec<CrawlersComparison<'n, 'r>> {
    let groups = rulesets.map(|ruleset| ruleset.map(CrawlerGroups::new));
    let mut compared: Vec<CrawlersComparison<'n, 'r>> = Vec::new();
    let mut known: HashMap<[Vec<usize>; 2], usize> = HashMap::new();
    let mut work = WORK;
    for crawler in crawlers {
        let chosen = groups.each_ref().map(|groups| match groups {
            Some(groups) => groups.of(crawler),
            None => Vec::new(),
        });
        if let Some(index) = known.get(&chosen) {
            compared[*index].crawlers.push(crawler);
            continue;
        }
        let comparison = compare(crawler, chosen.each_ref().map(Vec::as_slice), work);
        work = work.saturating_sub(comparison.work);
        known.insert(chosen, compared.len());
        compared.push(CrawlersComparison {
            crawlers: vec![crawler],
            comparison,
        });
    }
    compared
}
