use page_directives::html::Place;
use page_directives::policy::Source;
use robots_dialects::preferences::{Level, Vocabulary};

use super::values::names;
use super::{Str, Text};

table! {
    /// One row per preference of a page policy: its Content-Usage, Content-Signal, TDM-Reservation
    /// and TDM-Policy headers and meta tags, parsed by the vocabularies of `preferences`.
    "page_preferences", PagePreferenceRow, PagePreferencesBuilder, key: PagePolicy(page_policy_id) {
        /// The policy.
        page_policy_id: i64,
        /// Position of the header field or meta tag in the policy, from 0.
        statement_index: i32,
        /// Where it is: header, meta or http-equiv.
        source: Str = Source::ALL.map(Source::name),
        /// Place of a meta tag; null for a header field.
        place: Option<Str> = Place::ALL.map(Place::name),
        /// Who defines the terms: content-signal, content-usage or tdm.
        vocabulary: Str = names!(some Vocabulary: ContentSignal ContentUsage TdmReservation),
        /// What it is about, lower case: search, ai-train, train-ai, tdm-reservation, …
        preference: Text,
        /// The value, as written.
        value: Text,
        /// Whether the value allows the use; null if the vocabulary does not define the value.
        allows: Option<bool>,
        /// How much may be kept and shown again, by content-signal's `use`; null elsewhere.
        level: Option<Str> = names!(Level: Immediate Reference Full),
    }
}
