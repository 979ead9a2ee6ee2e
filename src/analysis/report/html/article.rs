//! A section on the page.

use std::fmt::Write as _;

use super::{data_url, escape, marked, write_heading};
use crate::analysis::query::cell;
use crate::analysis::report::Finding;
use crate::analysis::report::answer::Answer;
use crate::analysis::report::table::ReportTable;

/// Characters of a cell from which on it may have several lines.
const LONG: usize = 24;

/// Writes a section.
pub(super) fn write(out: &mut String, finding: &Finding) {
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(out, "<article id=\"{}\">", finding.id);
    write_heading(out, 3, finding.id, finding.title);
    out.push_str("<div class=\"pair\">\n<div class=\"words\">\n");
    for (place, claim) in finding.told.claims.iter().enumerate() {
        let class = if place == 0 { " class=\"claim\"" } else { "" };
        let _ = writeln!(out, "<p{class}>{}</p>", escape(&claim.text));
    }
    let _ = writeln!(out, "<p class=\"note\">{}</p>", marked(finding.about));
    write_source(out, finding);
    out.push_str("</div>\n");
    if let (Some(svg), Some(figure)) = (&finding.svg, &finding.told.figure) {
        let _ = write!(
            out,
            "<figure>\n{svg}\n<figcaption><b>{}.</b> {}</figcaption>\n</figure>\n",
            escape(&figure.measure),
            escape(&finding.told.note)
        );
    }
    out.push_str("</div>\n");
    write_data(out, finding);
    out.push_str("</article>\n");
}

/// The table: folded where a figure shows it.
fn write_data(out: &mut String, finding: &Finding) {
    let table = &finding.told.table;
    if table.rows.is_empty() {
        return;
    }
    if finding.svg.is_none() {
        write_table(out, finding.id, finding.title, table);
        return;
    }
    let _ = writeln!(
        out,
        "<details class=\"data\">\n<summary>Table: {} row{}</summary>",
        table.rows.len(),
        if table.rows.len() == 1 { "" } else { "s" }
    );
    write_table(out, finding.id, finding.title, table);
    out.push_str("</details>\n");
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
    out.push_str("<details class=\"source\">\n<summary>How this was counted</summary>\n");
    if let Some(shipped) = finding.shipped {
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
        escape(&finding.command)
    );
    if let Some((command, _)) = &finding.by_domain {
        let _ = writeln!(
            out,
            "<p>By registrable domain: <code>{}</code></p>",
            escape(command)
        );
    }
    let _ = write!(
        out,
        "</details>\n<p class=\"downloads\"><a download=\"{0}.csv\" href=\"{1}\" aria-label=\"CSV of: {2}\">CSV</a>",
        finding.id,
        data_url("text/csv", &csv(&finding.answer)),
        escape(finding.title)
    );
    if let Some((_, answer)) = &finding.by_domain {
        let _ = write!(
            out,
            "<a download=\"{0}-by-domain.csv\" href=\"{1}\" aria-label=\"CSV by domain of: {2}\">CSV by domain</a>",
            finding.id,
            data_url("text/csv", &csv(answer)),
            escape(finding.title)
        );
    }
    out.push_str("</p>\n");
}

/// A whole answer as CSV.
fn csv(answer: &Answer) -> String {
    let mut out = String::new();
    let names: Vec<_> = answer
        .columns
        .iter()
        .map(|column| cell::csv(&column.name, true))
        .collect();
    let _ = writeln!(out, "{}", names.join(","));
    for row in &answer.rows {
        let cells: Vec<String> = row
            .iter()
            .map(|value| cell::csv(&value.text(), value.is_text()).into_owned())
            .collect();
        let _ = writeln!(out, "{}", cells.join(","));
    }
    out
}
