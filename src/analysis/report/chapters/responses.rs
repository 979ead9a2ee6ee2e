//! What servers answer.

use super::{KEY, level_with, measure, of_measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Ink, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, Needs, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "responses",
    title: "Responses",
    about: "What servers answered when robots.txt was asked for.",
    is_appendix: false,
    sections: &[
        Section {
            id: "classes",
            title: "What hosts answered",
            query: "status-classes",
            about: "Each host counts once, after redirects. Where a crawl has several responses of \
                    a host, the first of these counts: success, no file, forbidden, error, \
                    redirect.",
            read: classes,
            ..PLAIN
        },
        Section {
            id: "classes-by-rank",
            title: "Responses by rank",
            query: "status-classes-by-rank",
            needs: Needs::Ranks,
            about: "Domains of the list of ranks, by what the crawl has of them.",
            read: by_rank,
            ..PLAIN
        },
        Section {
            id: "contents",
            title: "Content served as robots.txt",
            query: "content-classes",
            about: "By what is in the body, whatever its media type says.",
            read: contents,
            ..PLAIN
        },
        Section {
            id: "codes",
            title: "Status codes",
            query: "status-codes",
            about: "Origins (scheme, host and port), by the status of the response itself, before \
                    redirects.",
            read: codes,
            ..PLAIN
        },
        Section {
            id: "redirects",
            title: "Redirects: how many hops, and where they end",
            query: "redirect-depth",
            about: "Redirects are followed within the crawl, five hops at most (RFC 9309 \
                    §2.3.1.2).",
            read: redirects,
            ..PLAIN
        },
    ],
};

fn class_in_words(row: &Row<'_>) -> String {
    let content = row.optional_text("content").unwrap_or_default();
    match (&*row.text("response_class"), &*content) {
        ("success", "rules") => "rules".to_owned(),
        ("success", "no rules") => "a file without rules".to_owned(),
        ("success", content) => content.to_owned(),
        ("allow_all", _) => "no file (404 and the like)".to_owned(),
        ("forbidden", _) => "forbidden (401, 403)".to_owned(),
        ("defer", _) => "error (429, 5xx)".to_owned(),
        ("redirect", _) => "redirect not resolved".to_owned(),
        ("not_modified", _) => "not modified".to_owned(),
        (other, _) => other.to_owned(),
    }
}

fn classes(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let first = answer.rows().next()?;
    let mut claims = Vec::new();
    let last = |name| measure(context.by_host, context.last(), name);
    if let Some(row) = last("with_rules") {
        claims.push(Claim::main(
            format!("{} have a robots.txt with rules.", of_measure(row)?),
            3.0,
        ));
    }
    if let (Some(forbidden), Some(errors)) = (last("forbidden"), last("errors")) {
        claims.push(Claim::aside(format!(
            "Of hosts captured, {} refused the request (401, 403) and {} answered with an error: \
             what they allow is not known.",
            forbidden.share(KEY)?.with_interval(),
            errors.share(KEY)?.in_brief()
        )));
    }
    let drawn = answer.rows().map(|row| {
        let share = row.pct("pct_of_hosts");
        (class_in_words(&row), share, share.shown())
    });
    let figure = Figure {
        measure: "Hosts by what they answered".to_owned(),
        plot: Plot::Bars {
            axis: "% of hosts captured".to_owned(),
            rows: drawn.collect(),
        },
    };
    let mut table = ReportTable::of(
        context,
        answer,
        &[
            Col::text("response_class", "Response"),
            Col::text("statuses", "Status codes"),
            Col::count("hosts", "Hosts"),
            Col::share("pct_of_hosts", "Of hosts captured"),
        ],
        20,
    );
    for (line, row) in table.rows.iter_mut().zip(answer.rows()) {
        line.cells[0].text = class_in_words(&row);
    }
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} hosts captured, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table,
    })
}

