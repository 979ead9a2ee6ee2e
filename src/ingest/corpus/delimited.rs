//! CSV and similar formats: a row per fetch, after a line of column names.
//!
//! Rows are separated strictly as RFC 4180 defines. A line with a quote that is not closed, or with
//! text after a closing quote, is damaged, and reading continues with the next line. (CSV libraries
//! repair such rows silently, and a body would continue into the next row.)

use std::borrow::Cow;
use std::io;
use std::sync::atomic::AtomicBool;

use memchr::{memchr, memchr_iter, memchr2};

use super::batch::{Batch, RowReader};
use super::columns::Places;
use super::fetch::{Cell, Fetch};
use super::problem::{MAX_ROW_BYTES, Problem};
use super::window::Window;
use crate::byte_order_mark::without_bom;

/// Bytes to read next if a row has not ended.
const STEP_BYTES: usize = 64 * 1024;

pub(super) struct DelimitedReader {
    window: Window,
    separators: Separators,
    places: Places,
    /// The number of columns, once the line of their names has been read.
    width: Option<usize>,
    /// That line, which files that were joined repeat.
    header: Vec<u8>,
    /// Number of the line in which the next row begins, from 1.
    line: u64,
    /// Consecutive lines before it that are not rows: one damaged range.
    bad: Option<BadLines>,
}

struct BadLines {
    start: u64,
    first: u64,
    last: u64,
    problem: String,
}

pub(super) fn names(bytes: &[u8], separators: Separators) -> Option<Vec<String>> {
    let RowStart::Row(_, fields) = split(bytes, separators, true) else {
        return None;
    };
    let name = |field: &Cow<'_, [u8]>| String::from_utf8(field.trim_ascii().to_vec());
    fields.iter().map(name).collect::<Result<_, _>>().ok()
}

impl DelimitedReader {
    pub(super) fn new(window: Window, separators: Separators, places: Places) -> Self {
        Self {
            window,
            separators,
            places,
            width: None,
            header: Vec::new(),
            line: 1,
            bad: None,
        }
    }

    fn fetch(&self, mut fields: Vec<Cow<'_, [u8]>>) -> Result<Fetch, Problem> {
        Fetch::from_cells(self.places.map(|place| {
            let field = place.and_then(|place| fields.get_mut(place));
            field.map_or(Cell::Absent, |field| Cell::Text(std::mem::take(field)))
        }))
    }

    /// Moves past a row, whose `fetch` counts if the row has as many fields as the table.
    fn take_row(
        &mut self,
        batch: &mut Batch,
        length: usize,
        n_fields: usize,
        fetch: Result<Fetch, Problem>,
    ) -> io::Result<()> {
        let row = &self.window.bytes()[..length];
        let text = without_bom(row).trim_ascii();
        let is_blank = text.is_empty();
        let n_lines = memchr_iter(self.separators.line_end, row).count() as u64;
        let found = match self.width {
            _ if text == self.header => Ok(None),
            Some(width) if n_fields == width && !(is_blank && width == 1) => fetch.map(Some),
            _ if is_blank => Ok(None),
            Some(width) => {
                let problem = format!("{n_fields} fields instead of {width}");
                return self.skip_line(&problem);
            }
            None => {
                self.width = Some(n_fields);
                self.header = text.to_vec();
                Ok(None)
            }
        };
        self.end_bad_lines(batch);
        let (start, name) = (self.window.start, format!("line {}", self.line));
        self.window.advance(length);
        self.line += n_lines;
        batch.push(self.window.location(start, name), found);
        Ok(())
    }

    fn skip_line(&mut self, problem: &str) -> io::Result<()> {
        let bad = self.bad.get_or_insert_with(|| BadLines {
            start: self.window.start,
            first: self.line,
            last: self.line,
            problem: problem.to_owned(),
        });
        bad.last = self.line;
        if bad.problem != problem && !bad.problem.ends_with("; and more") {
            bad.problem.push_str("; and more");
        }
        self.line += self.window.skip_line(self.separators.line_end)?;
        Ok(())
    }

    fn end_bad_lines(&mut self, batch: &mut Batch) {
        if let Some(bad) = self.bad.take() {
            let name = if bad.first < bad.last {
                format!("lines {} to {}", bad.first, bad.last)
            } else {
                format!("line {}", bad.first)
            };
            let location = self.window.location(bad.start, name);
            batch.push(location, Err(Problem::unreadable(bad.problem)));
        }
    }
}

