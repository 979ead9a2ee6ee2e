//! `rep2019`: draft-koster-rep-00, M. Koster and others, July 2019, the first
//! draft of what became RFC 9309.
//!
//! - Groups are as in the RFC: only a rule followed by a user-agent line ends
//!   one. A line has a colon, and misspelt keys are unknown lines.
//! - Product tokens are equal without regard to case; groups of one token merge,
//!   but of several `*` groups the first applies (§2.2.1).
//! - The longest match in octets decides, allow wins ties; `*` and `$` are
//!   special, `%2A` and `%24` are the literal characters (§2.2.2, §2.2.3).
//! - `/robots.txt` is allowed.

use super::longest_match::{self, WildcardGroups};
use super::records::Records;
use super::rfc9309;
use super::verdict::Verdict;
use crate::robots::agent::product_token;
use crate::robots::path::UrlPath;

/// Lines and forms are the RFC's.
pub(super) fn read(body: &[u8]) -> Records {
    rfc9309::read(body)
}

pub(super) fn verdict<'r>(records: &'r Records, agent: &[u8], path: &UrlPath<'_>) -> Verdict<'r> {
    if path.is_robots_txt() {
        return Verdict::ROBOTS_TXT;
    }
    let token = product_token(agent);
    longest_match::verdict(records, token, path.normalised(), WildcardGroups::First)
}

#[cfg(test)]
mod tests {
    use super::super::Dialect;
    use crate::robots::path::UrlPath;

    fn allowed(body: &str, agent: &str, path: &str) -> bool {
        let compiled = Dialect::Rep2019.compile(body.as_bytes());
        compiled
            .verdict(agent.as_bytes(), &UrlPath::new(path.as_bytes()))
            .allowed
    }

    /// After the draft's §3.1: three groups, one for two agents.
    #[test]
    fn the_drafts_simple_example() {
        let body = "User-agent: foobot\nDisallow: /example/page.html\nDisallow: /example/disallowed.gif\n\n\
            User-agent: barbot\nUser-agent: bazbot\nAllow: /example/page.html\nDisallow: /example/page.html\n\n\
            User-agent: quxbot\n";
        assert!(!allowed(body, "foobot", "/example/page.html"));
        assert!(!allowed(body, "FOOBOT", "/example/disallowed.gif"));
        assert!(allowed(body, "foobot", "/other"));
        assert!(allowed(body, "barbot", "/example/page.html"));
        assert!(allowed(body, "bazbot", "/example/page.html"));
        assert!(allowed(body, "quxbot", "/example/page.html"));
    }

    /// After the draft's §3.2: the longer of two matching rules.
    #[test]
    fn the_drafts_longest_match() {
        let body =
            "User-agent: foobot\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
        assert!(!allowed(body, "foobot", "/example/page/disallowed.gif"));
        assert!(allowed(body, "foobot", "/example/page/"));
    }
}
