//! Against a brute-force reference, the list against the scan, and hostile sets.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::comparison::all_paths;
use crate::thread_time::ThreadTime;

/// The obvious matcher: every length for every star.
fn matches_by_definition(pattern: &[u8], path: &[u8]) -> bool {
    match pattern {
        [] => true,
        [b'$'] => path.is_empty(),
        [b'*', rest @ ..] => (0..=path.len()).any(|n| matches_by_definition(rest, &path[n..])),
        [byte, rest @ ..] => path.first() == Some(byte) && matches_by_definition(rest, &path[1..]),
    }
}

/// The verdict of RFC 9309 on one path.
fn is_allowed(rules: &[Rule<'_>], path: &[u8]) -> bool {
    let longest = |rule_type| {
        rules
            .iter()
            .filter(|rule| rule.rule_type == rule_type && !rule.path.is_empty())
            .filter(|rule| matches_by_definition(rule.path, path))
            .map(|rule| rule.path.len())
            .max()
    };
    path == ROBOTS_TXT || longest(RuleType::Allow) >= longest(RuleType::Disallow)
}

fn rule(allows: bool, path: &str) -> Rule<'_> {
    let rule_type = if allows {
        RuleType::Allow
    } else {
        RuleType::Disallow
    };
    Rule::new(rule_type, path.as_bytes())
}

/// `+/a -/b`: allow `/a`, disallow `/b`.
fn rules(text: &str) -> Vec<Rule<'_>> {
    let words = text.split_whitespace();
    words
        .map(|word| rule(word.starts_with('+'), &word[1..]))
        .collect()
}

