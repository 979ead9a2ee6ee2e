//! Cases of thirteen test suites and of the specifications' tables.

use std::collections::BTreeMap;

use robots_dialects::dialect::Dialect;
use robots_dialects::path::UrlPath;

use super::{bytes, rows_of, text};

/// Contested cases in which we differ, one line per family: dialect, beginnings of suite and name,
/// number of cases, and reason.
const DIFFERENCES: &str = "\
rfc9309 | google/robots_test.cc                  | ID_LineSyntax_Line                                            |  1 | a line needs a colon
rfc9309 | crawler-commons                        | GoogleRobotsTxtTest.ID_LineSyntax_Line                        |  1 | a line needs a colon
rfc9309 | google/robots_test.cc                  | ID_Encoding                                                   |  3 | rule and URL are both normalised
rfc9309 | google/robotstxt-spec-test             | correctness/non-ascii-paths                                   |  3 | rule and URL are both normalised
rfc9309 | seed:001 draft-koster-rep-00 encodings | row2                                                          |  1 | reserved characters stay as they are on both sides
rfc9309 | google/robotstxt-spec-test             | stress/327748                                                 |  1 | /robots.txt is allowed
rfc9309 | google/robotstxt-spec-test             | stress/860237                                                 |  1 | /robots.txt is allowed
rfc9309 | google/robotstxt-spec-test             | stress/369883                                                 |  4 | /robots.txt is allowed (2); a product token has no digits, AB42bot counts as AB (2)
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testNutchCases                     | 27 | a product token has no digits, agent1 to agent5 are one
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testAgentNotListed                 |  1 | a product token has no digits, crawler1 to crawler3 are one
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testFormatErrors                   |  1 | a product token has no digits, bot1 to bot3 are one
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testUnsupportedFields              |  1 | a product token has no digits, crawler1 and crawler2 are one
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testDirectiveTypos                 |  2 | misspelt keys are unknown lines
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testSpacesInMultipleUserAgentNames |  2 | only the leading product token of a value counts
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testRobotsWithUTF16                |  2 | UTF-16 yields nothing
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testHtmlMarkupInRobotsTxt          |  1 | HTML is parsed like text; markup at the end of a rule is part of the rule
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testPrecedenceOfRules              |  1 | stars count among the bytes of a rule
rfc9309 | crawler-commons                        | SimpleRobotRulesParserTest.testBigCrawlDelay                  |  1 | a long crawl delay disallows nothing
rfc9309 | crawler-commons                        | GoogleRobotsTxtTest.GoogleOnly_IndexHTMLisDirectory           |  1 | index pages are Google's own rule
rfc9309 | seomoz/rep-cpp                         | RobotsTest.NoLeadingUserAgent                                 |  1 | rules before any user-agent are ignored
rfc9309 | seomoz/reppy                           | test_no_leading_user_agent                                    |  1 | rules before any user-agent are ignored
rfc9309 | seomoz/rep-cpp                         | RobotsTest.GroupingUnknownKeys                                |  1 | unknown lines do not end a group
rfc9309 | seomoz/reppy                           | test_grouping_unknown_keys                                    |  1 | unknown lines do not end a group
rfc9309 | seomoz/rep-cpp                         | RobotsTest.NeverExternalAllowed                               |  1 | the rules do not say to which URLs a file applies
rep1994 | WWW::RobotRules                        | rules.t                                                       |  3 | a rule that is an absolute URL never matches
";

/// Every case agrees, apart from exactly the numbers of contested cases above.
pub(super) fn cases_of_suites_and_specifications() {
    let families: Vec<[&str; 5]> = (DIFFERENCES.lines())
        .map(|line| {
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            cells.try_into().expect("five columns")
        })
        .collect();
    let mut differences: BTreeMap<usize, usize> = BTreeMap::new();
    for case in rows_of("cases.jsonl") {
        let dialect: Dialect = text(&case, "dialect").parse().expect("a dialect");
        let ruleset = dialect.compile(&bytes(&case, "robots_base64"));
        let path = UrlPath::from_url(text(&case, "url").as_bytes());
        let allowed = ruleset
            .verdict(text(&case, "agent").as_bytes(), &path)
            .allowed;
        if allowed == case["allowed"].as_bool().expect("allowed") {
            continue;
        }
        let is_contested = case["contested"].as_bool().unwrap_or(false);
        let family = families.iter().position(|[of, suite, name, ..]| {
            dialect.name() == *of
                && text(&case, "suite").starts_with(suite)
                && text(&case, "name").starts_with(name)
        });
        let family = family.filter(|_| is_contested);
        *differences
            .entry(family.unwrap_or_else(|| panic!("not explained: {case}")))
            .or_default() += 1;
    }
    for (family, [.., name, count, reason]) in families.iter().enumerate() {
        let found = differences.get(&family).copied().unwrap_or(0);
        assert_eq!(found.to_string(), *count, "{name}: {reason}");
    }
}
