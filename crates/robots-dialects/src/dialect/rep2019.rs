//! `rep2019`: draft-koster-rep-00, M. Koster and others, July 2019, the first
//! draft of what became RFC 9309.
//!
//! - Groups are as in the RFC: only a rule followed by a user-agent line ends
//!   one. A line has a colon, and misspelt keys are unknown lines.
//! - Product tokens are equal without regard to case; groups of one token merge,
//!   but of several `*` groups the first applies (§2.2.1).
//! - The longest match in bytes decides, allow wins ties; `*` and `$` are
//!   special, `%2A` and `%24` are the literal characters (§2.2.2, §2.2.3).
//! - `/robots.txt` is allowed.

use super::longest_match::{self, WildcardGroups};
use super::records::Records;
use super::rfc9309;
use super::verdict::Verdict;
use crate::agent::product_token;
use crate::path::UrlPath;

/// Lines and forms are the RFC's.
pub(super) fn read(body: &[u8]) -> Records {
    rfc9309::read(body)
}

pub(super) fn verdict<'r>(records: &'r Records, agent: &[u8], path: &UrlPath<'_>) -> Verdict<'r> {
    let token = product_token(agent);
    longest_match::verdict(records, token, path.normalised(), WildcardGroups::First)
}
