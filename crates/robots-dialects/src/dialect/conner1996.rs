//! `conner1996`: "An Extended Standard for Robot Exclusion", S. Conner, October and November 1996,
//! which calls itself version 2.0.
//!
//! - Records and names as in 1994. `Robot-version` inside a record, after its user-agent lines,
//!   selects the version by which its paths are read.
//! - Without it, or with 1.0, a record is read as in 1994: `Disallow` alone counts, and a path
//!   means itself followed by anything (the *general* format).
//! - With 2.0 `Allow` counts too, and paths are *explicit*: a path without a wildcard matches only
//!   itself, `*` matches anything, and `?`, `[set]` and `\` work as in the shell. `$` is literal.
//! - `Visit-time`, `Request-rate` and `Comment` are kept per record.
//!
//! The preserved text does not establish which of several matching lines of a 2.0 record decides.
//! Its author thought aloud on the robots mailing list of October 1996 about filtering by all Allow
//! lines and then by all Disallow lines, and about a lone Allow that forbids the rest, but the
//! published text was still changing. We take the first match in file order, as in `koster1996`;
//! every verdict from a 2.0 record is marked (`is_interpretation`).

use super::decision::Decision;
use super::records::StoredGroup;
use super::rep1994;
use super::rules::DialectRules;
use super::verdict::{MatchedRule, RuleType};
use crate::glob;
use crate::visit::{RequestRate, RobotVersion, VisitTerms, VisitTime};

pub(super) const RULES: DialectRules = DialectRules {
    source: "An Extended Standard for Robot Exclusion 2.0 (S. Conner, November 1996)",
    knows_allow: true,
    has_visit_terms: true,
    decision: Decision::FirstMatch { matches },
    is_interpretation,
    // Records, names and forms of paths are as in 1994.
    ..rep1994::RULES
};

/// Adds a line of the extended standard to the record's terms. Only the first version and the first
/// visit time count, but every rate does; malformed values are ignored.
pub(super) fn add_visit_term(key: &[u8], value: &[u8], terms: &mut VisitTerms) {
    let is_key = |name: &[u8]| key.eq_ignore_ascii_case(name);
    if is_key(b"robot-version") {
        terms.version = terms.version.or_else(|| RobotVersion::parse(value));
    } else if is_key(b"visit-time") {
        terms.visit_time = terms.visit_time.or_else(|| VisitTime::parse(value));
    } else if is_key(b"request-rate") {
        terms.request_rates.extend(RequestRate::parse(value));
    } else if is_key(b"comment") {
        terms.comments.push(value.to_vec());
    }
}

fn matches(record: &StoredGroup, rule_type: RuleType, value: &[u8], path: &[u8]) -> bool {
    match (record.is_version_two(), rule_type) {
        (false, RuleType::Disallow) => path.starts_with(value),
        (false, RuleType::Allow) => false,
        // `Disallow:` allows all in 2.0 as in 1.0; `Allow:` matches no path.
        (true, RuleType::Disallow) => value.is_empty() || glob::matches(value, path),
        (true, RuleType::Allow) => glob::matches(value, path),
    }
}

fn is_interpretation(record: &StoredGroup, _: Option<MatchedRule<'_>>) -> bool {
    record.is_version_two()
}
