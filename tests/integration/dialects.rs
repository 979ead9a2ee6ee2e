//! Checks the six dialects against the cases in the shared folder beside the
//! project, where present.

use std::collections::BTreeMap;

use crate::support::program::code_and_stdout;
use crate::support::{bytes, read_jsonl, text};
use robots_dialects::dialect::{Choice, Dialect};
use robots_dialects::path::UrlPath;
use serde_json::Value;

/// Contested cases in which we differ: dialect, beginnings of suite and name,
/// how many there are, and why.
const DIFFERENCES: [(&str, &str, &str, usize, &str); 25] = [
    (
        "rfc9309",
        "google/robots_test.cc",
        "ID_LineSyntax_Line",
        1,
        "a line has a colon",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "GoogleRobotsTxtTest.ID_LineSyntax_Line",
        1,
        "a line has a colon",
    ),
    (
        "rfc9309",
        "google/robots_test.cc",
        "ID_Encoding",
        3,
        "rule and URL are both normalised",
    ),
    (
        "rfc9309",
        "google/robotstxt-spec-test",
        "correctness/non-ascii-paths",
        3,
        "rule and URL are both normalised",
    ),
    (
        "rfc9309",
        "seed:001 draft-koster-rep-00 encodings",
        "row2",
        1,
        "reserved characters stay as they are on both sides",
    ),
    (
        "rfc9309",
        "google/robotstxt-spec-test",
        "stress/327748",
        1,
        "/robots.txt is allowed",
    ),
    (
        "rfc9309",
        "google/robotstxt-spec-test",
        "stress/860237",
        1,
        "/robots.txt is allowed",
    ),
    (
        "rfc9309",
        "google/robotstxt-spec-test",
        "stress/369883",
        4,
        "/robots.txt is allowed (2); a product token has no digits, AB42bot asks as AB (2)",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testNutchCases",
        27,
        "a product token has no digits, agent1 to agent5 are one",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testAgentNotListed",
        1,
        "a product token has no digits, crawler1 to crawler3 are one",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testFormatErrors",
        1,
        "a product token has no digits, bot1 to bot3 are one",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testUnsupportedFields",
        1,
        "a product token has no digits, crawler1 and crawler2 are one",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testDirectiveTypos",
        2,
        "misspelt keys are unknown lines",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testSpacesInMultipleUserAgentNames",
        2,
        "only the leading product token of a value counts",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testRobotsWithUTF16",
        2,
        "UTF-16 yields nothing",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testHtmlMarkupInRobotsTxt",
        1,
        "HTML is parsed as it stands, markup at the end of a rule is part of it",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testPrecedenceOfRules",
        1,
        "stars count among the bytes of a rule",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "SimpleRobotRulesParserTest.testBigCrawlDelay",
        1,
        "a long crawl delay closes nothing",
    ),
    (
        "rfc9309",
        "crawler-commons",
        "GoogleRobotsTxtTest.GoogleOnly_IndexHTMLisDirectory",
        1,
        "index pages are Google's own rule",
    ),
    (
        "rfc9309",
        "seomoz/rep-cpp",
        "RobotsTest.NoLeadingUserAgent",
        1,
        "rules before any user-agent are ignored",
    ),
    (
        "rfc9309",
        "seomoz/reppy",
        "test_no_leading_user_agent",
        1,
        "rules before any user-agent are ignored",
    ),
    (
        "rfc9309",
        "seomoz/rep-cpp",
        "RobotsTest.GroupingUnknownKeys",
        1,
        "unknown lines close no group",
    ),
    (
        "rfc9309",
        "seomoz/reppy",
        "test_grouping_unknown_keys",
        1,
        "unknown lines close no group",
    ),
    (
        "rfc9309",
        "seomoz/rep-cpp",
        "RobotsTest.NeverExternalAllowed",
        1,
        "which URLs a file speaks for is the scope's business, not the rules'",
    ),
    (
        "rep1994",
        "WWW::RobotRules",
        "rules.t",
        3,
        "an absolute URL as rule never matches",
    ),
];

