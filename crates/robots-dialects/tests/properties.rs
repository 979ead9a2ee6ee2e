//! Properties of the dialects that hold for every body, and limits on the time that they take.

#[path = "support/thread_time.rs"]
mod thread_time;

use std::time::Duration;

use proptest::prelude::*;
use robots_dialects::dialect::Dialect;
use robots_dialects::document::Document;
use robots_dialects::identity::Id;
use robots_dialects::path::UrlPath;
use robots_dialects::published::path_probes;
use robots_dialects::remark::RemarkKind;
use robots_dialects::restriction::{Restriction, restriction};
use robots_dialects::rule::Rule;
use robots_dialects::rule::RuleType::{self, Allow, Disallow};
use robots_dialects::shadow::shadowed;
use robots_dialects::{glob, pattern};
use thread_time::ThreadTime;

const LINE: &str = "User-agent: (foobot|barbot|foo|\\*|bar/1.0)|(Allow|Disallow|disalow): (/[ab*$/%6]{0,5})?\
                    |Crawl-delay: 5|Robot-version: 2.0|nonsense|";

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

fn canonical(lines: &[String]) -> String {
    let body = lines.join("\n");
    let canonical = Document::read(body.as_bytes(), 0).canonical_form();
    canonical.escape_ascii().to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Every dialect gives the same verdicts from the same canonical form (promise
    /// `robots_dialects`).
    #[test]
    fn a_comment_or_sitemap_line_changes_nothing(
        lines in prop::collection::vec(LINE, 0..12),
        at in any::<prop::sample::Index>(),
        added in "# [a-z:/]{0,9}|Sitemap: /[a-z]{0,9}",
    ) {
        let mut longer = lines.clone();
        longer.insert(at.index(lines.len() + 1), added);
        prop_assert_eq!(canonical(&lines), canonical(&longer));
        // Blank lines are skipped: with a comment they would no longer be blank.
        for line in longer.iter_mut().filter(|line| !line.is_empty()) {
            line.push_str(" # Disallow: /");
        }
        prop_assert_eq!(canonical(&lines), canonical(&longer));
    }

    #[test]
    fn rule_order_changes_no_verdict_under_longest_match(
        (rules, turned) in prop::collection::vec(
            "(Allow|Disallow|disalow): (/[ab*$/%6]{0,5})?\n", 1..8,
        ).prop_flat_map(|rules| (Just(rules.clone()), Just(rules).prop_shuffle())),
    ) {
        for dialect in [Dialect::Rep2019, Dialect::Rfc9309, Dialect::Google] {
            let [one, other] = [&rules, &turned].map(|rules| {
                let body = format!("User-agent: foobot\n{}", rules.concat());
                let ruleset = dialect.compile(body.as_bytes());
                PATHS.map(|path| ruleset.allows(b"foobot", &UrlPath::new(path.as_bytes())))
            });
            prop_assert_eq!(one, other, "{}", dialect);
        }
    }

    #[test]
    fn restriction_full_and_none_hold_for_every_path(
        rules in prop::collection::vec("(Allow|Disallow): (/|\\*|/\\*|[/*ab$%]{1,5})?", 0..6),
        paths in prop::collection::vec("/[ab/*$%?.]{0,6}", 1..20),
    ) {
        let body = format!("User-agent: foobot\n{}\n", rules.join("\n"));
        let document = Document::read(body.as_bytes(), 0);
        let expected = match restriction(document.rules.iter().map(Rule::from)).restriction {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// The stack finds the same rules as comparing each rule with each.
    #[test]
    fn shadowed_rules_follow_shorter_ones(
        rules in prop::collection::vec("(Allow|Disallow): /[ab/~-]{0,3}\n", 12),
    ) {
        let body = format!("User-agent: *\n{}", rules.concat());
        let document = Document::read(body.as_bytes(), 0);
        let rules = &document.rules;
        let expected = (0..rules.len()).map(|at| {
            let (path, rule_type) = (&rules[at].path, rules[at].rule_type);
            rules[..at].iter().any(|earlier| {
                earlier.rule_type != rule_type
                    && earlier.path.len() < path.len()
                    && path.starts_with(&earlier.path)
            })
        });
        prop_assert_eq!(shadowed(rules), expected.collect::<Vec<_>>(), "{}", body);
    }
}

#[test]
fn names_of_dialects_parse_back() {
    let error = "rfc".parse::<Dialect>().unwrap_err().to_string();
    for dialect in Dialect::ALL {
        assert_eq!(dialect.name().parse(), Ok(dialect));
        assert!(error.contains(dialect.name()), "{error}");
    }
}

#[test]
fn every_kind_of_remark_has_a_name_of_its_own_and_a_meaning() {
    for (index, kind) in RemarkKind::ALL.iter().enumerate() {
        let is_same = |other: &RemarkKind| other.name() == kind.name();
        assert_eq!(RemarkKind::ALL.iter().position(is_same), Some(index));
        assert!(kind.meaning().ends_with('.'), "{}", kind.name());
    }
}

#[test]
fn ids_are_stable_for_ever() {
    // XXH3-128 of the empty input, as the reference implementation gives it:
    // 99aa06d3014798d86001c324468d497f.
    let id = Id::of(b"");
    assert_eq!(id.low, 0x6001_c324_468d_497f);
    assert_eq!(id.high, 0x99aa_06d3_0147_98d8_u64.cast_signed());
}

fn assert_faster(limit: Duration, name: &str, run: impl FnOnce()) {
    let start = ThreadTime::now();
    run();
    let time = start.elapsed();
    println!("{name}: {time:?}");
    assert!(time < limit, "{name}: {time:?}");
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
    assert_faster(Duration::from_secs(5), "many stars", || {
        for dialect in Dialect::ALL {
            assert!(dialect.compile(&body).verdict(b"x", &path).allowed);
        }
    });
}

/// A pattern of many equal parts.
fn long(pattern: &str, times: usize, end: &str) -> Vec<u8> {
    [pattern.repeat(times).as_bytes(), end.as_bytes()].concat()
}

#[test]
fn hostile_patterns_are_instant() {
    let path = long("/", 1, &"a".repeat(500_000));
    assert_faster(Duration::from_secs(2), "patterns", || {
        assert!(!pattern::matches(&long("*a", 5_000, "*b"), &path));
        assert!(pattern::matches(&long("*a", 200_000, ""), &path));
        assert!(!pattern::matches(
            &long("*", 1, &("a".repeat(5_000) + "b")),
            &path
        ));
        assert!(!pattern::matches(&long("*", 200_000, "b"), &path));
    });
}

#[test]
fn hostile_shell_patterns_are_bounded() {
    let path = b"a".repeat(20_000);
    assert_faster(Duration::from_secs(5), "shell patterns", || {
        assert!(!glob::matches(&long("*a", 1_000, "*b"), &path));
        assert!(!glob::matches(&long("*", 1, &"[".repeat(1_000)), &path));
        assert!(!glob::matches(
            &[b"*", &*long("[a]", 100, "b")].concat(),
            &path
        ));
    });
}

#[test]
fn thirty_thousand_agents_take_no_noticeable_time() {
    let letters = |number: u32| {
        let letter = |shift: u32| char::from(b'a' + (number >> shift & 15) as u8);
        [12, 8, 4, 0].map(letter).iter().collect::<String>()
    };
    let names: Vec<String> = (0..30_000).map(letters).collect();
    let agents: Vec<&[u8]> = names.iter().map(String::as_bytes).collect();
    let body = format!(
        "User-agent: {}\nDisallow: /\n",
        names.join("\nUser-agent: ")
    );
    assert_faster(Duration::from_secs(5), "agents", || {
        for dialect in Dialect::ALL {
            let ruleset = dialect.compile(body.as_bytes());
            let allowed = ruleset.allowed_for_each(&agents, &UrlPath::new(b"/"));
            assert!(!allowed.contains(&true));
        }
    });
}

#[test]
fn path_probes_are_bounded() {
    let paths: Vec<String> = (0..20_000).map(|n| format!("/p{n:06}")).collect();
    // Each path is allowed and disallowed: every probe agrees with the root.
    let rules = paths
        .iter()
        .flat_map(|path| [Allow, Disallow].map(|rule_type| Rule::new(rule_type, path.as_bytes())));
    assert_faster(Duration::from_secs(5), "probes", || {
        let judged = path_probes(rules, std::iter::empty());
        assert_eq!(judged.restriction, Restriction::None);
    });
}

/// Rules whose witnesses are all overridden, each by a different rule, and how much they restrict.
type HostileSet = (&'static str, Option<Restriction>, Vec<(RuleType, String)>);

/// With 20,000 rules of each type a set has about 500 KiB.
fn hostile(count: usize) -> Vec<HostileSet> {
    let rules = |rule_type, path: &dyn Fn(usize) -> String| -> Vec<(RuleType, String)> {
        (0..count).map(|n| (rule_type, path(n))).collect()
    };
    let pairs = |allow: &dyn Fn(usize) -> String, disallow: &dyn Fn(usize) -> String| {
        [rules(Allow, allow), rules(Disallow, disallow)].concat()
    };
    // Subsequences with ten stars each: their matches are found late.
    let interleaved = |n: usize| {
        let bits = (0..10).map(|bit| if (n >> bit) & 1 == 0 { "*a" } else { "*b" });
        format!("/{}x", bits.collect::<String>())
    };
    let reversed = |n| format!("/p{:07}", count - 1 - n);
    let star = |n| format!("/*p{n:07}");
    let (none, full) = (Some(Restriction::None), Some(Restriction::Full));
    let mut sets = vec![
        (
            "the same paths",
            none,
            pairs(&|n| format!("/p{n:07}"), &reversed),
        ),
        ("a star more", none, pairs(&star, &reversed)),
        (
            "two stars",
            none,
            pairs(&|n| format!("/*p{n:07}*"), &reversed),
        ),
        (
            "an anchor",
            none,
            pairs(&|n| format!("*{n:07}$"), &|n| format!("/{n:07}$")),
        ),
        ("all closed", full, pairs(&|n| format!("/p{n:07}"), &star)),
        (
            "interleaved",
            none,
            pairs(&interleaved, &|n| format!("/{}{n}", "ab".repeat(12))),
        ),
        (
            "overridden",
            None,
            pairs(&interleaved, &|n| format!("/{}{n:04}", "ab".repeat(5))),
        ),
    ];
    sets[4].2.push((Disallow, "/".to_owned()));
    sets[5].2.push((Allow, format!("/{}", "*".repeat(60))));
    sets[6]
        .2
        .extend(rules(Allow, &|n| format!("/*{}{n:04}", "ab".repeat(5))));
    sets
}

#[test]
fn restriction_of_hostile_sets_is_exact_or_takes_bounded_time() {
    let run = |letter: &str| format!("/*{}{letter}", "a".repeat(60_000));
    let mut runs: Vec<_> = ["b", "c", "d"].map(|letter| (Allow, run(letter))).into();
    runs.push((Disallow, format!("/{}", "a".repeat(120_000))));
    let runs = ("long runs", Some(Restriction::Partial), runs);
    let mut n_exact = 0;
    for (name, expected, rules) in [hostile(400), hostile(20_000), vec![runs]].concat() {
        let limit = if cfg!(debug_assertions) { 4_000 } else { 200 };
        assert_faster(Duration::from_millis(limit), name, || {
            let rules = rules
                .iter()
                .map(|(of, path)| Rule::new(*of, path.as_bytes()));
            let judged = restriction(rules);
            n_exact += usize::from(judged.is_exact);
            let or_partial = Some(Restriction::Partial).filter(|_| !judged.is_exact);
            if let Some(expected) = or_partial.or(expected) {
                assert_eq!(judged.restriction, expected, "{name}");
            }
        });
    }
    // At least the small sets are exact, but not all of the others.
    assert!((8..15).contains(&n_exact), "{n_exact}");
}
