//! `noai`: the rules that DeviantArt introduced for its members' pages on 11 November 2022 ("UPDATE
//! All Deviations Are Opted Out of AI Datasets"), in meta tags and in X-Robots-Tag, and that other
//! sites have adopted. No model vendor has said that it obeys them.
//!
//! - `noai`: the content must not be in AI data sets; `noimageai`: its images must not be.
//! - Any crawler may be named. The post does not mention the head or scripts: a tag counts anywhere
//!   except in a `template`. Robots-Tag counts too, and white space or a semicolon between rules is
//!   read as a comma. (Interpretation.)

use super::rules::{AiUse, DialectRules, Verdict, any_crawler, says};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    source: "UPDATE All Deviations Are Opted Out of AI Datasets (DeviantArt, 11 November 2022)",
    header_fields: &[b"x-robots-tag", b"robots-tag"],
    places: &[
        Place::Head,
        Place::HeadWithScripts,
        Place::Noscript,
        Place::Body,
    ],
    tolerates_separators: true,
    crawler: any_crawler,
    judge,
};

fn judge(rules: &[&Rule]) -> Verdict {
    let ai_use = if says(rules, &[b"noai"]) {
        AiUse::None
    } else if says(rules, &[b"noimageai"]) {
        AiUse::NoImages
    } else {
        AiUse::Content
    };
    Verdict {
        ai_use: Some(ai_use),
        ..Verdict::default()
    }
}