fn is_allowed(case: &Value) -> bool {
    let dialect: Dialect = text(case, "dialect").parse().expect("a dialect");
    let url = text(case, "url").as_bytes();
    let compiled = dialect.compile(&bytes(case, "robots_base64"));
    compiled
        .verdict(text(case, "agent").as_bytes(), &UrlPath::of_url(url))
        .allowed
}

#[test]
fn cases_of_the_suites_and_specifications() {
    let Some(cases) = read_jsonl("cases.jsonl") else {
        return;
    };
    let allowed: Vec<bool> = cases.iter().map(is_allowed).collect();
    compare(&cases, &allowed);
}

#[test]
fn cases_through_check_batch() {
    let Some(cases) = read_jsonl("cases.jsonl") else {
        return;
    };
    let lines: Vec<String> = cases.iter().map(Value::to_string).collect();
    let input = lines.join("\n");
    let (code, answers) = code_and_stdout(&["check", "--batch"], input.as_bytes());
    assert_eq!(code, Some(0));
    let answers: Vec<Value> = answers
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(&answers) {
        for field in ["robots_base64", "agent", "url", "dialect", "name"] {
            assert_eq!(case[field], answer[field], "{case}");
        }
    }
    let allowed: Vec<bool> = answers
        .iter()
        .map(|answer| answer["allowed"].as_bool().expect("a verdict"))
        .collect();
    compare(&cases, &allowed);
}

/// Compares verdicts with those that the cases expect.
fn compare(cases: &[Value], allowed: &[bool]) {
    let mut differences: BTreeMap<usize, usize> = BTreeMap::new();
    let mut per_dialect: BTreeMap<&str, (usize, usize, usize)> = BTreeMap::new();
    for (case, allowed) in cases.iter().zip(allowed) {
        let dialect = text(case, "dialect");
        let is_contested = case["contested"].as_bool().unwrap_or(false);
        let counts = per_dialect.entry(dialect).or_default();
        counts.0 += 1;
        counts.1 += usize::from(is_contested);
        if *allowed == case["allowed"].as_bool().expect("allowed") {
            continue;
        }
        counts.2 += 1;
        let family = DIFFERENCES.iter().position(|(of, suite, name, ..)| {
            dialect == *of
                && text(case, "suite").starts_with(suite)
                && text(case, "name").starts_with(name)
        });
        let family = family.filter(|_| is_contested);
        *differences
            .entry(family.unwrap_or_else(|| panic!("unexplained: {case}")))
            .or_default() += 1;
    }
    for (dialect, (total, contested, different)) in per_dialect {
        println!("{dialect}: {total} cases, {contested} contested, {different} different");
    }
    for (family, (.., name, count, reason)) in DIFFERENCES.iter().enumerate() {
        let found = differences.get(&family).copied().unwrap_or(0);
        assert_eq!(found, *count, "{name}: {reason}");
        println!("{count:3} {name}: {reason}");
    }
}

#[test]
fn adversarial_verdicts_equal_googles() {
    let Some(cases) = read_jsonl("google-adversarial.jsonl") else {
        return;
    };
    for case in &cases {
        let compiled = Dialect::Google.compile(&bytes(case, "robots_base64"));
        let url = bytes(case, "url_base64");
        let verdict = compiled.verdict(text(case, "agent").as_bytes(), &UrlPath::of_url(&url));
        let got = (
            verdict.allowed,
            u64::from(verdict.line.unwrap_or(0)),
            verdict.choice == Choice::Named,
        );
        let expected = (
            case["allowed"].as_bool().expect("allowed"),
            case["matching_line"].as_u64().expect("matching_line"),
            case["specific"].as_bool().expect("specific"),
        );
        assert_eq!(got, expected, "{case}");
    }
    println!("{} verdicts", cases.len());
}
