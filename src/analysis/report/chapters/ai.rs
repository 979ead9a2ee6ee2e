//! AI crawlers together, and what hosts say about AI beside their rules.

use super::{AGENTS, KEY, in_both_units, measure, signals};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, Table};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "ai",
    title: "AI crawlers",
    about: "Crawlers that gather text to train models, to answer searches, or for a user who asked; the catalogue of \
            robostat says which ones these are.",
    is_appendix: false,
    sections: &[
        Section {
            id: "any",
            title: "Hosts that block an AI crawler",
            query: "key-shares",
            about: "By name: at least one AI crawler is allowed no path by a group of its own. Training only: a crawler \
                    for AI training is blocked by name, but no crawler of a search engine or for AI search, and not \
                    every crawler.",
            read: any,
            ..PLAIN
        },
        Section {
            id: "how-many",
            title: "How many AI crawlers a host blocks",
            query: "ai-agents-per-host",
            about: "AI crawlers that the host fully blocks by name. Hosts that block none are left out of the figure.",
            read: how_many,
            ..PLAIN
        },
        Section {
            id: "together",
            title: "AI crawlers blocked together",
            query: "agent-pairs",
            arguments: &[AGENTS],
            about: "Fully blocked by name. A row is the hosts that block its crawler; a cell is how many of these block the \
                    column's too.",
            read: together,
            ..PLAIN
        },
        Section {
            id: "siblings",
            title: "One crawler blocked, a related one not",
            query: "agent-conflicts",
            about: "Pairs of crawlers of one operator, or for like purposes: whoever blocks only one of them may not get \
                    what was wanted. Blocked by whatever rule.",
            read: siblings,
            ..PLAIN
        },
        Section {
            id: "signals",
            title: "What hosts signal about use",
            query: "content-signals",
            about: "Preferences stated in robots.txt, in Cloudflare's Content-Signal and the IETF's Content-Usage.",
            read: signals::signals,
            ..PLAIN
        },
        Section {
            id: "signal-conflicts",
            title: "Signals that the rules contradict",
            query: "signal-conflicts",
            arguments: &[AGENTS],
            about: "Denied but allowed: a signal denies AI training or use, and the rules allow the crawler every path.",
            read: signals::signal_conflicts,
            ..PLAIN
        },
        Section {
            id: "licences",
            title: "Licences and policies referred to",
            query: "licences",
            about: "Where the licence or policy lies that a file or a header refers to.",
            read: signals::licences,
            naming: &["terms_host", "a_document"],
            ..PLAIN
        },
        Section {
            id: "tdm",
            title: "Rights reserved to text and data mining",
            query: "tdm-reservations",
            about: "By TDMRep, in a header or a line.",
            read: signals::tdm,
            ..PLAIN
        },
        Section {
            id: "eu",
            title: "Files that cite Directive (EU) 2019/790",
            query: "eu-2019-790",
            about: "The directive lets right holders opt out of text and data mining.",
            read: signals::eu,
            ..PLAIN
        },
    ],
};

/// Measures of `key-shares` that the chapter is about, in words.
const MEASURES: [(&str, &str); 5] = [
    ("names_ai", "name one"),
    ("blocks_ai", "block one by name"),
    ("blocks_ai_or_all", "block one or all (*)"),
    ("training_not_search", "block training only"),
    ("blocks_all", "block all (*)"),
];

fn measure_in_words(name: &str) -> String {
    let known = MEASURES.iter().find(|(measure, _)| *measure == name);
    known.map_or_else(|| name.replace('_', " "), |(_, words)| (*words).to_owned())
}

