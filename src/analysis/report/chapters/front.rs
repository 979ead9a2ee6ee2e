//! The front page: the picture and the populations. The summary is chosen from all chapters.

use super::{BY_DOMAIN, BY_HOST, GIVEN_AGENTS, in_both_units, level_with};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "summary",
    title: "Summary",
    about: "",
    is_appendix: false,
    sections: &[
        Section {
            id: "most-blocked",
            title: "The AI crawlers blocked most",
            query: "agents-at-a-glance",
            arguments: &[GIVEN_AGENTS],
            about: "Fully blocked by name: a group of the file names the crawler and allows it no \
                    path. By host, every host weighs the same; by registrable domain \
                    (example.co.uk), every domain does, however many hosts it has. Where the two \
                    differ, a few domains with many hosts make the difference, and the interval by \
                    host is wide.",
            read: most_blocked,
            ..PLAIN
        },
        Section {
            id: "populations",
            title: "From captures to hosts with rules",
            query: "populations",
            about: "Every share in this report is of one of these populations, each a part of the \
                    one before. A host counts once in a crawl, by the response that counts after \
                    redirects; it answered conclusively where it served a body, whatever is in \
                    it, or said that it has no robots.txt.",
            read: populations,
            ..PLAIN
        },
    ],
};

/// Columns of a table of crawlers.
pub(super) const CRAWLERS: [Col; 8] = [
    Col::agent("product_token", "Crawler"),
    Col::text("operator", "Operator"),
    Col::words("category", "Kind", words::category),
    Col::count("hosts_named", "Hosts naming it"),
    Col::interval(
        ["pct_named", "pct_named_low", "pct_named_high"],
        "Named (95% interval)",
    ),
    Col::count("hosts_full_by_name", "Hosts blocking it by name"),
    Col::interval(BY_HOST, "Fully blocked by name (95% interval)"),
    Col::interval(BY_DOMAIN, "The same, of domains"),
];

fn most_blocked(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let is_asked = |row: &Row<'_>| row.optional_text("is_ai").as_deref() == Some("true");
    let mut rows: Vec<Row<'_>> = answer.rows().filter(is_asked).collect();
    if rows.is_empty() {
        // --agents may name none of AI.
        rows = answer.rows().collect();
    }
    rows.retain(|row| row.count("hosts_full_by_name") > 0.0);
    let first = *rows.first()?;
    let name = |row: &Row<'_>| context.agent(&row.text("product_token"));
    let share = |row: &Row<'_>| row.share(BY_HOST);
    let n = first.count("n");
    let mut claims = Vec::new();
    let (top, top_of_domains) = (share(&first)?, first.share(BY_DOMAIN)?);
    // Which one is first may depend on what weighs the same.
    let by_domain = rows.iter().max_by(|one, other| {
        one.count("pct_of_domains")
            .total_cmp(&other.count("pct_of_domains"))
    })?;
    let of_domains = if by_domain.count("pct_of_domains") <= first.count("pct_of_domains") {
        String::new()
    } else {
        format!(
            " Counted by registrable domain, most block {}: {}.",
            name(by_domain),
            by_domain.share(BY_DOMAIN)?.with_interval()
        )
    };
    let second = rows.get(1);
    let order = order_of(&rows, name);
    let subject = blocked_most(
        &name(&first),
        kind_of(first),
        context.is_chosen.then_some(answer.rows.len()),
    );
    claims.push(Claim::main(
        format!(
            "{subject}: {} allow it no path.{of_domains}{order}",
            in_both_units(
                Some(top_of_domains),
                top,
                first.count("hosts_full_by_name"),
                n,
                words::population("answered")
            ),
        ),
        10.0,
    ));
    if let Some(second) = second {
        claims.push(Claim::aside(format!(
            "{} follows with {} and {}.",
            name(second),
            second
                .share(BY_DOMAIN)?
                .of_what("registrable domains", "95% interval "),
            share(second)?.of_what("hosts", "")
        )));
    }
    claims.extend(weights_differ(context, &rows));
    let drawn = rows
        .iter()
        .take(10)
        .map(|row| (name(row), vec![share(row), row.share(BY_DOMAIN)]));
    let figure = Figure {
        measure: format!(
            "AI crawlers that are fully blocked by name, crawl {}",
            context.last()
        ),
        plot: Plot::Dots {
            axis: "% of hosts, % of domains".to_owned(),
            series: vec!["by host".to_owned(), "by registrable domain".to_owned()],
            rows: drawn.collect(),
        },
    };
    let asked: Vec<String> = rows
        .iter()
        .map(|row| row.text("product_token").into_owned())
        .collect();
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} hosts under {} registrable domains that answered conclusively, crawl {}. Bars: \
             95% intervals.",
            count(n),
            count(first.count("n_domains")),
            context.last()
        ),
        table: ReportTable::of_rows(context, answer, &CRAWLERS, 30, |row| {
            asked
                .iter()
                .any(|token| *token == row.text("product_token"))
        }),
    })
}

