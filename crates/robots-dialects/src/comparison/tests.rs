//! Limits of comparisons, and rules that decide nothing. The promise `comparison` in `fuzz/` checks
//! comparisons against the product automaton and the verdicts.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;

use super::merge::covers;
use super::symbol::{Symbol, pattern_text};
use super::*;
use crate::dialect::{Crawler, Dialect, Ruleset};
use crate::document::Document;
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

    /// A limit on reasons does not change the class.
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

    /// A rule is dead exactly when its line decides nothing, and the automaton agrees.
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
            automaton::explore(&list, &list, &mut (1 << 26), |index, _, _, _| {
                by_states.extend(list.entries[index].rule.map(|rule| rule.line));
                Some(())
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
    let cases = [
        ["Disallow: /a\nDisallow: /*b", "Disallow: /*a\nAllow: /*ab"],
        ["Allow: /*b*a\nDisallow: /", "Disallow: /*a*b"],
    ];
    for rules in cases {
        let rulesets = rules
            .map(|rules| Dialect::Rfc9309.compile(format!("User-agent: *\n{rules}\n").as_bytes()));
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
            let has_patterns = |reason: &Reason<'_>| !reason.patterns.is_empty();
            assert!(comparison.reasons.iter().all(has_patterns), "{work}");
        }
    }
}

