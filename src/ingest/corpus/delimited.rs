//! CSV and its like: a row per fetch, below a line that names the columns.
//!
//! Rows are separated strictly by RFC 4180. A line with a quote that is not closed, or that is
//! followed by text, is damaged, and reading continues with the next line. (CSV libraries repair
//! such rows silently, and a body would continue into the next row.)

use std::io;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use memchr::{memchr, memchr_iter};

use super::batch::{
    Batch, BatchReader, CHUNK_BYTES, MAX_ROW_BYTES, Row, RowLocation, Rows, too_long,
};
use super::columns::Places;
use super::fetch::{Cell, Cells, Fetch, Problem};
use super::field::{Field, RowStart, Separators, line_end, split, text};
use super::window::Window;

pub(crate) struct DelimitedReader {
    window: Window,
    places: Places,
    /// The columns of JSON Lines and CSV are found in the line that names them.
    separators: Separators,
    /// Columns, once the line that names them has been read.
    width: Option<usize>,
    /// Number of the line in which the next row begins, from 1.
    line: u64,
    is_done: bool,
}

struct DelimitedRows {
    places: Places,
    bytes: Vec<u8>,
    /// Offset of the first byte, in what the file unpacks to.
    start: u64,
    is_plain: bool,
    rows: Vec<DelimitedRow>,
    fields: Vec<Field>,
}

struct DelimitedRow {
    bytes: Range<usize>,
    line: u64,
    fields: Range<usize>,
}

impl Rows for DelimitedRows {
    fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn deliver(&self, take: &mut dyn FnMut(Row<'_>)) {
        for row in &self.rows {
            let (start, length) = (row.bytes.start as u64, row.bytes.len() as u64);
            let offset = self.start + start;
            let place = RowLocation::of_line(offset, length, row.line, self.is_plain);
            let fields = &self.fields[row.fields.clone()];
            let mut cells = Cells::default();
            for (cell, place) in cells.iter_mut().zip(self.places) {
                if let Some(field) = place.and_then(|place| fields.get(place)) {
                    *cell = Cell::Text(text(&self.bytes, field));
                }
            }
            take(Row::of(place, Fetch::from_cells(cells)));
        }
    }
}

/// The names in the first row of `bytes`; empty without a row.
pub(super) fn names(bytes: &[u8], delimiter: u8) -> Option<Vec<String>> {
    let mut fields = Vec::new();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let separators = Separators {
        delimiter,
        line_end: line_end(bytes),
    };
    let RowStart::Row(_) = split(bytes, separators, true, &mut fields) else {
        return None;
    };
    let name = |field: &Field| String::from_utf8(text(bytes, field).trim_ascii().to_vec());
    fields.iter().map(name).collect::<Result<_, _>>().ok()
}

impl DelimitedReader {
    pub(super) fn new(window: Window, delimiter: u8, places: Places) -> Self {
        Self {
            window,
            places,
            separators: Separators {
                delimiter,
                line_end: b'\n',
            },
            width: None,
            line: 1,
            is_done: false,
        }
    }

    /// Skips the line that is held first, the whole of which is not held.
    fn skip_line(&mut self, mut batch: Batch, problem: &Problem) -> io::Result<Batch> {
        let (offset, line) = (self.window.start(), self.line);
        self.line += self.window.skip_line(self.separators.line_end)?;
        let length = self.window.start() - offset;
        let place = RowLocation::of_line(offset, length, line, self.window.is_plain());
        batch.accounting.record_bytes += self.window.take_read();
        batch.lose(&place, problem);
        Ok(batch)
    }

