//! `html4`: HTML 4.01 (W3C, 24 December 1999), appendix B.4.1, and HTTP: The Definitive Guide
//! (O'Reilly, 2002), chapter 9, "Excluding robots".
//!
//! - Only meta tags named `ROBOTS`, in any case, count: crawlers have no tags of their own.
//! - The tags are in the head. Crawlers of the time did not run scripts, so a tag in a `noscript`
//!   counts.
//! - `INDEX`, `NOINDEX`, `FOLLOW`, `NOFOLLOW`; `ALL` is `INDEX, FOLLOW`, `NONE` is `NOINDEX,
//!   NOFOLLOW`; the book adds `NOARCHIVE`. The default is to allow.
//! - Rules that contradict each other, in one tag or in several, have no meaning: there is no
//!   verdict.

use super::{DialectRules, Permission, State};
use crate::html::Place;
use crate::rule::Rule;

pub(super) const RULES: DialectRules = DialectRules {
    name: "html4",
    source: "HTML 4.01 (W3C, 1999) appendix B.4.1; HTTP: The Definitive Guide (O'Reilly, 2002) ch. \
             9",
    header_fields: &[],
    places: &[Place::Head, Place::Noscript],
    tolerates_separators: false,
    crawler: |_| None,
    begin: || State {
        index: Permission::Unspecified,
        follow: Permission::Unspecified,
        archive: Permission::Unspecified,
        ..State::default()
    },
    apply,
};

fn apply(state: &mut State, rule: &Rule) {
    if rule.value.is_some() {
        return;
    }
    match rule.name.as_slice() {
        b"index" => state.index.set(true),
        b"noindex" => state.index.set(false),
        b"follow" => state.follow.set(true),
        b"nofollow" => state.follow.set(false),
        b"all" => {
            state.index.set(true);
            state.follow.set(true);
        }
        b"none" => {
            state.index.set(false);
            state.follow.set(false);
        }
        b"noarchive" => state.archive.set(false),
        _ => {}
    }
}
