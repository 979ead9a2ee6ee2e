//! Rows as DuckDB prints them: JSON arrays, in which numbers keep all their digits.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Column, parsed, read_list};
use crate::analysis::duckdb::Session;
use crate::error::Error;

#[derive(Debug, Clone, Deserialize)]
pub struct Cell(Box<RawValue>);

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.json() == other.json()
    }
}

impl Cell {
    pub fn of_text(text: &str) -> Self {
        let json = serde_json::Value::from(text).to_string();
        Self(RawValue::from_string(json).unwrap_or_default())
    }

    pub fn json(&self) -> &str {
        self.0.get()
    }

    pub fn is_null(&self) -> bool {
        self.json() == "null"
    }

    pub fn is_text(&self) -> bool {
        self.json().starts_with('"')
    }

    pub fn number(&self) -> Option<f64> {
        self.json().parse().ok()
    }

    /// The value without quotes: empty for null, JSON for lists and structures.
    pub fn text(&self) -> Cow<'_, str> {
        match self.json() {
            "null" => Cow::Borrowed(""),
            json if self.is_text() => {
                serde_json::from_str(json).map_or(Cow::Borrowed(json), Cow::Owned)
            }
            json => Cow::Borrowed(json),
        }
    }
}

/// SQL that prints the columns of a statement on one line, then each row on its own line, then a
/// line that is missing if DuckDB fails.
pub fn rows_of(statement: &str) -> String {
    format!(
        ".mode list\n.headers off\n\
         SELECT to_json(list({{name: column_name, type: column_type}})) FROM (DESCRIBE FROM (\n{statement}\n));\n\
         SELECT json_array(*COLUMNS(*)) FROM (\n{statement}\n);\n.print null\n"
    )
}

/// The rows that a session prints for [`rows_of`]. Ids are text.
pub struct Rows<'s> {
    session: &'s mut Session,
    are_ids: Vec<bool>,
    line: Vec<u8>,
}

impl<'s> Rows<'s> {
    /// The columns and the rows; `None` if DuckDB fails before the first row.
    pub fn of(session: &'s mut Session) -> Result<Option<(Vec<Column>, Self)>, Error> {
        let columns: Vec<Column> = read_list(session)?;
        let are_ids = columns.iter().map(Column::is_id).collect();
        let mut line = Vec::new();
        let has_begun = session.read_line(&mut line)?;
        let rows = Self {
            session,
            are_ids,
            line,
        };
        Ok(has_begun.then_some((columns, rows)))
    }
}

impl Iterator for Rows<'_> {
    type Item = Result<Vec<Cell>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.line.is_empty() || self.line.starts_with(b"null") {
            return None;
        }
        let row = read(&self.line, &self.are_ids);
        Some(self.session.read_line(&mut self.line).and(row))
    }
}

pub(super) fn read(line: &[u8], are_ids: &[bool]) -> Result<Vec<Cell>, Error> {
    let cells = parsed(line);
    let cells = cells.or_else(|_| parsed(without_nan(&String::from_utf8_lossy(line)).as_bytes()));
    let mut cells: Vec<Cell> = cells?;
    for (cell, is_id) in cells.iter_mut().zip(are_ids) {
        if *is_id && !cell.is_null() {
            *cell = Cell::of_text(&cell.text());
        }
    }
    Ok(cells)
}

/// A line with null in place of NaN and infinities, which DuckDB writes although JSON lacks them.
fn without_nan(line: &str) -> String {
    let mut is_text = false;
    let pieces = line.split_inclusive('"').map(|piece| {
        let was_text = is_text;
        let before = piece.trim_end_matches('"');
        let n_escapes = before.len() - before.trim_end_matches('\\').len();
        // An escaped quote does not end a text.
        is_text = !was_text || n_escapes % 2 == 1;
        if was_text {
            return piece.to_owned();
        }
        piece
            .replace("NaN", "null")
            .replace("-Infinity", "null")
            .replace("Infinity", "null")
    });
    pieces.collect()
}
