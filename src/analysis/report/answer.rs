//! The answer to a query: columns, rows, and how a value is shown.

use std::borrow::Cow;

use serde_json::value::RawValue;

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
    /// The place of a column.
    #[must_use]
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
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

    /// The answer of these columns and rows, for tests.
    #[cfg(test)]
    pub(super) fn of(columns: &[&str], rows: &[&str]) -> Self {
        let columns = columns.iter().map(|name| Column {
            name: (*name).to_owned(),
            sql_type: if *name == "hosts" {
                "BIGINT"
            } else {
                "VARCHAR"
            }
            .to_owned(),
        });
        let rows = rows.iter().map(|line| {
            let row = row::Row::read(line).expect("a row");
            row.0.into_iter().map(|(_, value)| Cell(value)).collect()
        });
        Self {
            columns: columns.collect(),
            rows: rows.collect(),
        }
    }
}

impl Cell {
    /// A value as DuckDB wrote it.
    #[must_use]
    pub(super) fn new(json: Box<RawValue>) -> Self {
        Self(json)
    }

    /// A number.
    #[must_use]
    pub(super) fn of_number(number: f64) -> Self {
        let digits = format!("{}", (number * 1e6).round() / 1e6);
        Self(RawValue::from_string(digits).unwrap_or_default())
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

    /// Whether there is none.
    #[must_use]
    pub(super) fn is_null(&self) -> bool {
        self.0.get() == "null"
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

    /// The value as a reader likes it, by the name of its column: digits in groups, but not those
    /// of ids; per cent with two decimals at least, so that they stand below each other.
    #[must_use]
    pub(super) fn shown(&self, column: &str) -> String {
        let text = self.text();
        if self.is_null() {
            return "–".to_owned();
        }
        if self.number().is_none() || column.ends_with("_id") {
            return text.into_owned();
        }
        let text = text.strip_suffix(".0").unwrap_or(&text);
        if !column.starts_with("pct_") {
            return grouped(text);
        }
        let decimals = match text.split_once('.') {
            Some((_, decimals)) => &"00"[decimals.len().min(2)..],
            None => ".00",
        };
        // A no-break space: the sign stays with its number.
        format!("{}{decimals}\u{a0}%", grouped(text))
    }
}

/// The digits before the point in groups of three.
fn grouped(number: &str) -> String {
    let (sign, digits) = match number.strip_prefix('-') {
        Some(digits) => ("−", digits),
        None => ("", number),
    };
    let end = digits
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(digits.len());
    let mut out = sign.to_owned();
    for (place, digit) in digits[..end].chars().enumerate() {
        if place > 0 && (end - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + &digits[end..]
}

/// A column's name as a heading: `pct_of_hosts` is read "% of hosts".
#[must_use]
pub(super) fn heading(column: &str) -> String {
    let words = match column.strip_prefix("pct_") {
        Some(rest) => format!("% {rest}"),
        None => column.to_owned(),
    };
    words.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_in_groups() {
        assert_eq!(Cell::of_number(1_234_567.0).shown("hosts"), "1,234,567");
        assert_eq!(Cell::of_number(-1234.5).shown("change"), "−1,234.5");
        assert_eq!(Cell::of_number(12.0).shown("pct_full"), "12.00\u{a0}%");
        assert_eq!(Cell::of_number(0.4615).shown("pct_full"), "0.4615\u{a0}%");
        assert_eq!(Cell::of_number(123_456.0).shown("file_id"), "123456");
        assert_eq!(Cell::of_text("1234").shown("crawl"), "1234");
        assert_eq!(heading("pct_of_hosts"), "% of hosts");
    }
}
