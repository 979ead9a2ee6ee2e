//! The rules of a dialect, and the verdict that they give.

use crate::header::EVERY_CRAWLER;
use crate::html::Place;
use crate::named::named;
use crate::policy::{Source, Statement};
use crate::rule::{ImagePreview, Rule};

pub(super) struct DialectRules {
    pub(super) source: &'static str,
    pub(super) header_fields: &'static [&'static [u8]],
    pub(super) places: &'static [Place],
    /// Whether white space and semicolons between rules are taken for commas.
    pub(super) tolerates_separators: bool,
    /// The crawler that a name other than `*` addresses; `None` if no crawler obeys the name.
    pub(super) crawler: fn(&[u8]) -> Option<&[u8]>,
    /// The verdict of the rules that address a crawler.
    pub(super) judge: fn(&[&Rule]) -> Verdict,
}

impl DialectRules {
    pub(super) fn reads(&self, statement: &Statement<'_>) -> bool {
        match (statement.source, statement.place) {
            (Source::Header, _) => self.header_fields.contains(&statement.name),
            (Source::Meta, Some(place)) => self.places.contains(&place),
            // No dialect reads http-equiv.
            (Source::HttpEquiv, _) | (Source::Meta, None) => false,
        }
    }
}

pub(super) fn any_crawler(name: &[u8]) -> Option<&[u8]> {
    (name != EVERY_CRAWLER).then_some(name)
}

/// Whether a rule without a value has one of these names.
pub(super) fn says(rules: &[&Rule], names: &[&[u8]]) -> bool {
    let is_said = |rule: &&Rule| rule.value.is_none() && names.contains(&rule.name.as_slice());
    rules.iter().any(is_said)
}

/// The rules that Google and Bing define alike; the most restrictive preview limit counts.
pub(super) fn judge_search(rules: &[&Rule]) -> Verdict {
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
        /// Use all of the page.
        Content = "content",
        /// Use all of the page except images.
        NoImages = "no_images",
        /// Use only the page's URL, title and snippet.
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
    /// Index the page. `None`, here and below: the dialect has no rule for this use, or rules
    /// contradict each other and the dialect does not say which counts.
    pub may_index: Option<bool>,
    /// Follow its links.
    pub may_follow: Option<bool>,
    /// Show a stored copy.
    pub may_archive: Option<bool>,
    /// Show an excerpt.
    pub may_snippet: Option<bool>,
    /// What AI may do with the page.
    pub ai_use: Option<AiUse>,
    /// Whether rules contradict each other, and the dialect does not say which counts.
    pub has_contradiction: bool,
    /// Whether the page may be indexed despite `noindex` if another page embeds it.
    pub index_if_embedded: bool,
    /// Most characters of an excerpt; -1 for no limit, `None` if no rule sets a limit.
    pub max_snippet: Option<i64>,
    /// The largest preview of an image.
    pub max_image_preview: Option<ImagePreview>,
    /// Most seconds of a video preview; -1 for no limit.
    pub max_video_preview: Option<i64>,
    /// When to stop showing the page, in seconds since 1970-01-01T00:00:00Z.
    pub unavailable_after: Option<i64>,
}
