//! `rep2019`: draft-koster-rep-00, M. Koster and others, July 2019, the first draft of what became
//! RFC 9309.
//!
//! - Groups are as in the RFC: only a rule followed by a user-agent line ends one. A line needs a
//!   colon, and lines with misspelt keys are unknown.
//! - Product tokens are equal without regard to case; groups of one token merge, but only the first
//!   `*` group applies (§2.2.1).
//! - The longest match in bytes decides, allow wins ties; `*` and `$` are special, `%2A` and `%24`
//!   are the literal characters (§2.2.2, §2.2.3).
//! - `/robots.txt` is allowed.

use super::decision::Decision;
use super::rfc9309;
use super::rules::DialectRules;

pub(super) const RULES: DialectRules = DialectRules {
    source: "Robots Exclusion Protocol (draft-koster-rep-00, July 2019)",
    decision: Decision::LongestMatch { most_wildcards: 1 },
    // Lines, names and forms of paths are the RFC's.
    ..rfc9309::RULES
};
