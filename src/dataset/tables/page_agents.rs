use page_directives::dialect::{AiUse, Dialect};
use page_directives::rule::ImagePreview;

use super::{Micros, Str, Text};

table! {
    /// One row per page policy, dialect and crawler: `*`, for all crawlers that the policy does not
    /// name, and the first 100 crawlers that it names and the dialect knows. Every policy has the
    /// row of `*`.
    "page_agents", PageAgentRow, PageAgentsBuilder, key: PagePolicy(page_policy_id) {
        /// The policy.
        page_policy_id: i64,
        /// html4 (HTML 4.01 appendix B.4.1 and HTTP: The Definitive Guide), google, bing, repext
        /// (draft-illyes-repext-03) or noai (the rules that DeviantArt introduced).
        dialect: Str = Dialect::ALL.map(Dialect::name),
        /// The crawler, lower case; `*` for crawlers that are not named.
        product_token: Text,
        /// Whether it may put the page into an index. Null, here and below: the dialect has no rule
        /// about it, or rules contradict each other and the dialect does not say which counts.
        may_index: Option<bool>,
        /// Whether it may follow its links.
        may_follow: Option<bool>,
        /// Whether a stored copy may be shown.
        may_archive: Option<bool>,
        /// Whether an excerpt may be shown.
        may_snippet: Option<bool>,
        /// Whether models may be trained on its text.
        may_train: Option<bool>,
        /// What AI may do with it: content (all), no_images, preview (URL, title and snippet only)
        /// or none.
        ai_use: Option<Str> = AiUse::ALL.map(AiUse::name),
        /// Whether the page may still be indexed if another page embeds it.
        index_if_embedded: bool,
        /// Most characters of an excerpt; -1 for no limit, null if no rule limits it.
        max_snippet: Option<i64>,
        /// Largest preview of an image: none, standard or large.
        max_image_preview: Option<Str> = ImagePreview::ALL.map(ImagePreview::name),
        /// Most seconds of a video preview; -1 for no limit.
        max_video_preview: Option<i64>,
        /// When to stop showing the page, UTC.
        unavailable_after: Option<Micros>,
        /// Whether rules contradict each other, and the dialect does not say which counts.
        has_contradiction: bool,
    }
}
