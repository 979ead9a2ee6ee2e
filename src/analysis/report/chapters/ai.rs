//! AI crawlers together, and what hosts say about AI beside their rules.

use super::{AGENTS, KEY, measure, of_measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, Table};

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
            about: "By name: at least one AI crawler is allowed no path by a group of its own. Training, not search: \
                    a crawler for AI training is blocked by name, and no search engine.",
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
            title: "Who blocks one, blocks which others?",
            query: "agent-pairs",
            arguments: &[AGENTS],
            about: "Fully blocked by name.",
            read: together,
            ..PLAIN
        },
        Section {
            id: "siblings",
            title: "One blocked, its sibling allowed",
            query: "agent-conflicts",
            about: "Pairs of crawlers of one operator, or for one purpose: whoever blocks only one of them may not get \
                    what was wanted.",
            read: siblings,
            ..PLAIN
        },
        Section {
            id: "signals",
            title: "What hosts signal about use",
            query: "content-signals",
            about: "Preferences stated in robots.txt, in Cloudflare's Content-Signal and the IETF's Content-Usage.",
            read: signals,
            ..PLAIN
        },
        Section {
            id: "signal-conflicts",
            title: "Signals that the rules contradict",
            query: "signal-conflicts",
            arguments: &[AGENTS],
            about: "Denied but allowed: a signal denies AI training or use, and the rules allow the crawler every path.",
            read: signal_conflicts,
            ..PLAIN
        },
        Section {
            id: "licences",
            title: "Licences and policies referred to",
            query: "licences",
            about: "Where the licence or policy lies that a file or a header refers to.",
            read: licences,
            naming: &["terms_host", "a_document"],
            ..PLAIN
        },
        Section {
            id: "tdm",
            title: "Rights reserved to text and data mining",
            query: "tdm-reservations",
            about: "By TDMRep, in a header or a line.",
            read: tdm,
            ..PLAIN
        },
        Section {
            id: "eu",
            title: "Files that cite Directive (EU) 2019/790",
            query: "eu-2019-790",
            about: "The directive lets right holders opt out of text and data mining.",
            read: eu,
            ..PLAIN
        },
    ],
};

