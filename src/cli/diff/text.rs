//! A comparison in words, for a terminal of 80 columns.

use std::fmt::Write as _;

use indexmap::IndexMap;
use robots_dialects::comparison::{Class, DecidingRule, Direction, Reason};
use robots_dialects::dialect::{Crawler, Dialect, RuleType};

use super::change::{OtherChanges, Outcome};
use super::side::Side;
use crate::analysis::report::list;
use crate::cli::layout::hang;
use crate::escape::{self, lossy};

/// The dialect that others are compared with.
pub(super) const BASE: Dialect = Dialect::Rfc9309;

/// The most reasons, URLs and lines shown of each kind.
const MAX_SHOWN: usize = 12;
/// The most patterns of a reason, or exceptions from it, that are shown.
const MAX_PATTERNS: usize = 4;
const MAX_NAMES: usize = 8;
/// The most characters shown of a path or rule.
const MAX_CHARACTERS: usize = 60;
const COLUMNS: usize = 80;
/// A space within a rule, where no line is broken.
const NO_BREAK_SPACE: &str = "\u{a0}";

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// Two files, by one dialect.
    Change,
    /// One file, by two dialects.
    Dialects,
}

/// The answers of all dialects, grouped if they agree, and the changes of lines other than rules.
pub(super) fn of(
    subject: Subject,
    sides: &[Side; 2],
    answers: &IndexMap<String, Vec<Dialect>>,
    others: &OtherChanges<'_>,
    n_asked: usize,
) -> String {
    let names = sides.each_ref().map(|side| escape::line(&side.name));
    let width = names.iter().map(|name| name.chars().count()).sum::<usize>() + " -> ".len();
    let separator = if width > COLUMNS { "\n" } else { " " };
    let mut out = match subject {
        Subject::Change => format!("{}{separator}-> {}\n", names[0], names[1]),
        Subject::Dialects => format!("{}: {BASE} and other dialects\n", names[0]),
    };
    for (answer, dialects) in answers {
        let dialects: Vec<&str> = dialects.iter().map(|dialect| dialect.name()).collect();
        // Writing to a String cannot fail, here and below.
        let _ = write!(out, "\nby {}\n{answer}", dialects.join(", "));
    }
    let others = other_lines(others, n_asked);
    if !others.is_empty() {
        let _ = write!(out, "\nother lines\n");
    }
    for line in others {
        // An address stays on one line.
        let is_value = line.starts_with(['+', '-']);
        let line = if is_value { line } else { wrapped(&line, "") };
        let _ = writeln!(out, "{line}");
    }
    out
}

