//! Comparisons, checked against the product automaton and the verdicts of many paths.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::time::Duration;

use proptest::prelude::*;

use super::*;
use crate::dialect::Dialect;
use crate::path::UrlPath;
use crate::thread_time::ThreadTime;

/// A name that no file here has.
const OTHER: &[u8] = b"qqq";

/// Direction, old line, new line.
type Pair = (Direction, Option<u32>, Option<u32>);

fn pairs(comparison: &Comparison<'_>) -> BTreeSet<Pair> {
    let line = |rule: Option<DecidingRule<'_>>| rule.map(|rule| rule.line);
    let reasons = comparison.reasons.iter();
    reasons
        .map(|reason| (reason.direction, line(reason.old), line(reason.new)))
        .collect()
}

/// The pair of rules that treats `path` differently, as the verdicts have it.
fn verdict_pair(old: &Ruleset, new: &Ruleset, agent: &[u8], path: &[u8]) -> Option<Pair> {
    let path = UrlPath::new(path);
    let (old, new) = (old.verdict(agent, &path), new.verdict(agent, &path));
    let direction = match (old.allowed, new.allowed) {
        (true, false) => Direction::Blocked,
        (false, true) => Direction::Opened,
        _ => return None,
    };
    Some((direction, old.line, new.line))
}

/// What happens to `path` by the patterns and exceptions of the reasons alone.
fn direction_in_words(comparison: &Comparison<'_>, path: &[u8]) -> Option<Direction> {
    let path = UrlPath::new(path);
    let matches = |pattern: &Vec<u8>| {
        let body = [b"User-agent: *\nDisallow: ", pattern.as_slice()].concat();
        !Dialect::Rfc9309
            .compile(&body)
            .verdict(OTHER, &path)
            .allowed
    };
    let mut reasons = comparison.reasons.iter();
    let reason = reasons.find(
        |Reason {
             patterns,
             exceptions,
             ..
         }| {
            assert!(exceptions.is_complete);
            let mut excluded = exceptions.old.iter().chain(&exceptions.new);
            patterns.iter().any(matches) && !excluded.any(matches)
        },
    );
    reason.map(|reason| reason.direction)
}

/// Compares for one dialect, with all that must hold.
fn check(
    dialect: Dialect,
    old: &str,
    new: &str,
    paths: &[Vec<u8>],
) -> Result<Class, TestCaseError> {
    let (before, after) = (
        dialect.compile(old.as_bytes()),
        dialect.compile(new.as_bytes()),
    );
    let mut class = Class::Equal;
    for (crawler, agent) in [
        (Crawler::Named(b"foobot"), &b"foobot"[..]),
        (Crawler::Other, OTHER),
    ] {
        let old_list = DecisionList::new(&before, crawler);
        let new_list = DecisionList::new(&after, crawler);
        let comparison = old_list.compare_within(&new_list, WORK, usize::MAX);
        let context = format!("{dialect} {crawler:?}\n{old}\n---\n{new}\n{comparison:?}");
        class = comparison.class;
        prop_assert!(
            class != Class::Undecided && comparison.is_complete,
            "{}",
            context
        );

        let oracle = old_list.compare_by_states(&new_list);
        prop_assert!(oracle.class != Class::Undecided, "{}", context);
        prop_assert_eq!(class, oracle.class, "{}", context);
        let listed = pairs(&comparison);
        prop_assert_eq!(&listed, &pairs(&oracle), "{}", context);
        prop_assert_eq!(listed.len(), comparison.reasons.len(), "{}", context);
        for reason in comparison.reasons.iter().chain(&oracle.reasons) {
            let line = |rule: Option<DecidingRule<'_>>| rule.map(|rule| rule.line);
            let pair = (reason.direction, line(reason.old), line(reason.new));
            let found = verdict_pair(&before, &after, agent, &reason.witness);
            let path = reason.witness.escape_ascii();
            prop_assert_eq!(found, Some(pair), "{} {}", path, context);
        }
        for path in paths {
            let pair = verdict_pair(&before, &after, agent, path);
            if let Some(pair) = pair {
                prop_assert!(listed.contains(&pair), "{} {context}", path.escape_ascii());
            }
            if dialect == Dialect::Rfc9309 {
                let direction = direction_in_words(&comparison, path);
                let expected = pair.map(|pair| pair.0);
                prop_assert_eq!(direction, expected, "{} {}", path.escape_ascii(), context);
            }
        }

        let inverse = new_list.compare_within(&old_list, WORK, usize::MAX);
        let turned: BTreeSet<Pair> = pairs(&inverse)
            .into_iter()
            .map(|(direction, old, new)| match direction {
                Direction::Blocked => (Direction::Opened, new, old),
                Direction::Opened => (Direction::Blocked, new, old),
            })
            .collect();
        prop_assert_eq!(&turned, &listed, "inverse of {}", context);

        let few = old_list.compare_within(&new_list, WORK, 1);
        prop_assert_eq!(few.class, class, "one reason for {}", context);
        prop_assert_eq!(few.is_complete, listed.len() <= 1, "{}", context);
    }
    Ok(class)
}

fn rules(pattern: &'static str, count: usize) -> impl Strategy<Value = Vec<String>> {
    let rule = (prop_oneof!["Allow", "Disallow"], pattern);
    let rule = rule.prop_map(|(key, path)| format!("{key}: {path}"));
    prop::collection::vec(rule, 0..count)
}

