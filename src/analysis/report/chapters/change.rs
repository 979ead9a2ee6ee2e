//! The same hosts at two times, announcements of crawlers, and edits.

use std::borrow::Cow;
use std::collections::BTreeMap;

use indexmap::IndexSet;

use super::evidence::Evidence;
use crate::analysis::report::answer::{Row, descending};
use crate::analysis::report::context::{Context, Pair, share_of};
use crate::analysis::report::figure::{Bar, Ink, Plot};
use crate::analysis::report::format::{Share, units};

const DRAWN: usize = 10;

/// The later share, with the interval of its change around it.
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
pub(super) fn panel<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let is_blocked = |row: &Row<'_>| row.count("hosts_full_before") + row.count("hosts_full") > 0.0;
    let rows = context.answer.rows().filter(is_blocked);
    let pairs = rows.map(|row| context.pair(row));
    let pairs = descending(pairs, |pair| {
        pair.share("pct_full").map_or(0.0, |it| it.value)
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
    let named = |is_it: bool| is_it.then(|| crawler.clone());
    let others = pairs.iter().filter(|it| !it.host.is_same(lead.host));
    let clear = others.clone().filter(is_clear).filter_map(change);
    let (rising, falling): (Vec<Share>, Vec<Share>) = clear.partition(|it| it.value > 0.0);
    let [others, rising, falling] = [others.count(), rising.len(), falling.len()].map(units);
    let has_others = widest.is_some() && others > 1.0;
    let of_others = |number: f64, is_it: bool| (has_others && is_it).then_some(number);
    let (changed, is_mixed) = (rising + falling, rising > 0.0 && falling > 0.0);
    let direction = if rising > 0.0 { "more" } else { "fewer" };
    let is_one_way = changed > 0.0 && !is_mixed;
    let file_gone = lead.host.count("hosts_file_gone");
    let gone = lead.host.count("hosts_rule_gone") + file_gone;
    let bars = pairs.iter().take(DRAWN).map(|pair| {
        let row = pair.domain.unwrap_or(pair.host);
        let before = row.number("pct_full_before").map(Share::of);
        context.bar(&row.text("product_token"), vec![later(row), before])
    });
    let found = Evidence::about(lead)
        .drawing(Plot::Dots {
            series: vec![context.last().to_owned(), context.report.before.to_owned()],
            rows: bars.collect(),
            is_linked: true,
        })
        .with("more", named(widest.is_some() && is_more))
        .with("fewer", named(widest.is_some() && !is_more))
        .with("same", named(widest.is_none()))
        .with("gone", Some(gone))
        .with("file_gone", Some(file_gone).filter(|it| *it > 0.0))
        .with("others", Some(others))
        .with("all", of_others(others, is_one_way && changed >= others))
        .with("some", of_others(changed, is_one_way && changed < others))
        .with("direction", is_one_way.then(|| direction.to_owned()))
        .with("rising", of_others(rising, is_mixed))
        .with("falling", of_others(falling, is_mixed))
        .with("none", of_others(0.0, changed == 0.0));
    Some(found)
}

/// When crawlers were announced or first listed, and when the crawls took place.
pub(super) fn timeline<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let tokens = context.answer.rows().map(|row| row.text("product_token"));
    let tokens: IndexSet<Cow<'_, str>> = tokens.collect();
    let event = |token: &Cow<'_, str>| {
        let (day, month) = context.report.agents.since(token)?;
        let name = format!("{}, {month}", context.agent(token));
        Some((name, *day, context.ink(token)))
    };
    let mut events: Vec<(String, f64, Ink)> = tokens.iter().filter_map(event).collect();
    events.sort_by(|one, other| one.1.total_cmp(&other.1));
    let crawls = context.report.crawls;
    let (first, last) = (crawls.first()?, crawls.last()?);
    events.first()?;
    let days = first.day?..=last.day?;
    let is_during = |it: &&(String, f64, Ink)| days.contains(&it.1);
    let (during, all) = (events.iter().filter(is_during).count(), events.len());
    let agents = context.report.agents;
    let only = tokens.iter().find(|it| agents.since(it).is_some());
    let found = Evidence::default()
        .drawing(Plot::Timeline {
            events,
            crawls: crawls.to_vec(),
        })
        .with(
            "only",
            only.filter(|_| during == 1 && all == 1)
                .map(|it| context.agent(it)),
        )
        .with("number", (during > 0 && all > 1).then(|| units(during)))
        .with("all", Some(units(all)))
        .with("none", (during == 0).then(|| "crawler".to_owned()))
        .with("before_all", Some(first.label.clone()));
    Some(found)
}

/// Edits that only open, or only close, paths to a crawler.
pub(super) fn openings<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let mut by_crawler: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for row in context.answer.rows().filter(|row| context.is_kept(row)) {
        let sums = by_crawler.entry(row.text("product_token").into_owned());
        let sums = sums.or_default();
        sums[0] += row.count("opened");
        sums[1] += row.count("closed");
    }
    by_crawler.retain(|_, [opened, closed]| *opened + *closed > 0.0);
    let sums = descending(by_crawler, |(_, [opened, closed])| opened + closed);
    let name = |token: &str| match token {
        "*" => "unnamed crawlers".to_owned(),
        token => context.agent(token),
    };
    let (token, [opened, closed]) = sums.first()?;
    let first = context.answer.rows().next()?;
    let bars = sums.iter().take(DRAWN).map(|(token, sums)| Bar {
        name: name(token),
        ink: context.ink(token),
        shares: sums.map(|sum| Some(Share::of(sum))).to_vec(),
    });
    let plot = Plot::Dots {
        series: vec!["opened".to_owned(), "closed".to_owned()],
        rows: bars.collect(),
        is_linked: false,
    };
    let found = Evidence::about(context.pair(first))
        .drawing(plot)
        .with("crawler", Some(name(token)))
        .with("opened", Some(*opened))
        .with("closed", Some(*closed));
    Some(found)
}
