//! The same hosts at two times, crawlers as they became known, and edits.

use std::collections::BTreeMap;

use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Bar, Ink, Plot};
use crate::analysis::report::format::{Share, units};
use crate::analysis::report::reading::{Context, Found, Pair, share_of};
use crate::analysis::report::section::Section;
use crate::analysis::report::summary::beyond;
use crate::analysis::report::template::Value;

/// Crawlers in a figure.
const DRAWN: usize = 10;

/// A share with the ends of its change around it: the later share has the interval of the change.
fn later(row: Row<'_>) -> Option<Share> {
    let (before, change) = (row.number("pct_full_before")?, share_of(row, "change")?);
    let interval = change
        .interval
        .map(|(low, high)| ((before + low).max(0.0), (before + high).min(100.0)));
    Some(Share {
        value: row.number("pct_full")?,
        interval,
        no_interval: change.no_interval,
    })
}

/// Is a crawler blocked more than before? The largest clear change, else the most blocked crawler.
pub(in crate::analysis::report) fn panel<'a>(
    context: &Context<'a>,
    _: &'static Section,
    answer: &'a Answer,
) -> Option<Found<'a>> {
    let domains = context.domains.unwrap_or(answer);
    let mut pairs: Vec<Pair<'a>> = answer
        .rows()
        .filter(|row| row.count("hosts_full_before") + row.count("hosts_full") > 0.0)
        .map(|host| Pair {
            host,
            domain: domains
                .rows()
                .find(|row| row.text("product_token") == host.text("product_token")),
        })
        .collect();
    pairs.sort_by(|one, other| {
        let full = |pair: &Pair<'_>| pair.share("pct_full").map_or(0.0, |share| share.value);
        full(other).total_cmp(&full(one))
    });
    let change = |pair: &Pair<'_>| pair.share("change");
    let is_clear = |pair: &&Pair<'_>| change(pair).is_some_and(Share::is_apart_from_zero);
    let size = |pair: &Pair<'_>| change(pair).map_or(0.0, |share| share.value.abs());
    let widest = pairs.iter().filter(is_clear);
    let widest = widest.max_by(|one, other| size(one).total_cmp(&size(other)));
    let lead = *widest.or(pairs.first())?;
    let of_lead = change(&lead)?;
    let crawler = context.agent(&lead.host.text("product_token"));
    let is_more = of_lead.value > 0.0;
    let named = |is_it: bool| Some(Value::Text(crawler.clone())).filter(|_| is_it);
    let n_changed = units(pairs.iter().filter(is_clear).count());
    let others = units(pairs.len()) - 1.0;
    let has_others = widest.is_some() && others > 1.0;
    let (row, host) = (lead.domain.unwrap_or(lead.host), lead.host);
    let share = |row: Row<'_>, column| share_of(row, column).map(Value::Share);
    let count = |name| host.number(name).map(Value::Number);
    let file_gone = host.count("hosts_file_gone");
    let gone = host.count("hosts_rule_gone") + file_gone;
    let bars = pairs.iter().take(DRAWN).map(|pair| {
        let row = pair.domain.unwrap_or(pair.host);
        Bar {
            name: context.agent(&row.text("product_token")),
            ink: context.ink(&row.text("product_token")),
            shares: vec![later(row), row.number("pct_full_before").map(Share::of)],
        }
    });
    let (crawl, before) = (host.text("crawl"), host.text("crawl_before"));
    let factor = of_lead
        .interval
        .and_then(|ends| beyond(1.0, of_lead.value, ends));
    Some(Found {
        lead: Some(lead),
        values: vec![
            ("more", named(widest.is_some() && is_more)),
            ("fewer", named(widest.is_some() && !is_more)),
            ("same", named(widest.is_none())),
            ("from", share(row, "pct_full_before")),
            ("to", share(row, "pct_full")),
            ("change", share_of(row, "change").map(Value::Points)),
            ("host_from", share(host, "pct_full_before")),
            ("host_to", share(host, "pct_full")),
            ("host_change", share_of(host, "change").map(Value::Points)),
            ("hosts_added", count("hosts_added")),
            ("gone", Some(Value::Number(gone))),
            (
                "file_gone",
                Some(Value::Number(file_gone)).filter(|_| file_gone > 0.0),
            ),
            (
                "changed",
                Some(Value::Number(n_changed - 1.0)).filter(|_| has_others),
            ),
            ("others", Some(Value::Number(others))),
            ("before", Some(Value::Text(before.clone().into_owned()))),
            ("crawl", Some(Value::Text(crawl.clone().into_owned()))),
        ],
        plot: Some(Plot::Dots {
            series: vec![crawl.into_owned(), before.into_owned()],
            rows: bars.collect(),
            is_linked: true,
        }),
        factor: factor.unwrap_or(0.0),
    })
}