    /// The rows among the bytes held, and the length of all that is done with.
    fn rows(&mut self, batch: &mut Batch, is_longest: bool) -> ParseStep {
        let bytes = self.window.bytes();
        let is_end = self.window.is_ended();
        let separators = self.separators;
        let is_whole = is_end && !self.window.is_damaged();
        let (start, is_plain) = (self.window.start(), self.window.is_plain());
        let mut records = Box::new(DelimitedRows {
            places: self.places,
            bytes: Vec::new(),
            start,
            is_plain,
            rows: Vec::new(),
            fields: Vec::new(),
        });
        let mut bad = BadLines::default();
        let mut at = 0;
        while at < bytes.len() {
            let first_field = records.fields.len();
            let rest = &bytes[at..];
            let past_line = || memchr(separators.line_end, rest).map(|end| end + 1);
            let line = self.line;
            let (length, problem) = match split(rest, separators, is_whole, &mut records.fields) {
                RowStart::Row(length) => {
                    let n_fields = records.fields.len() - first_field;
                    let is_blank = rest[..length].trim_ascii().is_empty();
                    match self.width {
                        Some(width) if width == n_fields && !(is_blank && width == 1) => {
                            for field in &mut records.fields[first_field..] {
                                field.shift(at);
                            }
                            records.rows.push(DelimitedRow {
                                bytes: at..at + length,
                                line,
                                fields: first_field..records.fields.len(),
                            });
                            (length, None)
                        }
                        Some(width) if !is_blank => {
                            let problem = format!("{n_fields} fields, where {width} are named");
                            (past_line().unwrap_or(rest.len()), Some(problem))
                        }
                        // Blank, or the line that names the columns.
                        _ => {
                            if !is_blank {
                                self.width = Some(n_fields);
                            }
                            records.fields.truncate(first_field);
                            if is_plain {
                                batch.accounting.skipped_bytes += length as u64;
                            }
                            (length, None)
                        }
                    }
                }
                RowStart::Malformed(problem) => match past_line() {
                    Some(length) => (length, Some(problem.to_owned())),
                    None if is_whole => (rest.len(), Some(problem.to_owned())),
                    None if at == 0 => return ParseStep::BadLine(Problem::unreadable(problem)),
                    None => break,
                },
                RowStart::Incomplete if is_end => {
                    self.is_done = true;
                    records.fields.truncate(first_field);
                    break;
                }
                RowStart::Incomplete if at > 0 => {
                    records.fields.truncate(first_field);
                    break;
                }
                RowStart::Incomplete if is_longest => return ParseStep::BadLine(too_long()),
                RowStart::Incomplete => return ParseStep::Nothing,
            };
            if let Some(problem) = problem {
                records.fields.truncate(first_field);
                let range = BadRange {
                    start: start + at as u64,
                    length: length as u64,
                    first_line: line,
                    last_line: line,
                    is_plain,
                    problem,
                };
                bad.add(batch, range);
            }
            self.line += memchr_iter(separators.line_end, &rest[..length]).count() as u64;
            at += length;
        }
        bad.end(batch);
        self.is_done |= is_end && at == bytes.len();
        ParseStep::Rows(records, at)
    }
}

impl BatchReader for DelimitedReader {
    fn next_batch(&mut self, _: &AtomicBool) -> io::Result<Option<Batch>> {
        if self.is_done {
            return Ok(None);
        }
        let mut batch = Batch::default();
        let mut wanted = CHUNK_BYTES;
        let (mut records, length) = loop {
            self.window.fill(wanted)?;
            if self.width.is_none() {
                self.separators.line_end = line_end(self.window.bytes());
            }
            match self.rows(&mut batch, wanted == MAX_ROW_BYTES) {
                ParseStep::Rows(records, length) => break (records, length),
                ParseStep::BadLine(problem) => return self.skip_line(batch, &problem).map(Some),
                ParseStep::Nothing => wanted = (wanted * 2).min(MAX_ROW_BYTES),
            }
        };
        records.bytes = self.window.take(length);
        batch.rows = Some(records);
        if self.is_done
            && let Some(damage) = self.window.take_damage()
        {
            batch.lose_rest(&damage, &format!("line {} and all after it", self.line));
        }
        batch.accounting.record_bytes += self.window.take_read();
        Ok(Some(batch))
    }
}

/// What is found at the start of the bytes held.
enum ParseStep {
    /// Rows, and the length of all that is done with.
    Rows(Box<DelimitedRows>, usize),
    /// A line that is not a row, whose end is not held.
    BadLine(Problem),
    /// A row whose end is not held.
    Nothing,
}

/// Lines, one after the other, that are not rows: one damaged range.
#[derive(Default)]
struct BadLines(Option<BadRange>);

struct BadRange {
    start: u64,
    length: u64,
    first_line: u64,
    last_line: u64,
    is_plain: bool,
    problem: String,
}

impl BadLines {
    fn add(&mut self, batch: &mut Batch, line: BadRange) {
        match &mut self.0 {
            Some(range) if range.start + range.length == line.start => {
                range.length += line.length;
                range.last_line = line.last_line;
                if range.problem != line.problem && !range.problem.ends_with("; and more") {
                    range.problem.push_str("; and more");
                }
            }
            _ => {
                self.end(batch);
                self.0 = Some(line);
            }
        }
    }

    fn end(&mut self, batch: &mut Batch) {
        if let Some(range) = self.0.take() {
            let (start, length) = (range.start, range.length);
            let place = RowLocation::of_line(start, length, range.first_line, range.is_plain);
            let place = place.up_to_line(range.last_line);
            batch.lose(&place, &Problem::unreadable(range.problem));
        }
    }
}
