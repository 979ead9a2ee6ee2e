//! `robostat inspect`: how one robots.txt is read, line by line.
//!
//! The lines come from the [line reader](robots_dialects::line), the remarks from the
//! [document](robots_dialects::document), and the summary from the rows that an ingest would write.
//! So `inspect` cannot disagree with the tables.

mod exchange;
mod parsed;
mod text;

use std::path::{Path, PathBuf};

use clap::Args;
use robots_dialects::limit::DEFAULT_LIMIT;
use serde_json::{Value, json};

use self::exchange::Exchange;
use self::parsed::ParsedFile;
use super::outcome::{Result, print, print_json};
use super::target::{capture_in, read, read_record, record, refuse_archive};
use super::values::limit;
use crate::ingest::input::sources;
use crate::ingest::rows::InputName;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../help/inspect.txt"))]
pub(super) struct InspectArguments {
    /// A robots.txt, `-` for standard input, or a capture in a WARC file:
    /// crawl.warc.gz@OFFSET, or @OFFSET+INNER where a member or frame holds several records.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Bytes of the robots.txt that are parsed; not below 512000, as in ingest.
    #[arg(long, value_name = "BYTES", default_value_t = DEFAULT_LIMIT, value_parser = limit())]
    limit: usize,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &InspectArguments) -> Result<()> {
    let limit = arguments.limit;
    let name = arguments.file.to_string_lossy();
    let (exchange, parsed) = if let Some((path, place)) = record(&arguments.file) {
        let (record, fingerprint) = read_record(&path, place)?;
        let mut scratch = Vec::new();
        let (head, capture) = capture_in(&record, &name, limit, &mut scratch)?;
        let body = capture.robots_body();
        let parsed = body.map(|body| ParsedFile::of(body, Some(capture.file_length), limit));
        let input = InputName {
            id: fingerprint.input_id(),
            name: &sources::name_of_file(&path),
        };
        let ids = parsed.as_ref().map(|parsed| parsed.ids);
        let exchange = Exchange::of(&record, &head, &capture, input, ids);
        (Some(exchange), parsed)
    } else {
        let (body, length) = read(&arguments.file, limit)?;
        if arguments.file != Path::new("-") {
            refuse_archive(&arguments.file, &body)?;
        }
        (None, Some(ParsedFile::of(&body, length, limit)))
    };
    let (exchange, parsed) = (exchange.as_ref(), parsed.as_ref());
    if arguments.json {
        return print_json(&object(&name, exchange, parsed));
    }
    Ok(print(&text::page(&name, exchange, parsed))?)
}

/// Names and values are the same as in the tables. `capture` has the columns of `captures`,
/// `counts` the counts of `files`; the other columns of `files` are at the top level. A capture
/// without a file has no fields about a file.
fn object(name: &str, exchange: Option<&Exchange>, parsed: Option<&ParsedFile>) -> Value {
    let mut object = json!({ "source": name });
    if let Some(exchange) = exchange {
        object["capture"] = exchange.row.clone();
        let named = |(name, value): &(String, String)| json!({ "name": name, "value": value });
        object["warc_fields"] = exchange.warc_fields.iter().map(named).collect();
        object["http_headers"] = exchange.http_headers.iter().map(named).collect();
    }
    if let Some(parsed) = parsed {
        for (column, value) in parsed.file.as_object().into_iter().flatten() {
            if column.starts_with("n_") {
                object["counts"][column] = value.clone();
            } else {
                object[column] = value.clone();
            }
        }
        object["content_length"] = parsed.content_length.into();
        object["groups"] = json!(parsed.rows.groups);
        object["agents"] = json!(parsed.rows.agents);
        object["directives"] = json!(parsed.rows.directives);
        object["preferences"] = json!(parsed.rows.preferences);
        object["effective_preferences"] = json!(parsed.rows.effective_preferences);
        object["sitemaps"] = json!(parsed.rows.sitemaps);
        object["lines"] = json!(parsed.lines);
    }
    object
}
