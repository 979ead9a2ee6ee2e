//! The report as JSON, for programs: every section with all rows of its answer.

use serde_json::{Map, Value, json};

use super::answer::Answer;
use super::{Finding, Report};

/// The report.
#[must_use]
pub fn json(report: &Report) -> Value {
    let chapters: Vec<Value> = report
        .chapters
        .iter()
        .map(|chapter| {
            let sections: Vec<Value> = chapter.findings.iter().map(finding).collect();
            json!({ "title": chapter.title, "about": chapter.about, "sections": sections })
        })
        .collect();
    let left_out: Vec<Value> = report
        .left_out
        .iter()
        .map(|it| json!({ "title": it.title, "query": it.query, "reason": it.reason }))
        .collect();
    json!({
        "title": report.title,
        "robostat": env!("CARGO_PKG_VERSION"),
        "introduction": report.introduction(),
        "n_crawls": report.n_crawls,
        "names_hosts": report.names_hosts,
        "chapters": chapters,
        "left_out": left_out,
    })
}

fn finding(finding: &Finding) -> Value {
    let shipped = finding.shipped;
    let columns: Vec<Value> = finding
        .answer
        .columns
        .iter()
        .map(|column| json!({ "name": column.name, "type": column.sql_type }))
        .collect();
    json!({
        "id": finding.id,
        "title": finding.title,
        "finding": finding.sentences.join(" "),
        "says": finding.section.says,
        "query": shipped.name,
        "question": shipped.summary(),
        "denominator": shipped.part("Denominator"),
        "reproduces": shipped.part("Reproduces"),
        "command": finding.command,
        "columns": columns,
        "rows": rows(&finding.answer),
    })
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
