//! `repext`: Robots Exclusion Protocol Extension for URL Level Control, draft-illyes-repext-03 (18
//! April 2026, expired 20 October 2026).
//!
//! - The header field Robots-Tag, a structured field; X-Robots-Tag for historical reasons (§3.1.1);
//!   meta tags of the head (§4). Rules in the page as served and in the page after its scripts both
//!   count (§4), so the heads with and without scripts do, and `noscript`.
//! - Any product token may be named; `*`, and `robots` in a meta tag, address all crawlers. Rules
//!   of several fields, members and tags are merged, and a crawler obeys the sum of the negative
//!   rules for itself and for all (§3.1.1, §3.1.2).
//! - `noindex` and `nosnippet`, in any case (§3.1.3), except in Robots-Tag: keys of a structured
//!   field are lower case (RFC 8941 §3.1.2). Other rules may be supported, but are not defined.

use super::rules::{DialectRules, Verdict, any_crawler, says};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    source: "Robots Exclusion Protocol Extension for URL Level Control (draft-illyes-repext-03, \
             April 2026)",
    header_fields: &[b"robots-tag", b"x-robots-tag"],
    places: &[Place::Head, Place::HeadWithScripts, Place::Noscript],
    tolerates_separators: false,
    crawler: any_crawler,
    judge,
};

fn judge(rules: &[&Rule]) -> Verdict {
    Verdict {
        may_index: Some(!says(rules, &[b"noindex"])),
        may_snippet: Some(!says(rules, &[b"nosnippet"])),
        ..Verdict::default()
    }
}
