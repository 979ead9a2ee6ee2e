//! Crawlers next to each other: which are blocked together, and which of an operator.

use std::borrow::Cow;

use indexmap::IndexMap;

use super::Evidence;
use super::blocked::is_ai;
use crate::analysis::report::answer::{Answer, Row, descending};
use crate::analysis::report::context::{Context, MIN_HOSTS, share_of};
use crate::analysis::report::figure::{Bar, Plot};
use crate::analysis::report::format::Share;

const DRAWN: usize = 8;

pub(super) fn together<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    // Hosts that block a crawler.
    let mut alone: IndexMap<Cow<'_, str>, f64> = IndexMap::new();
    for row in context.answer.rows() {
        for (column, only) in [("agent", "hosts_agent_only"), ("other", "hosts_other_only")] {
            let hosts = row.count(only) + row.count("hosts_both");
            alone.entry(row.text(column)).or_insert(hosts);
        }
    }
    let mut alone = descending(alone, |(_, hosts)| *hosts);
    alone.retain(|(_, hosts)| *hosts >= MIN_HOSTS);
    alone.truncate(DRAWN);
    let domains = context.by_domain();
    // Of those that block the one crawler, the part that blocks the other.
    let both = |answer: &'a Answer, one: &str, other: &str| {
        let row = |agent, other| answer.find(&[("agent", agent), ("other", other)]);
        let shares = [
            (row(one, other), "pct_of_agent"),
            (row(other, one), "pct_of_other"),
        ];
        let mut shares = shares.into_iter();
        shares.find_map(|(row, column)| Some((row?, share_of(row?, column)?)))
    };
    let pairs = alone.iter().flat_map(|(one, hosts)| {
        let others = alone.iter().filter(move |(other, _)| other != one);
        others.filter_map(move |(other, _)| {
            let (_, share) = both(domains, one, other)?;
            share.interval.map(|_| (one, other, share, *hosts))
        })
    });
    let (one, other, share, hosts) =
        pairs.max_by(|one, other| one.2.value.total_cmp(&other.2.value))?;
    let (row, host_share) = both(context.answer, one, other)?;
    let rows = alone.iter().map(|(one, _)| {
        let values = alone
            .iter()
            .map(|(other, _)| Some(both(domains, one, other)?.1));
        (context.agent(one), values.collect())
    });
    let found = Evidence::default().drawing(Plot::Heat {
        columns: alone
            .iter()
            .map(|(token, _)| context.agent(token))
            .collect(),
        rows: rows.collect(),
    });
    Some(
        found
            .with("one", Some(context.agent(one)))
            .with("other", Some(context.agent(other)))
            .with("share", Some(share))
            .with("host_share", Some(host_share))
            .with("both", row.number("hosts_both"))
            .with("hosts", Some(hosts)),
    )
}

/// A crawler's row and the share of websites that block it.
type Blocked<'a> = (Row<'a>, Share);

/// Operators whose crawlers are blocked by different shares of websites.
pub(super) fn operators<'a>(context: &Context<'a>) -> Option<Evidence<'a>> {
    let blocked = context.answer.rows();
    let blocked = blocked.filter(|row| row.count("hosts_full_by_name") > 0.0);
    let mut by_operator: IndexMap<Cow<'_, str>, Vec<Blocked<'a>>> = IndexMap::new();
    for row in blocked {
        let share = share_of(row, "pct_of_domains");
        if let Some((operator, share)) = row.optional_text("operator").zip(share) {
            by_operator.entry(operator).or_default().push((row, share));
        }
    }
    by_operator.retain(|_, rows| rows.len() > 1 && rows.iter().any(|(row, _)| is_ai(row)));
    for rows in by_operator.values_mut() {
        rows.sort_by(|one, other| other.1.value.total_cmp(&one.1.value));
    }
    let gap = |rows: &[Blocked<'_>]| {
        let (high, low) = (rows.first()?.1, rows.last()?.1);
        high.is_apart_from(low).then_some(high.value - low.value)
    };
    let widest = by_operator
        .iter()
        .filter_map(|(name, rows)| Some((name, rows, gap(rows)?)));
    let (operator, rows, _) = widest.max_by(|one, other| one.2.total_cmp(&other.2))?;
    let (high, low) = (rows.first()?, rows.last()?);
    let name = |row: &Blocked<'_>| context.agent(&row.0.text("product_token"));
    let drawn = descending(&by_operator, |(_, rows)| gap(rows).unwrap_or(0.0));
    let bars = drawn.into_iter().take(5).flat_map(|(operator, rows)| {
        // Those blocked most, and the one blocked least.
        let (first, rest) = rows.split_at(rows.len().min(3));
        first.iter().chain(rest.last()).map(move |row| Bar {
            name: format!("{operator}: {}", name(row)),
            ink: context.ink(&row.0.text("product_token")),
            shares: vec![Some(row.1)],
        })
    });
    let found = Evidence::default()
        .drawing(Plot::dots(bars.collect()))
        .with("operator", Some(operator.to_string()))
        .with("high", Some(name(high)))
        .with("high_share", Some(high.1))
        .with("low", Some(name(low)))
        .with("low_share", Some(low.1));
    Some(found)
}
