//! Tables: what a person reads of an answer. The whole answer is in the CSV.

use std::borrow::Cow;

use super::answer::{Answer, Row};
use super::format::{Share, count};
use super::section::Context;

/// A table.
#[derive(Debug, Clone, Default)]
pub(super) struct ReportTable {
    /// Headings, and whether their column has numbers.
    pub(super) heads: Vec<(String, bool)>,
    /// Rows.
    pub(super) rows: Vec<TableRow>,
    /// Rows of the answer that are not shown.
    pub(super) n_hidden: usize,
}

/// A row.
#[derive(Debug, Clone)]
pub(super) struct TableRow {
    /// As many as there are headings.
    pub(super) cells: Vec<Shown>,
    /// Product tokens of the crawlers that it is about.
    pub(super) agents: Vec<String>,
}

/// A value as a person reads it.
#[derive(Debug, Clone, Default)]
pub(super) struct Shown {
    /// The text.
    pub(super) text: String,
    /// The number to sort by, where it is one.
    pub(super) number: Option<f64>,
}

/// What headings of shares with intervals end in.
const INTERVAL: &str = " (95% interval)";

/// Rows beyond its length that a table shows nevertheless, where it has no more.
const SPARED: usize = 3;

/// A column of a table: heading, and what of the answer it shows.
pub(super) struct Col {
    head: &'static str,
    kind: Kind,
}

/// What a column shows.
enum Kind {
    Agent(&'static str),
    Text(&'static str),
    Words(&'static str, fn(&str) -> String),
    Count(&'static str),
    Number(&'static str),
    Share(&'static str),
    Interval([&'static str; 3]),
    Difference([&'static str; 3]),
}

impl Col {
    /// A crawler, by its token.
    pub(super) const fn agent(column: &'static str, head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Agent(column),
        }
    }

    /// Text as it is.
    pub(super) const fn text(column: &'static str, head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Text(column),
        }
    }

    /// A name that has words for people.
    pub(super) const fn words(
        column: &'static str,
        head: &'static str,
        words: fn(&str) -> String,
    ) -> Self {
        Self {
            head,
            kind: Kind::Words(column, words),
        }
    }

    /// A count.
    pub(super) const fn count(column: &'static str, head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Count(column),
        }
    }

    /// A number with its digits.
    pub(super) const fn number(column: &'static str, head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Number(column),
        }
    }

    /// A share, with its interval where the answer has one for it.
    pub(super) const fn share(column: &'static str, head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Share(column),
        }
    }

    /// A share with the ends of its interval.
    pub(super) const fn interval(columns: [&'static str; 3], head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Interval(columns),
        }
    }

    /// A difference in percentage points with the ends of its interval.
    pub(super) const fn difference(columns: [&'static str; 3], head: &'static str) -> Self {
        Self {
            head,
            kind: Kind::Difference(columns),
        }
    }

    /// The heading. For a share with an interval it names the interval.
    fn head(&self, answer: &Answer) -> String {
        match self.kind {
            Kind::Share(column) if answer.share_columns(column)[1].is_some() => {
                format!("{}{INTERVAL}", self.head)
            }
            _ => self.head.to_owned(),
        }
    }

    /// The column of the answer that it shows.
    fn column(&self) -> &'static str {
        match self.kind {
            Kind::Agent(column)
            | Kind::Text(column)
            | Kind::Words(column, _)
            | Kind::Count(column)
            | Kind::Number(column)
            | Kind::Share(column)
            | Kind::Interval([column, ..])
            | Kind::Difference([column, ..]) => column,
        }
    }

    fn is_number(&self) -> bool {
        !matches!(self.kind, Kind::Agent(_) | Kind::Text(_) | Kind::Words(..))
    }

    fn shown(&self, context: &Context<'_>, row: Row<'_>) -> Shown {
        let share = |columns, shown: fn(Share) -> String| match row.share(columns) {
            Some(share) => Shown {
                text: shown(share),
                number: Some(share.value),
            },
            None => Shown::nothing(),
        };
        let number = |column, shown: &dyn Fn(f64) -> String| match row.number(column) {
            Some(value) => Shown {
                text: shown(value),
                number: Some(value),
            },
            None => Shown::nothing(),
        };
        let text = |column, shown: &dyn Fn(&str) -> String| {
            let text = row.optional_text(column).map(|text| shown(&text));
            match text.filter(|text| !text.is_empty()) {
                Some(text) => Shown { text, number: None },
                None => Shown::nothing(),
            }
        };
        match self.kind {
            Kind::Agent(column) => text(column, &|token| context.agent(token)),
            Kind::Text(column) => text(column, &str::to_owned),
            Kind::Words(column, words) => text(column, &words),
            Kind::Count(column) => number(column, &count),
            Kind::Number(column) => number(column, &plain),
            Kind::Share(column) => number(column, &|_| row.pct(column).in_table()),
            Kind::Interval(columns) => share(columns, Share::in_table),
            Kind::Difference(columns) => share(columns, Share::as_difference),
        }
    }
}

impl Shown {
    fn nothing() -> Self {
        Self {
            text: "–".to_owned(),
            number: None,
        }
    }
}

/// A number with up to two digits after the point.
pub(super) fn plain(value: f64) -> String {
    let text = super::format::fixed(value, 2);
    match text.trim_end_matches('0').strip_suffix('.') {
        Some(whole) => whole.to_owned(),
        None if text.contains('.') => text.trim_end_matches('0').to_owned(),
        None => text,
    }
}

impl ReportTable {
    /// The first rows of an answer, as many as `rows`.
    pub(super) fn of(context: &Context<'_>, answer: &Answer, columns: &[Col], rows: usize) -> Self {
        Self::of_rows(context, answer, columns, rows, |_| true)
    }

    /// The first rows of an answer, as many as `rows`, for which `keep` holds. Notes on them, such
    /// as the reason why a share has no interval, are the last column.
    pub(super) fn of_rows(
        context: &Context<'_>,
        answer: &Answer,
        columns: &[Col],
        rows: usize,
        keep: impl Fn(Row<'_>) -> bool,
    ) -> Self {
        let columns: Vec<&Col> = columns
            .iter()
            .filter(|column| answer.column(column.column()).is_some())
            .collect();
        let kept: Vec<Row<'_>> = answer.rows().filter(|row| keep(*row)).collect();
        // A table that leaves out a row or two saves nothing.
        let rows = if kept.len() <= rows + SPARED {
            kept.len()
        } else {
            rows
        };
        let has_notes = kept.iter().take(rows).any(|row| row.note().is_some());
        let lines = kept.iter().take(rows).map(|row| {
            let note = || Shown {
                text: row.note().unwrap_or_default().into_owned(),
                number: None,
            };
            let agents = columns.iter().filter_map(|column| match column.kind {
                Kind::Agent(name) => row.optional_text(name).map(Cow::into_owned),
                _ => None,
            });
            TableRow {
                cells: columns
                    .iter()
                    .map(|column| column.shown(context, *row))
                    .chain(has_notes.then(note))
                    .collect(),
                agents: agents.collect(),
            }
        });
        Self {
            heads: columns
                .iter()
                .map(|it| (it.head(answer), it.is_number()))
                .chain(has_notes.then(|| ("Note".to_owned(), false)))
                .collect(),
            rows: lines.collect(),
            n_hidden: answer.rows.len() - kept.len().min(rows),
        }
    }
}
