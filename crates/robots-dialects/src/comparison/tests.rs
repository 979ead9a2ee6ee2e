//! Limits of comparisons, and rules that decide nothing. The promise `comparison` in `fuzz/` checks
//! comparisons against the product automaton and the verdicts.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;

use super::step_budget::WORK;
use super::*;
use crate::dialect::{Crawler, Dialect};
use crate::path::UrlPath;
use crate::thread_time::ThreadTime;

/// Direction, old line, new line.
type Pair = (Direction, Option<u32>, Option<u32>);

fn pairs(comparison: &Comparison<'_>) -> BTreeSet<Pair> {
    let line = |rule: Option<DecidingRule<'_>>| rule.map(|rule| rule.line);
    let reasons = comparison.reasons.iter();
    reasons
        .map(|reason| (reason.direction, line(reason.old), line(reason.new)))
        .collect()
}

fn rules(pattern: &'static str, count: usize) -> impl Strategy<Value = Vec<String>> {
    let rule = (prop_oneof!["Allow", "Disallow"], pattern);
    let rule = rule.prop_map(|(key, path)| format!("{key}: {path}"));
    prop::collection::vec(rule, 0..count)
}

fn file(rules: &[String]) -> String {
    format!("User-agent: *\n{}\n", rules.join("\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A limit on reasons changes no class.
    #[test]
    fn one_reason_is_enough_for_the_class(
        before in rules("[/*]([ab/*$?]|%2A){0,4}", 5),
        after in rules("[/*]([ab/*$?]|%2A){0,4}", 5),
    ) {
        let (before, after) = (file(&before), file(&after));
        for dialect in Dialect::ALL {
            let [old, new] = [&before, &after].map(|body| dialect.compile(body.as_bytes()));
            let [old, new] = [&old, &new].map(|it| DecisionList::new(it, Crawler::Other));
            let all = old.compare_within(&new, WORK, usize::MAX);
            let few = old.compare_within(&new, WORK, 1);
            prop_assert_eq!(few.class, all.class, "{} {} {}", dialect, before, after);
            prop_assert_eq!(few.is_complete, all.reasons.len() <= 1, "{} {} {}", dialect, before, after);
        }
    }

    /// A rule is dead just when its line decides nothing, and the automaton says the same.
    #[test]
    fn dead_rules_decide_no_path(
        rules in rules("[/*]{1,2}[ab*]{0,3}\\$?", 8),
        paths in prop::collection::vec("/[/abx]{0,5}", 300),
    ) {
        let body = file(&rules);
        for dialect in Dialect::ALL {
            let ruleset = dialect.compile(body.as_bytes());
            let list = DecisionList::new(&ruleset, Crawler::Other);
            let dead = list.dead_rules().expect("few rules");
            let decides = |path: &String| ruleset.verdict(b"x", &UrlPath::new(path.as_bytes())).line;
            let deciding: BTreeSet<u32> = paths.iter().filter_map(decides).collect();
            let mut by_states: BTreeSet<u32> = BTreeSet::new();
            automaton::explore(&list, &list, &mut StepBudget::new(1 << 26), |index, _, _, _| {
                by_states.extend(list.rule(index).map(|rule| rule.line));
                Ok(())
            }).expect("few states");
            for line in &list.lines {
                let is_dead = dead.contains(line);
                prop_assert!(!is_dead || !deciding.contains(line), "{dialect} {line} {body}");
                prop_assert_eq!(is_dead, !by_states.contains(line), "{} {} {}", dialect, line, &body);
            }
        }
    }
}

#[test]
fn a_response_without_a_file_compares_as_a_policy() {
    for dialect in Dialect::ALL {
        let ruleset = dialect.compile(b"User-agent: *\nDisallow: /a\n");
        let list = DecisionList::new(&ruleset, Crawler::Other);
        let (open, shut) = (
            DecisionList::allow_all(dialect),
            DecisionList::disallow_all(dialect),
        );
        assert_eq!(list.compare(&open).class, Class::Looser, "{dialect}");
        assert_eq!(list.compare(&shut).class, Class::Stricter, "{dialect}");
        assert_eq!(open.compare(&shut).class, Class::Stricter, "{dialect}");
        let all = dialect.compile(b"User-agent: *\nDisallow: /\n");
        assert_eq!(
            DecisionList::new(&all, Crawler::Other).compare(&shut).class,
            Class::Equal
        );
    }
}

/// A file of 500 KiB whose rules were written to make comparison slow.
fn hostile() -> Vec<(&'static str, String, String)> {
    let file = |rules: Vec<String>| {
        let mut body = "User-agent: *\n".to_owned();
        for rule in rules {
            if body.len() + rule.len() < 512_000 {
                body.push_str(&rule);
                body.push('\n');
            }
        }
        body
    };
    let numbers = 0..40_000_usize;
    let plain = |key: &str, from: usize| -> Vec<String> {
        numbers
            .clone()
            .map(|n| format!("{key}: /p{:06}", n + from))
            .collect()
    };
    let starred = |key: &str, stars: &str| -> Vec<String> {
        numbers
            .clone()
            .map(|n| format!("{key}: /{stars}p{n:05}"))
            .collect()
    };
    let stars = |letter: &str| vec![format!("Disallow: /{}", format!("*{letter}").repeat(8_000))];
    vec![
        (
            "the same",
            file(plain("Disallow", 0)),
            file(plain("Disallow", 0)),
        ),
        (
            "no rule in common",
            file(plain("Disallow", 0)),
            file(plain("Disallow", 50_000)),
        ),
        (
            "opposite",
            file(plain("Disallow", 0)),
            file(plain("Allow", 0)),
        ),
        (
            "stars",
            file(starred("Disallow", "*")),
            file(starred("Allow", "*x*")),
        ),
        ("many stars", file(stars("a")), file(stars("b"))),
        (
            "sets",
            file(vec![
                "Robot-version: 2.0".to_owned(),
                format!("Disallow: *a{}", "?".repeat(200)),
            ]),
            file(vec![
                "Robot-version: 2.0".to_owned(),
                format!("Disallow: *[a-c]{}*", "[bc]".repeat(200)),
            ]),
        ),
        (
            "long runs",
            file(vec![format!("Disallow: /*{}b", "a".repeat(16_000)); 30]),
            file(vec![
                format!("Allow: /*{}c", "a".repeat(16_001)),
                "Disallow: /".to_owned(),
            ]),
        ),
    ]
}

#[test]
fn hostile_pairs_are_bounded() {
    for (name, old, new) in hostile() {
        for dialect in [Dialect::Rep1994, Dialect::Conner1996, Dialect::Rfc9309] {
            let (old, new) = (
                dialect.compile(old.as_bytes()),
                dialect.compile(new.as_bytes()),
            );
            let start = ThreadTime::now();
            // Without optimisation a step takes some ten times as long.
            let work = if cfg!(debug_assertions) {
                WORK / 16
            } else {
                WORK
            };
            let list = |ruleset| DecisionList::new(ruleset, Crawler::Other);
            let comparison = list(&old).compare_within(&list(&new), work, MAX_REASONS);
            let time = start.elapsed();
            println!(
                "{name} {dialect}: {} {time:?} {}",
                comparison.class.name(),
                comparison.work
            );
            let limit = if cfg!(debug_assertions) { 4_000 } else { 1_000 };
            assert!(
                time < Duration::from_millis(limit),
                "{name} {dialect}: {time:?}"
            );
        }
    }
}

#[test]
fn out_of_steps_is_undecided_or_what_was_proved() {
    let old = Dialect::Rfc9309.compile(b"User-agent: *\nDisallow: /a\nDisallow: /*b\n");
    let new = Dialect::Rfc9309.compile(b"User-agent: *\nDisallow: /*a\nAllow: /*ab\n");
    let (old, new) = (
        DecisionList::new(&old, Crawler::Other),
        DecisionList::new(&new, Crawler::Other),
    );
    let whole = old.compare(&new);
    for work in 0..whole.work {
        let comparison = old.compare_within(&new, work, MAX_REASONS);
        assert!(work > 0 || !comparison.is_complete);
        assert!(!comparison.is_complete || comparison.reasons == whole.reasons);
        assert!(comparison.class == Class::Undecided || comparison.class == whole.class);
        assert!(pairs(&comparison).is_subset(&pairs(&whole)));
    }
    assert!(
        old.compare_within(&new, whole.work, MAX_REASONS)
            .is_complete
    );
}

#[test]
fn rules_that_name_every_byte_are_decided() {
    // A prefix of the 1996 draft can be any byte, a line feed too: no byte is left for witnesses.
    let mut rules = String::new();
    for byte in 0..=255 {
        let _ = writeln!(rules, "Disallow: /a%{byte:02x}");
    }
    let old = format!("User-agent: *\n{rules}Disallow: /a/\n");
    let new = "User-agent: *\nDisallow: /a\n";
    let compiled = |body: &str| Dialect::Koster1996.compile(body.as_bytes());
    let comparison_of = |old: &str| {
        let (old, new) = (compiled(old), compiled(new));
        let comparison = compare(&old, &new, Crawler::Other);
        let witnesses = comparison
            .reasons
            .iter()
            .map(|reason| reason.witness.clone());
        (comparison.class, witnesses.collect::<Vec<_>>())
    };
    assert_eq!(comparison_of(&old), (Class::Stricter, vec![b"/a".to_vec()]));
}
