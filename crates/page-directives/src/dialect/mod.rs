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

/// A dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// HTML 4.01, appendix B.4.1, with what books added.
    Html4,
    /// Google's specification.
    Google,
    /// Bing's help, and its posts on chat and training.
    Bing,
    /// draft-illyes-repext-03.
    Repext,
    /// The rules noai and noimageai.
    Noai,
}

impl Dialect {
    /// Every dialect.
    pub const ALL: [Self; 5] = [
        Self::Html4,
        Self::Google,
        Self::Bing,
        Self::Repext,
        Self::Noai,
    ];

    fn rules(self) -> &'static DialectRules {
        match self {
            Self::Html4 => &html4::RULES,
            Self::Google => &google::RULES,
            Self::Bing => &bing::RULES,
            Self::Repext => &repext::RULES,
            Self::Noai => &noai::RULES,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.rules().name
    }

    /// Where it is defined.
    #[must_use]
    pub fn source(self) -> &'static str {
        self.rules().source
    }

    /// The verdicts of a policy: first for crawlers that it does not name (`*`), then for each
    /// crawler that it names and the dialect knows, in the order of the names.
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
            let mut state = (dialect.begin)();
            for (name, rule) in &rules {
                let is_for_all = name == EVERY_CRAWLER;
                if is_for_all || (dialect.crawler)(name) == Some(crawler.as_slice()) {
                    (dialect.apply)(&mut state, rule);
                }
            }
            (crawler, state.verdict())
        };
        crawlers.into_iter().map(judge).collect()
    }
}

/// Crawlers of a policy that are judged: real policies name fewer, and each takes a pass over all
/// rules.
const MAX_CRAWLERS: usize = 100;

struct DialectRules {
    name: &'static str,
    source: &'static str,
    header_fields: &'static [&'static [u8]],
    places: &'static [Place],
    /// Whether white space and semicolons between rules are taken for commas.
    tolerates_separators: bool,
    /// The crawler that a name speaks to, `*` aside; `None` where no crawler obeys it.
    crawler: fn(&[u8]) -> Option<&[u8]>,
    begin: fn() -> State,
    apply: fn(&mut State, &Rule),
}

impl DialectRules {
    fn reads(&self, statement: &Statement<'_>) -> bool {
        match (statement.source, statement.place) {
            (Source::Header, _) => self.header_fields.contains(&statement.name),
            (Source::Meta, Some(place)) => self.places.contains(&place),
            // No source knows of http-equiv.
            (Source::HttpEquiv, _) | (Source::Meta, None) => false,
        }
    }
}

/// Takes any name for the name of a crawler.
fn any_crawler(name: &[u8]) -> Option<&[u8]> {
    (name != EVERY_CRAWLER).then_some(name)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Permission {
    /// The dialect has no rule about it.
    #[default]
    Unknown,
    /// Nothing is said, which allows it.
    Unspecified,
    Allowed,
    Forbidden,
    /// Both, where the dialect does not say which counts.
    Contradicted,
}

impl Permission {
    fn forbid(&mut self) {
        if *self != Self::Unknown {
            *self = Self::Forbidden;
        }
    }

    /// Takes a word where a contradiction means nothing.
    fn set(&mut self, allows: bool) {
        *self = match (*self, allows) {
            (Self::Unknown, _) => Self::Unknown,
            (Self::Unspecified | Self::Allowed, true) => Self::Allowed,
            (Self::Unspecified | Self::Forbidden, false) => Self::Forbidden,
            _ => Self::Contradicted,
        };
    }

    fn verdict(self) -> Option<bool> {
        match self {
            Self::Unknown | Self::Contradicted => None,
            Self::Unspecified | Self::Allowed => Some(true),
            Self::Forbidden => Some(false),
        }
    }
}

#[derive(Debug, Default)]
struct State {
    index: Permission,
    follow: Permission,
    archive: Permission,
    snippet: Permission,
    verdict: Verdict,
}

impl State {
    /// No rule, of a dialect with rules about the use by AI.
    fn with_all_ai_use() -> Self {
        let mut state = Self::default();
        state.verdict.ai_use = Some(AiUse::Content);
        state
    }

    fn verdict(self) -> Verdict {
        let contradictable = [self.index, self.follow, self.archive];
        Verdict {
            may_index: self.index.verdict(),
            may_follow: self.follow.verdict(),
            may_archive: self.archive.verdict(),
            may_snippet: self.snippet.verdict(),
            has_contradiction: contradictable.contains(&Permission::Contradicted),
            ..self.verdict
        }
    }

    /// Rules that Google and Bing define alike; of limits on previews the most restrictive counts.
    fn apply_common(&mut self, rule: &Rule) {
        match (rule.name.as_slice(), &rule.value) {
            (b"noindex", None) => self.index.forbid(),
            (b"nofollow", None) => self.follow.forbid(),
            (b"none", None) => {
                self.index.forbid();
                self.follow.forbid();
            }
            (b"nosnippet", _) => self.snippet.forbid(),
            (b"max-snippet", _) => {
                limit(&mut self.verdict.max_snippet, rule.number());
                if self.verdict.max_snippet == Some(0) {
                    self.snippet.forbid();
                }
            }
            (b"max-video-preview", _) => limit(&mut self.verdict.max_video_preview, rule.number()),
            (b"max-image-preview", _) => {
                least(&mut self.verdict.max_image_preview, rule.size());
            }
            _ => {}
        }
    }
}

/// Takes the more restrictive of two limits; -1 means no limit.
fn limit(known: &mut Option<i64>, said: Option<i64>) {
    let Some(said) = said else {
        return;
    };
    *known = Some(match *known {
        None | Some(-1) => said,
        Some(known) if said == -1 => known,
        Some(known) => known.min(said),
    });
}

fn least<T: Ord + Copy>(known: &mut Option<T>, said: Option<T>) {
    *known = known.iter().copied().chain(said).min();
}

named! {
    /// What AI may do with a page: show it in answers, learn from it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum AiUse: 4 {
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

impl Verdict {
    /// Whether models may be trained on the text of the page.
    #[must_use]
    pub fn may_train(&self) -> Option<bool> {
        self.ai_use.map(AiUse::may_train)
    }
}
