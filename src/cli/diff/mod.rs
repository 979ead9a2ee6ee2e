//! `robostat diff`: what a change of a robots.txt means, for each crawler.

mod arguments;
mod change;
mod dataset;
mod effects;
mod json;
mod side;
mod text;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use robots_dialects::comparison::{Class, Policy, compare_crawlers, compare_dialects};
use robots_dialects::dialect::{Crawler, Dialect, Ruleset};
use robots_dialects::document::Document;
use serde_json::{Value, json};

use super::exit::{COMPLETE, Result, usage};
use super::terminal;
use crate::dataset::is_dataset;
use crate::error::Error;

pub(super) use arguments::DiffArguments;
pub(super) use effects::effects;

use change::{OtherChanges, names, outcomes};
use side::{Side, sides};
use text::{BASE, Subject};

/// With `--exit-code`: something changes for a crawler, or that is undecided.
const DIFFERENT: u8 = 4;

pub(super) fn run(arguments: &DiffArguments) -> Result<u8> {
    if arguments.new.is_none() && arguments.host.is_none() && is_dataset(&arguments.old) {
        return dataset::run(arguments);
    }
    let subject = match (&arguments.new, &arguments.host) {
        (None, None) => Subject::Dialects,
        _ => Subject::Change,
    };
    let dialects = arguments.dialect.dialects();
    let dialects = dialects.filter(|it| subject == Subject::Change || *it != BASE);
    let dialects: Vec<Dialect> = dialects.collect();
    if dialects.is_empty() {
        return usage("NEW is missing; one file is compared with --dialect all");
    }
    let sides = sides(arguments)?;
    let urls = arguments.urls.as_deref().map(read_urls).transpose()?;
    let mut canonical = [Vec::new(), Vec::new()];
    let [old, new] = &mut canonical;
    let body = |side: usize| sides[side].body.as_deref().unwrap_or_default();
    let documents = [
        Document::read_whole(body(0), old),
        Document::read_whole(body(1), new),
    ];
    let documents = documents.each_ref();
    let tokens = names(documents);
    let asked = crawlers(&arguments.agent, &tokens);

    let mut class = Class::Equal;
    let mut answers: Vec<(Vec<Dialect>, String)> = Vec::new();
    let mut comparisons: Vec<Value> = Vec::new();
    for dialect in dialects {
        let old_dialect = match subject {
            Subject::Change => dialect,
            Subject::Dialects => BASE,
        };
        let read_by = [old_dialect, dialect];
        let rulesets: [Option<Ruleset>; 2] =
            std::array::from_fn(|side| sides[side].compile(read_by[side]));
        let policy = |side: usize| sides[side].policy(rulesets[side].as_ref(), read_by[side]);
        let policies = [policy(0), policy(1)];
        let crawlers = asked.iter().copied();
        let compared = match (subject, policies) {
            (Subject::Dialects, [Policy::Rules(old), Policy::Rules(new)]) => {
                compare_dialects(old, new, crawlers)
            }
            _ => compare_crawlers(policies[0], policies[1], crawlers),
        };
        let classes = compared.iter().map(|it| it.comparison.class);
        class = classes.fold(class, Class::and);
        let outcomes = outcomes(compared, policies, urls.as_deref());
        if arguments.summary.json {
            comparisons.extend(outcomes.iter().map(|it| json::outcome_json(dialect, it)));
        } else {
            let n_urls = urls.as_ref().map_or(0, Vec::len);
            let answer = text::crawlers_text(subject, &outcomes, n_urls, &sides);
            match answers.iter_mut().find(|(_, known)| *known == answer) {
                Some((dialects, _)) => dialects.push(dialect),
                None => answers.push((vec![dialect], answer)),
            }
        }
    }
    let others = OtherChanges::of(documents, &asked);
    let is_equal = class == Class::Equal;
    let code = [COMPLETE, DIFFERENT][usize::from(arguments.exit_code && !is_equal)];
    if arguments.summary.quiet {
        return Ok(code);
    }
    if arguments.summary.json {
        let mut value = json!({
            "old": sides[0].name,
            "new": sides[1].name,
            "old_is_cut": sides[0].is_cut,
            "new_is_cut": sides[1].is_cut,
            "class": class.name(),
            "is_equal": is_equal,
            "comparisons": comparisons,
        });
        if subject == Subject::Dialects {
            value["old_dialect"] = BASE.name().into();
        }
        json::add_others(&mut value, &others);
        terminal::print_json(&value)?;
    } else {
        terminal::print_text(&as_text(subject, &sides, &answers, &others, asked.len()))?;
    }
    Ok(code)
}

/// The crawlers to compare: those of `--agent`, or else each that a file names and every other.
fn crawlers<'a>(agents: &'a [String], tokens: &'a [Vec<u8>]) -> Vec<Crawler<'a>> {
    if agents.is_empty() {
        let named = tokens.iter().map(|token| Crawler::Named(token));
        return named.chain([Crawler::Other]).collect();
    }
    let named = agents.iter();
    named.map(|name| Crawler::Named(name.as_bytes())).collect()
}

/// The lines of a list of URLs.
fn read_urls(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).map_err(Error::io(path))?;
    let urls = text.lines().map(str::trim).filter(|url| !url.is_empty());
    Ok(urls.map(str::to_owned).collect())
}

/// The answers of all dialects, those that agree together, and what changes besides the rules.
fn as_text(
    subject: Subject,
    sides: &[Side; 2],
    answers: &[(Vec<Dialect>, String)],
    others: &OtherChanges<'_>,
    n_asked: usize,
) -> String {
    let names = sides.each_ref().map(|side| crate::escape::line(&side.name));
    let width = names.iter().map(|name| name.chars().count()).sum::<usize>() + " -> ".len();
    let separator = if width > text::COLUMNS { "\n" } else { " " };
    let mut out = match subject {
        Subject::Change => format!("{}{separator}-> {}\n", names[0], names[1]),
        Subject::Dialects => format!("{}: {BASE} and other dialects\n", names[0]),
    };
    for (dialects, answer) in answers {
        let dialects: Vec<&str> = dialects.iter().map(|dialect| dialect.name()).collect();
        // Writing to a String cannot fail, here and below.
        let _ = write!(out, "\nby {}\n{answer}", dialects.join(", "));
    }
    let others = text::others_text(others, n_asked);
    if !others.is_empty() {
        let _ = write!(out, "\nother lines\n{others}");
    }
    out
}
