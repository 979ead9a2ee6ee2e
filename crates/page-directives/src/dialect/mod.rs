//! Dialects: what rules mean to a crawler, by the source that defines them.
//!
//! Each dialect is one constant, in a file that cites its source. A use for which a dialect has no
//! rule gets no verdict.

mod bing;
mod google;
mod html4;
mod noai;
mod repext;
mod rules;

use crate::header::EVERY_CRAWLER;
use crate::named::named;
use crate::policy::Policy;
use crate::rule::Rule;

use rules::DialectRules;
pub use rules::{AiUse, Verdict};

named! {
    /// A dialect.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Dialect {
        /// HTML 4.01, appendix B.4.1, with a book's addition.
        Html4 = "html4",
        /// Google's specification.
        Google = "google",
        /// Bing's help, and its posts on chat and training.
        Bing = "bing",
        /// draft-illyes-repext-03.
        Repext = "repext",
        /// The rules noai and noimageai.
        Noai = "noai",
    }
}

impl Dialect {
    fn rules(self) -> &'static DialectRules {
        match self {
            Self::Html4 => &html4::RULES,
            Self::Google => &google::RULES,
            Self::Bing => &bing::RULES,
            Self::Repext => &repext::RULES,
            Self::Noai => &noai::RULES,
        }
    }

    /// The document that defines it.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.rules().source
    }

    /// The verdicts of a policy: for crawlers that it does not name (`*`), then for the first 100
    /// crawlers that it names and the dialect knows, in the order in which it names them.
    #[must_use]
    pub fn judge(self, policy: Policy<'_>) -> Vec<(Vec<u8>, Verdict)> {
        let dialect = self.rules();
        let mut rules: Vec<(Vec<u8>, Rule)> = Vec::new();
        for statement in policy.statements().filter(|it| dialect.reads(it)) {
            statement.rules(|crawler, rule| {
                if !rule.is_tolerated || dialect.tolerates_separators {
                    rules.push((crawler.to_vec(), rule));
                }
            });
        }
        let mut crawlers: Vec<Vec<u8>> = vec![EVERY_CRAWLER.to_vec()];
        for crawler in rules.iter().filter_map(|(name, _)| (dialect.crawler)(name)) {
            if crawlers.len() <= MAX_CRAWLERS && !crawlers.iter().any(|known| known == crawler) {
                crawlers.push(crawler.to_vec());
            }
        }
        let judge = |crawler: Vec<u8>| {
            let is_for_it = |(name, _): &&(Vec<u8>, Rule)| {
                name == EVERY_CRAWLER || (dialect.crawler)(name) == Some(crawler.as_slice())
            };
            let rules = rules.iter().filter(is_for_it);
            let rules: Vec<&Rule> = rules.map(|(_, rule)| rule).collect();
            let verdict = (dialect.judge)(&rules);
            (crawler, verdict)
        };
        crawlers.into_iter().map(judge).collect()
    }
}

/// Most crawlers judged per policy: real policies name fewer, and each is a pass over all rules.
const MAX_CRAWLERS: usize = 100;