/// A sentence on the order of the first two crawlers, where it is not certain.
fn order_of(rows: &[Row<'_>], name: impl Fn(&Row<'_>) -> String) -> String {
    let [first, others @ ..] = rows else {
        return String::new();
    };
    let level = level_with(*first, rows.iter().copied(), "hosts_full_by_name", &name);
    let share = |row: &Row<'_>| row.share(BY_DOMAIN);
    match others.first() {
        Some(second)
            if level.is_empty()
                && share(first)
                    .zip(share(second))
                    .is_some_and(|(first, second)| first.overlaps(second)) =>
        {
            format!(
                " The intervals of {} and {} overlap: their order is not certain.",
                name(first),
                name(second)
            )
        }
        _ => level,
    }
}

/// Whether a crawler is for AI first or also, and whether only lists call it so.
fn kind_of(row: Row<'_>) -> &'static str {
    let is_ai = row.optional_text("is_ai").as_deref() == Some("true");
    let is_ai_first = row
        .optional_text("category")
        .is_none_or(|it| it.starts_with("ai "));
    match row.optional_text("is_ai_basis").as_deref() {
        _ if !is_ai => "crawler",
        Some("lists") => "AI crawler (by lists)",
        _ if !is_ai_first => "crawler with an AI purpose",
        _ => "AI crawler",
    }
}

/// The beginning of a sentence on the crawler that is blocked most: of all, or of this many
/// `chosen`.
fn blocked_most(name: &str, kind: &str, chosen: Option<usize>) -> String {
    match chosen {
        None => format!("{name} is the {kind} that most hosts block by name"),
        Some(1) => format!("{name} is blocked by name"),
        Some(n) => {
            format!("{name} is the crawler that most hosts block by name, of these {n}")
        }
    }
}

/// Where one domain with many hosts makes what hosts say: the crawler for which the two ways of
/// weighing differ most.
fn weights_differ(context: &Context<'_>, rows: &[Row<'_>]) -> Option<Claim> {
    let ratio = |row: &Row<'_>| {
        let (host, domain) = (row.share(BY_HOST)?, row.share(BY_DOMAIN)?);
        // Beyond the domains' interval, and not of a handful of hosts.
        let is_beyond = domain.interval.is_some_and(|(_, high)| host.value > high);
        let is_weighty = row.count("hosts_full_by_name") >= 20.0 && domain.value > 0.0;
        (is_beyond && is_weighty).then(|| host.value / domain.value)
    };
    let (row, ratio) = rows
        .iter()
        .filter_map(|row| Some((row, ratio(row)?)))
        .max_by(|one, other| one.1.total_cmp(&other.1))?;
    let host: Share = row.share(BY_HOST)?;
    let domain = row.share(BY_DOMAIN)?;
    (ratio >= 1.5).then(|| {
        Claim::main(
            format!(
                "Counting hosts rather than domains matters {}for {}: {} block it by name, but {}. \
                 One domain has {} of the {}.",
                if rows.len() > 1 { "most " } else { "" },
                context.agent(&row.text("product_token")),
                host.of_what("hosts", "95% interval "),
                domain.of_what("registrable domains", ""),
                Share::of(row.count("pct_of_top_domain")).shown(),
                counted(row.count("hosts_full_by_name"), "blocking host"),
            ),
            2.0 + ratio.min(4.0) / 2.0,
        )
    })
}

fn populations(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let of = |name: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.optional_text("population").as_deref() == Some(name))
            .map(|row| row.count("number"))
    };
    let (captured, answered, rules) = (of("captured")?, of("answered")?, of("with_rules")?);
    if captured == 0.0 {
        return None;
    }
    let claim = format!(
        "Of {} captured in crawl {}, {} answered conclusively and {} have a robots.txt with rules.",
        counted(captured, "host"),
        context.last(),
        count(answered),
        count(rules)
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("step", "Step", step),
                Col::count("number", "Number"),
                Col::count("domains", "Registrable domains"),
            ],
            20,
        ),
        ..Told::default()
    })
}

/// A step; what is left out of the next one is indented in the answer.
fn step(text: &str) -> String {
    match text.strip_prefix("  ") {
        Some(part) if part.starts_with("of these") => part.to_owned(),
        Some(part) => format!("less: {part}"),
        None => text.to_owned(),
    }
}
