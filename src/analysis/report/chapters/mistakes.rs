//! What goes wrong in files.

use super::{level_with, measure, of_measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{agree, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "mistakes",
    title: "Mistakes",
    about: "Lines that crawlers read otherwise than they were meant, or not at all.",
    is_appendix: false,
    sections: &[
        Section {
            id: "mistakes-by-kind",
            title: "Mistakes in files",
            query: "mistakes",
            about: "A host counts once for each kind. Of a file, the first 100 faulty lines are \
                    kept: counts of lines are lower bounds, and count a shared file once for each \
                    host.",
            read: by_kind,
            naming: &["example"],
            ..PLAIN
        },
        Section {
            id: "misspellings",
            title: "Misspelt keys",
            query: "misspellings",
            about: "Tolerated: Google's open-source parser reads the key all the same. Lost: it \
                    does not.",
            read: misspellings,
            naming: &["example"],
            ..PLAIN
        },
    ],
};

fn by_kind(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let first: Row<'_> = answer.rows().next()?;
    let mut claims = Vec::new();
    if let Some(row) =
        measure(context.by_host, context.last(), "mistake").filter(|row| row.count("hosts") > 0.0)
    {
        claims.push(Claim::main(
            format!(
                "{} {} at least one line that crawlers do not read, or read otherwise than it is \
                 written. The most frequent kind is this: {} ({}).{}",
                of_measure(row)?,
                agree(row.count("hosts"), "has", "have"),
                words::mistake(&first.text("kind")),
                counted(first.count("hosts"), "host"),
                level_with(first, answer.rows(), "hosts", |row| words::mistake(
                    &row.text("kind")
                ))
            ),
            2.8,
        ));
    }
    let drawn = answer.rows().take(12).map(|row| {
        let share = row.pct("pct_of_hosts_with_file");
        (words::mistake(&row.text("kind")), share, share.shown())
    });
    let figure = Figure {
        measure: "Hosts with a mistake of the kind".to_owned(),
        plot: Plot::Bars {
            axis: "% of hosts with a robots.txt".to_owned(),
            rows: drawn.collect(),
        },
    };
    Some(Told {
        claims,
        figure: Some(figure),
        note: format!(
            "Of {} hosts with a robots.txt, crawl {}.",
            count(first.count("n")),
            context.last()
        ),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::words("kind", "Kind", words::mistake),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("files", "Files"),
                Col::count("lines", "Lines, at least"),
            ],
            30,
        ),
    })
}

fn misspellings(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let lost: f64 = answer
        .rows()
        .filter(|row| row.text("fate") != "tolerated")
        .map(|row| row.count("lines"))
        .sum();
    let kinds = answer
        .rows()
        .filter(|row| row.text("fate") != "tolerated")
        .count();
    let kinds = f64::from(u32::try_from(kinds).unwrap_or(u32::MAX));
    let first = answer.rows().next()?;
    let written = |row: &Row<'_>| format!("\u{201c}{}\u{201d}", row.text("written").trim());
    let claim = format!(
        "The most frequent is {} ({}, {}).{} Of all misspelt keys, {} in {} are lost.",
        written(&first),
        counted(first.count("hosts"), "host"),
        first.text("fate"),
        level_with(first, answer.rows(), "hosts", written),
        counted(lost, "line"),
        counted(kinds, "spelling")
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("written", "Written"),
                Col::text("fate", "Fate"),
                Col::count("hosts", "Hosts"),
                Col::share("pct_of_hosts_with_file", "Of hosts with a robots.txt"),
                Col::count("lines", "Lines"),
            ],
            15,
        ),
        ..Told::default()
    })
}
