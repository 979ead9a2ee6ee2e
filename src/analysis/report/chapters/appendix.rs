//! For those who look closer: dialects, published methods, sizes, encodings, directives.

use super::{GIVEN_AGENTS, files, level_with, of_hosts, published};
use crate::analysis::report::answer::{Answer, Cell, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Argument, Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable, plain};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "appendix",
    title: "Appendix",
    about: "What published methods would have counted, where dialects of the protocol disagree, \
            and how files are made.",
    is_appendix: true,
    sections: &[
        Section {
            id: "definitions",
            title: "Blocked, by four definitions",
            query: "agent-definitions",
            arguments: &[GIVEN_AGENTS],
            about: "Ours is exact: no path is allowed under RFC 9309. Common Crawl's experiments, \
                    the Data Provenance Initiative and Liu et al. (IMC 2025) decide from single \
                    rules or probe some paths.",
            read: published::definitions,
            ..PLAIN
        },
        Section {
            id: "grouping",
            title: "Rules lost to faulty grouping",
            query: "grouping-errors-total",
            about: "Scripts of published studies form groups otherwise than RFC 9309, and so give \
                    some crawlers no rules or others' rules. A pair is a crawler in a file.",
            read: published::grouping,
            ..PLAIN
        },
        Section {
            id: "grouping-by-crawler",
            title: "Crawlers whose rules get lost",
            query: "grouping-errors",
            about: "Hosts whose rules for the crawler a script does not see.",
            read: published::grouping_by_crawler,
            ..PLAIN
        },
        Section {
            id: "dialects",
            title: "Where dialects disagree about the root",
            query: "dialects-disagree-on-root",
            about: "Files of which two dialects do not agree whether any crawler that they name \
                    may fetch `/`.",
            read: published::dialects,
            ..PLAIN
        },
        Section {
            id: "forbidden",
            title: "401 and 403: allowed or blocked",
            query: "hosts-forbidden",
            about: "RFC 9309 §2.3.1.3 allows everything after a 4xx status; the draft of 1996 \
                    blocked everything after 401 and 403.",
            read: published::forbidden,
            naming: &["a_host"],
            ..PLAIN
        },
        Section {
            id: "sizes",
            title: "A typical file",
            query: "size-quantiles",
            about: "Hosts with rules; half of them have no more than the median.",
            read: files::sizes,
            ..PLAIN
        },
        Section {
            id: "large",
            title: "Large files",
            query: "size-bins",
            about: "Crawlers may stop reading after 500 KiB (RFC 9309 §2.5).",
            read: files::large,
            ..PLAIN
        },
        Section {
            id: "size-peaks",
            title: "File sizes that many hosts share",
            query: "size-peaks",
            about: "Many files of one size, to the byte, are one text: a platform's or a \
                    template's.",
            read: peaks,
            ..PLAIN
        },
        Section {
            id: "encodings",
            title: "Encodings and line ends",
            query: "encodings",
            about: "RFC 9309 §2.2 asks for UTF-8.",
            read: files::encodings,
            ..PLAIN
        },
        Section {
            id: "features",
            title: "Features of the path language",
            query: "rule-features",
            about: "Rules as they are written.",
            read: files::features,
            ..PLAIN
        },
        Section {
            id: "paths",
            title: "Paths blocked and allowed most",
            query: "paths",
            arguments: &[("top", Argument::Typed("60"))],
            about: "For everybody: in the group for every crawler.",
            read: paths,
            ..PLAIN
        },
        Section {
            id: "sitemaps",
            title: "Sitemaps in a file",
            query: "sitemaps-per-file",
            about: "Sitemap lines.",
            read: sitemaps,
            ..PLAIN
        },
        Section {
            id: "directives",
            title: "Directives beyond RFC 9309",
            query: "directives",
            about: "Known: some crawler or proposal reads it.",
            read: directives,
            naming: &["usual_value"],
            ..PLAIN
        },
        Section {
            id: "crawl-delays",
            title: "Crawl delays",
            query: "crawl-delays",
            about: "Seconds between requests that hosts ask for; no part of RFC 9309.",
            read: crawl_delays,
            ..PLAIN
        },
        Section {
            id: "tlds",
            title: "Top-level domains",
            query: "tlds",
            about: "The size of the corpus and its parts.",
            read: tlds,
            ..PLAIN
        },
    ],
};

/// The row with most of a column.
pub(super) fn most<'a>(answer: &'a Answer, column: &str) -> Option<Row<'a>> {
    answer
        .rows()
        .filter(|row| row.number(column).is_some())
        .max_by(|one, other| one.count(column).total_cmp(&other.count(column)))
}

/// A section with a claim and a table.
#[expect(clippy::unnecessary_wraps, reason = "what readers of answers return")]
pub(super) fn told(claim: String, table: ReportTable) -> Option<Told> {
    let claims = vec![Claim::aside(claim)];
    Some(Told {
        claims,
        table,
        ..Told::default()
    })
}

