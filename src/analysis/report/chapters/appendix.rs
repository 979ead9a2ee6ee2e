//! For those who look closer: dialects, published methods, sizes, encodings, directives.

use super::GIVEN_AGENTS;
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Argument, Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, Table};

pub(super) const CHAPTER: Chapter = Chapter {
    id: "appendix",
    title: "Appendix",
    about: "What published methods would have counted, where dialects of the protocol disagree, and how files are made.",
    is_appendix: true,
    sections: &[
        Section {
            id: "definitions",
            title: "Blocked, by four definitions",
            query: "agent-definitions",
            arguments: &[GIVEN_AGENTS],
            about: "Ours is exact: no path is allowed under RFC 9309. Common Crawl's experiments, the Data Provenance \
                    Initiative and Liu et al. (IMC 2025) decide from single rules or probe some paths.",
            read: definitions,
            ..PLAIN
        },
        Section {
            id: "grouping",
            title: "Rules lost to faulty grouping",
            query: "grouping-errors-total",
            about: "Scripts of published studies form groups otherwise than RFC 9309, and so give some crawlers no rules \
                    or others' rules. A pair is a crawler in a file.",
            read: grouping,
            ..PLAIN
        },
        Section {
            id: "grouping-by-crawler",
            title: "Crawlers whose rules get lost",
            query: "grouping-errors",
            about: "Hosts whose rules for the crawler a script does not see.",
            read: grouping_by_crawler,
            ..PLAIN
        },
        Section {
            id: "dialects",
            title: "Where dialects disagree about the root",
            query: "dialects-disagree-on-root",
            about: "Files of which two dialects do not agree whether any crawler that they name may fetch `/`.",
            read: dialects,
            ..PLAIN
        },
        Section {
            id: "forbidden",
            title: "401 and 403: allowed or blocked",
            query: "hosts-forbidden",
            about: "RFC 9309 §2.3.1.3 allows everything after a 4xx status; the draft of 1996 blocked everything after 401 and \
                    403.",
            read: forbidden,
            naming: &["a_host"],
            ..PLAIN
        },
        Section {
            id: "sizes",
            title: "A typical file",
            query: "size-quantiles",
            about: "Hosts with rules; half of them have no more than the median.",
            read: sizes,
            ..PLAIN
        },
        Section {
            id: "large",
            title: "Large files",
            query: "size-bins",
            about: "Crawlers may stop reading after 500 KiB (RFC 9309 §2.5).",
            read: large,
            ..PLAIN
        },
        Section {
            id: "size-peaks",
            title: "Sizes that must be templates",
            query: "size-peaks",
            about: "Sizes in bytes that many hosts share; alike: by the commonest rule set among files of that size.",
            read: peaks,
            ..PLAIN
        },
        Section {
            id: "encodings",
            title: "Encodings and line ends",
            query: "encodings",
            about: "RFC 9309 §2.2 asks for UTF-8.",
            read: encodings,
            ..PLAIN
        },
        Section {
            id: "features",
            title: "Features of the path language",
            query: "rule-features",
            about: "Rules as they are written.",
            read: features,
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
            about: "What the corpus is made of.",
            read: tlds,
            ..PLAIN
        },
    ],
};

/// The row with most of a column.
fn most<'a>(answer: &'a Answer, column: &str) -> Option<Row<'a>> {
    answer
        .rows()
        .filter(|row| row.number(column).is_some())
        .max_by(|one, other| one.count(column).total_cmp(&other.count(column)))
}

/// A section with a claim and a table.
#[expect(clippy::unnecessary_wraps, reason = "what readers of answers return")]
fn told(claim: String, table: Table) -> Option<Told> {
    let claims = vec![Claim::aside(claim)];
    Some(Told {
        claims,
        table,
        ..Told::default()
    })
}

