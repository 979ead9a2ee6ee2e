//! `html4`: HTML 4.01 (W3C, 24 December 1999), appendix B.4.1, and HTTP: The Definitive Guide
//! (O'Reilly, 2002), chapter 9, "Excluding robots".
//!
//! - Only meta tags named `ROBOTS`, in any case, count: single crawlers cannot be addressed.
//! - The tags are in the head. Crawlers of the time did not run scripts, so a tag in a `noscript`
//!   counts.
//! - `INDEX`, `NOINDEX`, `FOLLOW`, `NOFOLLOW`; `ALL` is `INDEX, FOLLOW`, `NONE` is `NOINDEX,
//!   NOFOLLOW`; the book adds `NOARCHIVE`. The default is to allow.
//! - Rules that contradict each other, in one tag or in several, have no meaning: there is no
//!   verdict.

use super::rules::{DialectRules, Verdict, says};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    source: "HTML 4.01 (W3C, 1999) appendix B.4.1; HTTP: The Definitive Guide (O'Reilly, 2002) ch. \
             9",
    header_fields: &[],
    places: &[Place::Head, Place::Noscript],
    tolerates_separators: false,
    crawler: |_| None,
    judge,
};

fn judge(rules: &[&Rule]) -> Verdict {
    let mut has_contradiction = false;
    let mut may = |allow: &[&[u8]], forbid: &[&[u8]]| {
        let (is_allowed, is_forbidden) = (says(rules, allow), says(rules, forbid));
        has_contradiction |= is_allowed && is_forbidden;
        (!is_allowed || !is_forbidden).then_some(!is_forbidden)
    };
    Verdict {
        may_index: may(&[b"index", b"all"], &[b"noindex", b"none"]),
        may_follow: may(&[b"follow", b"all"], &[b"nofollow", b"none"]),
        may_archive: may(&[], &[b"noarchive"]),
        has_contradiction,
        ..Verdict::default()
    }
}