fn exact(rules: &[Rule<'_>], scan_work: usize) -> (Restriction, [Vec<u8>; 2]) {
    let mut scratch = RestrictionScratch::default();
    let verdict = decide(rules.iter().copied(), &mut scratch, scan_work, usize::MAX);
    assert!(scratch.is_exact());
    (verdict, scratch.found)
}

#[test]
fn named_cases() {
    use Restriction::{Full, None, Partial};
    for (text, expected) in [
        ("", None),
        ("-", None),
        ("+ -", None),
        ("-/", Full),
        ("-*", Full),
        ("-*$", Full),
        ("-/*$", Full),
        ("-*/", Full),
        ("-**/*", Full),
        ("-/$", Partial),
        ("-/a", Partial),
        ("-a -$ -https://h/", None),
        // Ties, and an allow or disallow that is longer without being narrower.
        ("-/ +/", None),
        ("-/ +*", None),
        ("-/* +/", Full),
        ("-/ +/*", None),
        ("-/a +/*a", None),
        ("-/*a +/a", Partial),
        ("-/a +*a", None),
        ("-/a +/**", None),
        ("-/ +/a -/a*", Full),
        ("-/ +/a -/*a", Full),
        ("-/ +/a* -/*a", Partial),
        ("-/ +/a$ -/a", Partial),
        ("-/ +/$", Partial),
        ("-/ +/a -/a$ -/a?", Partial),
        ("-/ +/a -/a$ -/a*", Full),
        // Several rules cover together only what one of them covers.
        ("-/ +/a -/aa -/ab -/a$", Partial),
        // A star at the start takes the slash or nothing.
        ("-*/a +/*/a", Partial),
        ("-*/a +/*/a +/a****", None),
        ("-*a +/*a", None),
        ("-*a +/a +/*a", None),
        // A `$` that is not the last byte is a literal.
        ("-/$a +/*$a", None),
        ("-/a$* +/a$$", Partial),
        ("-/a$$ +/*a$*", None),
        // /robots.txt does not count, its neighbours do.
        ("-/robots.txt$", None),
        ("-/robots.txt", Partial),
        ("-/*robots.txt$", Partial),
        ("-*/robots.txt$", Partial),
        ("-/*/robots.txt$", Partial),
        ("-*robots.txt$ +/*robots.txt$", None),
        ("-/ +/robots.txt$", Full),
        ("-/ +/robots.txt", Partial),
        ("-/ +*/robots.txt$", Partial),
        ("-*/robots.txt$ +/*/robots.txt$", None),
        ("-/ +*/robots.txt$ -/*/robots.txt$", Full),
    ] {
        let rules = rules(text);
        let (verdict, found) = exact(&rules, usize::MAX);
        assert_eq!(verdict, expected, "{text}");
        check_witnesses(&rules, verdict, &found);
        assert_eq!(exact(&rules, 0).0, expected, "{text} by list");
    }
}

/// Where the answer is partial, both paths that show it were found.
fn check_witnesses(rules: &[Rule<'_>], verdict: Restriction, found: &[Vec<u8>; 2]) {
    for (rule_type, allowed) in [(RuleType::Allow, true), (RuleType::Disallow, false)] {
        let path = &found[rule_type as usize];
        if verdict == Restriction::Partial || !path.is_empty() {
            assert!(
                path.starts_with(b"/") && path != ROBOTS_TXT,
                "{rules:?} {path:?}"
            );
            assert_eq!(is_allowed(rules, path), allowed, "{rules:?} {path:?}");
        }
    }
}

fn check_all(rules: &[Rule<'_>], paths: &[Vec<u8>]) -> Result<(), TestCaseError> {
    let (verdict, found) = exact(rules, usize::MAX);
    prop_assert_eq!(verdict, exact(rules, 0).0, "scan and list");
    check_witnesses(rules, verdict, &found);
    for path in paths.iter().filter(|path| *path != ROBOTS_TXT) {
        match verdict {
            Restriction::None => prop_assert!(is_allowed(rules, path), "{path:?}"),
            Restriction::Full => prop_assert!(!is_allowed(rules, path), "{path:?}"),
            Restriction::Partial => break,
        }
    }
    Ok(())
}

fn any_rules(pattern: &'static str, count: usize) -> impl Strategy<Value = Vec<(bool, String)>> {
    prop::collection::vec((any::<bool>(), pattern), 0..count)
}

fn borrow(rules: &[(bool, String)]) -> Vec<Rule<'_>> {
    rules
        .iter()
        .map(|(allows, path)| rule(*allows, path))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6_000))]

    #[test]
    fn equals_brute_force(drawn in any_rules("[/*]([ab/*$?]|%2A){0,4}", 7)) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "a", "b", "?", "$", "%2A", "x"], 4);
        }
        PATHS.with(|paths| check_all(&borrow(&drawn), paths))?;
    }

    /// Few letters and short patterns: most sets restrict nothing or everything.
    #[test]
    fn equals_brute_force_where_much_overlaps(drawn in any_rules("[/*]{1,2}[a*]{0,3}\\$?", 10)) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "a", "x"], 6);
        }
        PATHS.with(|paths| check_all(&borrow(&drawn), paths))?;
    }

    #[test]
    fn equals_brute_force_around_robots_txt(
        drawn in any_rules("\\*?/?\\*?(/?robots\\.txt)?[*x]?\\$?", 5),
    ) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "robots.txt", "x", "/robots.txt"], 4);
        }
        PATHS.with(|paths| check_all(&borrow(&drawn), paths))?;
    }

    /// Larger sets, too many for brute force.
    #[test]
    fn list_equals_scan(drawn in any_rules("[/*][ab*$]{0,6}", 40)) {
        let rules = borrow(&drawn);
        prop_assert_eq!(exact(&rules, usize::MAX).0, exact(&rules, 0).0);
    }
}

/// Subsequences of ten stars each: what matches them is found late.
fn interleaved(count: usize, suffix: &str) -> impl Iterator<Item = String> {
    let suffix = suffix.to_owned();
    (0..count).map(move |n| {
        let bits = (0..10).map(|bit| if (n >> bit) & 1 == 0 { "*a" } else { "*b" });
        format!("/{}{suffix}", bits.collect::<String>())
    })
}

