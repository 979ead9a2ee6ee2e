//! `rep1994`: "A Standard for Robot Exclusion", M. Koster, 30 June 1994.
//!
//! - Records are separated by blank lines; a line with nothing but a comment is not a blank line. A
//!   user-agent line after rules begins a record too, since files without blank lines have existed
//!   from the start.
//! - Fields are `User-agent` and `Disallow`; all others, `Allow` among them, are ignored. The text
//!   knows no misspellings and no missing colons.
//! - The record is the first whose name is a case-insensitive substring of the robot's name without
//!   version, else the first `*` record.
//! - A path is disallowed if it starts with a value, byte by byte; `*`, `$` and `%` mean
//!   themselves. An empty value allows all.
//! - `/robots.txt`, in exactly these bytes, is exempt: a robot has to fetch it to know the rules.

use super::records::StoredGroup;
use super::rules::{self, Decision, DialectRules, Keys};
use super::verdict::RuleType;
use crate::agent::name_without_version;
use crate::path::ROBOTS_TXT;

pub(super) const RULES: DialectRules = DialectRules {
    name: "rep1994",
    source: "A Standard for Robot Exclusion (M. Koster, 30 June 1994)",
    keys: Keys::Exact,
    knows_allow: false,
    blank_line_ends_group: true,
    has_visit_terms: false,
    agent_of_line: rules::name_of_line,
    name_of_crawler: name_without_version,
    add_rule: rules::add_as_written,
    path_form: rules::path_as_written,
    is_exempt: |path| path.bytes() == ROBOTS_TXT,
    decision: Decision::FirstMatch { matches },
    is_interpretation: rules::never_interprets,
    other_form: None,
    same_root_as: |_| None,
};

/// Whether the path begins with the value.
fn matches(_: &StoredGroup, _: RuleType, value: &[u8], path: &[u8]) -> bool {
    path.starts_with(value)
}

#[cfg(test)]
mod tests {
    use super::super::{Choice, Dialect, Reason, Verdict};
    use crate::path::UrlPath;

    fn verdict(body: &str, agent: &str, path: &str) -> (bool, Option<u32>) {
        let ruleset = Dialect::Rep1994.compile(body.as_bytes());
        let Verdict { allowed, line, .. } =
            ruleset.verdict(agent.as_bytes(), &UrlPath::new(path.as_bytes()));
        (allowed, line)
    }

    #[test]
    fn blank_lines_end_records_and_comments_do_not() {
        let body = "User-agent: a\n# comment\nDisallow: /x\n\nDisallow: /y\n";
        assert_eq!(verdict(body, "a", "/x"), (false, Some(3)));
        assert_eq!(verdict(body, "a", "/y"), (true, None));
        assert_eq!(
            verdict("User-agent: a\n \t\nDisallow: /x\n", "a", "/x"),
            (true, None)
        );
    }

    #[test]
    fn the_names_record_is_the_first_that_is_a_substring() {
        let body = "User-agent: *\nDisallow: /\n\nUser-agent: bot\nDisallow: /a\n\n\
            User-agent: spambot\nDisallow: /b\n";
        assert_eq!(verdict(body, "SpamBot/2.0", "/a"), (false, Some(5)));
        assert_eq!(verdict(body, "SpamBot/2.0", "/b"), (true, None));
        assert_eq!(verdict(body, "Spider", "/b"), (false, Some(2)));
        // The version in the file is not part of the name; an empty name is not one either.
        assert_eq!(
            verdict("User-agent: bot/1.0\nDisallow: /\n", "bot", "/"),
            (false, Some(2))
        );
        assert_eq!(
            verdict("User-agent:\nDisallow: /\n", "bot", "/"),
            (true, None)
        );
    }

    #[test]
    fn allow_is_an_unknown_field() {
        assert_eq!(
            verdict("User-agent: *\nAllow: /a\nDisallow: /\n", "x", "/a"),
            (false, Some(3))
        );
    }

    #[test]
    fn paths_are_prefixes_without_special_bytes() {
        let body = "User-agent: *\nDisallow: /help\nDisallow: /a*b$\n";
        assert_eq!(verdict(body, "x", "/help.html"), (false, Some(2)));
        assert_eq!(verdict(body, "x", "/axb"), (true, None));
        assert_eq!(verdict(body, "x", "/a*b$c"), (false, Some(3)));
    }

    #[test]
    fn an_empty_disallow_allows_all() {
        let ruleset = Dialect::Rep1994.compile(b"User-agent: *\nDisallow:\n");
        let verdict = ruleset.verdict(b"x", &UrlPath::new(b"/a"));
        assert!(verdict.allowed);
        assert_eq!(
            (verdict.reason, verdict.choice),
            (Reason::EmptyRule, Choice::Wildcard)
        );
    }

    #[test]
    fn typos_and_missing_colons_are_unknown() {
        for body in [
            "User-agent: *\nDisalow: /\n",
            "User-agent *\nDisallow: /\n",
            "Useragent: *\nDisallow: /\n",
        ] {
            assert_eq!(verdict(body, "x", "/a"), (true, None), "{body}");
        }
    }
}
