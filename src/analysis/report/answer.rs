//! The answer to a query: columns, rows, and how a value is shown.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::format::Share;
use crate::analysis::query::{Column, row};

/// The answer to a query.
#[derive(Debug, Clone, Default)]
pub(super) struct Answer {
    /// Its columns.
    pub(super) columns: Vec<Column>,
    /// Its rows, as many cells as there are columns.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A value, as JSON.
#[derive(Debug, Clone)]
pub(super) struct Cell(Box<RawValue>);

impl Answer {
    /// The index of a column.
    #[must_use]
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// The columns of a share: its own and those of its interval's ends, where it has one. They are
    /// called after the share; the main share of an answer has `pct_low` and `pct_high` behind it.
    pub(super) fn share_columns(&self, column: &str) -> [Option<usize>; 3] {
        let value = self.column(column);
        let own =
            [format!("{column}_low"), format!("{column}_high")].map(|name| self.column(&name));
        if let [Some(low), Some(high)] = own {
            return [value, Some(low), Some(high)];
        }
        let main = self.column("pct_low").zip(self.column("pct_high"));
        match (value, main) {
            (Some(place), Some((low, high))) if place + 1 == low => [value, Some(low), Some(high)],
            _ => [value, None, None],
        }
    }

    /// The same rows with some of the columns.
    #[must_use]
    pub(super) fn with_columns(&self, keep: impl Fn(&str) -> bool) -> Self {
        let places: Vec<usize> = (0..self.columns.len())
            .filter(|place| keep(&self.columns[*place].name))
            .collect();
        Self {
            columns: places
                .iter()
                .map(|place| self.columns[*place].clone())
                .collect(),
            rows: self
                .rows
                .iter()
                .map(|row| places.iter().map(|place| row[*place].clone()).collect())
                .collect(),
        }
    }

    /// The rows, whose cells are asked for by the names of columns.
    pub(super) fn rows(
        &self,
    ) -> impl DoubleEndedIterator<Item = Row<'_>> + ExactSizeIterator + Clone {
        self.rows.iter().map(|cells| Row {
            answer: self,
            cells,
        })
    }
}

/// A row of an answer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    answer: &'a Answer,
    cells: &'a [Cell],
}

impl<'a> Row<'a> {
    fn cell(self, column: &str) -> Option<&'a Cell> {
        self.cells.get(self.answer.column(column)?)
    }

    /// The text of a column; empty where there is none.
    pub(super) fn text(self, column: &str) -> Cow<'a, str> {
        self.cell(column).map_or(Cow::Borrowed(""), Cell::text)
    }

    /// The number in a column, if it holds one.
    pub(super) fn number(self, column: &str) -> Option<f64> {
        self.cell(column)?.number()
    }

    /// The number in a column; 0 where there is none.
    pub(super) fn count(self, column: &str) -> f64 {
        self.number(column).unwrap_or(0.0)
    }

    /// The share in a column, with its interval where the answer has one for it.
    pub(super) fn pct(self, column: &str) -> Share {
        let at = |place: Option<usize>| self.cells.get(place?)?.number();
        let [value, low, high] = self.answer.share_columns(column).map(at);
        Share {
            value: value.unwrap_or(0.0),
            interval: low.zip(high),
        }
    }

    /// The share in a column, with the interval in two others, where it has one.
    pub(super) fn share(self, [value, low, high]: [&str; 3]) -> Option<Share> {
        let interval = self.number(low).zip(self.number(high));
        Some(Share {
            value: self.number(value)?,
            interval,
        })
    }
}

impl Cell {
    /// A value as DuckDB wrote it.
    #[must_use]
    pub(super) fn new(json: Box<RawValue>) -> Self {
        Self(json)
    }

    /// A text.
    #[must_use]
    pub(super) fn of_text(text: &str) -> Self {
        let json = serde_json::Value::from(text).to_string();
        Self(RawValue::from_string(json).unwrap_or_default())
    }

    /// The value as JSON.
    #[must_use]
    pub(super) fn json(&self) -> &RawValue {
        &self.0
    }

    /// Whether it is text.
    #[must_use]
    pub(super) fn is_text(&self) -> bool {
        self.0.get().starts_with('"')
    }

    /// The value, if it is a number.
    #[must_use]
    pub(super) fn number(&self) -> Option<f64> {
        self.0.get().parse().ok()
    }

    /// The value without quotes; nothing for null.
    #[must_use]
    pub(super) fn text(&self) -> Cow<'_, str> {
        row::text(&self.0)
    }
}