fn peaks(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "hosts")?;
    let size = |row: &Row<'_>| counted(row.count("bytes"), "byte");
    told(
        format!(
            "The most frequent size is {}: {} ({} of hosts with a robots.txt), {} of them with the \
             same rules.{}",
            size(&row),
            counted(row.count("hosts"), "host"),
            row.pct("pct_of_hosts_with_file").shown(),
            row.pct("pct_of_them_alike").shown(),
            level_with(row, answer.rows(), "hosts", size)
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::count("bytes", "Bytes"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("files", "Different files"),
                Col::share("pct_of_them_alike", "With the most frequent rules"),
                Col::count("lines", "Lines of it"),
                Col::count("agents", "Crawlers named"),
                Col::count("rules", "Rules"),
                Col::words("platform", "Platform", words::platform),
            ],
            12,
        ),
    )
}

fn paths(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    // The root and nothing are about everything; the next is about a path.
    let others = || answer.rows().filter(|row| row.text("path").len() > 1);
    let row = others().max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    told(
        format!(
            "The path that most hosts have a rule for, the root aside, is {}: {} {} it, {} of \
             hosts with rules.{}",
            row.text("path"),
            counted(row.count("hosts"), "host"),
            row.text("rule_type"),
            row.pct("pct_of_hosts_with_rules").with_interval(),
            level_with(row, others(), "hosts", |row| row.text("path").into_owned())
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("rule_type", "Rule"),
                Col::words("path", "Path", |path| match path {
                    "" => "(nothing)".to_owned(),
                    path => path.to_owned(),
                }),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_rules", "Of hosts with rules"),
                Col::count("hosts_for_everybody", "For everybody"),
            ],
            15,
        ),
    )
}

fn sitemaps(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let total: f64 = answer.rows().map(|row| row.count("hosts")).sum();
    let none = answer
        .rows()
        .find(|row| row.text("sitemaps_in_file") == "0")
        .map_or(0.0, |row| row.count("hosts"));
    (total > 0.0).then_some(())?;
    told(
        format!(
            "{} of hosts with a robots.txt announce a sitemap in it ({} of {}).",
            Share::of(100.0 * (total - none) / total).shown(),
            count(total - none),
            count(total)
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("sitemaps_in_file", "Sitemap lines in the file"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("sitemap_lines", "Lines in all"),
                Col::count("most_in_a_file", "Most in one file"),
                Col::count(
                    "hosts_with_sitemap_elsewhere",
                    "Hosts with a sitemap on another host",
                ),
            ],
            12,
        ),
    )
}

fn directives(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "hosts")?;
    told(
        format!(
            "{} is the directive that most hosts use: {} of those with a robots.txt.{}",
            row.text("directive"),
            row.pct("pct_of_hosts_with_file").with_interval(),
            level_with(row, answer.rows(), "hosts", |row| row
                .text("directive")
                .into_owned())
        ),
        ReportTable::of(
            context,
            answer,
            &[
                Col::text("directive", "Directive"),
                Col::text("kind", "Kind"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("lines", "Lines"),
            ],
            15,
        ),
    )
}

fn crawl_delays(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut by_hosts = answer.clone();
    if let Some(place) = answer.column("hosts") {
        let hosts = |cells: &Vec<Cell>| cells[place].number().unwrap_or(0.0);
        by_hosts
            .rows
            .sort_by(|one, other| hosts(other).total_cmp(&hosts(one)));
    }
    let row = by_hosts.rows().next()?;
    let seconds = |row: &Row<'_>| match plain(row.count("seconds")) {
        one if one == "1" => "1 second".to_owned(),
        number => format!("{number} seconds"),
    };
    told(
        format!(
            "The delay that most hosts ask for is {}: {} do.{}",
            seconds(&row),
            of_hosts(
                row.pct("pct_of_hosts"),
                row.count("hosts"),
                row.count("n"),
                words::population("with_rules")
            ),
            level_with(row, by_hosts.rows(), "hosts", seconds)
        ),
        ReportTable::of(
            context,
            &by_hosts,
            &[
                Col::number("seconds", "Seconds"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts", "Of hosts with rules"),
                Col::count("of_everybody", "Of every crawler (*)"),
                Col::agent("most_often_of", "Most often of"),
            ],
            10,
        ),
    )
}

fn tlds(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let rows: Vec<Row<'_>> = answer.rows().collect();
    let first = rows.first()?;
    let figure = Figure {
        measure: "Hosts by top-level domain".to_owned(),
        plot: Plot::Bars {
            axis: "% of hosts captured".to_owned(),
            rows: rows
                .iter()
                .take(12)
                .map(|row| {
                    let share = row.pct("pct_of_hosts");
                    (format!(".{}", row.text("tld")), share, share.shown())
                })
                .collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} of hosts captured are under .{}; no top-level domain has more.{}",
            first.pct("pct_of_hosts").with_interval(),
            first.text("tld"),
            level_with(*first, rows.iter().copied(), "pct_of_hosts", |row| format!(
                ".{}",
                row.text("tld")
            ))
        ))],
        figure: Some(figure),
        note: format!("Of hosts captured, crawl {}.", context.last()),
        table: ReportTable::default(),
    })
}
