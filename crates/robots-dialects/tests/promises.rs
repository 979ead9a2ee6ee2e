//! Checks the promises of the fuzz targets on every seed. The seeds include every failure that
//! fuzzing has found.

#[path = "../fuzz/src/lib.rs"]
#[allow(unreachable_pub, reason = "a library of its own in fuzz/")]
mod promises;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use proptest::prelude::*;
use robots_dialects::dialect::Dialect;

#[test]
fn every_promise_is_kept_on_its_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
    for (name, _) in promises::ALL {
        let directory = seeds.join(name);
        let mut n_seeds = 0;
        for entry in fs::read_dir(&directory).expect("a directory of seeds") {
            let path = entry.expect("an entry").path();
            let seed = fs::read(&path).expect("a seed");
            // Every beginning of a short seed too, because parsers often err on truncated input.
            let cuts = if seed.len() <= 300 { seed.len() } else { 1 };
            for cut in 0..cuts {
                let bytes = &seed[..seed.len() - cut];
                assert!(
                    catch_unwind(|| promises::run(name, bytes)).is_ok(),
                    "{} without its last {cut} bytes breaks the promise {name}",
                    path.display()
                );
            }
            n_seeds += 1;
        }
        assert!(n_seeds > 0, "no seeds in {}", directory.display());
    }
}

/// Lines of every kind that dialects read differently.
fn line() -> impl Strategy<Value = String> {
    let agent = "(a|b|ab|A|a8b|8b|a1|foo|foobot|\\*|\\*a|c/1|bar/1.0|)( #.*)?";
    let path = "(/?|[/*$ab%?\\[\\]!2F6\\\\]{0,5}|/[ab*$]{0,3}|\\*?/index.html?|/robots.txt)";
    let directive =
        |key: &'static str, value: &'static str| (key, value).prop_map(|(key, value)| key + &value);
    prop_oneof![
        6 => directive("User-agent: ", agent),
        8 => directive("(Allow|Disallow): ", path),
        1 => directive("useragent: |User-agent |User-agents: ", agent),
        1 => directive("Disallow |disalow:|Allowed: |Allow ", path),
        2 => Just(String::new()),
        1 => Just("Robot-version: 2.0".to_owned()),
        1 => " {0,2}(Crawl-delay: 1|Sitemap: /a|# a|Host: a|user-agent|a b c|nonsense|Disallow|: x)",
        1 => "(\u{feff})?(Allow|Disallow): /[a\u{e9}%]{0,2} ?#?",
        1 => "[ \t\u{b}\u{0}]{0,2}",
    ]
}

/// The words of a body that matter, with `~` between them.
const WORDS: &str = "User-agent~user agent~Disallow~dissallow~Allow~Sitemap~Host~Crawl-delay~\u{feff}~: ~ \
                     ~\n~\r~\n\n~#~\0~*~/a~%7e\u{e9}~bot";

