//! What changes from crawl to crawl.

use super::{AGENTS, FULL, KEY, measure, panel};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, agree, count, counted};
use crate::analysis::report::section::{
    Argument, Chapter, Claim, Context, Needs, PLAIN, Section, Told,
};
use crate::analysis::report::table::{Col, ReportTable, Shown, TableRow};

pub(super) const CHAPTER: Chapter = Chapter {
    id: "change",
    title: "Change",
    about: "The panel is the hosts that answered conclusively in both crawls: what changes there \
            has changed, while shares of whole crawls also change with the hosts that were \
            crawled.",
    is_appendix: false,
    sections: &[
        Section {
            id: "panel",
            title: "Are crawlers blocked more than before?",
            query: "agent-panel",
            arguments: &PANEL,
            also_by_domain: true,
            needs: Needs::SeveralCrawls,
            about: "The same hosts, then and now: those of the panel. Blocked by whatever group \
                    applies to the crawler. A change counts as one where its 95% interval leaves \
                    out 0. By registrable domain, a domain with many hosts counts once.",
            read: panel::panel,
            ..PLAIN
        },
        Section {
            id: "came-and-went",
            title: "Blocks that came and went",
            query: "agent-panel",
            arguments: &PANEL,
            needs: Needs::SeveralCrawls,
            about: "Hosts of the panel that began to block the crawler, and that stopped. Many of \
                    them may belong to one domain; the section above has the change by registrable \
                    domain.",
            read: came_and_went,
            ..PLAIN
        },
        Section {
            id: "over-time",
            title: "Crawl after crawl",
            query: "agent-restrictions-over-time",
            arguments: &[AGENTS],
            also_by_domain: true,
            needs: Needs::SeveralCrawls,
            about: "Of whatever hosts each crawl has: these shares also change with what was \
                    crawled.",
            read: over_time,
            ..PLAIN
        },
        Section {
            id: "files-over-time",
            title: "Who has a robots.txt",
            query: "key-shares",
            needs: Needs::SeveralCrawls,
            about: "A robots.txt is recognised by its content: a web page served at its address \
            does not count.",
            read: files_over_time,
            ..PLAIN
        },
        Section {
            id: "directives-over-time",
            title: "Directives beyond RFC 9309, crawl after crawl",
            query: "directives-over-time",
            needs: Needs::SeveralCrawls,
            about: "Directives outside of the standard, by the hosts that use them.",
            read: directives,
            ..PLAIN
        },
    ],
};

/// The arguments of `agent-panel`.
pub(in crate::analysis::report) const PANEL: [(&str, Argument); 2] =
    [AGENTS, ("before", Argument::Before)];

/// A share in the crawl that the last one is compared with, and in the last: a change where the two
/// have a panel, else both shares and the reason why they are not compared.
fn from_to(context: &Context<'_>, from: &Share, to: &Share) -> String {
    let (before, last, order) = (context.before, context.last(), context.order);
    let (from, to) = (from.with_interval(), to.in_brief());
    match context.no_change {
        None => format!("went from {from} in {before} to {to} in {last}.{order}"),
        Some(reason) => format!("{from} in {before}, {to} in {last}; {reason}."),
    }
}

/// Picks the shares in the two crawls that are compared from the shares in all crawls.
fn ends(context: &Context<'_>, shares: &[Option<Share>]) -> Option<(Share, Share)> {
    let mut labels = context.crawls.iter().map(|crawl| crawl.label.as_str());
    let before = labels.position(|label| label == context.before)?;
    Some(((*shares.get(before)?)?, (*shares.last()?)?))
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
    let n_gone = first.count("hosts_file_gone");
    let file_gone = if n_gone > 0.0 {
        format!(
            ", {} of them because {} no robots.txt any more",
            count(n_gone),
            agree(n_gone, "it has", "they have")
        )
    } else {
        String::new()
    };
    let claim = format!(
        "{} began to block {} between {} and {}, and {} stopped{file_gone}.{}",
        counted(first.count("hosts_added"), "host"),
        context.agent(&first.text("product_token")),
        first.text("crawl_before"),
        first.text("crawl"),
        count(gone(&first)),
        context.order
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
        table: ReportTable::default(),
    })
}

