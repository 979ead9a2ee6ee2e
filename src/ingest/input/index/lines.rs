//! Indexes with a row in each line: CDXJ, CDX, and JSON as from Common Crawl's index server.
//!
//! A line of CDXJ is a key, a time and a JSON object. A file of CDX begins with a line such as
//! ` CDX N b a m s k r M S V g`, whose letters identify the fields: `a` the URL, `S` the length,
//! `V` the offset, `g` the archive.

use std::borrow::Cow;
use std::io;

use memchr::{memchr, memmem};
use serde::Deserialize;
use serde_json::Value;

use super::rows::{Index, Row};
use crate::byte_order_mark::without_bom;
use crate::ingest::corpus::Window;
use crate::ingest::input::no_warc;

const MAX_LINE_BYTES: usize = 1024 * 1024;
/// The eleven fields of CDX without a header.
const USUAL: &[u8] = b"N b a m s k r M S V g";

/// The letters of the fields in a line of CDX; 0 for a name of several characters.
pub(super) struct Fields {
    separator: u8,
    letters: Vec<u8>,
}

impl Fields {
    /// The fields in the header of a CDX file, if `line` is one.
    fn of_header(line: &[u8]) -> Option<Self> {
        match line {
            [separator, b'C', b'D', b'X', other, letters @ ..] if separator == other => {
                Self::of_letters(letters, *separator)
            }
            [b'C', b'D', b'X', b' ', letters @ ..] => Self::of_letters(letters, b' '),
            _ => None,
        }
    }

    fn of_letters(letters: &[u8], separator: u8) -> Option<Self> {
        let fields = letters.trim_ascii().split(|byte| *byte == separator);
        let letter = |field: &[u8]| if let [letter] = field { *letter } else { 0 };
        let letters: Vec<u8> = fields.map(letter).collect();
        let is_usable = letters.contains(&b'V') && letters.contains(&b'g');
        is_usable.then_some(Self { separator, letters })
    }

    fn row<'l>(&self, line: &'l [u8]) -> Result<Row<'l>, String> {
        let fields: Vec<&[u8]> = line.split(|byte| *byte == self.separator).collect();
        let count = self.letters.len();
        if fields.len() != count {
            return Err(format!("{} fields instead of {count}", fields.len()));
        }
        let text = |letter: u8| {
            let place = self.letters.iter().position(|it| *it == letter)?;
            Some(String::from_utf8_lossy(fields[place]))
        };
        let number = |letter| text(letter).filter(|it| it != "-");
        Ok(Row {
            file: text(b'g'),
            offset: number(b'V'),
            length: number(b'S'),
            url: text(b'a'),
        })
    }
}

/// A record in JSON, with the names of both kinds of Common Crawl's index.
#[derive(Deserialize)]
struct Object {
    #[serde(alias = "warc_filename")]
    filename: Option<String>,
    #[serde(default, alias = "warc_record_offset")]
    offset: Value,
    #[serde(default, alias = "warc_record_length")]
    length: Value,
    url: Option<String>,
}

fn of_json(text: &[u8]) -> Result<Row<'static>, String> {
    let object: Object = serde_json::from_slice(text)
        .map_err(|error| format!("not the JSON of a record: {error}"))?;
    let number = |value: Value| match value {
        Value::Null => None,
        Value::String(text) => Some(Cow::Owned(text)),
        other => Some(Cow::Owned(other.to_string())),
    };
    Ok(Row {
        file: object.filename.map(Cow::Owned),
        offset: number(object.offset),
        length: number(object.length),
        url: object.url.map(Cow::Owned),
    })
}

/// The row in a line; `None` for a header, a `!` line or a blank line.
pub(super) fn row<'l>(
    line: &'l [u8],
    fields: &mut Option<Fields>,
) -> Result<Option<Row<'l>>, String> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.trim_ascii().is_empty() || line.starts_with(b"!") {
        return Ok(None);
    }
    if let Some(found) = Fields::of_header(line) {
        if !found.letters.contains(&b'S') {
            return Err("this CDX has no record lengths (the field S)".to_owned());
        }
        *fields = Some(found);
        return Ok(None);
    }
    let line = line.trim_ascii();
    if line.starts_with(b"{") {
        return of_json(line).map(Some);
    }
    if let Some(fields) = fields {
        return fields.row(line).map(Some);
    }
    if let Some(at) = memmem::find(line, b" {") {
        return of_json(&line[at + 1..]).map(Some);
    }
    let usual = Fields::of_letters(USUAL, b' ');
    let row = usual.and_then(|usual| usual.row(line).ok());
    row.map(Some).ok_or_else(|| {
        "neither CDXJ (key, time, JSON) nor CDX of eleven fields; other CDX needs its first line, \
         as in ` CDX N b a m s k r M S V g`"
            .to_owned()
    })
}

/// Whether a file that begins with these bytes is an index; else what it is.
pub(super) fn recognise(start: &[u8]) -> Result<(), String> {
    let text = without_bom(start);
    let mut fields = None;
    let lines = text.split(|byte| *byte == b'\n').take(100);
    let mut why = None;
    for line in lines {
        match row(line, &mut fields) {
            Ok(None) if fields.is_none() => {}
            // A header, or a row that names a record; its numbers may be wrong.
            Ok(None) => return Ok(()),
            Ok(Some(row)) if row.file.is_some() => return Ok(()),
            Ok(Some(_)) => {
                why = Some("its JSON has no `filename`, `offset` and `length`".to_owned());
            }
            Err(message) => why = why.or(Some(message)),
        }
    }
    let is_text =
        !text.is_empty() && memchr(0, text).is_none() && std::str::from_utf8(text).is_ok();
    Err(match (no_warc::what(start), why) {
        (Some(what), None) => what.to_owned(),
        (Some(what), Some(_)) if !what.contains("CDX") && !what.starts_with("JSON") => {
            what.to_owned()
        }
        (_, Some(why)) if is_text => why,
        _ => "it has no rows".to_owned(),
    })
}

pub(super) fn read(mut window: Window, index: &mut Index) -> io::Result<()> {
    let (mut number, mut fields) = (0_u64, None);
    let is_plain = window.is_plain();
    loop {
        let end = window.line(b'\n', MAX_LINE_BYTES)?;
        if window.bytes().is_empty() {
            break;
        }
        number += 1;
        let offset = window.start;
        let length = end.map_or(window.bytes().len(), |end| end - 1);
        let added = if length > MAX_LINE_BYTES || end.is_none() && !window.is_ended {
            Err(format!("longer than {MAX_LINE_BYTES} bytes"))
        } else {
            let line = &window.bytes()[..length];
            let line = if number == 1 { without_bom(line) } else { line };
            let row = row(line, &mut fields);
            row.and_then(|row| row.map_or(Ok(()), |row| index.add(&row)))
        };
        if let Err(message) = added {
            // In a packed file, the stored bytes of a line are not known.
            let stored = if is_plain { length as u64 } else { 0 };
            index.lose(offset, stored, &format!("line {number}"), &message);
        }
        match end {
            Some(end) => window.advance(end),
            None => _ = window.skip_line(b'\n')?,
        }
    }
    if let Some(damage) = window.damage.take() {
        index.lose(damage.offset, damage.length, "the rest", &damage.message);
    }
    Ok(())
}
