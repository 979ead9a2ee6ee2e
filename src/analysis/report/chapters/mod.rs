//! The contents of the report: a file for each chapter.

mod ai;
mod appendix;
mod change;
mod edits;
mod files;
mod front;
mod mistakes;
mod owners;
mod pages;
mod pairs;
mod panel;
mod published;
mod rank;
mod responses;
mod signals;
mod vendors;
mod who;
mod whom;

use super::answer::{Answer, Row};
use super::format::Share;
use super::section::{Argument, Chapter};

pub(super) use change::PANEL;
pub(super) use panel::panel;

/// All chapters, in order. The first is the front page.
pub(super) static ALL: &[Chapter] = &[
    front::CHAPTER,
    who::CHAPTER,
    ai::CHAPTER,
    change::CHAPTER,
    edits::CHAPTER,
    vendors::CHAPTER,
    mistakes::CHAPTER,
    pages::CHAPTER,
    responses::CHAPTER,
    appendix::CHAPTER,
];

/// A parameter that takes the crawlers that the report is about.
const AGENTS: (&str, Argument) = ("agents", Argument::Agents);
/// A parameter that takes the crawlers that `--agents` names.
const GIVEN_AGENTS: (&str, Argument) = ("agents", Argument::GivenAgents);

/// Columns of a share by name of `agents-at-a-glance`, by host and by domain.
const BY_HOST: [&str; 3] = ["pct_full_by_name", "pct_low", "pct_high"];
const BY_DOMAIN: [&str; 3] = [
    "pct_of_domains",
    "pct_of_domains_low",
    "pct_of_domains_high",
];
/// Columns of a share of all that blocks, of several queries.
const FULL: [&str; 3] = ["pct_full", "pct_low", "pct_high"];
/// Columns of `key-shares`.
const KEY: [&str; 3] = ["pct", "pct_low", "pct_high"];

/// The row of `key-shares` for a measure in a crawl.
fn measure<'a>(answer: &'a Answer, crawl: &str, name: &str) -> Option<Row<'a>> {
    answer
        .rows()
        .find(|row| row.text("crawl") == crawl && row.text("measure") == name)
}

/// How many of a population, in words: `1,450 of 18,902 hosts with rules (7.7%; 95% interval …)`.
fn of_hosts(share: Share, hosts: f64, n: f64, population: &str) -> String {
    let ends = share.ends("95% interval ");
    let ends = ends.map_or(String::new(), |ends| format!("; {ends}"));
    format!(
        "{} of {} {population} ({}{ends})",
        super::format::count(hosts),
        super::format::count(n),
        share.shown()
    )
}

/// A share in both units, in words: `0.71% of registrable domains (95% interval …) and 5% of hosts
/// (1,092 of 22,635 that answered conclusively; …)`.
fn in_both_units(
    domains: Option<Share>,
    hosts: Share,
    number: f64,
    n: f64,
    population: &str,
) -> String {
    let (domains, words) = match domains {
        Some(share) => (
            share.of_what("registrable domains", "95% interval ") + " and ",
            "",
        ),
        None => (String::new(), "95% interval "),
    };
    let ends = hosts.ends(words);
    let ends = ends.map_or(String::new(), |ends| format!("; {ends}"));
    format!(
        "{domains}{} of hosts ({} of {} {}{ends})",
        hosts.shown(),
        super::format::count(number),
        super::format::count(n),
        population.strip_prefix("hosts ").unwrap_or(population)
    )
}

/// A sentence on what is level with the `first` of some rows, counted by a column; empty where
/// nothing is. Whoever calls one the most, most frequent or largest says so too.
fn level_with<'a>(
    first: Row<'a>,
    rows: impl Iterator<Item = Row<'a>>,
    column: &str,
    name: impl Fn(&Row<'a>) -> String,
) -> String {
    const NAMED: usize = 2;
    let own = name(&first);
    let mut names: Vec<String> = rows
        .filter(|row| row.number(column) == first.number(column))
        .map(|row| name(&row))
        .filter(|name| *name != own)
        .collect();
    if names.is_empty() {
        return String::new();
    }
    let more = names.len().saturating_sub(NAMED);
    if more > 1 {
        names.truncate(NAMED);
        names.push(format!("{more} more"));
    }
    format!(" Level with it: {}.", super::format::list(&names))
}

/// What `of_hosts` says of a row of `key-shares`.
fn of_measure(row: Row<'_>) -> Option<String> {
    let population = super::words::population(&row.text("population"));
    Some(of_hosts(
        row.share(KEY)?,
        row.count("hosts"),
        row.count("n"),
        population,
    ))
}
