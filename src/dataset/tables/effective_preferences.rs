use robots_dialects::preferences::Vocabulary;

use super::values::names;
use super::{Str, Text};

table! {
    /// One row per policy, crawler, pattern of paths and category of use: what Content-Usage and
    /// Content-Signal lines together state (draft-ietf-aipref-attach-05 §3.1). The lines of the
    /// groups that RFC 9309 chooses for the crawler count (by `agents.rfc9309_token`, without
    /// misspelt user-agent lines); the longest matching path decides, and `n` wins among lines with
    /// the same path. A path that the crawler may not fetch has no row. A file with very many
    /// crawlers and paths has only the first rows.
    "effective_preferences", EffectivePreferenceRow, EffectivePreferencesBuilder,
    key: Policy(policy_id) {
        /// The policy.
        policy_id: i64,
        /// The crawler; `*` for every crawler that the policy does not name.
        product_token: Text,
        /// The pattern of paths, as written in a line; the row states what applies to the shortest
        /// path that it matches. Null: `/`, for the whole site except paths with a row of their
        /// own.
        path: Option<Text>,
        /// Who defines the category: content-signal or content-usage.
        vocabulary: Str = names!(some Vocabulary: ContentSignal ContentUsage),
        /// The category of use, lower case: search, ai-input, ai-train, train-ai or another.
        preference: Text,
        /// Whether the use is allowed; null if the line neither allows nor forbids it.
        allows: Option<bool>,
        /// The line that decides, in the exemplar file, from 1: the first of those with the same
        /// answer.
        line_number: i32,
    }
}
