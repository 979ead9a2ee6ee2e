//! `bing`: "Robots Metatags", Bing Webmaster Tools
//! (bing.com/webmaster/help/which-robots-metatags-does-bing-support-5198d240), with the posts of
//! the Bing Webmaster Blog of April 2020 (limits on previews) and September 2023 (use in Bing Chat
//! and for training).
//!
//! - Meta tags, and X-Robots-Tag. `bingbot` and `msnbot` are two names of one crawler, listed here
//!   as `bingbot`.
//! - `noindex`, `nofollow`, `nosnippet`; `noarchive` and `nocache`: no copy is shown. (Bing does
//!   not list `none` and `all`; `none` is read as in other dialects.)
//! - `max-snippet`, `max-image-preview`, `max-video-preview`; an undocumented value sets no limit.
//! - AI answers and training may use only URL, title and snippet with `nocache`, nothing with
//!   `noarchive`; with both, `nocache` counts.
//! - Bing does not say which of two contradicting rules counts; the more restrictive rule is
//!   assumed to count. White space or a semicolon between rules is read as a comma.
//!   (Interpretation.)

use super::rules::{AiUse, DialectRules, Verdict, judge_search, says};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    source: "Robots Metatags (Bing Webmaster Tools); Bing Webmaster Blog, April 2020 and September \
             2023",
    header_fields: &[b"x-robots-tag"],
    places: &[Place::Head, Place::HeadWithScripts],
    tolerates_separators: true,
    crawler: |name| matches!(name, b"bingbot" | b"msnbot").then_some(b"bingbot"),
    judge,
};

fn judge(rules: &[&Rule]) -> Verdict {
    let ai_use = if says(rules, &[b"nocache"]) {
        AiUse::Preview
    } else if says(rules, &[b"noarchive"]) {
        AiUse::None
    } else {
        AiUse::Content
    };
    Verdict {
        may_archive: Some(ai_use == AiUse::Content),
        ai_use: Some(ai_use),
        ..judge_search(rules)
    }
}
