//! What changes from crawl to crawl.

use super::{AGENTS, FULL, KEY, measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted, fixed};
use crate::analysis::report::section::{
    Argument, Chapter, Claim, Context, Needs, PLAIN, Section, Told,
};
use crate::analysis::report::summary::beyond;
use crate::analysis::report::table::{Col, Table};

pub(super) const CHAPTER: Chapter = Chapter {
    id: "change",
    title: "Change",
    about: "The panel is the hosts that answered conclusively in both crawls: what changes there has changed, while \
            shares of whole crawls also change with the hosts that were crawled.",
    is_appendix: false,
    sections: &[
        Section {
            id: "panel",
            title: "The same hosts, then and now",
            query: "agent-panel",
            arguments: &[AGENTS, ("before", Argument::Before)],
            needs: Needs::SeveralCrawls,
            about: "Blocked by whatever group holds for the crawler. A change counts as one where its 95% interval \
                    leaves out 0.",
            read: panel,
            ..PLAIN
        },
        Section {
            id: "came-and-went",
            title: "Blocks that came and went",
            query: "agent-panel",
            arguments: &[AGENTS, ("before", Argument::Before)],
            needs: Needs::SeveralCrawls,
            about: "Hosts of the panel that began and that stopped to block the crawler.",
            read: came_and_went,
            ..PLAIN
        },
        Section {
            id: "over-time",
            title: "Crawl after crawl",
            query: "agent-restrictions-over-time",
            arguments: &[AGENTS],
            needs: Needs::SeveralCrawls,
            about: "Of whatever hosts each crawl has.",
            read: over_time,
            ..PLAIN
        },
        Section {
            id: "files-over-time",
            title: "Who has a robots.txt",
            query: "key-shares",
            needs: Needs::SeveralCrawls,
            about: "A robots.txt is judged by its content: a web page served in its place is none.",
            read: files_over_time,
            ..PLAIN
        },
        Section {
            id: "directives-over-time",
            title: "Directives beyond RFC 9309",
            query: "directives-over-time",
            needs: Needs::SeveralCrawls,
            about: "Directives that are no part of the standard, by the hosts that use them.",
            read: directives,
            ..PLAIN
        },
    ],
};

/// Columns of a change of `agent-panel`.
pub(in crate::analysis::report) const CHANGE: [&str; 3] = ["change", "change_low", "change_high"];

