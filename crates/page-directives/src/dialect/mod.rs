//! Dialects: what rules mean to a crawler, by who defined them.
//!
//! Each is a file with one constant, which cites its source and defines where rules are looked
//! for, which crawlers a name addresses, what each rule does, and how contradictions are resolved.
//! A use that a dialect has no rule about gets no verdict.

mod bing;
mod google;
mod html4;
mod noai;
mod repext;

use crate::header::EVERY_CRAWLER;
use crate::html::Place;
use crate::named::named;
use crate::policy::{Policy, Source, Statement};
use crate::rule::{ImagePreview, Rule};

named! {
    /// A dialect.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Dialect {
        /// HTML 4.01, appendix B.4.1, with what books added.
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

    /// Where it is defined.
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

/// Crawlers of a policy that are judged: real policies name fewer, and each takes a pass over all
/// rules.
const MAX_CRAWLERS: usize = 100;

struct DialectRules {
    source: &'static str,
    header_fields: &'static [&'static [u8]],
    places: &'static [Place],
    /// Whether white space and semicolons between rules are taken for commas.
    tolerates_separators: bool,
    /// The crawler that a name speaks to, `*` aside; `None` where no crawler obeys it.
    crawler: fn(&[u8]) -> Option<&[u8]>,
    /// What the rules mean that speak to a crawler.
    judge: fn(&[&Rule]) -> Verdict,
}

impl DialectRules {
    fn reads(&self, statement: &Statement<'_>) -> bool {
        match (statement.source, statement.place) {
            (Source::Header, _) => self.header_fields.contains(&statement.name),
            (Source::Meta, Some(place)) => self.places.contains(&place),
            // No dialect reads http-equiv.
            (Source::HttpEquiv, _) | (Source::Meta, None) => false,
        }
    }
}

/// Takes any name for the name of a crawler.
fn any_crawler(name: &[u8]) -> Option<&[u8]> {
    (name != EVERY_CRAWLER).then_some(name)
}

/// Whether a rule without a value has one of these names.
fn says(rules: &[&Rule], names: &[&[u8]]) -> bool {
    let is_said = |rule: &&Rule| rule.value.is_none() && names.contains(&rule.name.as_slice());
    rules.iter().any(is_said)
}

/// The rules that Google and Bing define alike. Of limits on previews the most restrictive counts.
fn judge_search(rules: &[&Rule]) -> Verdict {
    let limit = |name: &[u8]| {
        let named = rules.iter().filter(|rule| rule.name == name);
        // -1 means no limit.
        (named.filter_map(|rule| rule.number())).min_by_key(|limit| (*limit == -1, *limit))
    };
    let max_snippet = limit(b"max-snippet");
    Verdict {
        may_index: Some(!says(rules, &[b"noindex", b"none"])),
        may_follow: Some(!says(rules, &[b"nofollow", b"none"])),
        may_snippet: Some(!says(rules, &[b"nosnippet"]) && max_snippet != Some(0)),
        max_snippet,
        max_image_preview: rules.iter().filter_map(|rule| rule.size()).min(),
        max_video_preview: limit(b"max-video-preview"),
        ..Verdict::default()
    }
}

named! {
    /// What AI may do with a page: show it in answers, learn from it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum AiUse {
        /// All that it may do at all.
        Content = "content",
        /// All but images.
        NoImages = "no_images",
        /// Its URL, title and snippet only.
        Preview = "preview",
        /// Nothing.
        None = "none",
    }
}

impl AiUse {
    /// Whether models may be trained on the text of the page.
    #[must_use]
    pub const fn may_train(self) -> bool {
        matches!(self, Self::Content | Self::NoImages)
    }
}

/// What a crawler may do with a page, by one dialect.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Put it into an index. None, here and below: the dialect has no rule about it, or rules
    /// contradict each other and it does not say which counts.
    pub may_index: Option<bool>,
    /// Follow its links.
    pub may_follow: Option<bool>,
    /// Show a stored copy.
    pub may_archive: Option<bool>,
    /// Show an excerpt.
    pub may_snippet: Option<bool>,
    /// What AI may do with it.
    pub ai_use: Option<AiUse>,
    /// Whether rules contradict each other, and the dialect does not say which counts.
    pub has_contradiction: bool,
    /// Whether it may be indexed all the same where another page embeds it.
    pub index_if_embedded: bool,
    /// Characters of an excerpt at most; -1 for no limit, `None` where no rule sets one.
    pub max_snippet: Option<i64>,
    /// The largest preview of an image.
    pub max_image_preview: Option<ImagePreview>,
    /// Seconds of the preview of a video at most; -1 for no limit.
    pub max_video_preview: Option<i64>,
    /// When to stop showing it; seconds since 1970-01-01T00:00:00Z.
    pub unavailable_after: Option<i64>,
}
