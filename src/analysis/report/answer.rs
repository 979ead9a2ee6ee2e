//! The answer to a query: columns, rows, and how a value is shown.
//!
//! A section reads values by the names of columns. The answer records every missing column, and
//! every null that was read as a value. [`Answer::check`] reports them, so no reader can turn one
//! into a 0 or leave it out unnoticed.

use std::borrow::Cow;
use std::cell::RefCell;

use super::format::Share;
use crate::analysis::query::Column;
pub(super) use crate::analysis::query::row::Cell;
use crate::error::Error;

#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    pub(super) query: &'static str,
    /// The command that gives it again; empty for the report's own statements.
    pub(super) command: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
    /// Columns that were removed because they name hosts.
    hidden: Vec<String>,
    unmet: RefCell<ColumnGaps>,
}

/// Columns that a reader needed: the first that is missing, and the first that was null.
#[derive(Debug, Clone, Default)]
struct ColumnGaps {
    missing: Option<String>,
    null: Option<String>,
}

impl Answer {
    pub(super) fn of(query: &'static str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Self {
        Self {
            query,
            columns,
            rows,
            ..Self::default()
        }
    }

    /// Why the answer makes no claim about a change; `None` if a row has a change, or the answer
    /// lacks the columns `change` and `note`.
    pub(super) fn no_claim(&self) -> Option<String> {
        let (change, note) = (self.place("change")?, self.place("note")?);
        let has_none = self.rows.iter().all(|row| row[change].number().is_none());
        let first = self.rows.first().filter(|_| has_none)?;
        Some(first[note].text().replace("no claim about a change: ", ""))
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The index of a column that the answer must have; `None` also if it is hidden.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        let place = self.place(name);
        if place.is_none() && !self.hidden.iter().any(|hidden| hidden == name) {
            let missing = &mut self.unmet.borrow_mut().missing;
            missing.get_or_insert_with(|| name.to_owned());
        }
        place
    }

    /// Why the values that were read since the last check cannot be used: a needed value is null.
    ///
    /// [`Error::DuckDbFailed`]: the answer does not have a column that was read.
    pub(super) fn check(&self) -> Result<Option<String>, Error> {
        let ColumnGaps { missing, null } = self.unmet.take();
        if let Some(column) = missing {
            return Err(Error::DuckDbFailed {
                query: Some(self.query.to_owned()),
                message: format!("the answer has no column {column}, which the report reads"),
            });
        }
        Ok(null.map(|column| format!("the query {} has no value in {column}", self.query)))
    }

    /// The columns of a share and, if it has an interval, of its ends: the next two columns, whose
    /// names end in `_low` and `_high`.
    pub(super) fn share_columns(&self, column: &str) -> [Option<usize>; 3] {
        let value = self.column(column);
        let next = value.and_then(|place| self.columns.get(place + 1..place + 3));
        let is_end = |(column, end): (&Column, &str)| column.name.ends_with(end);
        match next {
            Some(next) if next.iter().zip(["_low", "_high"]).all(is_end) => {
                [0, 1, 2].map(|after| Some(value? + after))
            }
            _ => [value, None, None],
        }
    }

    pub(super) fn hide(&mut self, names: &[&str]) {
        let is_hidden = |column: &Column| names.contains(&column.name.as_str());
        for row in &mut self.rows {
            let mut columns = self.columns.iter();
            row.retain(|_| !columns.next().is_some_and(is_hidden));
        }
        let hidden = self.columns.extract_if(.., |it| is_hidden(it));
        self.hidden = hidden.map(|column| column.name).collect();
    }

    /// Drops the parts of notes on the difference between hosts and domains, which name a domain.
    pub(super) fn without_notes_on_domains(&mut self) {
        let Some(place) = self.place("note") else {
            return;
        };
        for row in &mut self.rows {
            let text = row[place].text();
            let is_kept = |part: &&str| {
                !part.ends_with("% of domains") && !part.ends_with("% of the hosts that count")
            };
            let kept: Vec<&str> = text.split("; ").filter(is_kept).collect();
            let kept = kept.join("; ");
            if row[place].is_text() && kept != text {
                row[place] = Cell::of_text(&kept);
            }
        }
    }

