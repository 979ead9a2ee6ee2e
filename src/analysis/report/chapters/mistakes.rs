//! What goes wrong in files.

use super::{measure, of_measure};
use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{Share, count, counted};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, Table};
use crate::analysis::report::words;

pub(super) const CHAPTER: Chapter = Chapter {
    id: "mistakes",
    title: "Mistakes",
    about: "Lines that crawlers read otherwise than they were meant, or not at all.",
    is_appendix: false,
    sections: &[
        Section {
            id: "mistakes-by-kind",
            title: "What is wrong in files",
            query: "mistakes",
            about: "A host counts once for each kind. Remarks are kept for the first 100 lines of a file that deserve \
                    one, so that counts of lines are lower bounds.",
            read: by_kind,
            naming: &["example"],
            ..PLAIN
        },
        Section {
            id: "misspellings",
            title: "Misspelt keys",
            query: "misspellings",
            about: "Tolerated: Google's open-source parser reads the key all the same. Lost: it does not.",
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
                "{} have a line in it that crawlers read otherwise than it is written, or lose; the \
                 commonest kind: {} ({}).",
                of_measure(row)?,
                words::mistake(&first.text("kind")),
                counted(first.count("hosts"), "host")
            ),
            2.8,
        ));
    }
    let drawn = answer.rows().take(12).map(|row| {
        let share = Share::of(row.count("pct_of_hosts_with_file"));
        (
            words::mistake(&row.text("kind")),
            share.value,
            share.shown(),
        )
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
        table: Table::of(
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
    let first = answer.rows().next()?;
    let claim = format!(
        "The commonest is \u{201c}{}\u{201d}, by {} ({}); of the spellings below, {} lines are lost.",
        first.text("written").trim(),
        counted(first.count("hosts"), "host"),
        first.text("fate"),
        count(lost)
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        table: Table::of(
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
