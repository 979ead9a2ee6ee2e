//! The report as JSON, for programs: every section with all rows of its answer. docs/report.md has
//! the schema.

use serde_json::{Value, json};

use super::answer::{Answer, Cell};
use super::finding::{Finding, Omission, Report, WrittenChapter};
use super::methods::{INPUT_COLUMNS, hexadecimal};
use crate::analysis::query::Column;
use crate::analysis::query::shipped::ShippedQuery;

/// Version of the schema: raised when a member changes its meaning or is removed.
const SCHEMA: u32 = 3;

/// The report as JSON, with the digest of its HTML, `page`.
pub fn json(report: &Report, page: &str) -> Value {
    let chapter = |WrittenChapter { chapter, findings }: &WrittenChapter| {
        json!({
            "id": chapter.id,
            "title": chapter.title,
            "about": chapter.about,
            // For readers who look closer.
            "is_appendix": chapter.id == "appendix",
            "sections": findings.iter().map(finding).collect::<Value>(),
        })
    };
    let chapters: Value = report.chapters.iter().map(chapter).collect();
    let left_out = report.left_out.iter().map(|Omission { section, reason }| {
        json!({ "id": section.id, "title": section.title, "reason": reason })
    });
    let summary = report
        .summary()
        .map(|it| json!({ "text": it.headline, "below": it.below, "section": it.section.id }));
    let methods = report.methods.paragraphs.iter();
    let methods = methods.map(|(title, text)| (*title, text.as_str()));
    let inputs = report.methods.inputs.iter().map(|input| {
        let members = INPUT_COLUMNS.iter().zip(input).map(|(name, text)| {
            let value = match *name {
                "bytes" | "captures" => text.parse::<u64>().map_or(Value::Null, Value::from),
                _ => Value::from(text.as_str()),
            };
            (*name, value)
        });
        members.collect::<Value>()
    });
    json!({
        "schema": SCHEMA,
        "title": report.options.title(),
        "robostat": env!("CARGO_PKG_VERSION"),
        "page": { "bytes": page.len(), "sha256": hexadecimal(page.as_bytes()) },
        "data_digest": report.methods.digest,
        "corpus": report.methods.corpus,
        "crawls": report.crawls.iter().map(|crawl| &*crawl.label).collect::<Value>(),
        "names_hosts": report.options.names_hosts,
        "command": report.methods.command,
        "summary": summary.collect::<Value>(),
        "chapters": chapters,
        "left_out": left_out.collect::<Value>(),
        "methods": methods.collect::<Value>(),
        "citation": report.methods.citation,
        "bibtex": report.methods.bibtex,
        "inputs": inputs.collect::<Value>(),
    })
}

fn finding(finding: &Finding) -> Value {
    let by_domain = finding.by_domain.as_ref().map(|answer| {
        json!({ "command": answer.command, "columns": columns(answer), "rows": rows(answer) })
    });
    let shipped = finding.shipped();
    let part = |title: &str| shipped.map_or(String::new(), |shipped| shipped.part(title));
    json!({
        "id": finding.section.id,
        "title": finding.section.title,
        "headline": finding.headline,
        "below": finding.below,
        "sentences": finding.sentences,
        "about": finding.about,
        "figure": finding.figure.as_ref().map(|figure| &figure.measure),
        "has_figure": finding.drawn().is_some(),
        "query": shipped.map(|shipped| shipped.name),
        "question": shipped.map(ShippedQuery::summary),
        "denominator": part("Denominator"),
        "reproduces": part("Reproduces"),
        "command": finding.answer.command,
        "columns": columns(&finding.answer),
        "rows": rows(&finding.answer),
        "by_domain": by_domain,
    })
}

fn columns(answer: &Answer) -> Value {
    let column = |column: &Column| json!({ "name": column.name, "type": column.sql_type });
    answer.columns.iter().map(column).collect()
}

fn rows(answer: &Answer) -> Value {
    let row = |row: &Vec<Cell>| {
        let cells = answer.columns.iter().zip(row);
        let cells = cells.map(|(column, cell)| {
            let value = serde_json::from_str(cell.json());
            (column.name.as_str(), value.unwrap_or(Value::Null))
        });
        cells.collect::<Value>()
    };
    answer.rows.iter().map(row).collect()
}