fn over_time(context: &Context<'_>, by_host: &Answer) -> Option<Told> {
    let (answer, unit) = match context.domains {
        Some(domains) => (domains, "registrable domains"),
        None => (by_host, "hosts"),
    };
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
    let (from, to) = ends(context, shares)?;
    let claim = format!(
        "{name}, which most {unit} block by any rule{} {}",
        if context.no_change.is_some() {
            ":"
        } else {
            ","
        },
        from_to(context, &from, &to)
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(Figure {
            measure: format!("Share of {unit} that block a crawler by any rule"),
            plot: Plot::Lines {
                axis: format!("% of {unit}"),
                times: context.times(),
                lines,
            },
        }),
        note: "Of those that answered conclusively in each crawl. Bars: 95% intervals.".to_owned(),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::text("crawl", "Crawl"),
                Col::count("n", "Hosts"),
                Col::count("hosts_full", "Hosts blocking"),
                Col::interval(FULL, "Domains blocking (95% interval)"),
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
    let (from, to) = ends(context, &shares("with_rules"))?;
    let text = format!(
        "The share of hosts with rules{} {}",
        if context.no_change.is_some() { ":" } else { "" },
        from_to(context, &from, &to)
    );
    let claim = if context.no_change.is_some() {
        Claim::aside(text)
    } else if from.is_apart_from(to) {
        Claim::main(text, 2.0)
    } else if from.overlaps(to) {
        Claim::aside(format!("{text} The intervals overlap."))
    } else {
        Claim::aside(text)
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
        table: ReportTable::default(),
    })
}

/// A directive and its share in the first and in the last crawl.
struct Use {
    directive: String,
    hosts: f64,
    before: Share,
    after: Share,
}

/// The directives of the last crawl that at least one host in two thousand uses, those that most
/// hosts use first.
fn uses(context: &Context<'_>, answer: &Answer) -> Vec<Use> {
    const SHARE: &str = "pct_of_hosts_with_file";
    let first_label = context.before;
    let before = |directive: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("crawl") == first_label && row.text("directive") == directive)
            .map_or(Share::of(0.0), |row| row.pct(SHARE))
    };
    let mut uses: Vec<Use> = answer
        .rows()
        .filter(|row| row.text("crawl") == context.last())
        .map(|row| Use {
            directive: row.text("directive").into_owned(),
            hosts: row.count("hosts"),
            before: before(&row.text("directive")),
            after: row.pct(SHARE),
        })
        .collect();
    uses.retain(|it| it.after.value.max(it.before.value) >= 0.05);
    uses.sort_by(|one, other| other.after.value.total_cmp(&one.after.value));
    uses
}

fn directives(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let first_label = context.before;
    let uses = uses(context, answer);
    let change = |it: &&Use| (it.after.value - it.before.value).abs();
    let changed = uses
        .iter()
        .filter(|it| context.no_change.is_none() && it.after.is_apart_from(it.before))
        .max_by(|one, other| change(one).total_cmp(&change(other)));
    let told = changed.or(uses.first())?;
    let claim = match (changed, context.no_change) {
        (Some(_), _) => format!(
            "The use of {} changed most: it {}",
            told.directive,
            from_to(context, &told.before, &told.after)
        ),
        (None, None) if told.after.overlaps(told.before) => format!(
            "No directive's use changed beyond the intervals; that of {}, which most hosts use, {}",
            told.directive,
            from_to(context, &told.before, &told.after)
        ),
        (None, _) => format!(
            "{}, which most hosts use: {}",
            told.directive,
            from_to(context, &told.before, &told.after)
        ),
    };
    let text = |text: String| Shown { text, number: None };
    let share = |share: Share| Shown {
        text: share.in_table(),
        number: Some(share.value),
    };
    let rows = uses.iter().map(|it| TableRow {
        cells: vec![
            text(it.directive.clone()),
            share(it.before),
            share(it.after),
            Shown {
                text: count(it.hosts),
                number: Some(it.hosts),
            },
        ],
        agents: Vec::new(),
    });
    let rows: Vec<TableRow> = rows.collect();
    let of = |label: &str| {
        (
            format!("{label}, of hosts with a robots.txt (95% interval)"),
            true,
        )
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable {
            heads: vec![
                ("Directive".to_owned(), false),
                of(first_label),
                of(context.last()),
                (format!("Hosts in {}", context.last()), true),
            ],
            n_hidden: answer.rows.len().saturating_sub(2 * rows.len()),
            rows,
        },
        ..Told::default()
    })
}