/// What changes for crawlers; the list of URLs, if there is one, has `n_urls`.
pub(super) fn crawlers_text(
    subject: Subject,
    outcomes: &[Outcome<'_, '_, '_>],
    n_urls: usize,
    sides: &[Side; 2],
) -> String {
    let mut out = String::new();
    for outcome in outcomes {
        let comparison = &outcome.comparison;
        // Writing to a String cannot fail, here and below.
        let names = crawlers(&outcome.crawlers, outcomes.len() == 1);
        let title = format!("{names}: {}", words(subject, comparison.class));
        let _ = writeln!(out, "{}", wrapped(&title, ""));
        for reason in comparison.reasons.iter().take(MAX_SHOWN) {
            let reason = in_words(subject, reason, sides, outcome.has_same_lines);
            let _ = writeln!(out, "{}", wrapped(&reason, "  - "));
        }
        let n_more = comparison.reasons.len().saturating_sub(MAX_SHOWN);
        let is_all = comparison.is_complete || comparison.class == Class::Undecided;
        let _ = match (n_more, is_all) {
            (0, true) => Ok(()),
            (0, false) => writeln!(out, "  - and more"),
            (_, true) => writeln!(out, "  - and {n_more} more; --json lists them"),
            (n, false) => writeln!(out, "  - and more than {n} more; --json lists {n}"),
        };
        if let Some(changed) = &outcome.changed_urls {
            write_urls(subject, &mut out, n_urls, changed);
        }
    }
    out
}

fn write_urls(subject: Subject, out: &mut String, n_urls: usize, changed: &[(&[u8], bool)]) {
    let (verb, now) = match subject {
        Subject::Change => ("change", "now "),
        Subject::Dialects => ("differ", ""),
    };
    let n_changed = changed.len();
    let _ = writeln!(out, "  {n_changed} of {n_urls} URLs of the list {verb}");
    for (url, is_allowed) in changed.iter().take(MAX_SHOWN) {
        let verdict = if *is_allowed { "allowed" } else { "blocked" };
        let _ = writeln!(out, "    {now}{verdict}: {}", shortened(&lossy(url)));
    }
    if let Some(n_more @ 1..) = n_changed.checked_sub(MAX_SHOWN) {
        let _ = writeln!(out, "    and {n_more} more; --json lists them");
    }
}

/// The changes of lines other than rules, for some of the `n_asked` crawlers that were compared.
pub(super) fn other_lines(changes: &OtherChanges<'_>, n_asked: usize) -> Vec<String> {
    let mut out = Vec::new();
    let seconds = |delay: Option<f64>| delay.map_or("none".to_owned(), |it| format!("{it} s"));
    for ([before, after], these) in &changes.crawl_delays {
        let names = crawlers(these, these.len() == n_asked);
        let (before, after) = (seconds(*before), seconds(*after));
        out.push(format!("crawl-delay for {names}: {before} -> {after}"));
    }
    for (kind, lines) in [
        ("preference", &changes.preferences),
        ("sitemap", &changes.sitemaps),
    ] {
        for (sign, lines) in [('+', &lines.added), ('-', &lines.removed)] {
            let shown = lines.iter().take(MAX_SHOWN);
            out.extend(shown.map(|line| format!("{sign} {kind} {}", escape::line(line))));
            if let Some(n_more @ 1..) = lines.len().checked_sub(MAX_SHOWN) {
                out.push(format!("{sign} {n_more} more of kind {kind}"));
            }
        }
    }
    out
}

/// The crawlers of an outcome, [`MAX_NAMES`] by name. `is_only`: all that were compared have it.
pub(super) fn crawlers(crawlers: &[Crawler<'_>], is_only: bool) -> String {
    if is_only && crawlers.contains(&Crawler::Other) {
        return "every crawler".to_owned();
    }
    let names = crawlers.iter().filter_map(|crawler| match crawler {
        Crawler::Named(name) => Some(shortened(&lossy(name))),
        Crawler::Other => None,
    });
    let mut names: Vec<String> = names.collect();
    let n_more = names.len().saturating_sub(MAX_NAMES);
    names.truncate(MAX_NAMES);
    if n_more > 0 {
        names.push(format!("{n_more} more"));
    }
    if crawlers.contains(&Crawler::Other) {
        names.push("every other crawler".to_owned());
    }
    list(&names)
}

fn words(subject: Subject, class: Class) -> &'static str {
    match class {
        Class::Equal if subject == Subject::Dialects => "the same paths",
        Class::Equal => "nothing changes",
        Class::Stricter => "stricter",
        Class::Looser => "looser",
        Class::Mixed => "mixed",
        Class::Undecided => "undecided (the rules are too many, or not comparable)",
    }
}

fn in_words(
    subject: Subject,
    reason: &Reason<'_>,
    sides: &[Side; 2],
    has_same_lines: bool,
) -> String {
    let (now, decided) = match subject {
        Subject::Change => ("now ", "Before, other rules decided".to_owned()),
        Subject::Dialects => ("", format!("By {BASE}, other rules decide")),
    };
    let verdict = match reason.direction {
        Direction::Blocked => "blocked",
        Direction::Opened => "allowed",
    };
    let is = match reason.patterns.as_slice() {
        [_] => "is",
        _ => "are",
    };
    let mut text = format!(
        "{} {is} {now}{verdict}: {} instead of {}; for example {}",
        paths(reason),
        rule(reason.new, &sides[1], has_same_lines),
        rule(reason.old, &sides[0], has_same_lines),
        shortened(&lossy(&reason.witness)),
    );
    let exceptions = &reason.exceptions;
    if !exceptions.old.is_empty() {
        let others = joined(&exceptions.old, exceptions.is_complete);
        let _ = write!(text, ". {decided} for {others}");
    }
    text
}

/// The paths of a reason: its patterns, without the paths that other rules of the new side decide.
pub(super) fn paths(reason: &Reason<'_>) -> String {
    let paths = patterns(reason);
    let exceptions = &reason.exceptions;
    if exceptions.new.is_empty() {
        return paths;
    }
    let others = joined(&exceptions.new, exceptions.is_complete);
    format!("{paths} except {others}")
}

pub(super) fn patterns(reason: &Reason<'_>) -> String {
    match reason.patterns.as_slice() {
        [] => "some paths".to_owned(),
        [pattern] if pattern == b"/" => "everything".to_owned(),
        patterns => joined(patterns, true),
    }
}

fn joined(patterns: &[Vec<u8>], are_all: bool) -> String {
    let shown = patterns.iter().take(MAX_PATTERNS);
    let mut names: Vec<String> = shown.map(|pattern| shortened(&lossy(pattern))).collect();
    match (patterns.len() - names.len(), are_all) {
        (0, true) => {}
        (0, false) => names.push("others".to_owned()),
        (n_more, _) => names.push(format!("{n_more} more")),
    }
    list(&names)
}

fn rule(rule: Option<DecidingRule<'_>>, side: &Side, has_same_lines: bool) -> String {
    let Some(rule) = rule else {
        return side.without_rule();
    };
    let key = match rule.rule.rule_type {
        RuleType::Allow => "Allow",
        RuleType::Disallow => "Disallow",
    };
    let text = format!("{key}: {}", lossy(rule.rule.value));
    let text = shortened(text.trim_end()).replace(' ', NO_BREAK_SPACE);
    let text = format!("`{text}`");
    if side.has_line_numbers && has_same_lines {
        format!("line {} {text}", rule.line)
    } else {
        text
    }
}

pub(super) fn shortened(text: &str) -> String {
    let text = escape::line(text);
    if text.chars().count() <= MAX_CHARACTERS {
        return text;
    }
    let start: String = text.chars().take(MAX_CHARACTERS - 1).collect();
    start + "…"
}

/// Breaks `text` at spaces. The first line begins with `mark`, the others with as many spaces.
fn wrapped(text: &str, mark: &str) -> String {
    let start = mark.len();
    let text = hang(text.split(' '), start, start.max(2), COLUMNS);
    format!("{mark}{}", text.replace(NO_BREAK_SPACE, " "))
}
