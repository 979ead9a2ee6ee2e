//! Limits of comparisons, and rules that decide nothing. The promise `comparison` in `fuzz/` checks
//! comparisons against the product automaton and the verdicts.

use std::collections::BTreeSet;
use std::time::Duration;

use proptest::prelude::*;

use super::step_budget::{StepBudget, WORK};
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// A limit on reasons changes no class.
    #[test]
    fn one_reason_is_enough_for_the_class(
        before in "((Allow|Disallow): [/*]([ab/*$?]|%2A){0,4}\n){0,4}",
        after in "((Allow|Disallow): [/*]([ab/*$?]|%2A){0,4}\n){0,4}",
    ) {
        let [before, after] = [before, after].map(|rules| format!("User-agent: *\n{rules}"));
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
        rules in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,7}",
        paths in prop::collection::vec("/[/abx]{0,5}", 300),
    ) {
        let body = format!("User-agent: *\n{rules}");
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
        let [some, all] = ["/a", "/"]
            .map(|path| dialect.compile(format!("User-agent: *\nDisallow: {path}\n").as_bytes()));
        let [some, all] = [&some, &all].map(|it| DecisionList::new(it, Crawler::Other));
        let (open, shut) = (
            DecisionList::allow_all(dialect),
            DecisionList::disallow_all(dialect),
        );
        assert_eq!(some.compare(&open).class, Class::Looser, "{dialect}");
        assert_eq!(some.compare(&shut).class, Class::Stricter, "{dialect}");
        assert_eq!(open.compare(&shut).class, Class::Stricter, "{dialect}");
        assert_eq!(all.compare(&shut).class, Class::Equal, "{dialect}");
    }
}

/// Rules of up to 500 KiB that were written to make comparison slow.
fn hostile() -> [(&'static str, [String; 2]); 7] {
    let rules = |rule: &dyn Fn(usize) -> String| {
        let mut rules = String::new();
        for rule in (0..40_000).map(rule) {
            if rules.len() + rule.len() < 511_000 {
                rules = rules + &rule + "\n";
            }
        }
        rules
    };
    let plain = rules(&|n| format!("Disallow: /p{n:06}"));
    let others = rules(&|n| format!("Disallow: /p{:06}", n + 50_000));
    let allowed = rules(&|n| format!("Allow: /p{n:06}"));
    let stars = rules(&|n| format!("Disallow: /*p{n:05}"));
    let more_stars = rules(&|n| format!("Allow: /*x*p{n:05}"));
    let many = |letter: &str| format!("Disallow: /{}", format!("*{letter}").repeat(8_000));
    let any = format!("Robot-version: 2.0\nDisallow: *a{}", "?".repeat(200));
    let sets = format!(
        "Robot-version: 2.0\nDisallow: *[a-c]{}*",
        "[bc]".repeat(200)
    );
    let runs = format!("Disallow: /*{}b\n", "a".repeat(16_000)).repeat(30);
    let longer = format!("Allow: /*{}c\nDisallow: /", "a".repeat(16_001));
    [
        ("the same", [plain.clone(), plain.clone()]),
        ("no rule in common", [plain.clone(), others]),
        ("opposite", [plain, allowed]),
        ("stars", [stars, more_stars]),
        ("many stars", ["a", "b"].map(many)),
        ("sets", [any, sets]),
        ("long runs", [runs, longer]),
    ]
}

#[test]
fn hostile_pairs_are_bounded() {
    // Without optimisation a step takes some ten times as long.
    let (work, limit) = if cfg!(debug_assertions) {
        (WORK / 16, 4_000)
    } else {
        (WORK, 1_000)
    };
    for (name, rules) in hostile() {
        for dialect in [Dialect::Rep1994, Dialect::Conner1996, Dialect::Rfc9309] {
            let compile = |rules| dialect.compile(format!("User-agent: *\n{rules}\n").as_bytes());
            let rulesets = rules.each_ref().map(compile);
            let start = ThreadTime::now();
            let [old, new] = rulesets
                .each_ref()
                .map(|it| DecisionList::new(it, Crawler::Other));
            let comparison = old.compare_within(&new, work, MAX_REASONS);
            let (time, class) = (start.elapsed(), comparison.class.name());
            println!("{name} {dialect}: {class} {time:?} {}", comparison.work);
            assert!(
                time < Duration::from_millis(limit),
                "{name} {dialect}: {time:?}"
            );
        }
    }
}

#[test]
fn out_of_steps_is_undecided_or_what_was_proved() {
    let rulesets = [
        "Disallow: /a\nDisallow: /*b\n",
        "Disallow: /*a\nAllow: /*ab\n",
    ]
    .map(|rules| Dialect::Rfc9309.compile(format!("User-agent: *\n{rules}").as_bytes()));
    let [old, new] = rulesets
        .each_ref()
        .map(|it| DecisionList::new(it, Crawler::Other));
    let whole = old.compare(&new);
    for work in 0..=whole.work {
        let comparison = old.compare_within(&new, work, MAX_REASONS);
        assert!(work > 0 || !comparison.is_complete);
        assert!(work < whole.work || comparison.is_complete);
        assert!(!comparison.is_complete || comparison.reasons == whole.reasons);
        assert!(comparison.class == Class::Undecided || comparison.class == whole.class);
        assert!(pairs(&comparison).is_subset(&pairs(&whole)));
    }
}

#[test]
fn rules_that_name_every_byte_are_decided() {
    // A prefix of the 1996 draft can be any byte, a line feed too: no byte is left for witnesses.
    let rules = (0..=255).map(|byte| format!("Disallow: /a%{byte:02x}\n"));
    let old = format!(
        "User-agent: *\n{}Disallow: /a/\n",
        rules.collect::<String>()
    );
    let [old, new] = [old.as_str(), "User-agent: *\nDisallow: /a\n"]
        .map(|body| Dialect::Koster1996.compile(body.as_bytes()));
    let comparison = compare(&old, &new, Crawler::Other);
    let witnesses: Vec<&[u8]> = comparison.reasons.iter().map(|it| &*it.witness).collect();
    assert_eq!(
        (comparison.class, witnesses),
        (Class::Stricter, vec![&b"/a"[..]])
    );
}