/// A file whose rules are for one crawler or all.
fn file(is_named: bool, rules: &[String]) -> String {
    let name = if is_named { "foobot" } else { "*" };
    format!("User-agent: {name}\n{}\n", rules.join("\n"))
}

/// All paths of up to `length` pieces after the slash.
fn all_paths(pieces: &[&str], length: usize) -> Vec<Vec<u8>> {
    let mut paths = vec![b"/".to_vec()];
    let mut from = 0;
    for _ in 0..length {
        let to = paths.len();
        for index in from..to {
            for piece in pieces {
                paths.push([paths[index].as_slice(), piece.as_bytes()].concat());
            }
        }
        from = to;
    }
    paths
}

/// Every file of a pair with other rules in its place.
fn check_all(
    before: &[String],
    after: &[String],
    named: [bool; 2],
    paths: &[Vec<u8>],
) -> Result<(), TestCaseError> {
    let (old, new) = (file(named[0], before), file(named[1], after));
    for dialect in Dialect::ALL {
        check(dialect, &old, &new, paths)?;
    }
    Ok(())
}

/// `*%4` and `*44` meet in `%44`, which is not the letter that it looks like.
#[test]
fn patterns_that_are_glued_into_an_escape_are_written_so_that_they_match() {
    let paths = ["/%44", "/%%344", "/D", "/%4x44"].map(|path| path.as_bytes().to_vec());
    let (before, after) = (["Disallow: *%4".into()], ["Allow: *44".into()]);
    check_all(&before, &after, [false, false], &paths).unwrap_or_else(|error| panic!("{error}"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn equals_the_automaton_and_the_verdicts(
        before in rules("[/*]([ab/*$?]|%2A|%61){0,4}", 5),
        after in rules("[/*]([ab/*$?]|%2A|%61){0,4}", 5),
        named in any::<[bool; 2]>(),
    ) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "a", "b", "$", "%2a", "x"], 3);
        }
        PATHS.with(|paths| check_all(&before, &after, named, paths))?;
    }

    /// Few letters and many stars: rules that overlap in many ways.
    #[test]
    fn equals_the_automaton_where_much_overlaps(
        before in rules("[/*]{1,2}[a*]{0,4}\\$?", 7),
        after in rules("[/*]{1,2}[ab*]{0,4}\\$?", 7),
        named in any::<[bool; 2]>(),
    ) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "a", "b", "x"], 4);
        }
        PATHS.with(|paths| check_all(&before, &after, named, paths))?;
    }

    /// Patterns that are glued into escapes, and the path that is always allowed.
    #[test]
    fn equals_the_automaton_around_escapes_and_robots_txt(
        before in rules("\\*?/?(%|4|1|%2[fF]|\\*|%4|\u{e9}|robots\\.txt|/index\\.html?){0,3}\\$?", 5),
        after in rules("\\*?/?(%|4|1|%2[fF]|\\*|%C3%a9|%6|robots\\.txt|/index\\.html?){0,3}\\$?", 5),
        named in any::<[bool; 2]>(),
    ) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> =
                all_paths(&["/", "%", "4", "1", "%2f", "%41", "\u{e9}", "robots.txt"], 3);
        }
        PATHS.with(|paths| check_all(&before, &after, named, paths))?;
    }

    /// Shell patterns, with sets.
    #[test]
    fn equals_the_automaton_in_version_two(
        before in rules("/?([ab*?/]|\\[ab\\]|\\[!a\\]|\\\\\\*){0,4}", 5),
        after in rules("/?([ab*?/]|\\[a-c\\]|\\[!/\\]|\\\\a){0,4}", 5),
    ) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "a", "b", "c", "*"], 4);
        }
        let file = |rules: &[String]| {
            format!("User-agent: *\nRobot-version: 2.0\n{}\n", rules.join("\n"))
        };
        PATHS.with(|paths| check(Dialect::Conner1996, &file(&before), &file(&after), paths))?;
    }

    /// Too many rules for all paths; a few edits of one list.
    #[test]
    fn equals_the_automaton_after_an_edit(
        rules in rules("/([ab]{1,3}|\\*[ab]|[ab]{0,2}\\*?\\$)", 30),
        removed in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        added in rules("/([ab]{1,3}|\\*[ab]|[ab]{0,2}\\*?\\$)", 4),
    ) {
        let mut edited = rules.clone();
        for index in removed {
            if !edited.is_empty() {
                edited.remove(index.index(edited.len()));
            }
        }
        edited.extend(added);
        check_all(&rules, &edited, [true, true], &[])?;
    }

    /// A rule is dead just when its line decides nothing, and the automaton says the same.
    #[test]
    fn dead_rules_decide_no_path(rules in rules("[/*]{1,2}[ab*]{0,3}\\$?", 8)) {
        thread_local! {
            static PATHS: Vec<Vec<u8>> = all_paths(&["/", "a", "b", "x"], 5);
        }
        let body = file(false, &rules);
        for dialect in Dialect::ALL {
            let ruleset = dialect.compile(body.as_bytes());
            let list = DecisionList::new(&ruleset, Crawler::Other);
            let dead = list.dead_rules().expect("few rules");
            let decides = |path: &Vec<u8>| ruleset.verdict(OTHER, &UrlPath::new(path)).line;
            let deciding: BTreeSet<u32> =
                PATHS.with(|paths| paths.iter().filter_map(decides).collect());
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
