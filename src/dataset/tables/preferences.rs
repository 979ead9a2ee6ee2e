use robots_dialects::preferences::{Level, Vocabulary};

use super::values::names;
use super::{Str, Text};

table! {
    /// One row per preference of a policy: its Content-Signal, Content-Usage, License, LLM-Policy,
    /// TDM-Reservation and TDM-Policy lines, parsed. The lines as written are in directives.
    "preferences", PreferenceRow, PreferencesBuilder, key: Policy(policy_id) {
        /// The policy.
        policy_id: i64 [LookedUp],
        /// The group of the line, from 0; null if the preference is for every crawler: before the
        /// first user-agent line, and in vocabularies without groups (license, llm-policy, tdm).
        group_index: Option<i32>,
        /// Position in `groups.user_agents`, from 1, of the first user-agent line that the
        /// preference applies to: it applies to those directly above it, without a rule or other
        /// directive of the group in between. Null if `group_index` is null.
        user_agent_first: Option<i32>,
        /// Position of the last such line.
        user_agent_last: Option<i32>,
        /// Line in the exemplar file, from 1.
        line_number: i32 [Rising],
        /// Who defines the terms: content-signal (contentsignals.org), content-usage (IETF
        /// AIPREF, draft-ietf-aipref-attach-05 and -vocab-08), license (RSL 1.0), llm-policy
        /// (nobody yet) or tdm (TDM Reservation Protocol of a W3C Community Group).
        vocabulary: Str = names!(
            Vocabulary: ContentSignal ContentUsage License LlmPolicy TdmReservation TdmPolicy
        ),
        /// Path that the preference is for, as written; null: the whole site.
        path: Option<Text> [Unique],
        /// Its subject, lower case: search, ai-input, ai-train, train-ai or any other text before
        /// the equals sign; license, llm-policy, tdm-reservation and tdm-policy in the vocabularies
        /// without such keys. Empty if the line has no key.
        preference: Text,
        /// The value, as written.
        value: Text,
        /// Whether the value allows the use: yes and no of content-signal, the tokens y and n of
        /// content-usage, 0 and 1 (reserved: false) of tdm-reservation. Null for any other
        /// vocabulary or value, if a later value of the line replaces it, or if the line is not a
        /// dictionary of RFC 9651 (content-usage).
        allows: Option<bool>,
        /// How much may be kept and shown again, from least to most: immediate (nothing), reference
        /// (index, excerpts, links back) or full (summaries, reproduction), the values of
        /// content-signal's `use`. Null for any other key or value.
        level: Option<Str> = names!(Level: Immediate Reference Full),
    }
}
