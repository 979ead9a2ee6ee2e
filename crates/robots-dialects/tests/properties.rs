//! What holds for every body: properties of the dialects and limits on the time
//! they take.

#[path = "support/thread_time.rs"]
mod thread_time;

use std::time::Duration;

use proptest::prelude::*;
use robots_dialects::dialect::Dialect;
use robots_dialects::document::Document;
use robots_dialects::path::UrlPath;
use robots_dialects::published::{ProbeScratch, path_probes};
use robots_dialects::restriction::{Restriction, RestrictionScratch, restriction};
use robots_dialects::rule::{Rule, RuleType};
use thread_time::ThreadTime;

const AGENTS: [&str; 4] = ["foobot", "barbot/2.0", "foo", "other"];
const PATHS: [&str; 8] = [
    "/",
    "/a",
    "/ab",
    "/a/b.html",
    "/b?c=/a",
    "/%61",
    "/a*$",
    "/robots.txt",
];

fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => prop_oneof!["foobot", "barbot", "foo", Just("*".to_owned()), "bar/1.0"]
            .prop_map(|agent| format!("User-agent: {agent}")),
        4 => rule(),
        1 => Just(String::new()),
        1 => Just("Crawl-delay: 5".to_owned()),
        1 => Just("Robot-version: 2.0".to_owned()),
        1 => Just("nonsense".to_owned()),
    ]
}

fn rule() -> impl Strategy<Value = String> {
    (
        prop_oneof!["Allow", "Disallow", "disalow"],
        "(/[ab*$/%6]{0,5})?",
    )
        .prop_map(|(key, path)| format!("{key}: {path}"))
}

fn verdicts(dialect: Dialect, lines: &[String]) -> Vec<bool> {
    let ruleset = dialect.compile(lines.join("\n").as_bytes());
    let queries = AGENTS
        .iter()
        .flat_map(|agent| PATHS.map(|path| (agent, path)));
    queries
        .map(|(agent, path)| {
            let path = UrlPath::new(path.as_bytes());
            ruleset.verdict(agent.as_bytes(), &path).allowed
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_comment_or_sitemap_line_changes_no_verdict(
        lines in proptest::collection::vec(line(), 0..12),
        at in any::<prop::sample::Index>(),
        added in prop_oneof!["# [a-z:/]{0,9}", "Sitemap: /[a-z]{0,9}"],
    ) {
        let mut longer = lines.clone();
        longer.insert(at.index(lines.len() + 1), added);
        for dialect in Dialect::ALL {
            prop_assert_eq!(verdicts(dialect, &lines), verdicts(dialect, &longer), "{}", dialect);
        }
    }

    #[test]
    fn a_comment_after_a_line_changes_no_verdict(
        lines in proptest::collection::vec(line(), 1..12),
        at in any::<prop::sample::Index>(),
    ) {
        let mut longer = lines.clone();
        let at = at.index(lines.len());
        // A comment alone would not be a blank line any more.
        prop_assume!(!longer[at].is_empty());
        longer[at].push_str(" # Disallow: /");
        for dialect in Dialect::ALL {
            prop_assert_eq!(verdicts(dialect, &lines), verdicts(dialect, &longer), "{}", dialect);
        }
    }

    #[test]
    fn rule_order_changes_no_verdict_under_longest_match(
        rules in proptest::collection::vec(rule(), 1..8).prop_shuffle(),
        turn in any::<prop::sample::Index>(),
    ) {
        let with_agent = |rules: &[String]| {
            let mut lines = vec!["User-agent: foobot".to_owned()];
            lines.extend_from_slice(rules);
            lines
        };
        let mut turned = rules.clone();
        turned.rotate_left(turn.index(rules.len()));
        turned.reverse();
        for dialect in [Dialect::Rep2019, Dialect::Rfc9309, Dialect::Google] {
            prop_assert_eq!(
                verdicts(dialect, &with_agent(&rules)),
                verdicts(dialect, &with_agent(&turned)),
                "{}", dialect
            );
        }
    }

    #[test]
    fn restriction_full_and_none_hold_for_every_path(
        rules in proptest::collection::vec("(Allow|Disallow): (/|\\*|/\\*|[/*ab$%]{1,5})?", 0..6),
        paths in proptest::collection::vec("/[ab/*$%?.]{0,6}", 1..20),
    ) {
        let body = format!("User-agent: foobot\n{}\n", rules.join("\n"));
        let mut canonical = Vec::new();
        let document = Document::read(body.as_bytes(), 0, &mut canonical);
        let rules = document.rules.iter().map(Rule::from);
        let expected = match restriction(rules, &mut RestrictionScratch::default()) {
            Restriction::Full => false,
            Restriction::None => true,
            Restriction::Partial => return Ok(()),
        };
        let ruleset = Dialect::Rfc9309.compile(body.as_bytes());
        for path in paths {
            let verdict = ruleset.verdict(b"foobot", &UrlPath::new(path.as_bytes()));
            prop_assert_eq!(verdict.allowed, expected, "{} {}", path, &body);
        }
    }
}

#[test]
fn verdicts_on_hostile_bodies_take_bounded_time() {
    let body = [
        b"User-agent: *\nRobot-version: 2.0\n".to_vec(),
        b"Disallow: /*a*a*a*a*a*a*a*a*b$\n".repeat(1_000),
    ]
    .concat();
    let path = [b"/".to_vec(), b"a".repeat(2_000)].concat();
    let path = UrlPath::new(&path);
    let start = ThreadTime::now();
    for dialect in Dialect::ALL {
        assert!(dialect.compile(&body).verdict(b"x", &path).allowed);
    }
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
}

#[test]
fn path_probes_are_bounded() {
    let paths: Vec<String> = (0..20_000).map(|n| format!("/p{n:06}")).collect();
    // Each path is allowed and disallowed: every probe agrees with the root.
    let rules = paths.iter().flat_map(|path| {
        let types = [RuleType::Allow, RuleType::Disallow];
        types.map(|rule_type| Rule::new(rule_type, path.as_bytes()))
    });
    let start = ThreadTime::now();
    let judged = path_probes(rules, std::iter::empty(), &mut ProbeScratch::default());
    assert_eq!(judged, Restriction::None);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}
