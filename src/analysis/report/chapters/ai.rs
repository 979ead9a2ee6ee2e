//! AI crawlers together, and what hosts say about AI beside their rules.

use super::{AGENTS, KEY, in_both_units, measure, pairs, signals};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, agree, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "ai",
    title: "AI crawlers",
    about: "Crawlers that gather text for AI: to train models, to answer searches, or for a user \
            who asked. The catalogue of robostat lists them, by their operators' words or by \
            public lists and studies (agent_catalog.is_ai_basis). AI training is the operator's \
            word only.",
    is_appendix: false,
    sections: &[
        Section {
            id: "any",
            title: "Hosts that block an AI crawler",
            query: "key-shares",
            about: "By name: at least one AI crawler is allowed no path by a group of its own. \
                    Training only: a crawler whose operator names AI training is blocked by name, \
                    but no crawler of a search engine or for AI search, and not every crawler.",
            read: any,
            ..PLAIN
        },
        Section {
            id: "how-many",
            title: "How many AI crawlers a host blocks",
            query: "ai-agents-per-host",
            also_by_domain: true,
            about: "AI crawlers that the host fully blocks by name. Hosts that block none are left \
                    out of the figure.",
            read: how_many,
            ..PLAIN
        },
        Section {
            id: "together",
            title: "AI crawlers blocked together",
            query: "agent-pairs",
            arguments: &[AGENTS],
            about: "Fully blocked by name. A row is the hosts that block its crawler; a cell is \
                    how many of these block the column's too.",
            read: pairs::together,
            ..PLAIN
        },
        Section {
            id: "siblings",
            title: "One crawler blocked, a related one not",
            query: "agent-conflicts",
            also_by_domain: true,
            about: "Pairs of crawlers of one operator, or for like purposes: whoever blocks only \
                    one of them may not get what was wanted. Blocked by whatever rule.",
            read: pairs::siblings,
            ..PLAIN
        },
        Section {
            id: "signals",
            title: "What hosts signal about use",
            query: "content-signals",
            about: "Preferences stated in robots.txt, in Cloudflare's Content-Signal and the \
                    IETF's Content-Usage.",
            read: signals::signals,
            ..PLAIN
        },
        Section {
            id: "signal-conflicts",
            title: "Signals that the rules contradict",
            query: "signal-conflicts",
            arguments: &[AGENTS],
            about: "Denied but allowed: a signal denies AI training or use, and the rules allow \
                    the crawler every path.",
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
            "A crawler whose operator names AI training, but none for search, is blocked by name \
             by {}: {} of the hosts that block an AI crawler.",
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
            "Of the registrable domains of hosts that answered conclusively ({} hosts of {} \
             domains in crawl {}). Bars: 95% intervals.",
            count(blocks.count("n")),
            count(blocks.count("n_domains")),
            context.last()
        ),
        table: ReportTable::of_rows(
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

/// Numbers of blocked crawlers that the figure has a row for; the table has the others.
const DRAWN: u8 = 10;

/// Of those that block an AI crawler by name, how much of them a row is: by host, else by domain.
type Part<'a> = (Row<'a>, f64);

/// The rows of an answer in which a crawler is blocked, as parts of all that block one.
fn parts_of_blocking<'a>(answer: &'a Answer, column: &str) -> Vec<Part<'a>> {
    let rows = || {
        answer
            .rows()
            .filter(|row| row.count("ai_agents_blocked") > 0.0)
    };
    let total: f64 = rows().map(|row| row.count(column)).sum();
    let part = |row: &Row<'_>| 100.0 * row.count(column) / total;
    rows().map(|row| (row, part(&row))).collect()
}

/// `76.4% block exactly 2`: the part that is largest.
fn mode(parts: &[Part<'_>]) -> Option<String> {
    let (row, part) = parts
        .iter()
        .max_by(|one, other| one.1.total_cmp(&other.1))?;
    Some(format!(
        "{} block exactly {}",
        Share::of(*part).shown(),
        count(row.count("ai_agents_blocked"))
    ))
}

fn how_many(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let by_host = parts_of_blocking(answer, "hosts");
    let by_domain = context
        .domains
        .map(|domains| parts_of_blocking(domains, "pct_of_hosts_with_rules"));
    let total: f64 = by_host.iter().map(|(row, _)| row.count("hosts")).sum();
    let number = |(row, _): &Part<'_>| row.count("ai_agents_blocked");
    let most = by_host.iter().map(number).fold(0.0, f64::max);
    // One domain with many hosts makes a mode of its own: what domains do comes first.
    let domains = match &by_domain {
        Some(parts) => format!(
            "Of registrable domains that block an AI crawler by name, {} of them. ",
            mode(parts)?
        ),
        None => String::new(),
    };
    let claim = format!(
        "{domains}Of the {} that {} one, {}; the most that a host blocks is {}.",
        counted(total, "host"),
        agree(total, "blocks", "block"),
        mode(&by_host)?,
        count(most),
    );
    let drawn = f64::from(DRAWN);
    let part = |parts: &[Part<'_>], from: f64, to: f64| {
        let of_them = parts
            .iter()
            .filter(|part| (from..=to).contains(&number(part)));
        Some(Share::of(of_them.map(|(_, part)| part).sum()))
    };
    let row = |name: String, from: f64, to: f64| {
        let mut shares = vec![part(&by_host, from, to)];
        shares.extend(by_domain.iter().map(|parts| part(parts, from, to)));
        (name, shares)
    };
    let mut rows: Vec<_> = (1..=DRAWN)
        .map(f64::from)
        .take_while(|blocked| *blocked <= most)
        .map(|blocked| row(count(blocked), blocked, blocked))
        .collect();
    if most > drawn {
        rows.push(row(
            format!("{} or more", count(drawn + 1.0)),
            drawn + 1.0,
            f64::INFINITY,
        ));
    }
    let mut series = vec!["by host".to_owned()];
    series.extend(by_domain.iter().map(|_| "by registrable domain".to_owned()));
    let figure = Figure {
        measure: "How many AI crawlers are blocked by name".to_owned(),
        plot: Plot::Dots {
            axis: "% of those that block one".to_owned(),
            series,
            rows,
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Each row is a number of AI crawlers; of the {} that block one, and of their \
             registrable domains, crawl {}.",
            counted(total, "host"),
            context.last()
        ),
        table: ReportTable::of(
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