/// Measures of `key-shares` that the chapter is about, in words.
const MEASURES: [(&str, &str); 5] = [
    ("names_ai", "name one"),
    ("blocks_ai", "block one by name"),
    ("blocks_ai_or_all", "block one or all"),
    ("training_not_search", "training, not search"),
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
    let domains = by_domain("blocks_ai").map_or(String::new(), |share| {
        format!("; of registrable domains, {} do", share.with_interval())
    });
    let mut claims = vec![Claim::main(
        format!(
            "{} block at least one AI crawler by name{domains}.",
            of_measure(blocks)?
        ),
        7.0,
    )];
    if let Some(row) = last("training_not_search").filter(|row| row.count("hosts") > 0.0) {
        let of_blocking = 100.0 * row.count("hosts") / blocks.count("hosts");
        claims.push(Claim::aside(format!(
            "{} block a crawler for AI training by name and no search engine: {} of those that block an AI crawler.",
            of_measure(row)?,
            Share::of(of_blocking.min(100.0)).shown()
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
            "Of hosts that answered conclusively ({} in crawl {}) and their domains. Bars: 95% intervals.",
            count(blocks.count("n")),
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
        "Of the {} that block an AI crawler by name, {} block exactly {}; the longest list has {}.",
        counted(total, "host"),
        Share::of(100.0 * mode.count("hosts") / total).shown(),
        count(mode.count("ai_agents_blocked")),
        count(most.count("ai_agents_blocked")),
    );
    let drawn = blocking.iter().take(14).map(|row| {
        let shown = format!(
            "{} ({})",
            count(row.count("hosts")),
            Share::of(100.0 * row.count("hosts") / total).shown()
        );
        (
            count(row.count("ai_agents_blocked")),
            row.count("hosts"),
            shown,
        )
    });
    let figure = Figure {
        measure: "Hosts by the number of AI crawlers that they block by name".to_owned(),
        plot: Plot::Bars {
            axis: "hosts".to_owned(),
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Rows: AI crawlers blocked. Of {} hosts that block one, crawl {}.",
            count(total),
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
        "Of the {} that block {} by name, {} block {} too: the closest of these pairs.",
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
        measure: "Of the hosts that block one AI crawler, those that block another".to_owned(),
        plot: Plot::Heat {
            axes: (
                "% of the hosts that block the row's crawler".to_owned(),
                "which also block the column's".to_owned(),
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
        "Most often {} is blocked and {} is not: {} of hosts ({} of {}); {} block both.",
        context.agent(&most.text("blocked")),
        context.agent(&most.text("allowed")),
        Share::of(most.count("pct_of_hosts")).shown(),
        count(most.count("hosts_in_conflict")),
        count(most.count("n")),
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
                Col::share("pct_of_hosts", "Of hosts that answered"),
                Col::count("hosts_blocking_both", "Blocking both"),
                Col::count("hosts_the_other_way_round", "The other way round"),
            ],
            15,
            |row| row.count("hosts_in_conflict") > 0.0,
        ),
        ..Told::default()
    })
}

fn signals(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer
        .rows()
        .max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    let mut claims = Vec::new();
    let stated = measure(context.by_host, context.last(), "signals");
    if let Some(row) = stated.filter(|row| row.count("hosts") > 0.0) {
        claims.push(Claim::main(
            format!(
                "{} state a preference about the use of their content beside the rules.",
                of_measure(row)?
            ),
            2.4,
        ));
    }
    claims.push(Claim::aside(format!(
        "Most frequent is {} {}: {}.",
        most.text("preference"),
        most.text("answer"),
        counted(most.count("hosts"), "host")
    )));
    Some(Told {
        claims,
        table: Table::whole(context, answer, &[], 20),
        ..Told::default()
    })
}

fn signal_conflicts(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer.rows().max_by(|one, other| {
        one.count("denied_but_allowed")
            .total_cmp(&other.count("denied_but_allowed"))
    })?;
    if most.count("n") == 0.0 {
        return None;
    }
    let claim = format!(
        "Of the {} that state a preference, {} deny what {} does and allow it every path all the same.",
        counted(most.count("n"), "host"),
        count(most.count("denied_but_allowed")),
        context.agent(&most.text("product_token"))
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: Table::of_those(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("n", "Hosts stating a preference"),
                Col::count("denied_but_allowed", "Denied, but allowed"),
                Col::count("denied_but_partly_allowed", "Denied, but partly allowed"),
                Col::count("denied_and_blocked", "Denied and blocked"),
                Col::count("allowed_but_blocked", "Allowed, but blocked"),
                Col::share("pct_in_conflict", "In conflict"),
            ],
            20,
            |row| row.count("n") > 0.0,
        ),
        ..Told::default()
    })
}

fn licences(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    answer.rows().next()?;
    let hosts: f64 = answer.rows().map(|row| row.count("hosts")).sum();
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} refer to a licence or policy.",
            counted(hosts, "host")
        ))],
        table: Table::whole(context, answer, &[], 15),
        ..Told::default()
    })
}

fn tdm(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let most = answer.rows().max_by(|one, other| {
        one.count("hosts_using")
            .total_cmp(&other.count("hosts_using"))
    })?;
    if most.count("hosts_using") == 0.0 {
        return None;
    }
    Some(Told {
        claims: vec![Claim::aside(format!(
            "The means used most is {}, by {} ({}).",
            most.text("means"),
            counted(most.count("hosts_using"), "host"),
            Share::of(most.count("pct_of_hosts")).shown()
        ))],
        table: Table::whole(context, answer, &[], 12),
        ..Told::default()
    })
}

fn eu(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let all = answer.rows().find(|row| row.text("tld") == "all")?;
    if all.count("hosts_citing") == 0.0 {
        return None;
    }
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} of hosts with a robots.txt ({} of {}) cite the directive, {} of them in a platform's block.",
            Share::of(all.count("pct_of_hosts_with_file")).shown(),
            count(all.count("hosts_citing")),
            count(all.count("n")),
            count(all.count("by_template"))
        ))],
        table: Table::of_those(
            context,
            answer,
            &[
                Col::text("tld", "Top-level domain"),
                Col::count("n", "Hosts with a robots.txt"),
                Col::count("hosts_citing", "Citing"),
                Col::share("pct_of_hosts_with_file", "Share"),
                Col::count("by_template", "In a platform's block"),
            ],
            10,
            |row| row.count("hosts_citing") > 0.0,
        ),
        ..Told::default()
    })
}
