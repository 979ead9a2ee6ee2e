//! `rfc9309`: RFC 9309, "Robots Exclusion Protocol", September 2022.
//!
//! - A group (§2.2.1) is one or more user-agent lines and the rules after them.
//!   Only a rule followed by a user-agent line ends it: blank, comment, sitemap
//!   and unknown lines never do. Rules before any user-agent are ignored.
//! - The grammar (§2.2) wants `key: value`; keys are exact without regard to
//!   case. Misspellings and missing colons are unknown lines here.
//! - Product tokens are equal without regard to case. They are letters, `_` and
//!   `-` on both sides: `ExampleBot/1.0` and `ExampleBot2` ask as `ExampleBot`. All
//!   groups of a token merge; so do all `*` groups.
//! - The match with the most bytes decides, allow wins ties (§2.2.2). Both
//!   sides are normalised: bytes outside US-ASCII encoded, escaped unreserved
//!   ones decoded. The RFC also has reserved characters encoded; since that
//!   would change nothing where both sides are treated alike, they stay.
//! - `*` and a final `$` are special, `%2A` and `%24` literal (§2.2.3).
//! - `/robots.txt` is allowed (§2.2.2), however its path is encoded. An empty pattern has no effect.

use super::longest_match::{self, WildcardGroups};
use super::records::{Agent, Records};
use super::verdict::{RuleType, Verdict};
use crate::agent::product_token;
use crate::line::{Line, LineKind, read_lines};
use crate::path::UrlPath;
use crate::percent;

pub(super) fn read(body: &[u8]) -> Records {
    let mut records = Records::default();
    let (mut for_weight, mut for_match) = (Vec::new(), Vec::new());
    let mut rule = |records: &mut Records, rule_type, line: &Line<'_>| {
        let priority = percent::rfc9309_normalise(line.value, &mut for_weight).len();
        let pattern = percent::rfc9309_pattern(line.value, &mut for_match);
        records.push_rule(rule_type, line, pattern, priority);
    };
    read_lines(body, &mut |line: &Line<'_>| match line.kind {
        LineKind::UserAgent if line.is_strict() => {
            records.push_agent(match Agent::from_product_token(line.value) {
                // Not a product token, so no crawler's.
                Agent::Named([]) => Agent::Nobody,
                agent => agent,
            });
        }
        LineKind::Allow if line.is_strict() => rule(&mut records, RuleType::Allow, line),
        LineKind::Disallow if line.is_strict() => rule(&mut records, RuleType::Disallow, line),
        _ => {}
    });
    records
}

pub(super) fn verdict<'r>(records: &'r Records, agent: &[u8], path: &UrlPath<'_>) -> Verdict<'r> {
    let token = product_token(agent);
    longest_match::verdict(records, token, path.normalised(), WildcardGroups::Merged)
}

#[cfg(test)]
mod tests {
    use super::super::Dialect;
    use crate::path::UrlPath;

    fn allowed(body: &str, path: &str) -> bool {
        let compiled = Dialect::Rfc9309.compile(body.as_bytes());
        compiled
            .verdict(b"ExampleBot/1.0", &UrlPath::new(path.as_bytes()))
            .allowed
    }

    /// Whether the rule matches; the draft's tables are the RFC's.
    fn disallows(rule: &str, path: &str) -> bool {
        let body = format!("User-agent: *\nDisallow: {rule}\n");
        let [draft, rfc] = [Dialect::Rep2019, Dialect::Rfc9309].map(|dialect| {
            let compiled = dialect.compile(body.as_bytes());
            !compiled
                .verdict(b"x", &UrlPath::new(path.as_bytes()))
                .allowed
        });
        assert_eq!(draft, rfc, "{rule} {path}");
        rfc
    }

    /// After the table of §2.2.2, reserved characters left as they are.
    #[test]
    fn the_rfcs_table_of_encodings() {
        for (rule, path, matches) in [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz", true),
            (
                "/foo/bar?baz=https://foo.bar",
                "/foo/bar?baz=https://foo.bar",
                true,
            ),
            (
                "/foo/bar?baz=https://foo.bar",
                "/foo/bar?baz=https%3A%2F%2Ffoo.bar",
                false,
            ),
            ("/foo/bar/\u{30c4}", "/foo/bar/%E3%83%84", true),
            ("/foo/bar/%e3%83%84", "/foo/bar/\u{30c4}", true),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz", true),
            ("/foo/bar/baz", "/foo/bar/%62%61%7a", true),
        ] {
            assert_eq!(disallows(rule, path), matches, "{rule} {path}");
        }
    }

    /// After §2.2.3: the special characters, escaped and not.
    #[test]
    fn the_rfcs_special_characters() {
        for (rule, path, matches) in [
            (
                "/path/file-with-a-%2A.html",
                "/path/file-with-a-*.html",
                true,
            ),
            (
                "/path/file-with-a-%2a.html",
                "/path/file-with-a-%2A.html",
                true,
            ),
            (
                "/path/file-with-a-%2A.html",
                "/path/file-with-a-x.html",
                false,
            ),
            ("/path/foo-%24", "/path/foo-$", true),
            ("/path/foo-%24", "/path/foo-$x", true),
            ("/path/foo-$", "/path/foo-$", false),
            ("/path/foo-%24$", "/path/foo-$x", false),
            ("/a$b", "/a$b", true),
            ("/a*c", "/a*bc", true),
        ] {
            assert_eq!(disallows(rule, path), matches, "{rule} {path}");
        }
    }

    #[test]
    fn a_name_that_is_no_product_token_is_nobodys() {
        let compiled =
            Dialect::Rfc9309.compile(b"User-agent: *foo\nUser-agent: 360\nDisallow: /\n");
        for agent in ["", "360", "foo"] {
            assert!(
                compiled
                    .verdict(agent.as_bytes(), &UrlPath::new(b"/a"))
                    .allowed,
                "{agent}"
            );
        }
    }

    #[test]
    fn only_a_rule_and_a_user_agent_line_end_a_group() {
        let body = "User-agent: a\n\nSitemap: /s\nCrawl-delay: 1\nUser-agent: ExampleBot\n\nnonsense\n\nDisallow: /x\n\nDisallow: /y\n";
        assert!(!allowed(body, "/x"));
        assert!(!allowed(body, "/y"));
    }

    #[test]
    fn lines_are_strict() {
        for body in [
            "User-agent: *\nDisalow: /\n",
            "User-agent: *\nDisallow /\n",
            "Disallow: /\nUser-agent: *\n",
            "User-agent: *\nDisallowed: /\n",
        ] {
            assert!(allowed(body, "/a"), "{body}");
        }
    }

    #[test]
    fn a_rule_without_leading_slash_or_star_never_matches() {
        for rule in ["a", "https://example.com/a", "$", "%2Fa"] {
            assert!(!disallows(rule, "/a"), "{rule}");
        }
        assert!(disallows("*a", "/a"));
    }
}
