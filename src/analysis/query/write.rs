//! Results as they are written: a line for every row of DuckDB's, in each format.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use super::row::{self, Row};
use super::table::{self, Table};
use super::{Column, ResultFormat, cell, read_list, unexpected};
use crate::analysis::duckdb::Session;
use crate::error::Error;
use crate::escape;

/// Rows that a table shows, at most.
const TABLE_ROWS: usize = 1000;

/// What follows [`super::rows_of`] in a script: without it, DuckDB has failed.
pub(super) const END_OF_ROWS: &str = ".print null\n";

/// Writes the rows that a session prints for [`super::rows_of`] and [`END_OF_ROWS`]; nothing if
/// DuckDB fails before the first, as it will be asked.
pub(super) fn rows(
    session: &mut Session,
    format: ResultFormat,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let columns = read_list(session)?;
    let mut line = Vec::new();
    if !session.read_line(&mut line)? {
        return Ok(());
    }
    let rows = Rows { session, line };
    match format {
        ResultFormat::Table { width } => write_table(rows, &columns, width, out),
        ResultFormat::Csv => Line::CSV.write_all(rows, &columns, "", out),
        ResultFormat::Tsv => Line::TSV.write_all(rows, &columns, "", out),
        ResultFormat::Json => write_json(rows, &columns, out),
        ResultFormat::Markdown => {
            let rules: Vec<&str> = aligned(&columns, "--:", "---").collect();
            let rule = format!("| {} |\n", rules.join(" | "));
            Line::MARKDOWN.write_all(rows, &columns, &rule, out)
        }
        ResultFormat::Latex => {
            let aligned: String = aligned(&columns, 'r', 'l').collect();
            write!(out, "\\begin{{tabular}}{{{aligned}}}\n\\hline\n").map_err(Error::unwritten)?;
            Line::LATEX.write_all(rows, &columns, "\\hline\n", out)?;
            writeln!(out, "\\hline\n\\end{{tabular}}").map_err(Error::unwritten)
        }
    }
}

/// For each column a sign by how it is aligned: numbers to the right.
fn aligned<T: Copy>(columns: &[Column], right: T, left: T) -> impl Iterator<Item = T> {
    columns
        .iter()
        .map(move |column| if column.is_number() { right } else { left })
}

/// Writes whatever a session prints, escaped.
pub(super) fn escaped(session: &mut Session, out: &mut dyn Write) -> Result<(), Error> {
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        out.write_all(escape::text(&String::from_utf8_lossy(&line)).as_bytes())
            .map_err(Error::unwritten)?;
    }
    Ok(())
}

fn write_table(
    rows: Rows<'_>,
    columns: &[Column],
    width: Option<u16>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (mut shown, mut total) = (Vec::new(), 0_usize);
    rows.each(|row| {
        total += 1;
        if shown.len() < TABLE_ROWS {
            let cells = row.0.iter();
            shown.push(
                cells
                    .map(|(_, value)| match value.get() {
                        "null" => "NULL".to_owned(),
                        _ => escape::text(&row::text(value)).replace('\t', "    "),
                    })
                    .collect(),
            );
        }
        Ok(())
    })?;
    let (columns, rows, below) = table::with_constants_below(columns, &shown);
    let table = Table {
        columns: &columns,
        rows,
    };
    let mut text = table.to_text(width.map(usize::from));
    text.push_str(&below);
    let shown = shown.len();
    if shown < total {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{shown} of {total} rows; --format csv has them all");
    } else if total == 0 {
        text.push_str("no rows\n");
    }
    out.write_all(text.as_bytes()).map_err(Error::unwritten)
}

fn write_json(rows: Rows<'_>, columns: &[Column], out: &mut dyn Write) -> Result<(), Error> {
    let ids: Vec<bool> = columns.iter().map(Column::is_id).collect();
    let mut begin = "[";
    rows.each(|row| {
        let text = row::with_text(row, &ids);
        write!(out, "{begin}{}", escape::json(&text))?;
        begin = ",\n ";
        Ok(())
    })?;
    writeln!(out, "{}", if begin == "[" { "[]" } else { "]" }).map_err(Error::unwritten)?;
    Ok(())
}

/// How a row is written as a line: what comes before its cells, between and after them, and the
/// text of a cell. JSON has texts in quotes, other values without.
struct Line {
    before: &'static str,
    between: &'static str,
    after: &'static str,
    cell: fn(text: &str, is_text: bool) -> String,
}

impl Line {
    const CSV: Self = Self {
        before: "",
        between: ",",
        after: "",
        cell: |text, is_text| cell::csv(text, is_text).into_owned(),
    };
    const TSV: Self = Self {
        before: "",
        between: "\t",
        after: "",
        cell: |text, _| cell::tsv(text),
    };
    const MARKDOWN: Self = Self {
        before: "| ",
        between: " | ",
        after: " |",
        cell: |text, _| cell::markdown(text),
    };
    const LATEX: Self = Self {
        before: "",
        between: " & ",
        after: " \\\\",
        cell: |text, _| cell::latex(text),
    };

    fn write<'t>(
        &self,
        cells: impl Iterator<Item = (Cow<'t, str>, bool)>,
        out: &mut dyn Write,
    ) -> std::io::Result<()> {
        let cells: Vec<String> = cells
            .map(|(text, is_text)| (self.cell)(&text, is_text))
            .collect();
        let Self { before, after, .. } = self;
        writeln!(out, "{before}{}{after}", cells.join(self.between))
    }

    /// The names of the columns, then `rule`, then every row.
    fn write_all(
        &self,
        rows: Rows<'_>,
        columns: &[Column],
        rule: &str,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let names = columns.iter().map(|it| (it.name.as_str().into(), true));
        self.write(names, out)
            .and_then(|()| out.write_all(rule.as_bytes()))
            .map_err(Error::unwritten)?;
        rows.each(|row| {
            let cells = row.0.iter();
            let cells = cells.map(|(_, it)| (row::text(it), it.get().starts_with('"')));
            self.write(cells, out)
        })
    }
}

/// The rows of a result, the first of which has been read.
struct Rows<'s> {
    session: &'s mut Session,
    line: Vec<u8>,
}

impl Rows<'_> {
    fn each(mut self, mut write: impl FnMut(&Row) -> std::io::Result<()>) -> Result<(), Error> {
        while !self.line.starts_with(b"null") {
            let text = String::from_utf8_lossy(&self.line);
            let row = Row::read(&text).map_err(|error| unexpected(&self.line, error))?;
            write(&row).map_err(Error::unwritten)?;
            if !self.session.read_line(&mut self.line)? {
                break;
            }
        }
        Ok(())
    }
}
