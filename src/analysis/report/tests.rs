//! The texts as a whole: sections have what they need, and texts are short. Then the pages of
//! numbers, sentences, words, names and crawls.

use std::collections::BTreeSet;

use super::crawls::{Crawl, on_axis, reference};
use super::format::{Share, count, counted, fixed, signed};
use super::methods::{digest, hexadecimal};
use super::naming::without_hosts;
use super::section::{ALL, BASELINE, Section};
use super::summary::{beyond, choose};
use super::template::{Format, Value, fill, names, placeholders};
use super::terms::{TERMS, Term, TermSet};
use super::{chapters, words};
use crate::analysis::query::shipped;
use crate::tests::{check, optional};

/// Words of columns and placeholders that are not groups of `texts/words.txt`.
const FORMATS: &str = "crawler difference ends key limits month points range rules";

fn sections() -> impl Iterator<Item = &'static Section> {
    let chapters = ALL.iter().chain([&*BASELINE]);
    chapters.flat_map(|chapter| &chapter.sections)
}

#[test]
fn every_section_has_what_it_needs() {
    let mut ids = BTreeSet::new();
    for section in sections() {
        let id = section.id;
        assert!(ids.insert(id), "{id} twice");
        assert!(
            !section.title.is_empty() && !section.about.is_empty(),
            "{id}"
        );
        assert!(
            !section.headline.is_empty() && !section.empty.is_empty(),
            "{id}"
        );
        assert!(section.sentences.len() <= 2, "{id}");
        let needs = ["", "crawls", "dates", "pages", "ranks"];
        assert!(needs.contains(&section.needs), "{id}: {}", section.needs);
        // The baseline has its own statement instead of a query.
        let is_shipped = shipped::find(section.query).is_some();
        assert_eq!(is_shipped, id != "baseline-panel", "{id}");
        assert!(chapters::reader(section.reader).is_some(), "{id}");
        assert!(section.weight == 0.0 || !section.figure.is_empty(), "{id}");
        let placeholders = section.templates().flat_map(placeholders);
        let groups = placeholders.filter_map(|(_, format)| match format {
            Format::Words(group) => Some(group),
            _ => None,
        });
        let of_columns = section
            .columns
            .iter()
            .chain(&section.bars)
            .chain(&section.lines);
        let of_columns = of_columns.map(|column| column.words);
        for group in groups.chain(of_columns).filter(|group| !group.is_empty()) {
            let is_format = FORMATS.split(' ').any(|it| it == group);
            let is_known = is_format || words::GROUPS.contains_key(group);
            assert!(is_known, "{id}: {group}");
        }
    }
    assert!(ids.len() > 40);
}

/// The number of words that the longest name of a group has.
fn longest(group: &str) -> usize {
    let words = words::texts(group).iter();
    let lengths = words.map(|(_, words)| words.split_whitespace().count());
    lengths.max().unwrap_or(1)
}

/// Words of a template; a value counts as one, or as the longest text of its group.
fn words_of(template: &str) -> usize {
    let pieces = template.split('{').enumerate().map(|(place, piece)| {
        let (inner, after) = piece.split_once('}').unwrap_or(("", piece));
        let noun = match inner.split_once(':') {
            Some((_, group)) => longest(group).saturating_sub(1),
            None if inner.contains('|') => 0,
            None => inner.split(' ').skip(1).count(),
        };
        usize::from(place > 0) + noun + after.split_whitespace().count()
    });
    pieces.sum()
}

/// Only the longest of several alternatives in brackets counts.
#[test]
fn headlines_have_fewer_than_15_words() {
    for section in sections() {
        let (outside, inside): (Vec<_>, Vec<_>) = section
            .headline
            .split(['[', ']'])
            .enumerate()
            .partition(|(place, _)| place % 2 == 0);
        let outside = outside
            .iter()
            .map(|(_, part)| words_of(part))
            .sum::<usize>();
        let inside = inside.iter().map(|(_, part)| words_of(part));
        let n = outside + inside.max().unwrap_or(0);
        assert!(n < 15, "{}: {n} words", section.id);
    }
}

#[test]
fn brackets_and_braces_are_closed() {
    for (section, text) in sections().flat_map(|it| it.templates().map(move |text| (it, text))) {
        for pair in [['{', '}'], ['[', ']']] {
            let [opened, closed] = pair.map(|sign| text.matches(sign).count());
            assert_eq!(opened, closed, "{}: {text}", section.id);
        }
    }
}

/// A value with a line end, which a label may have, would end the comment.
#[test]
fn no_value_is_filled_into_a_comment() {
    for sql in [include_str!("lead.sql"), include_str!("baseline.sql")] {
        let comments = sql.lines().filter_map(|line| line.split_once("--"));
        let mut filled = comments.filter(|(_, comment)| comment.contains('%'));
        assert_eq!(filled.next(), None);
    }
}

fn term_names(met: &[&Term]) -> Vec<String> {
    met.iter().map(|term| term.name()).collect()
}

#[test]
fn a_term_is_explained_once_and_so_are_the_terms_of_its_explanation() {
    let known = TermSet::default();
    assert_eq!(term_names(&known.meet("Hosts by the dozen")), ["Host"]);
    assert_eq!(
        term_names(&known.meet("12 hosts block a crawler by name")),
        ["Block", "Crawler", "By name", "Group", "Rule"]
    );
    assert_eq!(term_names(&known.meet("blocked by rules")), [""; 0]);
    // A part of a word is not the term.
    assert_eq!(term_names(&known.meet("roots, re-group")), [""; 0]);
}