/// A name, rules (allow or not, path), and the answer where it can be exact.
type HostileSet = (&'static str, Vec<(bool, String)>, Option<Restriction>);

/// Sets of about 500 KiB whose every witness is overridden, each by its own rule.
fn hostile() -> Vec<HostileSet> {
    let pairs = |allow: &dyn Fn(usize) -> String, disallow: &dyn Fn(usize) -> String| {
        let numbers = || 0..20_000_usize;
        let mut rules: Vec<_> = numbers().map(|n| (true, allow(n))).collect();
        rules.extend(numbers().map(|n| (false, disallow(n))));
        rules
    };
    let plain = |n| format!("/p{n:07}");
    let star = |n| format!("/*p{n:07}");
    let reversed = |n| format!("/p{:07}", 19_999 - n);
    let mut sets = vec![
        (
            "the same paths",
            pairs(&plain, &reversed),
            Some(Restriction::None),
        ),
        (
            "a star more",
            pairs(&star, &reversed),
            Some(Restriction::None),
        ),
        (
            "two stars",
            pairs(&|n| format!("/*p{n:07}*"), &reversed),
            Some(Restriction::None),
        ),
        (
            "an anchor",
            pairs(&|n| format!("*{n:07}$"), &|n| format!("/{n:07}$")),
            Some(Restriction::None),
        ),
    ];
    let mut closed = pairs(&plain, &star);
    closed.push((false, "/".to_owned()));
    sets.push(("all closed", closed, Some(Restriction::Full)));
    let text = "ab".repeat(12);
    let mut nested: Vec<_> = interleaved(9_000, "x").map(|p| (true, p)).collect();
    nested.extend((0..9_000).map(|n| (false, format!("/{text}{n}"))));
    nested.push((true, format!("/{}", "*".repeat(60))));
    sets.push(("interleaved", nested, Some(Restriction::None)));
    let mut deep: Vec<_> = interleaved(6_000, "x").map(|p| (true, p)).collect();
    deep.extend((0..3_000).map(|n| (false, format!("/{}{n:04}", "ab".repeat(5)))));
    deep.extend((0..3_000).map(|n| (true, format!("/*{}{n:04}", "ab".repeat(5)))));
    sets.push(("interleaved and overridden", deep, None));
    let run = |letter: &str| format!("/*{}{letter}", "a".repeat(60_000));
    let mut runs: Vec<_> = ["b", "c", "d"].map(|letter| (true, run(letter))).into();
    runs.push((false, format!("/{}", "a".repeat(120_000))));
    sets.push(("long runs", runs, Some(Restriction::Partial)));
    sets
}

#[test]
fn hostile_sets_are_bounded() {
    let mut scratch = RestrictionScratch::default();
    for (name, drawn, expected) in hostile() {
        let rules = borrow(&drawn);
        let size: usize = rules.iter().map(|rule| rule.path.len() + 10).sum();
        let start = ThreadTime::now();
        let verdict = restriction(rules.iter().copied(), &mut scratch);
        let time = start.elapsed();
        println!(
            "{name}: {size} bytes, {verdict:?}, exact {}, {time:?}",
            scratch.is_exact()
        );
        if let (Some(expected), true) = (expected, scratch.is_exact()) {
            assert_eq!(verdict, expected, "{name}");
        }
        assert!(
            scratch.is_exact() || verdict == Restriction::Partial,
            "{name}"
        );
        let limit = if cfg!(debug_assertions) { 4_000 } else { 200 };
        assert!(time < Duration::from_millis(limit), "{name}: {time:?}");
    }
}

#[test]
fn out_of_steps_is_partial_and_said_so() {
    let rules = rules("-/a +/*a");
    let mut scratch = RestrictionScratch::default();
    assert_eq!(
        decide(rules.iter().copied(), &mut scratch, 0, 1),
        Restriction::Partial
    );
    assert!(!scratch.is_exact());
    assert_eq!(
        restriction(rules.iter().copied(), &mut scratch),
        Restriction::None
    );
    assert!(scratch.is_exact());
}
