//! What edits of robots.txt files change.

use std::collections::BTreeMap;

use crate::analysis::report::answer::{Answer, Row};
use crate::analysis::report::figure::{Figure, Plot};
use crate::analysis::report::format::{agree, count, counted, fixed};
use crate::analysis::report::section::{Chapter, Claim, Context, PLAIN, Section, Told};
use crate::analysis::report::table::{Col, ReportTable};

pub(super) const CHAPTER: Chapter = Chapter {
    id: "edits",
    title: "What edits change",
    about: "An edit is two consecutive answers of an origin that differ in their rules. Both are \
            compared exactly, for every crawler and every path, by RFC 9309: `robostat diff` on \
            the dataset makes the comparison.",
    is_appendix: false,
    sections: &[
        Section {
            id: "edits-by-effect",
            title: "Most edits",
            query: "edits",
            about: "Nothing: every crawler may fetch the same paths as before, however the rules \
                    are written. Stricter: fewer paths for some crawlers, more for none. An edit \
                    of a platform counts for each of its sites.",
            read: by_effect,
            ..PLAIN
        },
        Section {
            id: "openings-and-closings",
            title: "Who opened and who closed",
            query: "openings-and-closings",
            about: "Edits from one file to another that only open paths to a crawler, or only \
                    close paths. A crawler counts if the file before or after names it; * stands \
                    for every crawler that neither names.",
            read: openings_and_closings,
            ..PLAIN
        },
    ],
};

/// Edits from which on a claim is made.
const FEWEST_EDITS: f64 = 30.0;

fn by_effect(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let rows: Vec<Row<'_>> = answer.rows().collect();
    if rows.iter().any(|row| row.text("effect") == "not compared") {
        return None;
    }
    let of = |effect: &str| {
        let mut rows = rows.iter();
        let row = rows.find(|row| row.text("kind") == "policies" && row.text("effect") == effect);
        row.map_or(0.0, |row| row.count("edits"))
    };
    let n = rows
        .iter()
        .find(|row| row.text("kind") == "policies")?
        .count("n");
    let [nothing, stricter, looser, mixed] = ["nothing", "stricter", "looser", "mixed"].map(of);
    let verb = agree(nothing, "changes", "change");
    let claim = format!(
        "Most edits {}: of {} from one file to another, {} ({}%) {verb} nothing for any crawler, \
         {} only {} paths, {} only {} paths, and {} {} both.",
        if nothing * 2.0 > n {
            "change nothing for anyone"
        } else {
            "change what crawlers may fetch"
        },
        counted(n, "edit"),
        count(nothing),
        fixed(100.0 * nothing / n, 1),
        count(looser),
        agree(looser, "opens", "open"),
        count(stricter),
        agree(stricter, "closes", "close"),
        count(mixed),
        agree(mixed, "does", "do"),
    );
    Some(Told {
        claims: (n >= FEWEST_EDITS)
            .then(|| Claim::main(claim, 2.0))
            .into_iter()
            .collect(),
        figure: None,
        note: String::new(),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::text("kind", "Kind of edit"),
                Col::text("effect", "Effect"),
                Col::count("edits", "Edits"),
                Col::share("pct_of_edits", "Of its kind"),
            ],
            30,
        ),
    })
}

fn openings_and_closings(context: &Context<'_>, answer: &Answer) -> Option<Told> {
    let mut by_crawler: BTreeMap<String, [f64; 2]> = BTreeMap::new();
    for row in answer.rows() {
        let sums = by_crawler.entry(row.optional_text("product_token")?.into_owned());
        let sums = sums.or_default();
        sums[0] += row.count("opened");
        sums[1] += row.count("closed");
    }
    let mut drawn: Vec<(String, f64, f64)> = by_crawler
        .into_iter()
        .map(|(token, [opened, closed])| match token.as_str() {
            "*" => ("every other crawler".to_owned(), opened, closed),
            token => (context.agent(token), opened, closed),
        })
        .collect();
    drawn.retain(|(_, opened, closed)| opened + closed > 0.0);
    drawn.sort_by(|one, other| (other.1 + other.2).total_cmp(&(one.1 + one.2)));
    let (name, opened, closed) = drawn.first()?;
    let claim = format!(
        "Most often edits concern {name}: {} opened paths to it without closing any, and {} \
         closed paths.",
        counted(*opened, "edit"),
        count(*closed)
    );
    Some(Told {
        claims: vec![Claim::aside(claim)],
        figure: Some(Figure {
            measure: "Edits that only open, or only close, paths to a crawler".to_owned(),
            plot: Plot::TwoSides {
                axis: "edits".to_owned(),
                sides: ("opened".to_owned(), "closed".to_owned()),
                rows: drawn,
            },
        }),
        note: String::new(),
        table: ReportTable::of(
            context,
            answer,
            &[
                Col::agent("product_token", "Crawler"),
                Col::text("month", "Month"),
                Col::count("edits", "Edits"),
                Col::count("opened", "Opened"),
                Col::count("closed", "Closed"),
                Col::count("mixed", "Both"),
            ],
            24,
        ),
    })
}
