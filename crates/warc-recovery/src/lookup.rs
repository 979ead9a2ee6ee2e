//! Lookup: one record, found by the offsets in its [`Position`](crate::sink::Position).
//!
//! It uses [recovery](crate::recovery), which reads any unit, intact, damaged or very large, under
//! a bound on memory.

use std::io;

use crate::container::{Boundary, Container, Format, StreamDecoder};
use crate::recovery::{OwnedRecord, Recovery};
use crate::split;
use crate::syntax::RecordSyntax;

/// The first record of a file, if it comes before any damage.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn first_record(container: &Container) -> io::Result<Option<OwnedRecord>> {
    let first = Recovery::new(container, Boundary::at(container.input.start()))?.next_item()?;
    Ok(first.and_then(|item| item.records.into_iter().next()))
}

/// The most record starts that are listed if no record begins at the requested place.
const MAX_STARTS: usize = 8;

/// Where a record begins, as in its [`Position`](crate::sink::Position).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordLocation {
    /// Byte offset in the file of the record, or of the gzip member or zstd frame that holds it.
    pub offset: u64,
    /// Byte offset of the record in the decoded member or frame; 0 for the first.
    pub inner_offset: u64,
}

/// The record at `place`.
///
/// ```
/// use warc_recovery::container::Container;
/// use warc_recovery::input::{Input, Source};
/// use warc_recovery::lookup::{RecordLocation, record_at};
///
/// # let directory = tempfile::tempdir()?;
/// # let path = directory.path().join("file");
/// let record = "WARC/1.0\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n";
/// std::fs::write(&path, record.repeat(2))?;
/// let input = Input::open(&Source::Path(path), true, &std::env::temp_dir())?;
/// let container = Container::detect(&input)?.expect("a WARC file");
/// let second = RecordLocation {
///     offset: record.len() as u64,
///     inner_offset: 0,
/// };
/// let found = record_at(&container, second)?.expect("a record");
/// assert!(found.bytes.ends_with(b"abc"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
///
/// Fails if the file cannot be read. The inner error says why no record is at `place`.
pub fn record_at(
    container: &Container,
    place: RecordLocation,
) -> io::Result<Result<OwnedRecord, String>> {
    let input = &container.input;
    if place.offset >= input.len() {
        return Ok(Err(format!("the file has only {} bytes", input.len())));
    }
    let start = input.read(place.offset, container.syntax.start_bytes().max(8))?;
    let unit = match (container.format, container.syntax) {
        (Format::Plain, RecordSyntax::Warc) => "WARC record",
        (Format::Plain, RecordSyntax::Arc) => "ARC record",
        (Format::Gzip, _) => "gzip member",
        (Format::Zstd, _) => "zstd frame",
    };
    let begins = match container.format {
        Format::Plain => container.syntax.begins_record(&start),
        Format::Gzip | Format::Zstd => StreamDecoder::begin(container.format, None, &start).is_ok(),
    };
    if !begins {
        return Ok(Err(format!("no {unit} begins there")));
    }
    // If the file has a dictionary, it is nearly always at the beginning.
    let likely = Boundary {
        offset: place.offset,
        dictionary: container.dictionary_id.map(|_| input.start()),
    };
    let found = record_of_unit(container, place, likely)?;
    if container.format != Format::Zstd || found.is_ok() {
        return Ok(found);
    }
    let dictionary = split::last_dictionary(container, place.offset)?;
    if dictionary == likely.dictionary {
        return Ok(found);
    }
    let boundary = Boundary {
        dictionary,
        ..likely
    };
    record_of_unit(container, place, boundary)
}

/// The record at `place` in the unit at `boundary`.
fn record_of_unit(
    container: &Container,
    place: RecordLocation,
    boundary: Boundary,
) -> io::Result<Result<OwnedRecord, String>> {
    let mut recovery = Recovery::new(container, boundary)?;
    let mut starts = Vec::new();
    let mut damage = None;
    'unit: while let Some(batch) = recovery.next_batch()? {
        damage = damage.or_else(|| batch.damage.into_iter().next());
        for record in batch.records {
            if record.position.offset != place.offset {
                break 'unit;
            }
            if record.position.inner_offset == place.inner_offset {
                return Ok(Ok(record));
            }
            if starts.len() < MAX_STARTS {
                starts.push(record.position.inner_offset);
            }
            // There are enough starts to list; a giant unit is not read to its end.
            if record.position.inner_offset > place.inner_offset && starts.len() == MAX_STARTS {
                break 'unit;
            }
        }
        // Records after the damage may be in the same unit; later units are not searched.
        if damage.is_some() && recovery.end().offset > place.offset && starts.is_empty() {
            break;
        }
    }
    Ok(Err(match damage {
        Some(damage) => format!("the data there are damaged: {}", damage.message),
        None if starts.is_empty() => "the member or frame there holds no record".to_owned(),
        None => {
            format!("records begin in that member or frame at {starts:?} (the number after the +)")
        }
    }))
}
