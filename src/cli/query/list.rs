//! The list of shipped queries with their parameters: those that match some words, or all by topic.

use serde_json::{Value, json};

use crate::analysis::query::ResultFormat;
use crate::analysis::query::shipped::{self, Parameter, ShippedQuery};
use crate::cli::layout::{self, FAINT, STRONG};
use crate::cli::outcome::{Result, usage};

/// The last line of every list; the first line if the words are about one site.
const ONE_SITE: &str = "One site, crawl after crawl: robostat history OUT example.com";
/// Words of people who look for one site.
const SITE_WORDS: [&str; 5] = ["did", "history", "site", "since", "when"];

/// The shipped queries that match the words, the best first; without words, the queries to start
/// with, then all by topic.
pub(super) fn list(words: Option<&str>, format: ResultFormat) -> Result<String> {
    let found = words.map(shipped::search);
    let mut each = words.unwrap_or_default().split_whitespace();
    let is_about_site = each.any(|word| SITE_WORDS.contains(&&*word.to_lowercase()));
    match (format, words) {
        (ResultFormat::Table, _) => {
            let queries = found.map_or_else(all, |it| it.into_iter().map(one).collect());
            Ok(if is_about_site {
                format!("{ONE_SITE}\n{queries}")
            } else {
                format!("{queries}{ONE_SITE}\n")
            })
        }
        (ResultFormat::Json, _) => {
            let all = || shipped::all().iter().collect();
            let entries = found.unwrap_or_else(all).into_iter().map(entry);
            Ok(format!("{}\n", entries.collect::<Value>()))
        }
        (_, Some(words)) => usage(format!(
            "unknown query {words}; `robostat query` lists them all"
        )),
        (_, None) => usage("queries are listed as a table or as JSON"),
    }
}

fn all() -> String {
    let heading = |text: &str| format!("{}\n", STRONG.apply_to(text));
    let mut out = heading("Start here");
    out.extend(shipped::starters().map(one));
    for (_, topic) in shipped::topics() {
        let of_topic = |query: &&ShippedQuery| query.topic() == *topic;
        let is_new = |query: &&ShippedQuery| shipped::starters().all(|it| it != *query);
        let queries = shipped::all().iter().filter(of_topic).filter(is_new);
        out.push_str(&heading(topic));
        out.extend(queries.map(one));
    }
    out
}

fn one(query: &ShippedQuery) -> String {
    let (name, width) = (STRONG.apply_to(query.name), layout::width());
    let question = layout::wrap(&query.summary(), 4, width);
    let mut out = format!("  {name}\n    {question}\n");
    let parameters: Vec<String> = query.parameters().iter().map(Parameter::example).collect();
    let parameters = layout::hang(parameters, 0, 0, width - 4);
    let lines = parameters.lines();
    out.extend(lines.map(|line| format!("    {}\n", FAINT.apply_to(line))));
    out
}

fn entry(query: &ShippedQuery) -> Value {
    let parameter = |parameter: &Parameter| {
        json!({
            "name": parameter.name,
            "type": parameter.sql_type,
            "default": parameter.default,
            "example": parameter.example(),
        })
    };
    json!({
        "name": query.name,
        "topic": query.topic(),
        "question": query.summary(),
        "keywords": query.part("Keywords"),
        "reproduces": query.part("Reproduces"),
        "denominator": query.part("Denominator"),
        "about_parameters": query.part("Parameters"),
        "parameters": query.parameters().iter().map(parameter).collect::<Value>(),
    })
}