    pub(super) fn find(&self, texts: &[(&str, &str)]) -> Option<Row<'_>> {
        let mut rows = self.rows();
        rows.find(|row| texts.iter().all(|(column, text)| row.text(column) == *text))
    }

    pub(super) fn rows(
        &self,
    ) -> impl DoubleEndedIterator<Item = Row<'_>> + ExactSizeIterator + Clone {
        self.rows.iter().map(|cells| Row {
            answer: self,
            cells,
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) answer: &'a Answer,
    cells: &'a [Cell],
}

impl<'a> Row<'a> {
    /// The value in a column that the answer must have.
    pub(super) fn cell(self, column: &str) -> Option<&'a Cell> {
        self.cells.get(self.answer.column(column)?)
    }

    /// A value that the reader needs: a null is recorded.
    fn needed<T>(self, column: &str, value: Option<T>) -> Option<T> {
        if value.is_none() && self.answer.column(column).is_some() {
            let null = &mut self.answer.unmet.borrow_mut().null;
            null.get_or_insert_with(|| column.to_owned());
        }
        value
    }

    pub(super) fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.cells, other.cells)
    }

    /// The value in a column that the answer may lack.
    pub(super) fn value(self, column: &str) -> Option<&'a Cell> {
        self.cells.get(self.answer.place(column)?)
    }

    /// The columns that identify the row: all before the first count or share.
    pub(super) fn key(self, count: &str) -> Vec<&'a str> {
        let names = self.answer.columns.iter().map(|it| it.name.as_str());
        let counts = |name: &str| name.starts_with("hosts") || name.starts_with("pct");
        let is_key = |name: &&str| !(*name == count || *name == "n" || counts(name));
        names.take_while(is_key).collect()
    }

    pub(super) fn optional_text(self, column: &str) -> Option<Cow<'a, str>> {
        text_or_null(self.cell(column)?)
    }

    /// The text in a column that has one in every row; a null leaves the section out.
    pub(super) fn text(self, column: &str) -> Cow<'a, str> {
        let text = self.optional_text(column);
        self.needed(column, text).unwrap_or_default()
    }

    pub(super) fn number(self, column: &str) -> Option<f64> {
        self.cell(column)?.number()
    }

    /// The number in a column that has one in every row; a null leaves the section out.
    pub(super) fn count(self, column: &str) -> f64 {
        let number = self.number(column);
        self.needed(column, number).unwrap_or(0.0)
    }

    /// The share in a column that has one in every row, with its interval if the answer has one.
    pub(super) fn pct(self, column: &str) -> Share {
        let at = |place: Option<usize>| self.cells.get(place?)?.number();
        let places = self.answer.share_columns(column);
        let [value, low, high] = places.map(at);
        let no_interval = || match (low, self.note()) {
            (Some(_), _) => "a lower bound, as no headers were recorded",
            (None, Some(note)) if note.contains("too few inputs") => "too few inputs",
            _ => "too few websites",
        };
        let interval = low.zip(high);
        Share {
            value: self.needed(column, value).unwrap_or(0.0),
            interval,
            no_interval: (places[1].is_some() && interval.is_none()).then(no_interval),
        }
    }

    pub(super) fn note(self) -> Option<Cow<'a, str>> {
        let place = self.answer.place("note")?;
        let note = text_or_null(self.cells.get(place)?);
        note.filter(|note| !note.is_empty())
    }
}

/// Items sorted by a number, the largest first; equal items keep their order.
pub(super) fn descending<T>(
    items: impl IntoIterator<Item = T>,
    number: impl Fn(&T) -> f64,
) -> Vec<T> {
    let mut items: Vec<T> = items.into_iter().collect();
    items.sort_by(|one, other| number(other).total_cmp(&number(one)));
    items
}

/// The row with the largest number; the first of several such rows.
pub(super) fn most<'a>(
    rows: impl DoubleEndedIterator<Item = Row<'a>>,
    number: impl Fn(&Row<'a>) -> f64,
) -> Option<Row<'a>> {
    rows.rev()
        .max_by(|one, other| number(one).total_cmp(&number(other)))
}

fn text_or_null(cell: &Cell) -> Option<Cow<'_, str>> {
    (!cell.is_null()).then(|| cell.text())
}
