//! `bing`: "Robots Metatags", Bing Webmaster Tools
//! (bing.com/webmaster/help/which-robots-metatags-does-bing-support-5198d240), with the posts of
//! the Bing Webmaster Blog of April 2020 (limits on previews) and September 2023 (use in Bing Chat
//! and for training).
//!
//! - Meta tags, and X-Robots-Tag. `bingbot` and `msnbot` are two names of one crawler, listed here
//!   as `bingbot`.
//! - `noindex`, `nofollow`, `nosnippet`; `noarchive` and `nocache`: no copy is shown. (`none` and
//!   `all` are on no list of Bing's; `none` is read as elsewhere.)
//! - `max-snippet`, `max-image-preview`, `max-video-preview`; a value outside
//!   the documented ones sets no limit.
//! - Answers and training: with `nocache` only URL, title and snippet, with `noarchive` nothing;
//!   with both it is `nocache` that counts.
//! - Bing does not say what of two contradicting rules counts; the more restrictive one is assumed,
//!   and that white space between rules is a comma. (Interpretation.)

use super::{AiUse, DialectRules, Permission, State};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    name: "bing",
    source: "Robots Metatags (Bing Webmaster Tools); Bing Webmaster Blog, April 2020 and September \
             2023",
    header_fields: &[b"x-robots-tag"],
    places: &[Place::Head, Place::HeadWithScripts],
    tolerates_separators: true,
    crawler: |name| matches!(name, b"bingbot" | b"msnbot").then_some(b"bingbot"),
    begin: || State {
        index: Permission::Unspecified,
        follow: Permission::Unspecified,
        archive: Permission::Unspecified,
        snippet: Permission::Unspecified,
        ..State::with_all_ai_use()
    },
    apply,
};

fn apply(state: &mut State, rule: &Rule) {
    match (rule.name.as_slice(), &rule.value) {
        (b"noarchive", None) => {
            state.archive.forbid();
            if state.verdict.ai_use == Some(AiUse::Content) {
                state.verdict.ai_use = Some(AiUse::None);
            }
        }
        (b"nocache", None) => {
            state.archive.forbid();
            state.verdict.ai_use = Some(AiUse::Preview);
        }
        _ => state.apply_common(rule),
    }
}