/// What a panel says of the crawler that changed most, and how many others changed.
pub(in crate::analysis::report) fn panel(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut rows: Vec<Row<'_>> = answer.rows().collect();
    rows.retain(|row| row.count("hosts_full_before") + row.count("hosts_full") > 0.0);
    rows.sort_by(|one, other| other.count("pct_full").total_cmp(&one.count("pct_full")));
    let first = *rows.first()?;
    let (before, now) = (first.text("crawl_before"), first.text("crawl"));
    let n = first.count("n");
    let change = |row: &Row<'_>| row.share(CHANGE);
    let is_change = |row: &Row<'_>| change(row).is_some_and(Share::is_apart_from_zero);
    let changed: Vec<&Row<'_>> = rows.iter().filter(|row| is_change(row)).collect();
    let most = changed.iter().max_by(|one, other| {
        one.count("change")
            .abs()
            .total_cmp(&other.count("change").abs())
    });
    let mut claims = Vec::new();
    match most {
        Some(row) => {
            let share = change(row)?;
            let (verb, direction) = if share.value > 0.0 {
                ("blocked more", "rose")
            } else {
                ("blocked less", "fell")
            };
            claims.push(Claim::main(
                format!(
                    "{} is {verb} in {now} than in {before}: of {} in both, the share that block it {direction} from \
                     {}% to {}%, by {} percentage points (95% interval {}).",
                    context.agent(&row.text("product_token")),
                    counted(n, "host"),
                    fixed(row.count("pct_full_before"), 1),
                    fixed(row.count("pct_full"), 1),
                    fixed(share.value.abs(), 1),
                    in_both_directions(share),
                ),
                beyond(8.0, share.value, share.interval?).unwrap_or(8.0),
            ));
            let others = changed.len() - 1;
            let rest = rows.len() - changed.len();
            claims.push(Claim::aside(format!(
                "Of the other {} here, {others} changed beyond the interval and {rest} did not.",
                counted(f64::from(u32::try_from(rows.len() - 1).unwrap_or(0)), "crawler")
            )));
        }
        None => claims.push(Claim::main(
            format!(
                "No AI crawler of these is blocked more or less in {now} than in {before} beyond its interval: of {} \
                 in both, {}% blocked {} then and {}% do now (change {} percentage points).",
                counted(n, "host"),
                fixed(first.count("pct_full_before"), 1),
                context.agent(&first.text("product_token")),
                fixed(first.count("pct_full"), 1),
                change(&first)?.as_difference()
            ),
            6.0,
        )),
    }
    let lines = rows.iter().map(|row| {
        let name = context.agent(&row.text("product_token"));
        (
            name,
            row.count("pct_full_before"),
            row.count("pct_full"),
            is_change(row),
        )
    });
    let figure = Figure {
        measure: format!("Hosts that block a crawler, {before} and {now}"),
        plot: Plot::Slope {
            axis: "% of hosts of the panel".to_owned(),
            ends: (before.clone().into_owned(), now.clone().into_owned()),
            lines: lines.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} hosts that answered conclusively in both. Grey: no change beyond the 95% interval.",
            count(n)
        ),
        table: Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("hosts_full_before", "Hosts blocking before"),
                Col::count("hosts_full", "Now"),
                Col::share("pct_full_before", "Before"),
                Col::share("pct_full", "Now"),
                Col::difference(CHANGE, "Change in points (95% interval)"),
                Col::count("hosts_added", "Began"),
                Col::count("hosts_rule_gone", "Stopped"),
                Col::count("hosts_file_gone", "File gone"),
            ],
            40,
        ),
    })
}

/// The ends of a difference's interval, as sizes in its direction.
fn in_both_directions(share: Share) -> String {
    let Some((low, high)) = share.interval else {
        return String::new();
    };
    let (one, other) = if share.value < 0.0 {
        (-high, -low)
    } else {
        (low, high)
    };
    format!("{} to {}", fixed(one, 1), fixed(other, 1))
}

fn came_and_went(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let gone = |row: &Row<'_>| row.count("hosts_rule_gone") + row.count("hosts_file_gone");
    let mut rows: Vec<Row<'_>> = answer.rows().collect();
    rows.retain(|row| row.count("hosts_added") + gone(row) > 0.0);
    rows.sort_by(|one, other| {
        (other.count("hosts_added") + gone(other))
            .total_cmp(&(one.count("hosts_added") + gone(one)))
    });
    let first = *rows.first()?;
    let claim = format!(
        "{} began to block {} between {} and {}; {} stopped, {} of them because they have no robots.txt any more.",
        counted(first.count("hosts_added"), "host"),
        context.agent(&first.text("product_token")),
        first.text("crawl_before"),
        first.text("crawl"),
        count(gone(&first)),
        count(first.count("hosts_file_gone"))
    );
    let drawn = rows.iter().map(|row| {
        (
            context.agent(&row.text("product_token")),
            row.count("hosts_added"),
            gone(row),
        )
    });
    let figure = Figure {
        measure: "Hosts of the panel that began and stopped to block a crawler".to_owned(),
        plot: Plot::TwoSides {
            axis: "hosts".to_owned(),
            sides: ("began to block".to_owned(), "stopped".to_owned()),
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Of {} hosts that answered conclusively in both crawls.",
            count(first.count("n"))
        ),
        table: Table::default(),
    })
}

