//! Reads what an argument names: a file, standard input, a capture in an archive, or a list of
//! paths.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanCount;
use warc_recovery::container::Format;
use warc_recovery::input::{Input, Source};
use warc_recovery::lookup::{RecordLocation, record_at};
use warc_recovery::recovery::OwnedRecord;
use warc_recovery::warc::RecordHead;
use xxhash_rust::xxh3::xxh3_128;

use super::outcome::Result;
use crate::dataset::Fingerprint;
use crate::error::Error;
use crate::ingest::capture::{Capture, may_be_capture};
use crate::ingest::corpus::begins_archive;
use crate::ingest::input::sources::is_named_as_archive;
use crate::ingest::input::subset::Subset;
use crate::ingest::input::{MAX_LISTED, archive};

/// Length of the longest list, in bytes.
const MAX_LIST: u64 = 1 << 30;
/// Length of the longest path with its NUL, in bytes.
const MAX_PATH: u64 = 64 << 10;

/// `FILE@OFFSET` and `FILE@OFFSET+INNER`: a record of an archive, unless a file has that name.
pub(super) fn record(argument: &Path) -> Option<(PathBuf, RecordLocation)> {
    let name = argument.to_str().filter(|_| !argument.exists())?;
    let (path, place) = name.rsplit_once('@')?;
    let (offset, inner_offset) = place.split_once('+').unwrap_or((place, "0"));
    let number = |digits: &str| {
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        is_plain.then(|| digits.parse().ok()).flatten()
    };
    let place = RecordLocation {
        offset: number(offset)?,
        inner_offset: number(inner_offset)?,
    };
    (!path.is_empty()).then(|| (PathBuf::from(path), place))
}

/// The name of a file, or of standard input (`-`), in messages.
fn name_of(path: &Path) -> &Path {
    if path == Path::new("-") {
        return Path::new("standard input");
    }
    path
}

/// A file, or standard input for `-`, and its length, if that is known.
fn open(path: &Path) -> Result<(Box<dyn Read>, Option<u64>), Error> {
    if path == Path::new("-") {
        return Ok((Box::new(io::stdin()), None));
    }
    let file = File::open(path).map_err(Error::io(path))?;
    let metadata = file.metadata().map_err(Error::io(path))?;
    let length = metadata.is_file().then_some(metadata.len());
    Ok((Box::new(file), length))
}

/// A robots.txt up to one byte more than the limit, and its whole length, if known.
pub(super) fn read(path: &Path, limit: usize) -> Result<(Vec<u8>, Option<u64>), Error> {
    let (stream, mut length) = open(path)?;
    let mut body = Vec::new();
    let read = stream.take(limit as u64 + 1).read_to_end(&mut body);
    read.map_err(Error::io(name_of(path)))?;
    if body.len() <= limit {
        length = Some(body.len() as u64);
    }
    Ok((body, length))
}

/// Refuses an archive, which is not a robots.txt, and says how to name a capture in it.
pub(super) fn refuse_archive(path: &Path, body: &[u8]) -> Result<()> {
    let is_packed = Format::of_start(body) != Format::Plain;
    let name = path.to_string_lossy();
    if begins_archive(body) || is_packed && is_named_as_archive(path) {
        return Err(format!(
            "{name}: an archive; name one capture of it as {name}@OFFSET (offsets are in \
             captures.warc_record_offset)"
        )
        .into());
    }
    Ok(())
}

pub(super) fn read_record(
    path: &Path,
    place: RecordLocation,
) -> Result<(OwnedRecord, Fingerprint)> {
    let name = path.to_string_lossy();
    let source = Source::Path(path.to_owned());
    // A map would not pay for one record, and reading is safe whatever others do to the file.
    let input = Input::open(&source, false, &std::env::temp_dir()).map_err(Error::io(path))?;
    let input = Arc::new(input);
    let fingerprint = Fingerprint::of(&input).map_err(Error::io(path))?;
    let part = archive::around(&input, place.offset)
        .map_err(Error::io(path))?
        .map_err(|message| format!("{name}: {message}"))?;
    let found = record_at(&part.container, place).map_err(Error::io(path))?;
    let record = found.map_err(|error| {
        let place = match (place.offset, place.inner_offset) {
            (offset, 0) => offset.to_string(),
            (offset, inner) => format!("{offset}+{inner}"),
        };
        format!(
            "{name}: no record at offset {place}: {error}; the offsets of captures are in \
             captures.warc_record_offset"
        )
    })?;
    Ok((record, fingerprint))
}

pub(super) fn capture_in<'r>(
    record: &'r OwnedRecord,
    name: &str,
    limit: usize,
    scratch: &'r mut Vec<u8>,
) -> Result<(RecordHead<'r>, Capture<'r>)> {
    let head = record.head().map_err(|error| format!("{name}: {error}"))?;
    let block = &record.bytes[head.head_length()..];
    // As in an ingest, a body is over the limit if one byte more than the limit can be read.
    let (subset, length) = (Subset::RobotsTxt, record.block_length);
    let capture = may_be_capture(&head, subset)
        .then(|| Capture::read(&head, block, length, subset, limit + 1, scratch));
    let Some(capture) = capture.flatten() else {
        return Err(format!(
            "{name}: the record there is of type {}, which is not a capture; the offsets of captures \
             are in captures.warc_record_offset and captures.warc_record_inner_offset",
            head.record_type().name()
        )
        .into());
    };
    Ok((head, capture))
}

/// The distinct paths in a file or, for `-`, standard input, and the number of repeated paths.
pub(super) fn read_list(list: &Path) -> Result<(Vec<PathBuf>, u64), Error> {
    let ((reader, _), name) = (open(list)?, name_of(list));
    let refusal = |message: &str| Error::unusable(name, message);
    let mut reader = BufReader::new(reader);
    let (mut paths, mut seen) = (Vec::new(), HashSet::new());
    let (mut path, mut bytes, mut repeated) = (Vec::new(), 0, 0);
    loop {
        path.clear();
        let mut entry = (&mut reader).take(MAX_PATH + 1);
        let read = entry.read_until(0, &mut path).map_err(Error::io(name))? as u64;
        bytes += read;
        if read == 0 {
            return Ok((paths, repeated));
        }
        if read > MAX_PATH {
            return Err(refusal("not a list of paths with a NUL after each"));
        }
        if bytes > MAX_LIST {
            return Err(refusal("the list has more than 1 GiB; divide it"));
        }
        path.pop_if(|last| *last == 0);
        if path.is_empty() {
            continue;
        }
        if !seen.insert(xxh3_128(&path)) {
            repeated += 1;
            continue;
        }
        if seen.len() > MAX_LISTED {
            let most = HumanCount(MAX_LISTED as u64);
            let problem = format!("the list has more than {most} paths; divide it");
            return Err(refusal(&problem));
        }
        paths.push(PathBuf::from(OsString::from_vec(path.clone())));
    }
}
