//! The report as Markdown, for a repository or a paper's appendix. Figures are separate files.

use std::fmt::Write as _;

use super::finding::{Finding, Report, WrittenChapter};
use super::terms::{Term, TermSet};
use crate::analysis::query::cell::markdown as text;

/// Rows of a table, at most: the first are what a reader of a text looks at.
const MAX_ROWS: usize = 25;

/// The report, and its figures as pairs of an id and SVG. `figures` is the directory, relative to
/// the report, for them, or `None` to leave them out.
pub fn markdown(report: &Report, figures: Option<&str>) -> (String, Vec<(String, String)>) {
    let mut known = TermSet::default();
    let mut out = format!(
        "# {}\n\n{}{}\n",
        text(&report.title),
        text(&report.methods.corpus),
        explained(&mut known, &report.methods.corpus)
    );
    if let Some(lede) = &report.lede {
        // It is Markdown already.
        let _ = write!(out, "\n{}\n", lede.trim());
    }
    let mut drawn = Vec::new();
    // Writing to a String cannot fail, here and below.
    for (place, finding) in report.summary().enumerate() {
        if place == 0 {
            out.push_str("\n## Summary\n\n");
        }
        let (headline, below) = (
            text(&finding.statement.headline),
            text(&finding.statement.below),
        );
        let _ = writeln!(
            out,
            "- **[{headline}](#{})** {below}",
            anchor(&finding.statement.headline)
        );
    }
    let said: Vec<String> = report.summary().map(Finding::claim).collect();
    let _ = writeln!(
        out,
        "\n{}",
        explained(&mut known, &said.join("; ")).trim_start()
    );
    for WrittenChapter { chapter, findings } in &report.chapters {
        if chapter.id != "summary" {
            let _ = write!(
                out,
                "\n## {}\n\n{}{}\n",
                chapter.title,
                text(chapter.about),
                explained(&mut known, chapter.about)
            );
        }
        for finding in findings {
            write_finding(&mut out, finding, figures, &mut drawn, &mut known);
        }
    }
    out.push_str("\n## Methods\n");
    for (title, paragraph) in &report.methods.paragraphs {
        let _ = write!(out, "\n**{title}.** {}\n", text(paragraph));
    }
    if !report.left_out.is_empty() {
        out.push_str("\n**Left out.**\n\n");
        for left_out in &report.left_out {
            let _ = writeln!(
                out,
                "- {}: {}.",
                text(left_out.section.title),
                text(&left_out.reason)
            );
        }
    }
    let _ = write!(
        out,
        "\n**Cite as.** {}\n\n```bibtex\n{}\n```\n\nData digest: `{}`\n\nMade by `{}`\n",
        text(&report.methods.citation),
        report.methods.bibtex,
        report.methods.digest,
        report.methods.command
    );
    (out, drawn)
}

/// The anchor that renderers give to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Explanations of the terms that a text is the first to use, as sentences to follow it.
fn explained(known: &mut TermSet, plain: &str) -> String {
    let sentence = |term: &&Term| format!(" *{}*: {}.", term.name(), text(term.explanation));
    known.meet(plain).iter().map(sentence).collect()
}

fn write_finding(
    out: &mut String,
    finding: &Finding,
    figures: Option<&str>,
    drawn: &mut Vec<(String, String)>,
    known: &mut TermSet,
) {
    let statement = &finding.statement;
    let title = text(finding.section.title);
    let stop = if title.ends_with('?') { "" } else { "." };
    let _ = write!(
        out,
        "\n### {}\n\n*{title}{stop}* {}\n\n",
        text(&statement.headline),
        text(&statement.below)
    );
    for sentence in &statement.sentences {
        let _ = write!(out, "{}\n\n", text(sentence));
    }
    let terms = explained(known, &[finding.seen(), finding.folded()].join("; "));
    let _ = write!(out, "{}{terms}\n\n", text(&finding.statement.about));
    if let (Some(svg), Some(directory), Some(figure)) =
        (&finding.svg, figures, &finding.statement.figure)
    {
        let _ = write!(
            out,
            "![{}]({directory}/{}.svg)\n\n",
            text(&figure.measure),
            finding.section.id
        );
        // Dark text needs a light ground, also where the page around the file is dark.
        let svg = svg.replacen(" viewBox=", " style=\"background:#fff\" viewBox=", 1);
        drawn.push((finding.section.id.to_owned(), svg + "\n"));
    }
    let table = &finding.statement.table;
    if !table.rows.is_empty() {
        let heads: Vec<String> = table.heads.iter().map(|(head, _)| text(head)).collect();
        let rules: Vec<&str> = table
            .heads
            .iter()
            .map(|(_, is_number)| if *is_number { "--:" } else { "---" })
            .collect();
        let _ = writeln!(out, "| {} |\n| {} |", heads.join(" | "), rules.join(" | "));
        for line in table.rows.iter().take(MAX_ROWS) {
            let cells: Vec<String> = line.cells.iter().map(|cell| text(&cell.text)).collect();
            let _ = writeln!(out, "| {} |", cells.join(" | "));
        }
        match table.n_hidden + table.rows.len().saturating_sub(MAX_ROWS) {
            0 => out.push('\n'),
            1 => out.push_str("\n1 more row by the command below.\n\n"),
            n => {
                let _ = write!(out, "\n{n} more rows by the command below.\n\n");
            }
        }
    }
    let denominator = finding
        .shipped()
        .map_or(String::new(), |it| it.part("Denominator"));
    if !denominator.is_empty() {
        let _ = write!(out, "Denominator: {}\n\n", text(&denominator));
    }
    let _ = writeln!(out, "All rows: `{}`", finding.answer.command);
    if let Some(answer) = &finding.by_domain {
        let _ = writeln!(out, "\nBy registrable domain: `{}`", answer.command);
    }
}
