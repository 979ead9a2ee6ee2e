//! Disallow-all, allow-all, allow-part: Common Crawl's classes of a rule set.
//!
//! Source: `commoncrawl/robotstxt-experiments`, commit `ce24dda`, function
//! `classify_robotstxt_rules` in `src/jupyter/metrics-top-k-sample.ipynb` (cell 8), on rules as
//! `src/cc-pyspark/robotstxt_statistics.py` (lines 25 and 139 to 157) collects them; first used for
//! the talk at OSSYM 2022 (`sebastian-nagel/ossym2022-robotstxt-experiments`) and shown on the
//! poster at the IIPC Web Archiving Conference 2025.
//!
//! The class depends on the text of the values, and only a set of exactly one rule can be anything
//! but allow-part: `Disallow: /` written twice is allow-part, and so is `Disallow: /*`. Rules other
//! than allow and disallow do not count.

use crate::named::named;
use crate::rule::{Rule, RuleType};

named! {
    /// Common Crawl's class of the rules of one agent.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum CommonCrawlClass {
        /// The only rule is `Disallow: /`.
        DisallowAll = "disallow_all",
        /// The only rule is `Allow:` with `/`, `*`, `/*` or nothing, or `Disallow:` with nothing.
        AllowAll = "allow_all",
        /// Anything else.
        AllowPart = "allow_part",
    }
}

/// The class of `rules`, the merged rules of one agent. `None` without rules: the script records an
/// agent with its first rule, so an agent without rules is not "addressed" and is counted with `*`,
/// or as allow-all if `*` has no rules either.
#[must_use]
pub fn common_crawl<'a>(mut rules: impl Iterator<Item = Rule<'a>>) -> Option<CommonCrawlClass> {
    let first = rules.next()?;
    if rules.next().is_some() {
        return Some(CommonCrawlClass::AllowPart);
    }
    Some(match (first.rule_type, first.path_raw) {
        (RuleType::Disallow, b"/") => CommonCrawlClass::DisallowAll,
        (RuleType::Disallow, b"") | (RuleType::Allow, b"/" | b"*" | b"/*" | b"") => {
            CommonCrawlClass::AllowAll
        }
        _ => CommonCrawlClass::AllowPart,
    })
}