#[test]
fn every_term_has_a_form_and_an_explanation() {
    assert!(TERMS.len() > 20);
    for term in TERMS.iter() {
        assert!(!term.forms[0].is_empty() && !term.explanation.is_empty());
        assert!(!term.explanation.ends_with('.'), "{}", term.explanation);
        assert!(
            term.explanation.split(' ').count() < 35,
            "{}",
            term.explanation
        );
    }
}

fn number(text: &str) -> f64 {
    text.parse().expect("a number")
}

/// A share with the two ends of its interval, or with a reason instead of the interval.
fn share(text: &str) -> Share {
    let words: Vec<&str> = text.splitn(3, ' ').collect();
    let share = Share::of(number(words[0]));
    match words[1..] {
        [] => share,
        ["too", ..] => Share {
            no_interval: Some("too few websites"),
            ..share
        },
        [low, high] => Share {
            interval: Some((number(low), number(high))),
            ..share
        },
        _ => panic!("{text}"),
    }
}

#[test]
fn numbers() {
    check(
        "src/analysis/report/format",
        |question, [text, other, _]| match question {
            "share" => format!("{}; {}", share(text).shown(), optional(share(text).ends())),
            "in-table" => share(text).in_table(),
            "difference" => format!(
                "{}; {}",
                share(text).as_difference(),
                share(text).as_points()
            ),
            "phrase" => share(text).of_phrase("of websites", other == "true"),
            "is-apart" => share(text).is_apart_from(share(other)).to_string(),
            "is-apart-from-zero" => share(text).is_apart_from_zero().to_string(),
            "signed" => signed(number(text), other.parse().expect("digits")),
            "fixed" => fixed(number(text), other.parse().expect("digits")),
            "count" => count(number(text)),
            "counted" => counted(number(text), other),
            _ => panic!("{question}"),
        },
    );
}

/// Crawls as text: label and day, separated by commas. A crawl without a day has `-`.
fn crawls(text: &str) -> Vec<Crawl> {
    let crawls = text.split(", ").map(|crawl| crawl.split_once(' '));
    let crawls = crawls.flatten().map(|(label, day)| Crawl {
        label: label.to_owned(),
        day: (day != "-").then(|| day.parse().expect("a day")),
    });
    crawls.collect()
}

#[test]
fn crawls_in_time() {
    check(
        "src/analysis/report/crawls",
        |question, [text, ..]| match question {
            "reference" => optional(reference(&crawls(text)).map(|it| &it.label)),
            "on-axis" => {
                let days = on_axis(&crawls(text));
                days.iter()
                    .map(f64::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            }
            _ => panic!("{question}"),
        },
    );
}

fn filled(template: &str) -> Option<String> {
    let value = |name: &str| match name {
        "one" => Some(Value::Number(1.0)),
        "many" => Some(Value::Number(1200.0)),
        "share" => Some(Value::Share(Share::of(7.7))),
        "all" => Some(Value::Share(Share::of(100.0))),
        "none" => Some(Value::Share(Share::of(0.0))),
        "name" => Some(Value::Text("GPTBot".to_owned())),
        _ => None,
    };
    fill(template, &value, &|_, text| text.to_owned())
}

#[test]
fn sentences() {
    check(
        "src/analysis/report/template",
        |question, [template, ..]| match question {
            "sentence" => optional(filled(template)),
            "names" => names(template).collect::<Vec<_>>().join(", "),
            _ => panic!("{question}"),
        },
    );
}

#[test]
fn words_of_groups() {
    check("src/analysis/report/words", |group, [name, ..]| {
        words::of(&group.replace('-', " "), name)
    });
}

#[test]
fn host_names() {
    check("src/analysis/report/naming", |_, [text, ..]| {
        without_hosts(text)
    });
}

#[test]
fn what_matters_most_is_chosen_in_the_order_of_the_page() {
    let of_one = [1.0, 5.0, 3.0].map(|interest| (0, Some(interest)));
    let others = [2.0, 4.0, 0.5, 0.6].map(|interest| (1, Some(interest)));
    let last = [(2, None), (2, Some(0.1))];
    let interests = [&of_one[..], &others, &last].concat();
    assert_eq!(choose(&interests), [1, 2, 3, 4, 8]);
    assert_eq!(choose(&[]), [0; 0]);
}

#[test]
fn a_difference_within_its_interval_does_not_matter() {
    let beyond = |value, low, high| {
        let interval = Some((low, high));
        let difference = Share {
            interval,
            ..Share::of(value)
        };
        beyond(2.0, difference)
    };
    assert_eq!(beyond(1.0, -0.5, 2.5), None);
    assert_eq!(beyond(1.0, 0.0, 2.0), None);
    assert_eq!(beyond(-3.0, -4.0, -2.0), Some(3.0));
    assert!(beyond(1.0, 0.1, 1.9) < beyond(1.0, 0.9, 1.1));
}

#[test]
fn the_digest_does_not_depend_on_order_or_name() {
    let input = |name: &str, digest: &str| [name, "12", digest, "2026-08", "3"].map(str::to_owned);
    let one = digest(&[input("a", "01"), input("b", "02")], &1);
    assert_eq!(one, digest(&[input("c", "02"), input("a", "01")], &1));
    assert_ne!(one, digest(&[input("a", "01")], &1));
    assert_ne!(one, digest(&[input("a", "01"), input("b", "02")], &2));
    // The settings are JSON.
    assert_eq!(digest(&[], &Some(1)), hexadecimal(b"1"));
    assert_eq!(hexadecimal(b"")[..16], *"e3b0c44298fc1c14");
}
