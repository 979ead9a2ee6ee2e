//! `google`: "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications", Google Search
//! Central (developers.google.com/search/docs/crawling-indexing/robots-meta-tag, as of 2026).
//!
//! - Meta tags in the head, and X-Robots-Tag. Google renders pages: a tag counts if it is in the
//!   head for a client that runs scripts, and not in a `noscript`. (Interpretation: the page says
//!   "in the head".)
//! - The names `googlebot` and `googlebot-news` count, in any case. Google's other crawlers have
//!   other names, such as `adsbot-google`, which Google Search does not obey.
//! - Rules for all and for one crawler add up: the sum of the negative rules applies. If rules
//!   contradict each other, the more restrictive rule applies, so `index`, `follow` and `all` have
//!   no effect.
//! - `none` is `noindex, nofollow`. `max-snippet: 0` is `nosnippet`; the smallest of several limits
//!   counts, and a limit that is not a number is ignored. The earliest of several dates of
//!   `unavailable_after` counts.
//! - Google no longer uses `noarchive` and `nocache`, so archiving has no verdict. Neither does
//!   training: sites control it by the product token Google-Extended in robots.txt.
//! - White space or a semicolon between rules is read as a comma. (Interpretation: the more
//!   restrictive reading.)

use super::rules::{DialectRules, Verdict, judge_search, says};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    source: "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications (Google Search \
             Central, 2026)",
    header_fields: &[b"x-robots-tag"],
    places: &[Place::Head, Place::HeadWithScripts],
    tolerates_separators: true,
    crawler: |name| matches!(name, b"googlebot" | b"googlebot-news").then_some(name),
    judge,
};

fn judge(rules: &[&Rule]) -> Verdict {
    Verdict {
        index_if_embedded: says(rules, &[b"indexifembedded"]),
        unavailable_after: rules.iter().filter_map(|rule| rule.time()).min(),
        ..judge_search(rules)
    }
}
