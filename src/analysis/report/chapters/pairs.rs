//! Crawlers two by two: blocked together, or one of them without the other.

use super::{in_both_units, level_with};
use crate::analysis::report::answer::Answer;
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{agree, count, counted};
use crate::analysis::report::section::{Claim, Context, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) fn together(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    // Hosts that block a crawler, and of these those that block another.
    let mut alone: Vec<(String, f64)> = Vec::new();
    for row in answer.rows() {
        for (column, only) in [("agent", "hosts_agent_only"), ("other", "hosts_other_only")] {
            let token = row.text(column).into_owned();
            if !alone.iter().any(|(known, _)| *known == token) {
                alone.push((token, row.count(only) + row.count("hosts_both")));
            }
        }
    }
    alone.retain(|(_, hosts)| *hosts >= 5.0);
    alone.sort_by(|one, other| other.1.total_cmp(&one.1));
    alone.truncate(8);
    let both = |one: &str, other: &str| {
        let row = answer.rows().find(|row| {
            let pair = (row.text("agent"), row.text("other"));
            pair.0 == one && pair.1 == other || pair.0 == other && pair.1 == one
        })?;
        Some(row.count("hosts_both"))
    };
    let pairs = || {
        alone.iter().flat_map(|(one, hosts)| {
            let others = alone.iter().filter(move |(other, _)| other != one);
            others.filter_map(move |(other, _)| {
                Some((one, other, 100.0 * both(one, other)? / hosts, *hosts))
            })
        })
    };
    let (one, other, share, hosts) = pairs().max_by(|a, b| a.2.total_cmp(&b.2))?;
    let claim = format!(
        "Closest are these two: of the {} that block {} by name, {} {} {} too.",
        counted(hosts, "host"),
        context.agent(one),
        count(share * hosts / 100.0),
        agree(share * hosts / 100.0, "blocks", "block"),
        context.agent(other)
    );
    let rows = alone.iter().map(|(one, hosts)| {
        let values = alone.iter().map(|(other, _)| {
            let both = both(one, other).filter(|_| one != other)?;
            Some(100.0 * both / hosts)
        });
        (context.agent(one), values.collect())
    });
    let figure = Figure {
        measure: "Hosts that block one AI crawler by name and another too".to_owned(),
        plot: Plot::Heat {
            axes: (
                "% of hosts that block the row's crawler".to_owned(),
                "that block the column's too".to_owned(),
            ),
            columns: alone
                .iter()
                .map(|(token, _)| context.agent(token))
                .collect(),
            rows: rows.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Crawlers blocked by at least 5 hosts, crawl {}.",
            context.last()
        ),
        table: ReportTable::of_rows(
            context,
            answer,
            &[
                Col::agent("agent", "Crawler"),
                Col::agent("other", "Other"),
                Col::count("hosts_both", "Hosts blocking both"),
                Col::count("hosts_agent_only", "The first only"),
                Col::count("hosts_other_only", "The other only"),
                Col::share("pct_both", "Both, of either"),
            ],
            40,
            |row| row.count("n") > 0.0,
        ),
    })
}

pub(super) fn siblings(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer.rows().max_by(|one, other| {
        one.count("hosts_in_conflict")
            .total_cmp(&other.count("hosts_in_conflict"))
    })?;
    if most.count("hosts_in_conflict") == 0.0 {
        return None;
    }
    let domains = context.domain_row(most, &["blocked", "allowed"]);
    let claim = format!(
        "The pair that most hosts tell apart: {} is blocked and {} is not by {}; {} both.{}",
        context.agent(&most.text("blocked")),
        context.agent(&most.text("allowed")),
        in_both_units(
            domains.map(|row| row.pct("pct_of_hosts")),
            most.pct("pct_of_hosts"),
            most.count("hosts_in_conflict"),
            most.count("n"),
            words::population("answered")
        ),
        match most.count("hosts_blocking_both") {
            both if both > 0.0 => format!(
                "{} {}",
                counted(both, "host"),
                agree(both, "blocks", "block")
            ),
            _ => "none blocks".to_owned(),
        },
        level_with(most, answer.rows(), "hosts_in_conflict", |row| format!(
            "{} and {}",
            context.agent(&row.text("blocked")),
            context.agent(&row.text("allowed"))
        ))
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of_rows(
            context,
            answer,
            &[
                Col::agent("blocked", "Blocked"),
                Col::agent("allowed", "Not blocked"),
                Col::count("hosts_in_conflict", "Hosts"),
                Col::share("pct_of_hosts", "Of hosts that answered conclusively"),
                Col::count("hosts_blocking_both", "Blocking both"),
                Col::count("hosts_the_other_way_round", "The other way round"),
            ],
            15,
            |row| row.count("hosts_in_conflict") > 0.0,
        ),
        ..Told::default()
    })
}