impl RowReader for DelimitedReader {
    fn read_on(&mut self, batch: &mut Batch, _: &AtomicBool) -> io::Result<bool> {
        let mut wanted = 1;
        let found = loop {
            self.window.fill(wanted)?;
            let (bytes, is_ended) = (self.window.bytes(), self.window.is_ended);
            let is_whole = is_ended && self.window.damage.is_none();
            let text = if self.width.is_none() {
                without_bom(bytes)
            } else {
                bytes
            };
            match split(text, self.separators, is_whole) {
                RowStart::Row(length, fields) => {
                    break RowStart::Row(bytes.len() - text.len() + length, fields);
                }
                RowStart::Incomplete if !is_ended && bytes.len() < MAX_ROW_BYTES => {
                    wanted = (bytes.len() * 2).clamp(STEP_BYTES, MAX_ROW_BYTES);
                }
                found => break found,
            }
        };
        let is_empty = self.window.bytes().is_empty();
        let is_end = self.window.is_ended && (is_empty || matches!(found, RowStart::Incomplete));
        match found {
            _ if is_end => {
                self.end_bad_lines(batch);
                if let Some(damage) = self.window.damage.take() {
                    batch.lose_rest(damage, &format!("line {} and all after it", self.line));
                }
                self.window.advance(self.window.bytes().len());
            }
            RowStart::Row(length, fields) => {
                let (n_fields, fetch) = (fields.len(), self.fetch(fields));
                self.take_row(batch, length, n_fields, fetch)?;
            }
            RowStart::Malformed(problem) => self.skip_line(problem)?,
            RowStart::Incomplete => {
                self.end_bad_lines(batch);
                self.skip_line(&Problem::too_long().message)?;
                self.end_bad_lines(batch);
            }
        }
        batch.accounting.record_bytes += self.window.take_read();
        Ok(!is_end)
    }
}

#[derive(Debug)]
pub(super) enum RowStart<'b> {
    /// A row of this many bytes, its line end included, with these fields.
    Row(usize, Vec<Cow<'b, [u8]>>),
    Incomplete,
    Malformed(&'static str),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Separators {
    pub(super) delimiter: u8,
    /// LF, with or without a CR before it; or CR alone, as in files of the classic Mac OS.
    pub(super) line_end: u8,
}

/// The last byte of the first line of a table: CR if it ends with CR alone, else LF.
pub(super) fn line_end(bytes: &[u8]) -> u8 {
    let first = memchr2(b'\r', b'\n', bytes).unwrap_or(bytes.len());
    match bytes.get(first..) {
        Some([b'\r', next, ..]) if !matches!(next, b'\r' | b'\n') => b'\r',
        _ => b'\n',
    }
}

/// Finds the row at the start of `bytes`. If `is_end`, nothing follows them.
pub(super) fn split(bytes: &[u8], separators: Separators, is_end: bool) -> RowStart<'_> {
    let Separators {
        delimiter,
        line_end,
    } = separators;
    let mut fields = Vec::new();
    let mut at = 0;
    loop {
        let (field, next) = if bytes.get(at) == Some(&b'"') {
            match quoted(bytes, at + 1) {
                Some((field, end)) => (field, end + 1),
                None if is_end => return RowStart::Malformed("a quote that is not closed"),
                None => return RowStart::Incomplete,
            }
        } else {
            let end = match memchr2(delimiter, line_end, &bytes[at..]) {
                Some(end) => at + end,
                None if is_end => bytes.len(),
                None => return RowStart::Incomplete,
            };
            let has_cr = end > at && bytes[end - 1] == b'\r' && bytes.get(end) != Some(&delimiter);
            let end = end - usize::from(has_cr);
            (Cow::Borrowed(&bytes[at..end]), end)
        };
        fields.push(field);
        match &bytes[next..] {
            [] if is_end => return RowStart::Row(next, fields),
            [byte, ..] if *byte == line_end => return RowStart::Row(next + 1, fields),
            [b'\r', b'\n', ..] => return RowStart::Row(next + 2, fields),
            [b'\r'] if is_end => return RowStart::Row(next + 1, fields),
            [] | [b'\r'] => return RowStart::Incomplete,
            [byte, ..] if *byte == delimiter => at = next + 1,
            _ => return RowStart::Malformed("text follows a closing quote"),
        }
    }
}

/// The text from `start` on up to the quote that closes it, with doubled quotes as single ones, and
/// the offset of that quote.
fn quoted(bytes: &[u8], start: usize) -> Option<(Cow<'_, [u8]>, usize)> {
    let mut text = Cow::Borrowed(&[][..]);
    let mut from = start;
    loop {
        let quote = from + memchr(b'"', &bytes[from..])?;
        if bytes.get(quote + 1) != Some(&b'"') {
            text = match text {
                Cow::Borrowed(_) => Cow::Borrowed(&bytes[start..quote]),
                Cow::Owned(text) => Cow::Owned([&text, &bytes[from..quote]].concat()),
            };
            return Some((text, quote));
        }
        text.to_mut().extend_from_slice(&bytes[from..=quote]);
        from = quote + 2;
    }
}
