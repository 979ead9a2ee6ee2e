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
mod target;
mod text;

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warc_recovery::arc;
use warc_recovery::digest;
use warc_recovery::input::{Input, Source};
use warc_recovery::lookup::{RecordLocation, record_at};
use warc_recovery::recovery::OwnedRecord;
use warc_recovery::sink::Position;
use warc_recovery::warc::RecordHead;

use self::exchange::Exchange;
use self::parsed::ParsedFile;
pub(super) use self::target::Target;
use super::args::InspectArguments;
use super::{COMPLETE, Result, layout, terminal};
use crate::dataset::Fingerprint;
use crate::error::Error;
use crate::ingest::capture::{Capture, may_be_capture};
use crate::ingest::input::archive;
use crate::ingest::input::sources;
use crate::ingest::input::subset::Subset;
use crate::ingest::rows::InputName;

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
            let input = InputName {
                id: fingerprint.input_id(),
                name: &sources::name_of_file(&path),
            };
            inspect_record(arguments, input, &record, limit)
        }
    }
}

/// The capture in a record.
fn inspect_record(
    arguments: &InspectArguments,
    input: InputName<'_>,
    record: &OwnedRecord,
    limit: usize,
) -> Result<u8> {
    let name = arguments.file.to_string_lossy();
    let mut scratch = Vec::new();
    let (head, capture) = capture_in(record, &name, limit, &mut scratch)?;
    let block = &record.bytes[head.head_length()..];
    let parsed = capture
        .robots_body()
        .map(|body| ParsedFile::of(body, Some(capture.content_length), limit));
    let digest_valid = digest::verify(&head, capture.http(), block);
    let exchange = Exchange {
        input,
        position: Position {
            offset: record.offset,
            inner_offset: record.inner_offset,
            length: record.length,
        },
        head,
        capture: &capture,
        digest_valid,
    };
    write(arguments, &name, Some(&exchange), parsed.as_ref())
}

/// The head of a record and the capture in it.
pub(super) fn capture_in<'r>(
    record: &'r OwnedRecord,
    name: &str,
    limit: usize,
    scratch: &'r mut Vec<u8>,
) -> Result<(RecordHead<'r>, Capture<'r>)> {
    let head = record.head().map_err(|error| format!("{name}: {error}"))?;
    let block = &record.bytes[head.head_length()..];
    // As in an ingest, a body is over the limit if one byte more than the limit can be read.
    let capture = if may_be_capture(&head, Subset::RobotsTxt) {
        Capture::read(
            &head,
            block,
            record.block_length,
            Subset::RobotsTxt,
            limit + 1,
            scratch,
        )
    } else {
        None
    };
    let Some(capture) = capture else {
        return Err(format!(
            "{name}: the record there is of type {}, which is no capture; the offsets of captures \
             are in captures.warc_record_offset and captures.warc_record_inner_offset",
            head.record_type().name()
        )
        .into());
    };
    Ok((head, capture))
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
    terminal::print(|out| {
        let mut page = text::Page {
            out,
            width: layout::width(),
            explained: HashSet::new(),
        };
        page.title(name)?;
        if let Some(exchange) = exchange {
            page.exchange(exchange, parsed.is_some())?;
        }
        parsed.map_or(Ok(()), |parsed| page.parsed(parsed))
    })?;
    Ok(COMPLETE)
}

/// A robots.txt, or standard input for `-`: one byte more than the limit at most, and its length as
/// a whole, where that is known.
pub(super) fn read(
    path: &Path,
    limit: usize,
) -> std::result::Result<(Vec<u8>, Option<u64>), Error> {
    let (mut body, mut length) = (Vec::new(), None);
    let (name, stream): (&Path, Box<dyn Read>) = if path == Path::new("-") {
        (Path::new("standard input"), Box::new(io::stdin()))
    } else {
        let file = File::open(path).map_err(Error::io(path))?;
        let metadata = file.metadata().map_err(Error::io(path))?;
        length = metadata.is_file().then_some(metadata.len());
        (path, Box::new(file))
    };
    let mut start = stream.take(limit as u64 + 1);
    start.read_to_end(&mut body).map_err(Error::io(name))?;
    if body.len() <= limit {
        length = Some(body.len() as u64);
    }
    Ok((body, length))
}

/// Refuses an archive, which is not a robots.txt, and says how to name a capture in it.
pub(super) fn refuse_archive(path: &Path, body: &[u8]) -> Result<()> {
    let is_packed = matches!(
        body,
        [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..]
    );
    let name = path.to_string_lossy();
    let is_named = name.contains(".warc") || name.contains(".arc");
    if body.starts_with(b"WARC/") || arc::begins_file(body) || is_packed && is_named {
        return Err(format!(
            "{name}: an archive; name one capture of it as {name}@OFFSET (offsets are in \
             captures.warc_record_offset)"
        )
        .into());
    }
    Ok(())
}

/// The record at `place`, and the fingerprint of its file.
pub(super) fn read_record(
    path: &Path,
    place: RecordLocation,
) -> Result<(OwnedRecord, Fingerprint)> {
    let name = path.to_string_lossy();
    let spool = std::env::temp_dir();
    // One record is not worth a map, and reading is safe whatever others do to the file.
    let input =
        Input::open(&Source::Path(path.to_owned()), false, &spool).map_err(Error::io(path))?;
    let input = Arc::new(input);
    let fingerprint = Fingerprint::of(&input).map_err(Error::io(path))?;
    let (input, container) = archive::around(&input, place.offset)
        .map_err(Error::io(path))?
        .map_err(|message| format!("{name}: {message}"))?;
    let found = record_at(&input, &container, place).map_err(Error::io(path))?;
    let record = found.map_err(|error| {
        let RecordLocation {
            offset,
            inner_offset,
        } = place;
        let inner = if inner_offset > 0 {
            format!("+{inner_offset}")
        } else {
            String::new()
        };
        format!(
            "{name}: no record at offset {offset}{inner}: {error}; the offsets of captures are in \
             captures.warc_record_offset"
        )
    })?;
    Ok((record, fingerprint))
}
