//! Named cases, the list against the scan, and hostile sets.

use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::thread_time::ThreadTime;

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

fn exact(rules: &[Rule<'_>], scan_work: usize) -> Restriction {
    let mut scratch = RestrictionScratch::default();
    let verdict = decide(rules.iter().copied(), &mut scratch, scan_work, usize::MAX);
    assert!(scratch.is_exact());
    verdict
}

/// The cases of the page, which tests/dialects asks by the scan.
#[test]
fn named_cases_by_list() {
    let page = include_str!("../../tests/cases/restriction.md");
    let cases = page.lines().filter_map(|line| line.split_once(" -> "));
    for (text, expected) in cases {
        assert_eq!(exact(&rules(text), 0).name(), expected, "{text}");
    }
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

    /// The promise in `fuzz/` has the definition that both must meet.
    #[test]
    fn list_equals_scan(drawn in prop_oneof![
        any_rules("[/*]([ab/*$?]|%2A){0,4}", 7),
        any_rules("[/*]{1,2}[a*]{0,3}\\$?", 10),
        any_rules("\\*?/?\\*?(/?robots\\.txt)?[*x]?\\$?", 5),
        any_rules("[/*][ab*$]{0,6}", 40),
    ]) {
        let rules = borrow(&drawn);
        prop_assert_eq!(exact(&rules, usize::MAX), exact(&rules, 0));
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
