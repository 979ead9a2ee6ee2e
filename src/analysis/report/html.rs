//! The report as one page: no script, nothing from elsewhere, every table as CSV in a link.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;

use super::answer::{Answer, heading};
use super::{Chapter, Finding, Report, chart};
use crate::analysis::query::cell;
use crate::escape;

const STYLE: &str = include_str!("style.css");

/// The page.
#[must_use]
pub fn html(report: &Report) -> String {
    let mut out = String::with_capacity(1 << 18);
    let title = escape(&report.title);
    // Writing to a String cannot fail, here and below.
    let _ = write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>{title}</h1>\n"
    );
    for paragraph in report.introduction() {
        let _ = writeln!(out, "<p>{}</p>", marked(&paragraph));
    }
    out.push_str("</header>\n");
    contents(&mut out, report);
    out.push_str("<main>\n");
    for (index, chapter) in report.chapters.iter().enumerate() {
        write_chapter(&mut out, index, chapter);
    }
    write_left_out(&mut out, report);
    let _ = writeln!(
        out,
        "</main>\n<footer><p>Made by robostat {}. Text from the web is shown as it is, control characters escaped.</p></footer>\n</body>\n</html>",
        env!("CARGO_PKG_VERSION")
    );
    out
}

fn contents(out: &mut String, report: &Report) {
    out.push_str("<nav aria-label=\"Contents\">\n<ol>\n");
    for (index, chapter) in report.chapters.iter().enumerate() {
        let _ = writeln!(
            out,
            "<li><a href=\"#chapter-{index}\">{}</a>\n<ul>",
            escape(chapter.title)
        );
        for finding in &chapter.findings {
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\">{}</a></li>",
                finding.id,
                escape(&finding.title)
            );
        }
        out.push_str("</ul></li>\n");
    }
    out.push_str("</ol>\n</nav>\n");
}

fn write_chapter(out: &mut String, index: usize, chapter: &Chapter) {
    let _ = writeln!(
        out,
        "<section class=\"chapter\" aria-labelledby=\"chapter-{index}\">\n<h2 id=\"chapter-{index}\">{}</h2>\n<p>{}</p>",
        escape(chapter.title),
        marked(chapter.about)
    );
    for finding in &chapter.findings {
        write_finding(out, finding);
    }
    out.push_str("</section>\n");
}

fn write_finding(out: &mut String, finding: &Finding) {
    let section = finding.section;
    let _ = writeln!(
        out,
        "<article id=\"{0}\" aria-labelledby=\"{0}-heading\">\n<h3 id=\"{0}-heading\">{1}</h3>",
        finding.id,
        escape(&finding.title)
    );
    if !finding.sentences.is_empty() {
        let _ = writeln!(
            out,
            "<p class=\"finding\">{}</p>",
            escape(&finding.sentences.join(" "))
        );
    }
    if !section.says.is_empty() {
        let _ = writeln!(out, "<p>{}</p>", marked(section.says));
    }
    let chart = chart::draw(
        &section.chart,
        &finding.shown,
        section.rows,
        &finding.id,
        &finding.title,
    );
    let class = if chart.is_some() { "pair" } else { "alone" };
    let _ = writeln!(out, "<div class=\"{class}\">");
    if let Some(chart) = chart {
        let _ = writeln!(out, "<figure>\n{}\n</figure>", chart.trim_end());
    }
    write_table(out, finding);
    out.push_str("</div>\n");
    write_source(out, finding);
    out.push_str("</article>\n");
}

fn write_table(out: &mut String, finding: &Finding) {
    let shown = finding.table();
    let _ = writeln!(
        out,
        "<div class=\"table\" tabindex=\"0\" role=\"region\" aria-label=\"Table: {0}\">\n<table>\n<caption>{0} <code>{1}</code></caption>\n<thead><tr>",
        escape(&finding.title),
        finding.shipped.name
    );
    for column in &shown.columns {
        let class = if column.is_number() {
            " class=\"number\""
        } else {
            ""
        };
        let _ = write!(
            out,
            "<th scope=\"col\"{class}>{}</th>",
            escape(&heading(&column.name))
        );
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for row in &shown.rows {
        out.push_str("<tr>");
        for (place, (cell, column)) in row.iter().zip(&shown.columns).enumerate() {
            let text = cell.shown(&column.name);
            let class = match text.chars().count() {
                _ if column.is_number() => " class=\"number\"",
                31.. => " class=\"long\"",
                _ => "",
            };
            let _ = match place {
                0 => write!(out, "<th scope=\"row\"{class}>{}</th>", escape(&text)),
                _ => write!(out, "<td{class}>{}</td>", escape(&text)),
            };
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table>\n</div>\n");
}

fn write_source(out: &mut String, finding: &Finding) {
    let shipped = finding.shipped;
    let (shown, all) = (finding.table().rows.len(), finding.answer.rows.len());
    let rows = if shown < all {
        format!("{shown} of {all} rows are shown, all are in the ")
    } else {
        String::new()
    };
    let _ = writeln!(
        out,
        "<div class=\"source\">\n<p>Query <code>{0}</code>: {1} · {rows}<a download=\"{2}.csv\" href=\"data:text/csv;charset=utf-8;base64,{3}\">CSV</a></p>\n\
         <p>Denominator: {4}</p>\n<p>Repeat: <code>{5}</code></p>\n</div>",
        shipped.name,
        marked(&shipped.summary()),
        finding.id,
        BASE64_STANDARD.encode(csv(&finding.answer)),
        marked(&shipped.part("Denominator")),
        escape(&finding.command)
    );
}

fn write_left_out(out: &mut String, report: &Report) {
    if report.left_out.is_empty() {
        return;
    }
    out.push_str("<section class=\"chapter\">\n<h2>Left out</h2>\n<ul>\n");
    for left_out in &report.left_out {
        let _ = writeln!(
            out,
            "<li>{} (<code>{}</code>): {}.</li>",
            escape(left_out.title),
            left_out.query,
            escape(left_out.reason)
        );
    }
    out.push_str("</ul>\n</section>\n");
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

/// Text for HTML: nothing in it is markup, and what is not seen is shown.
pub(super) fn escape(text: &str) -> Cow<'_, str> {
    let text = escape::text(text);
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(character),
        }
    }
    Cow::Owned(out)
}

/// The project's own text, where backquotes mark code.
fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for (place, piece) in text.split('`').enumerate() {
        let piece = escape(piece);
        let _ = match place % 2 {
            0 => write!(out, "{piece}"),
            _ => write!(out, "<code>{piece}</code>"),
        };
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_no_markup() {
        assert_eq!(
            escape("<a href='x\">&\u{202e}"),
            "&lt;a href=&#39;x&quot;&gt;&amp;\\u{202e}"
        );
        assert_eq!(marked("a `b<c` d"), "a <code>b&lt;c</code> d");
    }
}
