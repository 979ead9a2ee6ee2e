//! `robostat inspect`: how one robots.txt is read, line by line.
//!
//! The lines come from the [line reader](robots_dialects::line), the remarks from the
//! [document](robots_dialects::document), and the summary from the rows that an ingest would write.
//! So `inspect` cannot disagree with the tables.

mod exchange;
mod foot;
mod json;
mod parsed;
mod row;
mod text;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use robots_dialects::limit::DEFAULT_LIMIT;
use warc_recovery::digest;

use self::exchange::Exchange;
use self::parsed::ParsedFile;
use super::exit::{COMPLETE, Result};
use super::target::{Target, capture_in, limit, read, read_record, refuse_archive};
use super::{layout, terminal};
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

pub(super) fn run(arguments: &InspectArguments) -> Result<u8> {
    let limit = arguments.limit;
    let name = arguments.file.to_string_lossy();
    match Target::of(&arguments.file) {
        Target::File(path) => {
            let (body, length) = read(&path, limit)?;
            if path != Path::new("-") {
                refuse_archive(&path, &body)?;
            }
            let parsed = ParsedFile::of(&body, length, limit);
            write(arguments, &name, None, Some(&parsed))
        }
        Target::Record { path, place } => {
            let (record, fingerprint) = read_record(&path, place)?;
            let mut scratch = Vec::new();
            let (head, capture) = capture_in(&record, &name, limit, &mut scratch)?;
            let block = &record.bytes[head.head_length()..];
            let parsed = capture
                .robots_body()
                .map(|body| ParsedFile::of(body, Some(capture.content_length), limit));
            let exchange = Exchange {
                input: InputName {
                    id: fingerprint.input_id(),
                    name: &sources::name_of_file(&path),
                },
                position: record.position,
                digest_valid: digest::verify(&head, capture.http(), block),
                head,
                capture: &capture,
            };
            write(arguments, &name, Some(&exchange), parsed.as_ref())
        }
    }
}

fn write(
    arguments: &InspectArguments,
    name: &str,
    exchange: Option<&Exchange<'_>>,
    parsed: Option<&ParsedFile<'_>>,
) -> Result<u8> {
    if arguments.json {
        terminal::print_json(&json::value(name, exchange, parsed))?;
        return Ok(COMPLETE);
    }
    let mut page = text::Page::new(name, layout::width());
    if let Some(exchange) = exchange {
        page.exchange(exchange, parsed.is_some());
    }
    if let Some(parsed) = parsed {
        page.parsed(parsed);
    }
    terminal::print(|out| out.write_all(page.text.as_bytes()))?;
    Ok(COMPLETE)
}
