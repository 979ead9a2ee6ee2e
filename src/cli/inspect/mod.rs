//! `robostat inspect`: how one robots.txt is read, line by line.
//!
//! The lines come from the [line reader](robots_dialects::line), the remarks from the
//! [document](robots_dialects::document), and the summary from the rows that an ingest would write.
//! So `inspect` cannot disagree with the tables.

mod exchange;
mod json;
mod parsed;
mod text;

use std::path::{Path, PathBuf};

use clap::Args;
use robots_dialects::limit::DEFAULT_LIMIT;

use self::exchange::Exchange;
use self::parsed::ParsedFile;
use super::layout;
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
    let Some((path, place)) = record(&arguments.file) else {
        let (body, length) = read(&arguments.file, limit)?;
        if arguments.file != Path::new("-") {
            refuse_archive(&arguments.file, &body)?;
        }
        let parsed = ParsedFile::of(&body, length, limit);
        return write(arguments, None, Some(&parsed));
    };
    let (record, fingerprint) = read_record(&path, place)?;
    let mut scratch = Vec::new();
    let (head, capture) = capture_in(&record, &name, limit, &mut scratch)?;
    let body = capture.robots_body();
    let parsed = body.map(|body| ParsedFile::of(body, Some(capture.content_length), limit));
    let input = InputName {
        id: fingerprint.input_id(),
        name: &sources::name_of_file(&path),
    };
    let ids = parsed.as_ref().map(|parsed| parsed.ids);
    let exchange = Exchange::of(&record, head, &capture, input, ids);
    write(arguments, Some(&exchange), parsed.as_ref())
}

fn write(
    arguments: &InspectArguments,
    exchange: Option<&Exchange<'_>>,
    parsed: Option<&ParsedFile<'_>>,
) -> Result<()> {
    let name = arguments.file.to_string_lossy();
    if arguments.json {
        print_json(&json::object(&name, exchange, parsed))?;
        return Ok(());
    }
    let mut page = text::Page::new(&name, layout::width());
    if let Some(exchange) = exchange {
        page.exchange(exchange, parsed.is_some());
    }
    if let Some(parsed) = parsed {
        page.parsed(parsed);
    }
    print(&page.text)?;
    Ok(())
}