fn over_time(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut tokens: Vec<(f64, String)> = Vec::new();
    for row in answer
        .rows()
        .filter(|row| row.text("crawl") == context.last())
    {
        tokens.push((
            row.count("pct_full"),
            row.text("product_token").into_owned(),
        ));
    }
    tokens.sort_by(|one, other| other.0.total_cmp(&one.0));
    let line = |token: &str| {
        let shares = context.crawls.iter().map(|crawl| {
            let mut rows = answer.rows();
            rows.find(|row| row.text("crawl") == crawl.label && row.text("product_token") == token)?
                .share(FULL)
        });
        shares.collect::<Vec<Option<Share>>>()
    };
    let lines: Vec<(String, Vec<Option<Share>>)> = tokens
        .iter()
        .take(6)
        .map(|(_, token)| (context.agent(token), line(token)))
        .collect();
    let (name, shares) = lines.first()?;
    let (from, to) = (
        shares.iter().flatten().next()?,
        shares.iter().flatten().next_back()?,
    );
    let claim = format!(
        "{name}, which most block, went from {} in the first crawl to {} in the last.",
        from.with_interval(),
        to.with_interval()
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(Figure {
            measure: "Hosts that block a crawler by any rule".to_owned(),
            plot: Plot::Lines {
                axis: "% of hosts".to_owned(),
                times: context.times(),
                lines,
            },
        }),
        note: "Of hosts that answered conclusively. Bars: 95% intervals.".to_owned(),
        table: Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::text("crawl", "Crawl"),
                Col::count("hosts", "Hosts"),
                Col::count("hosts_full", "Blocking"),
                Col::interval(FULL, "Blocking (95% interval)"),
                Col::share("pct_full_by_name", "By name"),
                Col::share("pct_partial", "Partly"),
            ],
            120,
        ),
    })
}

fn files_over_time(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    const DRAWN: [(&str, &str); 3] = [
        ("with_file", "have a robots.txt"),
        ("with_rules", "have rules"),
        ("blocks_all", "block everybody"),
    ];
    let shares = |name: &str| {
        let shares = context
            .crawls
            .iter()
            .map(|crawl| measure(answer, &crawl.label, name)?.share(KEY));
        shares.collect::<Vec<Option<Share>>>()
    };
    let rules = shares("with_rules");
    let (from, to) = (
        rules.iter().flatten().next()?,
        rules.iter().flatten().next_back()?,
    );
    let text = format!(
        "{} of hosts that answered conclusively had rules in {}, {} in {}.",
        from.with_interval(),
        context.crawls.first()?.label,
        to.with_interval(),
        context.last()
    );
    let claim = if from.is_apart_from(*to) {
        Claim::main(text, 2.0)
    } else {
        Claim::aside(format!("{text} The intervals overlap."))
    };
    Some(Told {
        claims: vec![claim],
        figure: Some(Figure {
            measure: "Hosts with a robots.txt, and with rules".to_owned(),
            plot: Plot::Lines {
                axis: "% of hosts".to_owned(),
                times: context.times(),
                lines: DRAWN
                    .iter()
                    .map(|(name, words)| ((*words).to_owned(), shares(name)))
                    .collect(),
            },
        }),
        note: "Of hosts that answered conclusively. Bars: 95% intervals.".to_owned(),
        table: Table::default(),
    })
}

fn directives(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let share = |row: &Row<'_>| row.count("pct_of_hosts_with_file");
    let first_label = &context.crawls.first()?.label;
    let at = |crawl: &str, directive: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("crawl") == crawl && row.text("directive") == directive)
            .map_or(0.0, |row| share(&row))
    };
    let mut now: Vec<(f64, f64, String)> = answer
        .rows()
        .filter(|row| row.text("crawl") == context.last())
        .map(|row| {
            let name = row.text("directive").into_owned();
            (share(&row), at(first_label, &name), name)
        })
        .collect();
    now.retain(|(after, before, _)| after.max(*before) >= 0.05);
    let most = now
        .iter()
        .max_by(|one, other| (one.0 - one.1).abs().total_cmp(&(other.0 - other.1).abs()))?;
    let claim = format!(
        "The use of {} changed most: from {} of hosts with a robots.txt to {}.",
        most.2,
        Share::of(most.1).shown(),
        Share::of(most.0).shown()
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: Table::of_those(
            context,
            answer,
            &[
                Col::text("directive", "Directive"),
                Col::text("crawl", "Crawl"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
            ],
            40,
            |row| now.iter().any(|(.., name)| *name == row.text("directive")),
        ),
        ..Told::default()
    })
}