fn by_rank(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    const PARTS: [(&str, &str, Ink); 4] = [
        ("with_rules", "rules", Ink::Allowed),
        ("allow_all", "no file", Ink::Partly),
        ("forbidden", "forbidden", Ink::Blocked),
        ("defer", "error", Ink::Everybody),
    ];
    let captured = |row: &Row<'_>| row.count("n") - row.count("not_captured");
    // Ranges that have no domain in common, as `who` has them, and all hosts.
    let mut ranges = 0;
    let rows: Vec<Row<'_>> = answer
        .rows()
        .filter(|row| captured(row) > 0.0)
        .filter(|row| {
            ranges += 1;
            ranges == 1 || !row.text("stratum").starts_with("top ")
        })
        .collect();
    let (first, last) = (rows.first()?, rows.last()?);
    if rows.len() < 2 {
        return None;
    }
    let share = |row: &Row<'_>, column| Share::of(100.0 * row.count(column) / captured(row));
    let range = |row: &Row<'_>| super::rank::range_in_words(&row.text("stratum"));
    let claim = format!(
        "Of the {} of the {} whose own host was captured, {} have rules; of {}, {}.",
        counted(captured(first), "domain"),
        range(first),
        share(first, "with_rules").shown(),
        match range(last).as_str() {
            "all hosts" => "all hosts captured".to_owned(),
            other => format!("those ranked {other}"),
        },
        share(last, "with_rules").shown()
    );
    let drawn = rows.iter().map(|row| {
        let shares = PARTS.iter().map(|(column, ..)| share(row, column));
        let n = format!("n = {}", count(captured(row)));
        (range(row), shares.collect(), n)
    });
    let shown: Vec<String> = rows
        .iter()
        .map(|row| row.text("stratum").into_owned())
        .collect();
    let figure = Figure {
        measure: "What domains answered, by rank".to_owned(),
        plot: Plot::Stack {
            axis: "% of the captured domains".to_owned(),
            parts: PARTS
                .iter()
                .map(|(_, name, ink)| ((*name).to_owned(), *ink))
                .collect(),
            rows: drawn.collect(),
            rest: "other".to_owned(),
        },
    };
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(figure),
        note: format!(
            "Of the domains of the list that were captured under their own name, with or without \
             www. (n), and of all hosts captured, crawl {}.",
            context.last()
        ),
        table: ReportTable::of_rows(
            context,
            answer,
            &[
                Col::words("stratum", "Rank", super::rank::range_in_words),
                Col::count("n", "Domains"),
                Col::count("not_captured", "Not captured"),
                Col::count("with_rules", "With rules"),
                Col::share("pct_with_rules", "With rules, of all in the range"),
                Col::count("no_rules", "File without rules"),
                Col::count("not_robotstxt", "Not a robots.txt"),
                Col::count("allow_all", "No file"),
                Col::count("forbidden", "Forbidden"),
                Col::count("defer", "Error"),
                Col::count("unresolved", "Redirect not resolved"),
            ],
            12,
            |row| shown.contains(&row.text("stratum").into_owned()),
        ),
    })
}

fn contents(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let total: f64 = answer.rows().map(|row| row.count("hosts")).sum();
    let of = |class: &str| {
        let mut rows = answer.rows();
        rows.find(|row| row.text("content_class") == class)
            .map_or(0.0, |row| row.count("hosts"))
    };
    if total == 0.0 {
        return None;
    }
    let claim = format!(
        "Of {} that answered with a success (2xx), {} served a web page in the place of robots.txt \
         and {} an empty file.",
        counted(total, "host"),
        Share::of(100.0 * of("html") / total).shown(),
        Share::of(100.0 * of("empty") / total).shown()
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("content_class", "Content", |class| match class {
                    "html" => "a web page (HTML)".to_owned(),
                    "no_rules" => "lines, but no rules".to_owned(),
                    "compressed" => "still compressed".to_owned(),
                    class => class.replace('_', " "),
                }),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_body", "Of hosts answering 2xx"),
                Col::count("files", "Files"),
                Col::count("not_utf8", "Not UTF-8"),
                Col::count("with_bom", "With a byte order mark"),
            ],
            12,
        ),
        ..Told::default()
    })
}

fn codes(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let first = answer.rows().next()?;
    let claim = format!(
        "The most frequent status is {}, from {} of origins.{}",
        first.text("fetch_status"),
        first.pct("pct_of_origins").with_interval(),
        level_with(first, answer.rows(), "origins", |row| row
            .text("fetch_status")
            .into_owned())
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("fetch_status", "Status"),
                Col::words("response_class", "Meaning", words::response),
                Col::count("origins", "Origins"),
                Col::share("pct_of_origins", "Share"),
            ],
            15,
        ),
        ..Told::default()
    })
}

fn redirects(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let resolved: f64 = answer
        .rows()
        .filter(|row| row.text("ended") == "final")
        .map(|row| row.count("pct_of_redirects"))
        .sum();
    answer.rows().next()?;
    let claim = format!(
        "{} of redirects lead to a response that the crawl has.",
        Share::of(resolved).shown()
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::number("hops_followed", "Hops followed"),
                Col::words("ended", "Ended", |ended| match ended {
                    "final" => "at a response that is captured".to_owned(),
                    ended => ended.replace('_', " "),
                }),
                Col::words("final_class", "Which is", words::response),
                Col::count("captures", "Captures"),
                Col::share("pct_of_redirects", "Of redirects"),
            ],
            15,
        ),
        ..Told::default()
    })
}
