//! The report as JSON, for programs: every section with all rows of its answer. docs/report.md has
//! the schema.

use serde_json::{Map, Value, json};

use super::answer::Answer;
use super::methods::{INPUT_COLUMNS, hexadecimal};
use super::{Finding, Report};
use crate::analysis::query::Column;
use crate::analysis::query::shipped::ShippedQuery;

/// Version of the schema: raised where a member changes its meaning or goes.
const SCHEMA: u32 = 3;

/// The report. `page` is its HTML, whose digest it tells.
pub fn json(report: &Report, page: &str) -> Value {
    let chapters: Vec<Value> = report
        .chapters
        .iter()
        .map(|chapter| {
            let sections: Vec<Value> = chapter.findings.iter().map(finding).collect();
            json!({
                "id": chapter.id,
                "title": chapter.title,
                "about": chapter.about,
                "is_appendix": chapter.is_appendix,
                "sections": sections,
            })
        })
        .collect();
    let left_out: Vec<Value> = report
        .left_out
        .iter()
        .map(|it| json!({ "id": it.id, "title": it.title, "reason": it.reason }))
        .collect();
    let summary: Vec<Value> = report
        .summary()
        .map(|it| json!({ "text": it.statement.headline, "below": it.statement.below, "section": it.id }))
        .collect();
    let methods: Map<String, Value> = report
        .methods
        .paragraphs
        .iter()
        .map(|(title, text)| ((*title).to_owned(), Value::from(text.as_str())))
        .collect();
    let inputs: Vec<Value> = report
        .methods
        .inputs
        .iter()
        .map(|input| {
            let members = INPUT_COLUMNS.iter().zip(input).map(|(name, text)| {
                let value = match *name {
                    "bytes" | "captures" => text.parse::<u64>().map_or(Value::Null, Value::from),
                    _ => Value::from(text.as_str()),
                };
                ((*name).to_owned(), value)
            });
            Value::Object(members.collect())
        })
        .collect();
    json!({
        "schema": SCHEMA,
        "title": report.title,
        "robostat": env!("CARGO_PKG_VERSION"),
        "page": { "bytes": page.len(), "sha256": hexadecimal(page.as_bytes()) },
        "data_digest": report.methods.digest,
        "corpus": report.methods.corpus,
        "crawls": report.crawls,
        "names_hosts": report.names_hosts,
        "command": report.methods.command,
        "summary": summary,
        "chapters": chapters,
        "left_out": left_out,
        "methods": methods,
        "citation": report.methods.citation,
        "bibtex": report.methods.bibtex,
        "inputs": inputs,
    })
}

fn finding(finding: &Finding) -> Value {
    let by_domain = finding.by_domain.as_ref().map(|(command, answer)| {
        json!({ "command": command, "columns": columns(answer), "rows": rows(answer) })
    });
    let part = |title: &str| {
        finding
            .shipped
            .map_or(String::new(), |shipped| shipped.part(title))
    };
    json!({
        "id": finding.id,
        "title": finding.title,
        "headline": finding.statement.headline,
        "below": finding.statement.below,
        "sentences": finding.statement.sentences,
        "about": finding.statement.about,
        "figure": finding.statement.figure.as_ref().map(|figure| &figure.measure),
        "has_figure": finding.svg.is_some(),
        "query": finding.shipped.map(|shipped| shipped.name),
        "question": finding.shipped.map(ShippedQuery::summary),
        "denominator": part("Denominator"),
        "reproduces": part("Reproduces"),
        "command": finding.command,
        "columns": columns(&finding.answer),
        "rows": rows(&finding.answer),
        "by_domain": by_domain,
    })
}

fn columns(answer: &Answer) -> Vec<Value> {
    let column = |column: &Column| json!({ "name": column.name, "type": column.sql_type });
    answer.columns.iter().map(column).collect()
}

fn rows(answer: &Answer) -> Vec<Value> {
    let row = |row: &Vec<super::Cell>| {
        let cells = answer.columns.iter().zip(row).map(|(column, cell)| {
            let value = serde_json::from_str(cell.json().get()).unwrap_or(Value::Null);
            (column.name.clone(), value)
        });
        Value::Object(cells.collect::<Map<_, _>>())
    };
    answer.rows.iter().map(row).collect()
}
