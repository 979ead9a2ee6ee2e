//! The report as Markdown, for a repository or a paper's appendix. Figures are separate files.

use std::fmt::Display;

use askama::Template;

use super::finding::Report;
use super::terms::{Term, TermSet};
use crate::analysis::query::cell::markdown as text;

/// The most rows of a table: readers of a text look at the first rows.
const MAX_ROWS: usize = 25;

#[derive(Template)]
#[template(path = "report.md.jinja", escape = "md")]
struct Text<'r> {
    report: &'r Report,
    figures: Option<&'r str>,
    known: TermSet,
}

/// The report, and its figures as pairs of an id and SVG. `figures` is the figures' directory,
/// relative to the report, or `None` to leave them out.
pub fn markdown(report: &Report, figures: Option<&str>) -> (String, Vec<(String, String)>) {
    let known = TermSet::default();
    let written = Text {
        report,
        figures,
        known,
    };
    let drawn = report.findings().filter_map(|finding| {
        let (svg, _) = finding.drawn().filter(|_| figures.is_some())?;
        // Dark text needs a light ground, even if the page around the file is dark.
        let svg = svg.replacen(" viewBox=", " style=\"background:#fff\" viewBox=", 1);
        Some((finding.section.id.to_owned(), svg + "\n"))
    });
    (written.to_string() + "\n", drawn.collect())
}

/// The anchor that renderers give to a heading.
fn anchor(heading: &str) -> String {
    let mut anchor = heading.to_lowercase().replace(' ', "-");
    anchor.retain(|it| it.is_alphanumeric() || it == '-');
    anchor
}

/// The project's own text, where backquotes mark code.
fn marked(plain: impl AsRef<str>) -> String {
    let pieces = plain.as_ref().split('`').enumerate();
    let marked = pieces.map(|(place, piece)| match place % 2 {
        0 => text(piece),
        _ => piece.to_owned(),
    });
    marked.collect::<Vec<_>>().join("`")
}

fn explained(known: &TermSet, plain: impl Display) -> String {
    let sentence = |term: &&Term| format!(" *{}*: {}.", term.name(), marked(term.explanation));
    let met = known.meet(&plain.to_string());
    met.iter().map(sentence).collect()
}
