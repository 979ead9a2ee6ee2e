//! `google`: Google's published specification and its open-source parser, as measured against the
//! parser itself.
//!
//! - Every tolerance of the line reader counts: key prefixes, misspellings, missing colons.
//! - Groups and precedence as in RFC 9309, all `*` groups merged. The name in a user-agent line is
//!   its leading letters, `_` and `-`, and the crawler's product token is compared as given. So no
//!   line can name MJ12bot: `User-agent: MJ12bot` names `MJ`.
//! - Patterns are compared with the URL's bytes as they are: only bytes above 0x7F and the case of
//!   escapes in the *rule* are changed, nothing is decoded, and a NUL ends the path.
//! - An allow rule whose last segment starts with `/index.htm` also allows its directory itself
//!   (`/a/index.html` allows `/a/`), with the weight of `/a/$`.
//! - `/robots.txt` is not exempt in this code.

use memchr::{memchr, memrchr};

use super::rfc9309;
use super::rules::{DialectRules, PathForm};
use super::verdict::RuleType;
use crate::agent::rfc9309_token;
use crate::path::UrlPath;
use crate::percent;

pub(super) const RULES: DialectRules = DialectRules {
    source: "Google's robots.txt specification and open-source parser (2026)",
    tolerates_misspelt_keys: true,
    name_in_line: |value| Some(rfc9309_token(value)),
    name_of_crawler: |agent| agent,
    paths: PathForm::Escaped,
    pattern,
    second_pattern: directory_of_index,
    path_form: compared,
    is_exempt: |_| false,
    may_unescape: false,
    // Groups and precedence are the RFC's.
    ..rfc9309::RULES
};

fn pattern<'v>(value: &'v [u8], buffer: &'v mut Vec<u8>) -> (&'v [u8], usize) {
    let pattern = percent::google_escape(value, buffer);
    (pattern, pattern.len())
}

/// The pattern for the directory alone, if an allow rule is for its index page. The parser tries it
/// only after the rule's own pattern failed; a separate rule has the same effect, because the
/// rule's own pattern, if it matches, is longer.
fn directory_of_index(rule_type: RuleType, pattern: &[u8]) -> Option<Vec<u8>> {
    let slash = memrchr(b'/', pattern)?;
    let is_index = pattern[slash..].starts_with(b"/index.htm");
    (rule_type == RuleType::Allow && is_index).then(|| [&pattern[..=slash], b"$"].concat())
}

fn compared<'p>(path: &'p UrlPath<'_>) -> &'p [u8] {
    let path = path.bytes();
    &path[..memchr(0, path).unwrap_or(path.len())]
}