#[test]
fn rules_that_name_every_byte_are_decided() {
    // A prefix of the 1996 draft can contain any byte, even a line feed, so no byte is left for
    // witnesses.
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

fn layers_of<'l>(list: &'l DecisionList<'_>) -> Vec<Vec<Cow<'l, [Symbol]>>> {
    let mut work = WORK;
    let decides = list.deciding(&mut work).expect("few rules");
    normal_form::layers(list, &decides, &mut work).expect("few rules")
}

/// Rules, and their layers.
const CASES: &str = "\
Disallow:                                              |
Allow: /a                                              |
Disallow: /                                            | / , /robots.txt$
Disallow: /; Allow: /*                                 |
Disallow: /a; Disallow: /a/b; Disallow: /b*; Disallow: /b | /a /b
Disallow: /a; Allow: /a/b; Disallow: /a/b/c            | /a , /a/b , /a/b/c
Disallow: /*.pdf$; Allow: /free                        | /*.pdf$
Disallow: /*?; Disallow: /x?y; Disallow: /a*?          | /*?
Disallow: /*a; Allow: /b/longer                        | /*a , /b/longer*a
Disallow: */a$; Disallow: /a; Disallow: /a$            | /*/a$ /a
";

#[test]
fn layers_have_what_matters() {
    for case in CASES.lines() {
        let (rules, expected) = case.split_once('|').expect("two columns");
        let body = format!("User-agent: *\n{}\n", rules.replace("; ", "\n"));
        let ruleset = Dialect::Rfc9309.compile(body.as_bytes());
        let text = |pattern: &Cow<'_, [Symbol]>| {
            let text = pattern_text(pattern, Dialect::Rfc9309.path_form());
            String::from_utf8(text).expect("rules in ASCII")
        };
        let list = DecisionList::new(&ruleset, Crawler::Other);
        let layers = layers_of(&list);
        let layers = layers
            .iter()
            .map(|layer| layer.iter().map(text).collect::<Vec<_>>().join(" "));
        let layers = layers.collect::<Vec<_>>().join(" , ");
        assert_eq!(layers, expected.trim(), "{rules}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// By every dialect, two files have the same meaning exactly when they compare as equal.
    #[test]
    fn the_same_layers_are_the_same_paths(
        before in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,5}",
        after in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,5}",
    ) {
        let [before, after] = [before, after].map(|rules| format!("User-agent: *\n{rules}"));
        for dialect in Dialect::ALL {
            let [old, new] = [&before, &after].map(|body| dialect.compile(body.as_bytes()));
            let [old, new] = [&old, &new].map(|it| DecisionList::new(it, Crawler::Other));
            let class = old.compare(&new).class;
            let ids = [&old, &new].map(|list| list.meaning().expect("few rules"));
            prop_assert_eq!(ids[0] == ids[1], class == Class::Equal, "{} {} {}", dialect, before, after);
        }
    }

    /// The number of layers that contain a path is odd exactly when the path is disallowed.
    #[test]
    fn layers_hold_what_is_disallowed(
        rules in "((Allow|Disallow): [/*]{1,2}[ab*]{0,3}\\$?\n){0,8}",
        paths in prop::collection::vec("/[abx/]{0,6}", 1..20),
    ) {
        let body = format!("User-agent: *\n{rules}");
        let ruleset = Dialect::Rfc9309.compile(body.as_bytes());
        let list = DecisionList::new(&ruleset, Crawler::Other);
        let layers = layers_of(&list);
        for path in paths {
            let symbols: Vec<Symbol> = path.bytes().map(Symbol::from).collect();
            let holds = |pattern: &Cow<'_, [Symbol]>| covers(pattern, &symbols, &mut WORK.clone()).unwrap();
            let holding = layers.iter().map(|layer| layer.iter().any(holds));
            let holding: Vec<bool> = holding.collect();
            let depth = holding.iter().take_while(|it| **it).count();
            prop_assert!(!holding[depth..].contains(&true), "{path} {body}");
            let path = UrlPath::new(path.as_bytes());
            prop_assert_eq!(depth % 2 == 0, ruleset.verdict(b"x", &path).allowed, "{} {:?}", body, path);
        }
    }
}

#[test]
fn hostile_files_are_compared_in_bounded_time() {
    let mut body = "User-agent: *\n".to_owned();
    for number in 0..25_000 {
        let _ = writeln!(body, "Disallow: /?=&;:{number}");
    }
    let start = ThreadTime::now();
    let rfc9309 = Dialect::Rfc9309.compile(body.as_bytes());
    for dialect in Dialect::ALL {
        let other = dialect.compile(body.as_bytes());
        let compared = compare_dialects(&rfc9309, &other, [Crawler::Other]);
        let is_undecided = compared[0].comparison.class == Class::Undecided;
        assert_eq!(is_undecided, dialect == Dialect::Koster1996, "{dialect}");
    }
    assert!(
        start.elapsed() < Duration::from_secs(5),
        "{:?}",
        start.elapsed()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// If the verdicts of two dialects differ on a normal path, their class allows this difference.
    #[test]
    fn classes_hold_for_every_normal_path(
        rules in "((Allow|Disallow|Dissallow): [/*]([ab/*$?]|%2A|%61|%3f|\u{e9}){0,4}\n?\n){0,5}",
        paths in prop::collection::vec("/([abx/?]|%3F|%2A|%C3%A9|%2F){0,6}", 30),
    ) {
        let body = format!("User-agent: *\n{rules}");
        let rulesets = Dialect::ALL.map(|dialect| dialect.compile(body.as_bytes()));
        for one in &rulesets {
            for other in &rulesets {
                let class = compare_dialects(one, other, [Crawler::Other])[0].comparison.class;
                for path in &paths {
                    let form = UrlPath::new(path.as_bytes());
                    let [one, other] = [one, other].map(|it| it.verdict(b"x", &form).allowed);
                    let is_possible = match class {
                        Class::Equal => one == other,
                        Class::Stricter => one || !other,
                        Class::Looser => !one || other,
                        Class::Mixed | Class::Undecided => true,
                    };
                    prop_assert!(is_possible, "{path} {class:?} {body}");
                }
            }
        }
    }
}

/// Work on hostile files stops at the limit, and then nothing is claimed.
#[test]
fn what_takes_too_long_is_unknown() {
    let mut rules = String::new();
    for number in 0..9_000 {
        let _ = write!(
            rules,
            "Disallow: /*a*b*c{number}*d\nAllow: /*{number}*a*b\n"
        );
    }
    let body = format!("User-agent: *\n{rules}\nUser-agent: x\nDisallow: /\n");
    let start = ThreadTime::now();
    let document = Document::read(body.as_bytes(), 0);
    let meaning = Meaning::of(&document);
    assert!(
        start.elapsed() < Duration::from_secs(4),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(meaning.id(), None);
    assert_eq!(meaning.is_dead(2), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Every answer agrees with the comparison.
    #[test]
    fn meanings_equal_the_comparison(
        files in prop::collection::vec(
            "(User-agent: ([abc]|\\*)\n((Allow|Disallow): [/*]{1,2}[ab*]{0,2}\\$?\n){0,3}){0,4}",
            2,
        ),
    ) {
        let meanings: Vec<Meaning> = files.iter().map(|body| {
            Meaning::of(&Document::read(body.as_bytes(), 0))
        }).collect();
        let rulesets: Vec<Ruleset> =
            files.iter().map(|body| Dialect::Rfc9309.compile(body.as_bytes())).collect();
        let crawlers: [&[u8]; 4] = [b"a", b"b", b"c", b"d"];
        let list = |ruleset, name| DecisionList::new(ruleset, Crawler::Named(name));
        let is_same = crawlers.iter().all(|name| {
            list(&rulesets[0], name).compare(&list(&rulesets[1], name)).class == Class::Equal
        });
        prop_assert_eq!(meanings[0].id() == meanings[1].id(), is_same);
        for (meaning, ruleset) in meanings.iter().zip(&rulesets) {
            for name in crawlers {
                let wildcard = DecisionList::new(ruleset, Crawler::Other);
                let class = wildcard.compare(&list(ruleset, name)).class;
                prop_assert_eq!(meaning.versus_wildcard(name), class);
            }
        }
    }
}
