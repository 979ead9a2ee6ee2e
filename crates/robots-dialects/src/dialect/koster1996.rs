//! `koster1996`: "A Method for Web Robots Control", M. Koster, draft-koster-robots-00, November and
//! December 1996.
//!
//! - Records and names as in 1994 (§3.2, §3.2.1), `Allow` added (§3.2.2). By the words of §3.2.1,
//!   the file's value would have to contain the robot's name; crawlers search the robot's name for
//!   the value, as this dialect does, so that `ExampleBot` also addresses `ExampleBot-News`.
//! - The first matching line in file order decides; without a match the path is allowed.
//!   `/robots.txt` is always allowed.
//! - Rule and path are compared byte by byte after decoding `%xx`, except `%2F`, which is not a
//!   slash. Paths do not have wildcards.
//! - The empty path matches everything. `Allow:` thus allows everything, and so does `Disallow:`,
//!   by the definition of the 1994 text. The draft itself does not mention an empty `Disallow:`, so
//!   a verdict by such a line is our interpretation.
//! - Lines are not continued; unknown fields are ignored.

use super::decision::Decision;
use super::records::StoredGroup;
use super::rep1994;
use super::rules::{DialectRules, PathForm};
use super::verdict::{MatchedRule, RuleType};
use crate::path::ROBOTS_TXT;
use crate::percent::{koster_equals, koster_starts_with};

pub(super) const RULES: DialectRules = DialectRules {
    source: "A Method for Web Robots Control (draft-koster-robots-00, December 1996)",
    knows_allow: true,
    paths: PathForm::Decoded,
    is_exempt: |path| koster_equals(path.bytes(), ROBOTS_TXT),
    decision: Decision::FirstMatch { matches },
    is_interpretation,
    // Records and names are as in 1994.
    ..rep1994::RULES
};

/// The head of this file explains why an empty `Disallow:` is open.
fn is_interpretation(_: &StoredGroup, rule: Option<MatchedRule<'_>>) -> bool {
    rule.is_some_and(|rule| rule.rule_type == RuleType::Disallow && rule.value.is_empty())
}

/// Whether the path begins with the value, both decoded (§3.2.2).
fn matches(_: &StoredGroup, _: RuleType, value: &[u8], path: &[u8]) -> bool {
    koster_starts_with(path, value)
}
