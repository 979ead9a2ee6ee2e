//! The report as Markdown, for papers.

use std::fmt::Write as _;

use super::answer::heading;
use super::{Finding, Report};
use crate::analysis::query::cell;

/// The report.
#[must_use]
pub fn markdown(report: &Report) -> String {
    let mut out = format!("# {}\n", cell::markdown(&report.title));
    // Writing to a String cannot fail, here and below.
    for paragraph in report.introduction() {
        let _ = write!(out, "\n{paragraph}\n");
    }
    for chapter in &report.chapters {
        let _ = write!(out, "\n## {}\n\n{}\n", chapter.title, chapter.about);
        for finding in &chapter.findings {
            write_finding(&mut out, finding);
        }
    }
    if !report.left_out.is_empty() {
        out.push_str("\n## Left out\n\n");
        for left_out in &report.left_out {
            let _ = writeln!(
                out,
                "- {} (`{}`): {}.",
                left_out.title, left_out.query, left_out.reason
            );
        }
    }
    let _ = write!(out, "\nMade by robostat {}.\n", env!("CARGO_PKG_VERSION"));
    out
}

fn write_finding(out: &mut String, finding: &Finding) {
    let _ = write!(out, "\n### {}\n\n", cell::markdown(&finding.title));
    if !finding.sentences.is_empty() {
        let sentences = cell::markdown(&finding.sentences.join(" "));
        let _ = write!(out, "**{sentences}**\n\n");
    }
    if !finding.section.says.is_empty() {
        let _ = write!(out, "{}\n\n", finding.section.says);
    }
    let table = finding.table();
    let headings: Vec<String> = table
        .columns
        .iter()
        .map(|column| cell::markdown(&heading(&column.name)))
        .collect();
    let rules = table
        .columns
        .iter()
        .map(|column| if column.is_number() { "--:" } else { "---" });
    let _ = writeln!(out, "| {} |", headings.join(" | "));
    let _ = writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | "));
    for row in &table.rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&table.columns)
            .map(|(cell, column)| cell::markdown(&cell.shown(&column.name)))
            .collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    let (shown, all) = (table.rows.len(), finding.answer.rows.len());
    if shown < all {
        let _ = write!(out, "\n{shown} of {all} rows are shown.\n");
    }
    let shipped = finding.shipped;
    let _ = write!(
        out,
        "\nQuery `{}`: {} Denominator: {} Repeat: `{}`\n",
        shipped.name,
        shipped.summary(),
        shipped.part("Denominator"),
        finding.command
    );
}
