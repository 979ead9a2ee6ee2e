//! `rfc9309`: RFC 9309, "Robots Exclusion Protocol", September 2022.
//!
//! - A group (§2.2.1) is one or more user-agent lines and the rules after them. Only a rule
//!   followed by a user-agent line ends it: blank, comment, sitemap and unknown lines never do.
//!   Rules before any user-agent are ignored.
//! - The grammar (§2.2) requires `key: value`; keys must be exact, without regard to case. Lines
//!   with misspelt keys or without a colon are unknown here.
//! - Product tokens are equal without regard to case. They are letters, `_` and `-` on both sides:
//!   `ExampleBot/1.0` and `ExampleBot2` count as `ExampleBot`. All groups of a token merge; so do
//!   all `*` groups.
//! - The match with the most bytes decides, allow wins ties (§2.2.2). Both sides are normalised:
//!   bytes outside US-ASCII encoded, escaped unreserved characters decoded. The RFC also requires
//!   reserved characters to be encoded. This changes nothing if both sides are treated alike, so
//!   reserved characters are kept. If one side has a reserved character and the other its escape,
//!   the two interpretations differ, and a verdict that depends on it is marked
//!   (`is_interpretation`).
//! - `*` and a final `$` are special, `%2A` and `%24` literal (§2.2.3).
//! - `/robots.txt` is allowed (§2.2.2), however its path is encoded. An empty pattern has no
//!   effect.

use super::decision::Decision;
use super::rules::{DialectRules, PathForm};
use crate::agent::rfc9309_token;
use crate::path::ROBOTS_TXT;
use crate::percent;

pub(super) const RULES: DialectRules = DialectRules {
    source: "RFC 9309, Robots Exclusion Protocol (September 2022)",
    tolerates_misspelt_keys: false,
    knows_allow: true,
    blank_line_ends_group: false,
    has_visit_terms: false,
    // A value that does not begin with a product token does not name a crawler.
    name_in_line: |value| Some(rfc9309_token(value)).filter(|token| !token.is_empty()),
    name_of_crawler: rfc9309_token,
    paths: PathForm::Normalised,
    pattern,
    second_pattern: |_, _| None,
    path_form: |path| path.normalised(),
    is_exempt: |path| path.normalised() == ROBOTS_TXT,
    decision: Decision::LongestMatch {
        most_wildcards: usize::MAX,
    },
    is_interpretation: |_, _| false,
    may_unescape: true,
};

/// The weight is the length of the normalised value, because a literal `$` takes three bytes in the
/// pattern.
fn pattern<'v>(value: &'v [u8], buffer: &'v mut Vec<u8>) -> (&'v [u8], usize) {
    let weight = percent::rfc9309_normalise(value, buffer).len();
    (percent::rfc9309_pattern(value, buffer), weight)
}