fn any(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let last = |name| measure(answer, context.last(), name);
    let blocks = last("blocks_ai")?;
    if blocks.count("hosts") == 0.0 {
        return None;
    }
    let by_domain = |name| {
        let row = measure(context.by_domain, context.last(), name)?;
        row.share(KEY)
    };
    let both = |name| {
        let row = last(name)?;
        Some(in_both_units(
            by_domain(name),
            row.share(KEY)?,
            row.count("hosts"),
            row.count("n"),
            words::population(&row.text("population")),
        ))
    };
    let mut claims = vec![Claim::main(
        format!(
            "At least one AI crawler is blocked by name by {}.",
            both("blocks_ai")?
        ),
        7.0,
    )];
    if let Some(row) = last("training_not_search").filter(|row| row.count("hosts") > 0.0) {
        let of_blocking = 100.0 * row.count("hosts") / blocks.count("hosts");
        claims.push(Claim::aside(format!(
            "A crawler for AI training, but none for search, is blocked by name by {}: {} of the hosts that block an AI \
             crawler.",
            both("training_not_search")?,
            Share::of(of_blocking.min(100.0)).shown()
        )));
    }
    if let Some(all) = both("blocks_all") {
        claims.push(Claim::aside(format!(
            "Every crawler without a group of its own is blocked by {all}."
        )));
    }
    let series = |name: &str| {
        let crawls = context.crawls.iter();
        let shares = crawls.map(|crawl| measure(context.by_domain, &crawl.label, name)?.share(KEY));
        shares.collect::<Vec<Option<Share>>>()
    };
    let plot = match context.crawls.len() {
        0 | 1 => Plot::Dots {
            axis: "% of hosts, % of domains".to_owned(),
            series: vec!["by host".to_owned(), "by registrable domain".to_owned()],
            rows: MEASURES
                .iter()
                .filter_map(|(name, words)| {
                    Some((
                        (*words).to_owned(),
                        vec![last(name)?.share(KEY), by_domain(name)],
                    ))
                })
                .collect(),
        },
        _ => Plot::Lines {
            axis: "% of registrable domains".to_owned(),
            times: context.times(),
            lines: MEASURES[..4]
                .iter()
                .map(|(name, words)| ((*words).to_owned(), series(name)))
                .collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(Figure {
            measure: "Who names and blocks an AI crawler".to_owned(),
            plot,
        }),
        note: format!(
            "Of the registrable domains of hosts that answered conclusively ({} hosts of {} domains in crawl {}). Bars: \
             95% intervals.",
            count(blocks.count("n")),
            count(blocks.count("n_domains")),
            context.last()
        ),
        table: Table::of_those(
            context,
            answer,
            &[
                Col::text("crawl", "Crawl"),
                Col::words("measure", "Hosts that", measure_in_words),
                Col::count("hosts", "Hosts"),
                Col::count("n", "Of"),
                Col::interval(KEY, "Share (95% interval)"),
            ],
            80,
            |row| {
                MEASURES
                    .iter()
                    .any(|(name, _)| *name == row.text("measure"))
            },
        ),
    })
}

/// The longest list of blocked crawlers that is drawn; the table has the others.
const DRAWN: u8 = 15;

fn how_many(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let blocking: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| row.count("ai_agents_blocked") > 0.0)
        .collect();
    let total: f64 = blocking.iter().map(|row| row.count("hosts")).sum();
    let mode = blocking
        .iter()
        .max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    let most = blocking.iter().max_by(|one, other| {
        one.count("ai_agents_blocked")
            .total_cmp(&other.count("ai_agents_blocked"))
    })?;
    let claim = format!(
        "Of the {} that block an AI crawler by name, {} block exactly {} of them; the most that a host blocks is {}.",
        counted(total, "host"),
        Share::of(100.0 * mode.count("hosts") / total).shown(),
        count(mode.count("ai_agents_blocked")),
        count(most.count("ai_agents_blocked")),
    );
    let is_drawn = |row: &&Row<'_>| row.count("ai_agents_blocked") <= f64::from(DRAWN);
    let drawn = blocking
        .iter()
        .copied()
        .filter(|row| is_drawn(&row))
        .map(|row| {
            let shown = format!(
                "{} ({})",
                count(row.count("hosts")),
                Share::of(100.0 * row.count("hosts") / total).shown()
            );
            (
                count(row.count("ai_agents_blocked")),
                Share::of(row.count("hosts")),
                shown,
            )
        });
    let figure = Figure {
        measure: "Hosts by how many AI crawlers they block by name".to_owned(),
        plot: Plot::Bars {
            axis: "hosts".to_owned(),
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Each row is a number of AI crawlers blocked, up to {DRAWN}; brackets: of the {} that block one, crawl {}.",
            counted(total, "host"),
            context.last()
        ),
        table: Table::of(
            context,
            answer,
            &[
                Col::number("ai_agents_blocked", "AI crawlers blocked"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_rules", "Of hosts with rules"),
            ],
            60,
        ),
    })
}

fn together(context: &Context<'_>, answer: &Answer) -> Option<Told> {
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
        "Closest are these two: of the {} that block {} by name, {} block {} too.",
        counted(hosts, "host"),
        context.agent(one),
        Share::of(share).shown(),
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
        table: Table::of_those(
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

fn siblings(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer.rows().max_by(|one, other| {
        one.count("hosts_in_conflict")
            .total_cmp(&other.count("hosts_in_conflict"))
    })?;
    if most.count("hosts_in_conflict") == 0.0 {
        return None;
    }
    let claim = format!(
        "The pair that most hosts tell apart: {} of hosts ({} of {}) block {} but not {}; {} block both.",
        most.pct("pct_of_hosts").with_interval(),
        count(most.count("hosts_in_conflict")),
        count(most.count("n")),
        context.agent(&most.text("blocked")),
        context.agent(&most.text("allowed")),
        count(most.count("hosts_blocking_both")),
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: Table::of_those(
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