// Seeds are few, and these promises have many corner cases.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(8_000))]

    #[test]
    fn patterns_match_what_their_definition_matches(
        pattern in prop_oneof!["[/ab*$]{0,9}", r"[ab*?\[\]!^\\-]{0,9}"],
        path in r"/?[/ab*$\[\]]{0,12}",
    ) {
        promises::run("patterns", format!("{pattern}\n{path}").as_bytes());
    }

    /// Rules of few letters overlap in many ways; other rules are about the path of the robots.txt.
    #[test]
    fn restrictions_hold_for_every_path(
        rules in prop_oneof![
            "([+-][/*]([ab/*$?]|%2A){0,4}\n){0,7}",
            "([+-][/*]{1,2}[a*]{0,3}\\$?\n){0,9}",
            "([+-]\\*?/?\\*?(/?robots\\.txt)?[*x]?\\$?\n){0,5}",
        ],
        paths in "(([ab/?$x]|%2A){0,4}\n|[/x]?robots.txt[/x]?\n|[ax]{0,6}\n){20}",
    ) {
        promises::run("restriction", format!("{rules}{paths}").as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn dialects_agree_on_the_canonical_form_of_any_lines(
        agent in "[abAB18/*]{0,3}|foobot|barbot/2.0|foo|c/1",
        path in "[ab]{0,2}|robots.txt|index.html|a/b.html|b\\?c=/a|%61|a\\*\\$",
        lines in prop::collection::vec(line(), 0..14),
        end in "\n|\r\n|\r",
    ) {
        let body = lines.join(&end);
        promises::run("robots_dialects", format!("{agent}\n{path}\n{body}").as_bytes());
    }

    #[test]
    fn documents_say_what_their_canonical_form_says(
        words in prop::collection::vec(
            prop::sample::select(WORDS.split('~').collect::<Vec<_>>()), 0..40,
        ),
    ) {
        promises::run("robots_document", words.concat().as_bytes());
    }

    #[test]
    fn percent_encoded_forms_are_stable(
        value in prop::collection::vec(
            prop_oneof![4 => prop::sample::select(&b"%25a4$"[..]), 1 => any::<u8>()],
            0..24,
        ),
    ) {
        promises::run("percent", &value);
    }

    #[test]
    fn any_bytes_keep_every_promise(data in prop::collection::vec(any::<u8>(), 0..200)) {
        for (name, _) in promises::ALL {
            promises::run(name, &data);
        }
    }
}

/// A file of rules for one crawler or for all.
fn file(rules: &'static str) -> impl Strategy<Value = String> {
    let file = ("foobot|\\*", rules);
    file.prop_map(|(name, rules)| format!("User-agent: {name}\n{rules}"))
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

/// Comparisons for the crawler that the files may name, and for another crawler. Returns whether
/// all comparisons were decided.
fn comparisons_agree(dialects: &[Dialect], old: &str, new: &str, paths: &[Vec<u8>]) -> bool {
    let agree = |dialect: &Dialect, name: &[u8]| {
        let bodies = [old, new].map(str::as_bytes);
        promises::comparisons::agree(*dialect, bodies, name, paths)
    };
    dialects.iter().fold(true, |all, dialect| {
        all & agree(dialect, b"foobot") & agree(dialect, b"other")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn comparisons_equal_the_automaton_and_the_verdicts(
        old in file("((Allow|Disallow): [/*]([ab/*$?]|%2A|%61){0,4}\n){0,4}"),
        new in file("((Allow|Disallow): [/*]([ab/*$?]|%2A|%61){0,4}\n){0,4}"),
    ) {
        let paths = all_paths(&["/", "a", "b", "$", "%2a", "x"], 3);
        prop_assert!(comparisons_agree(&Dialect::ALL, &old, &new, &paths));
    }

    /// Few letters and many stars: rules that overlap in many ways.
    #[test]
    fn comparisons_equal_the_automaton_where_much_overlaps(
        old in file("((Allow|Disallow): [/*]{1,2}[a*]{0,4}\\$?\n){0,6}"),
        new in file("((Allow|Disallow): [/*]{1,2}[ab*]{0,4}\\$?\n){0,6}"),
    ) {
        let paths = all_paths(&["/", "a", "b", "x"], 4);
        prop_assert!(comparisons_agree(&Dialect::ALL, &old, &new, &paths));
    }

    /// Patterns that form escapes when merged, and the path that is always allowed.
    #[test]
    fn comparisons_equal_the_automaton_around_escapes_and_robots_txt(
        old in file("((Allow|Disallow): \\*?/?(%|4|1|%2[fF]|\\*|%4|\u{e9}|robots\\.txt|/index\\.html?){0,3}\\$?\n){0,4}"),
        new in file("((Allow|Disallow): \\*?/?(%|4|1|%2[fF]|\\*|%C3%a9|%6|robots\\.txt|/index\\.html?){0,3}\\$?\n){0,4}"),
    ) {
        let paths = all_paths(&["/", "%", "4", "1", "%2f", "%41", "\u{e9}", "robots.txt"], 3);
        prop_assert!(comparisons_agree(&Dialect::ALL, &old, &new, &paths));
    }

    /// Shell patterns, with sets.
    #[test]
    fn comparisons_equal_the_automaton_in_version_two(
        old in "((Allow|Disallow): /?([ab*?/]|\\[ab\\]|\\[!a\\]|\\\\\\*){0,4}\n){0,4}",
        new in "((Allow|Disallow): /?([ab*?/]|\\[a-c\\]|\\[!/\\]|\\\\a){0,4}\n){0,4}",
    ) {
        let [old, new] =
            [old, new].map(|rules| format!("User-agent: *\nRobot-version: 2.0\n{rules}"));
        let paths = all_paths(&["/", "a", "b", "c", "*"], 4);
        prop_assert!(comparisons_agree(&[Dialect::Conner1996], &old, &new, &paths));
    }

    /// Too many rules to try all paths; a few edits of one list.
    #[test]
    fn comparisons_equal_the_automaton_after_an_edit(
        rules in prop::collection::vec(
            "(Allow|Disallow): /([ab]{1,3}|\\*[ab]|[ab]{0,2}\\*?\\$)\n", 0..30,
        ),
        removed in prop::collection::vec(any::<prop::sample::Index>(), 0..4),
        added in "((Allow|Disallow): /([ab]{1,3}|\\*[ab]|[ab]{0,2}\\*?\\$)\n){0,3}",
    ) {
        let mut edited = rules.clone();
        for index in removed {
            if !edited.is_empty() {
                edited.remove(index.index(edited.len()));
            }
        }
        edited.push(added);
        let [old, new] = [rules, edited].map(|it| "User-agent: foobot\n".to_owned() + &it.concat());
        prop_assert!(comparisons_agree(&Dialect::ALL, &old, &new, &[]));
    }
}
