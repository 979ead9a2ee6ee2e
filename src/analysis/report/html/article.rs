//! A section on the page.

use std::fmt::Write as _;

use super::{data_url, explained, marked};
use crate::analysis::query::cell::{csv_line, html as escape};
use crate::analysis::report::answer::Answer;
use crate::analysis::report::finding::{Finding, Report};
use crate::analysis::report::table::ReportTable;
use crate::analysis::report::terms::TermSet;

/// Characters of a cell from which on it may have several lines.
const LONG: usize = 24;

/// Writes a section: the finding, its interval, its figure; the rest is folded.
pub(super) fn write(out: &mut String, report: &Report, finding: &Finding, known: &mut TermSet) {
    let (id, statement) = (finding.section.id, &finding.statement);
    let (title, headline) = (escape(finding.section.title), escape(&statement.headline));
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(
        out,
        "<article id=\"{id}\">\n<p class=\"kicker\">{title}</p>\n\
         <div class=\"head\"><h3>{headline}</h3><a class=\"permalink\" href=\"#{id}\">#<span class=\"vh\"> link to: {title}</span></a></div>\n\
         <p class=\"below\">{}</p>",
        escape(&statement.below)
    );
    let terms = explained(known, &finding.seen());
    if !terms.is_empty() {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", terms.trim_start());
    }
    if let (Some(svg), Some(figure)) = (&finding.svg, &statement.figure) {
        let _ = writeln!(
            out,
            "<figure>\n<figcaption>{}</figcaption>\n{svg}\n</figure>",
            escape(&figure.measure)
        );
    }
    for sentence in &statement.sentences {
        let _ = writeln!(out, "<p>{}</p>", escape(sentence));
    }
    let _ = writeln!(
        out,
        "<details class=\"sure\">\n<summary>How sure is this, and how was it counted?\
         <span class=\"vh\"> {title}</span></summary>\n<p>{}{}</p>",
        marked(&finding.statement.about),
        explained(&mut known.clone(), &finding.folded())
    );
    if !statement.table.rows.is_empty() {
        write_table(out, id, finding.section.title, &statement.table);
    }
    write_source(out, finding);
    let _ = writeln!(
        out,
        "<p>Cite this number: {headline}. {} {}, #{id}, data digest {}.</p>\n</details>\n</article>",
        escape(&statement.below),
        escape(&report.title),
        &report.methods.digest[..16]
    );
}

fn write_table(out: &mut String, id: &str, title: &str, table: &ReportTable) {
    let hidden = match table.n_hidden {
        0 => String::new(),
        1 => " (1 more row in the CSV)".to_owned(),
        n => format!(" ({n} more rows in the CSV)"),
    };
    let _ = write!(
        out,
        "<div class=\"table\" tabindex=\"0\" role=\"group\" aria-labelledby=\"{id}-c\">\n<table>\n\
         <caption id=\"{id}-c\">{}{hidden}</caption>\n<thead><tr>",
        escape(title)
    );
    for (head, is_number) in &table.heads {
        let class = if *is_number { " class=\"n\"" } else { "" };
        let _ = write!(out, "<th scope=\"col\"{class}>{}</th>", escape(head));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for line in &table.rows {
        match line.agents.as_slice() {
            [] => out.push_str("<tr>"),
            agents => {
                let _ = write!(out, "<tr data-agent=\"{}\">", escape(&agents.join(" ")));
            }
        }
        for (place, (cell, (_, is_number))) in line.cells.iter().zip(&table.heads).enumerate() {
            let class = match cell.text.chars().count() {
                _ if *is_number => " class=\"n\"",
                LONG.. => " class=\"long\"",
                _ => "",
            };
            let value = cell
                .number
                .map_or(String::new(), |number| format!(" data-v=\"{number}\""));
            let text = escape(&cell.text);
            let _ = match place {
                0 => write!(out, "<th scope=\"row\"{class}{value}>{text}</th>"),
                _ => write!(out, "<td{class}{value}>{text}</td>"),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn write_source(out: &mut String, finding: &Finding) {
    if let Some(shipped) = finding.shipped() {
        let _ = writeln!(
            out,
            "<p>Query <code>{}</code>: {}</p>\n<p>Denominator: {}</p>",
            shipped.name,
            marked(&shipped.summary()),
            marked(&shipped.part("Denominator"))
        );
    }
    let _ = writeln!(
        out,
        "<p>All rows: <code>{}</code></p>",
        escape(&finding.answer.command)
    );
    if let Some(answer) = &finding.by_domain {
        let command = escape(&answer.command);
        let _ = writeln!(out, "<p>By website: <code>{command}</code></p>");
    }
    let (id, title) = (finding.section.id, escape(finding.section.title));
    out.push_str("<p class=\"downloads\">");
    for (suffix, name, answer) in [
        ("", "CSV", Some(&finding.answer)),
        ("-by-website", "CSV by website", finding.by_domain.as_ref()),
    ] {
        let Some(answer) = answer else { continue };
        let _ = write!(
            out,
            "<a download=\"{id}{suffix}.csv\" href=\"{}\">{name}<span class=\"vh\"> of: {title}</span></a>",
            data_url("text/csv", &csv(answer))
        );
    }
    out.push_str("</p>\n");
}

/// A whole answer as CSV.
fn csv(answer: &Answer) -> String {
    let names = answer.columns.iter();
    let names = csv_line(names.map(|column| (column.name.as_str().into(), true)));
    let rows = answer.rows.iter();
    let rows = rows.map(|row| csv_line(row.iter().map(|cell| (cell.text(), cell.is_text()))));
    names + &rows.collect::<String>()
}