/// When crawlers became known, and when the crawls were.
pub(super) fn timeline<'a>(
    context: &Context<'a>,
    _: &'static Section,
    answer: &'a Answer,
) -> Option<Found<'a>> {
    let mut tokens: Vec<String> = Vec::new();
    for row in answer.rows() {
        let token = row.text("product_token").into_owned();
        if !tokens.contains(&token) {
            tokens.push(token);
        }
    }
    let known = tokens
        .iter()
        .filter_map(|token| Some((token, context.agents.since(token)?)));
    let mut events: Vec<(String, f64, Ink)> = known
        .map(|(token, (day, month))| {
            (
                format!("{}, {month}", context.agent(token)),
                *day,
                context.ink(token),
            )
        })
        .collect();
    events.sort_by(|one, other| one.1.total_cmp(&other.1));
    let (first, last) = (context.crawls.first()?, context.crawls.last()?);
    // Crawls without dates have no place in time.
    if first.day < 3650.0 || events.is_empty() {
        return None;
    }
    let count = |number: usize| Some(Value::Number(units(number)));
    let during = events
        .iter()
        .filter(|it| (first.day..=last.day).contains(&it.1))
        .count();
    Some(Found {
        lead: None,
        values: vec![
            ("number", count(during).filter(|_| during > 0)),
            ("all", count(events.len())),
            (
                "none",
                Some(Value::Text("crawler".to_owned())).filter(|_| during == 0),
            ),
            ("before_all", Some(Value::Text(first.label.clone()))),
        ],
        plot: Some(Plot::Timeline {
            events,
            crawls: context
                .crawls
                .iter()
                .map(|it| (it.label.clone(), it.day))
                .collect(),
        }),
        factor: 1.0,
    })
}

/// Edits that only open, or only close, paths to a crawler.
pub(super) fn openings<'a>(
    context: &Context<'a>,
    _: &'static Section,
    answer: &'a Answer,
) -> Option<Found<'a>> {
    let mut by_crawler: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for row in answer.rows() {
        let sums = by_crawler.entry(row.optional_text("product_token")?.into_owned());
        let sums = sums.or_default();
        sums[0] += row.count("opened");
        sums[1] += row.count("closed");
    }
    let mut sums: Vec<(String, [f64; 2])> = by_crawler.into_iter().collect();
    sums.retain(|(_, [opened, closed])| opened + closed > 0.0);
    sums.sort_by(|one, other| other.1.iter().sum::<f64>().total_cmp(&one.1.iter().sum()));
    let name = |token: &str| match token {
        "*" => "unnamed crawlers".to_owned(),
        token => context.agent(token),
    };
    let (token, [opened, closed]) = sums.first()?;
    let first = answer.rows().next()?;
    let bars = sums
        .iter()
        .take(DRAWN)
        .map(|(token, [opened, closed])| Bar {
            name: name(token),
            ink: context.ink(token),
            shares: vec![Some(Share::of(*opened)), Some(Share::of(*closed))],
        });
    Some(Found {
        lead: None,
        values: vec![
            ("crawler", Some(Value::Text(name(token)))),
            ("opened", Some(Value::Number(*opened))),
            ("closed", Some(Value::Number(*closed))),
            ("n_domains", first.number("n_domains").map(Value::Number)),
            (
                "all_crawls",
                first
                    .optional_text("all_crawls")
                    .map(|it| Value::Text(it.into_owned())),
            ),
        ],
        plot: Some(Plot::Dots {
            series: vec!["opened".to_owned(), "closed".to_owned()],
            rows: bars.collect(),
            is_linked: false,
        }),
        factor: 1.0,
    })
}