fn definitions(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    const OTHERS: [(&str, &str); 3] = [
        ("pct_cc_disallow_all", "Common Crawl"),
        ("pct_dpi_all", "Data Provenance"),
        ("pct_imc_full", "Liu et al."),
    ];
    let difference =
        |row: &Row<'_>, column: &str| (row.count(column) - row.count("pct_full")).abs();
    let widest = answer
        .rows()
        .flat_map(|row| OTHERS.map(|(column, name)| (row, column, name)))
        .max_by(|one, other| difference(&one.0, one.1).total_cmp(&difference(&other.0, other.1)))?;
    let (row, column, name) = widest;
    let claim = format!(
        "The definitions part most on {}: {} of hosts block it, {} by the definition of {name}.",
        context.agent(&row.text("product_token")),
        Share::of(row.count("pct_full")).shown(),
        Share::of(row.count(column)).shown()
    );
    told(
        claim,
        Table::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::share("pct_full", "Blocked, exactly"),
                Col::share("pct_cc_disallow_all", "Common Crawl"),
                Col::share("pct_dpi_all", "Data Provenance"),
                Col::share("pct_imc_full", "Liu et al."),
            ],
            15,
        ),
    )
}

fn grouping(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "pct_pairs_lost").filter(|row| row.count("pairs_lost") > 0.0)?;
    let exact = answer
        .rows()
        .find(|row| row.text("grouping_of") == "RFC 9309")?;
    let text = format!(
        "The grouping of {} loses {} of the {} pairs of a crawler and a file that has rules for it ({}).",
        row.text("grouping_of"),
        Share::of(row.count("pct_pairs_lost")).shown(),
        count(exact.count("file_agent_pairs")),
        count(row.count("pairs_lost"))
    );
    told(text, Table::whole(context, answer, &[], 6))
}

fn grouping_by_crawler(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let lost = |row: &Row<'_>| {
        ["pct_lost_cc", "pct_lost_ha", "pct_lost_dpi"]
            .map(|column| row.count(column))
            .into_iter()
            .fold(0.0, f64::max)
    };
    // Few hosts make large shares: twenty at least.
    let row = answer
        .rows()
        .filter(|row| row.count("hosts") >= 20.0 && lost(row) > 0.0)
        .max_by(|one, other| lost(one).total_cmp(&lost(other)))?;
    let mut by_loss = answer.clone();
    by_loss.rows.sort_by(|one, other| {
        let share = |cells: &[crate::analysis::report::answer::Cell]| {
            ["pct_lost_cc", "pct_lost_ha", "pct_lost_dpi"]
                .iter()
                .filter_map(|name| cells.get(answer.column(name)?)?.number())
                .fold(0.0, f64::max)
        };
        share(other).total_cmp(&share(one))
    });
    told(
        format!(
            "{} loses most: published scripts do not see the rules of up to {} of the {} that have some for it.",
            context.agent(&row.text("product_token")),
            Share::of(lost(&row)).shown(),
            counted(row.count("hosts"), "host")
        ),
        Table::of_those(
            context,
            &by_loss,
            &[
                Col::agent("product_token", "Crawler"),
                Col::count("hosts", "Hosts with rules for it"),
                Col::share("pct_lost_cc", "Lost by Common Crawl's"),
                Col::share("pct_lost_ha", "By HTTP Archive's"),
                Col::share("pct_lost_dpi", "By Data Provenance's"),
            ],
            15,
            |row| row.count("hosts") >= 20.0,
        ),
    )
}

fn dialects(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "files").filter(|row| row.count("files") > 0.0)?;
    told(
        format!(
            "{} and {} part most, on {} of files ({}).",
            row.text("dialect"),
            row.text("other"),
            Share::of(row.count("pct_of_files")).shown(),
            count(row.count("files"))
        ),
        Table::whole(context, answer, &[], 20),
    )
}

fn forbidden(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = answer
        .rows()
        .find(|row| row.text("fetch_status") == "all")
        .filter(|row| row.count("hosts") > 0.0)?;
    told(
        format!(
            "{} ({}) are allowed by RFC 9309 and were blocked by the draft of 1996.",
            counted(row.count("hosts"), "host"),
            Share::of(row.count("pct_of_hosts")).shown()
        ),
        Table::whole(context, answer, &[], 8),
    )
}

