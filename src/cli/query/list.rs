//! The list of shipped queries: by topic, with their parameters.

use std::io::{self, Write};

use serde_json::json;

use super::FormatArgument;
use crate::analysis::query::shipped::{self, Parameter, ShippedQuery, TOPICS};
use crate::cli::style::{Palette, Style};
use crate::cli::{layout, usage};
use crate::error::Error;

/// Writes the shipped queries that mention `word`, or all.
pub(super) fn write(
    word: Option<&str>,
    format: FormatArgument,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let queries = shipped::all()
        .iter()
        .filter(|query| word.is_none_or(|word| query.mentions(word)));
    match format {
        FormatArgument::Table => text(&queries.collect::<Vec<_>>(), out),
        FormatArgument::Json => {
            let entries: Vec<_> = queries.map(entry).collect();
            writeln!(out, "{}", serde_json::Value::from(entries))
        }
        _ => usage("query", "queries are listed as a table or as JSON"),
    }
    .map_err(Error::unwritten)
}

fn text(queries: &[&ShippedQuery], out: &mut dyn Write) -> io::Result<()> {
    let (palette, width) = (Palette::for_stdout(), layout::width());
    for topic in TOPICS {
        let mut of_topic = queries
            .iter()
            .filter(|query| query.topic() == topic)
            .peekable();
        if of_topic.peek().is_none() {
            continue;
        }
        writeln!(out, "{}", palette.paint(Style::Strong, topic))?;
        for query in of_topic {
            writeln!(out, "  {}", palette.paint(Style::Strong, query.name))?;
            for line in layout::wrap(&query.summary(), width - 4) {
                writeln!(out, "    {line}")?;
            }
            let parameters: Vec<String> = query.parameters().iter().map(declared).collect();
            for line in layout::fill(parameters.iter(), width - 4) {
                if !line.is_empty() {
                    writeln!(out, "    {}", palette.paint(Style::Faint, line))?;
                }
            }
        }
    }
    Ok(())
}

/// A parameter as one would type it: `top=30`; the type is shown for a computed default.
fn declared(parameter: &Parameter) -> String {
    let Parameter {
        name,
        sql_type,
        default,
    } = parameter;
    let is_short = default.len() <= 24 && !default.contains('\n') && *default != "NULL";
    if is_short {
        format!("{name}={}", default.replace([' ', '\''], ""))
    } else {
        format!("{name}={sql_type}")
    }
}

fn entry(query: &ShippedQuery) -> serde_json::Value {
    let parameters: Vec<_> = query
        .parameters()
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "type": parameter.sql_type,
                "default": parameter.default,
            })
        })
        .collect();
    json!({
        "name": query.name,
        "topic": query.topic(),
        "question": query.summary(),
        "reproduces": query.part("Reproduces"),
        "denominator": query.part("Denominator"),
        "about_parameters": query.part("Parameters"),
        "parameters": parameters,
    })
}
