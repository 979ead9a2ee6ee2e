//! Tables: the part of an answer that people read. The whole answer is in the CSV.

use super::answer::{Answer, Row};
use super::context::{Context, share_of};
use super::format::{Share, plain};
use super::section::Column;

#[derive(Debug, Clone, Default)]
pub(super) struct ReportTable {
    /// Headings, and whether their column has numbers.
    pub(super) heads: Vec<(String, bool)>,
    pub(super) rows: Vec<TableRow>,
    pub(super) n_hidden: usize,
}

#[derive(Debug, Clone)]
pub(super) struct TableRow {
    pub(super) cells: Vec<CellText>,
    /// Product tokens of the crawlers that the row is about.
    pub(super) agents: Vec<String>,
}

/// The text of a cell and, if its value is a number, the number to sort by.
pub(super) type CellText = (String, Option<f64>);

const INTERVAL: &str = " (95% interval)";

/// A table with at most this many rows beyond its `length` is shown whole.
const MAX_EXTRA_ROWS: usize = 3;

impl Column {
    fn is_share(self) -> bool {
        self.name.starts_with("pct")
    }

    /// The heading; for a share with an interval, it mentions the interval.
    fn heading(self, answer: &Answer) -> String {
        let has_interval = self.is_share() && answer.share_columns(self.name)[1].is_some();
        self.head.to_owned() + if has_interval { INTERVAL } else { "" }
    }

    fn shown(self, context: &Context<'_>, row: Row<'_>) -> Option<CellText> {
        let share = |shown: fn(Share) -> String| {
            let share = share_of(row, self.name)?;
            Some((shown(share), Some(share.value)))
        };
        if self.words == "difference" {
            return share(Share::as_difference);
        }
        if self.is_share() {
            return share(Share::in_table);
        }
        if let Some(number) = row.number(self.name).filter(|_| self.words.is_empty()) {
            return Some((plain(number), Some(number)));
        }
        let text = context.words(self.words, &row.optional_text(self.name)?);
        (!text.is_empty()).then_some((text, None))
    }
}

impl ReportTable {
    /// The section's table: the first of the answer's rows that the section keeps. Notes on these
    /// rows, such as the reason why a share has no interval, are the last column.
    pub(super) fn of(context: &Context<'_>) -> Self {
        let section = context.section;
        let answer = match section.table {
            "domain" => context.by_domain(),
            _ => context.answer,
        };
        if section.columns.is_empty() {
            return Self::default();
        }
        let is_there = |column: &&Column| answer.column(column.name).is_some();
        let columns: Vec<&Column> = section.columns.iter().filter(is_there).collect();
        let kept: Vec<Row<'_>> = answer.rows().filter(|row| context.is_kept(row)).collect();
        // A table that leaves out a row or two saves nothing.
        let is_short = kept.len() <= section.length + MAX_EXTRA_ROWS;
        let rows = if is_short { kept.len() } else { section.length };
        let has_notes = kept.iter().take(rows).any(|row| row.note().is_some());
        let lines = kept.iter().take(rows).map(|row| {
            let note = || (row.note().unwrap_or_default().into_owned(), None);
            let crawlers = columns.iter().filter(|column| column.words == "crawler");
            let agents = crawlers.filter_map(|column| row.optional_text(column.name));
            let cells = columns.iter().map(|column| {
                let cell = column.shown(context, *row);
                cell.unwrap_or_else(|| ("–".to_owned(), None))
            });
            TableRow {
                cells: cells.chain(has_notes.then(note)).collect(),
                agents: agents.map(std::borrow::Cow::into_owned).collect(),
            }
        });
        let lines: Vec<TableRow> = lines.collect();
        let is_number = |place: usize| lines.iter().any(|line| line.cells[place].1.is_some());
        let heads = columns.iter().enumerate();
        let heads = heads.map(|(place, it)| (it.heading(answer), is_number(place)));
        let note = has_notes.then(|| ("Note".to_owned(), false));
        Self {
            heads: heads.chain(note).collect(),
            n_hidden: answer.rows.len() - lines.len(),
            rows: lines,
        }
    }
}
