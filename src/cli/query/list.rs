//! The list of shipped queries with their parameters: those that fit some words, or all by topic.

use std::io::{self, Write};

use serde_json::json;

use super::FormatArgument;
use crate::analysis::query::shipped::{self, Parameter, STARTERS, ShippedQuery, TOPICS};
use crate::cli::style::Style;
use crate::cli::{layout, usage};
use crate::error::Error;

/// The last line of every list; the first where the words are about one site.
const ONE_SITE: &str = "One site, crawl after crawl: robostat history OUT example.com";
/// Words of people who look for one site.
const SITE_WORDS: [&str; 5] = ["did", "history", "site", "since", "when"];

/// Writes the shipped queries that fit the words, the best first; without words all of them, by
/// topic after those to start with.
pub(super) fn write(
    words: Option<&str>,
    format: FormatArgument,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let found = words.map(shipped::search);
    let mut each = words.unwrap_or_default().split_whitespace();
    let is_about_site = each.any(|word| SITE_WORDS.contains(&&*word.to_lowercase()));
    match format {
        FormatArgument::Table if is_about_site => {
            writeln!(out, "{ONE_SITE}").and_then(|()| several(found.as_deref(), out))
        }
        FormatArgument::Table => {
            several(found.as_deref(), out).and_then(|()| writeln!(out, "{ONE_SITE}"))
        }
        FormatArgument::Json => {
            let all = || shipped::all().iter().collect();
            let entries = found.unwrap_or_else(all).into_iter().map(entry);
            writeln!(out, "{}", entries.collect::<serde_json::Value>())
        }
        _ => match words {
            Some(words) => usage(
                "query",
                &format!("unknown query {words}; `robostat query` lists them all"),
            ),
            None => usage("query", "queries are listed as a table or as JSON"),
        },
    }
    .map_err(Error::unwritten)
}

/// Some queries, or all of them.
fn several(found: Option<&[&ShippedQuery]>, out: &mut dyn Write) -> io::Result<()> {
    match found {
        Some(found) => found.iter().try_for_each(|query| one(query, out)),
        None => all(out),
    }
}

fn all(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", Style::Strong.paint("Start here"))?;
    for query in STARTERS.iter().filter_map(|name| shipped::find(name)) {
        one(query, out)?;
    }
    for (_, topic) in TOPICS {
        writeln!(out, "{}", Style::Strong.paint(topic))?;
        let of_topic = |query: &&ShippedQuery| query.topic() == topic;
        let is_new = |query: &&ShippedQuery| !STARTERS.contains(&query.name);
        for query in shipped::all().iter().filter(of_topic).filter(is_new) {
            one(query, out)?;
        }
    }
    Ok(())
}

/// A query with its question, and its parameters as one would type them.
fn one(query: &ShippedQuery, out: &mut dyn Write) -> io::Result<()> {
    let width = layout::width();
    writeln!(out, "  {}", Style::Strong.paint(query.name))?;
    for line in layout::wrap(&query.summary(), width - 4) {
        writeln!(out, "    {line}")?;
    }
    let parameters: Vec<String> = query.parameters().iter().map(Parameter::example).collect();
    for line in layout::fill(parameters.iter(), width - 4) {
        if !line.is_empty() {
            writeln!(out, "    {}", Style::Faint.paint(line))?;
        }
    }
    Ok(())
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
                "example": parameter.example(),
            })
        })
        .collect();
    json!({
        "name": query.name,
        "topic": query.topic(),
        "question": query.summary(),
        "keywords": query.part("Keywords"),
        "reproduces": query.part("Reproduces"),
        "denominator": query.part("Denominator"),
        "about_parameters": query.part("Parameters"),
        "parameters": parameters,
    })
}