fn sizes(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let of = |name: &str| answer.rows().find(|row| row.text("measure") == name);
    let (bytes, lines) = (of("bytes")?, of("lines")?);
    told(
        format!(
            "The median file has {} bytes in {} lines; one in a hundred has more than {} bytes.",
            count(bytes.count("median")),
            count(lines.count("median")),
            count(bytes.count("p99"))
        ),
        Table::whole(context, answer, &["hosts"], 15),
    )
}

fn large(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let over = answer
        .rows()
        .find(|row| row.text("size").contains("500") && row.text("size").contains("ver"));
    let row = over.or_else(|| answer.rows().next_back())?;
    told(
        format!(
            "{} of hosts that answered with a body ({}) serve one of the size \u{201c}{}\u{201d}.",
            Share::of(row.count("pct_of_hosts_with_file")).shown(),
            count(row.count("hosts")),
            row.text("size")
        ),
        Table::whole(context, answer, &[], 10),
    )
}

fn peaks(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "hosts")?;
    told(
        format!(
            "{} bytes is the commonest size: {} ({} of hosts with a robots.txt), {} of them alike.",
            count(row.count("bytes")),
            counted(row.count("hosts"), "host"),
            Share::of(row.count("pct_of_hosts_with_file")).shown(),
            Share::of(row.count("pct_of_them_alike")).shown()
        ),
        Table::whole(context, answer, &[], 12),
    )
}

fn encodings(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let total: f64 = answer.rows().map(|row| row.count("hosts")).sum();
    let plain: f64 = answer
        .rows()
        .filter(|row| row.text("encoding").starts_with("utf-8"))
        .map(|row| row.count("hosts"))
        .sum();
    (total > 0.0).then_some(())?;
    told(
        format!(
            "{} of hosts with a robots.txt serve UTF-8.",
            Share::of(100.0 * plain / total).shown()
        ),
        Table::whole(context, answer, &[], 12),
    )
}

fn features(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = answer
        .rows()
        .filter(|row| row.text("feature") != "rule")
        .max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    told(
        format!(
            "The feature that most hosts use is \u{201c}{}\u{201d}: {} of hosts with rules.",
            row.text("feature"),
            Share::of(row.count("pct_of_hosts_with_rules")).shown()
        ),
        Table::whole(context, answer, &[], 15),
    )
}

fn paths(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    // The root and nothing are about everything; the next is about a path.
    let row = answer
        .rows()
        .filter(|row| row.text("path").len() > 1)
        .max_by(|one, other| one.count("hosts").total_cmp(&other.count("hosts")))?;
    told(
        format!(
            "The path named by most, the root aside, is {}, in {} rules of {} ({}).",
            row.text("path"),
            row.text("rule_type"),
            counted(row.count("hosts"), "host"),
            Share::of(row.count("pct_of_hosts_with_rules")).shown()
        ),
        Table::of(
            context,
            answer,
            &[
                Col::text("rule_type", "Rule"),
                Col::text("path", "Path"),
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
            "{} of hosts with a robots.txt announce a sitemap in it.",
            Share::of(100.0 * (total - none) / total).shown()
        ),
        Table::whole(context, answer, &[], 12),
    )
}

fn directives(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let row = most(answer, "hosts")?;
    told(
        format!(
            "{} is the directive used most: by {} of hosts with a robots.txt.",
            row.text("directive"),
            Share::of(row.count("pct_of_hosts_with_file")).shown()
        ),
        Table::of(
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
    let row = most(answer, "hosts")?;
    told(
        format!(
            "{} is the delay asked for most: by {} ({}).",
            counted(row.count("seconds"), "second"),
            counted(row.count("hosts"), "host"),
            Share::of(row.count("pct_of_hosts")).shown()
        ),
        Table::of(
            context,
            answer,
            &[
                Col::number("seconds", "Seconds"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts", "Of hosts with a robots.txt"),
                Col::count("of_everybody", "Of everybody"),
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
                    let share = Share::of(row.count("pct_of_hosts"));
                    (format!(".{}", row.text("tld")), share.value, share.shown())
                })
                .collect(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(format!(
            "{} of hosts are under .{}.",
            Share::of(first.count("pct_of_hosts")).shown(),
            first.text("tld")
        ))],
        figure: Some(figure),
        note: format!("Of hosts captured, crawl {}.", context.last()),
        table: Table::default(),
    })
}
