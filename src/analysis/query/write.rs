//! Results as they are written: a line for every row of DuckDB's, in each format.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write;

use super::row::{Cell, Rows};
use super::table::{self, Table};
use super::{Column, ResultFormat, cell};
use crate::analysis::duckdb::Session;
use crate::error::Error;
use crate::escape;

/// Rows that a table shows, at most.
const TABLE_ROWS: usize = 1000;

/// Writes the rows that a session prints for [`super::row::rows_of`]; nothing if DuckDB fails
/// before the first, as it will be asked.
pub(super) fn rows(
    session: &mut Session,
    format: ResultFormat,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let Some((columns, rows)) = Rows::of(session)? else {
        return Ok(());
    };
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
    let text_of = |cell: &Cell| {
        let text = if cell.is_null() {
            "NULL".into()
        } else {
            cell.text()
        };
        escape::text(&text).replace('\t', "    ")
    };
    for row in rows {
        let row = row?;
        total += 1;
        if shown.len() < TABLE_ROWS {
            shown.push(row.iter().map(text_of).collect());
        }
    }
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
    let names = columns.iter().map(|it| serde_json::Value::from(&*it.name));
    let names: Vec<String> = names.map(|name| name.to_string()).collect();
    let mut begin = "[";
    for row in rows {
        let row = row?;
        let members = names.iter().zip(&row);
        let members = members.map(|(name, cell)| format!("{name}:{}", cell.json()));
        let members = members.collect::<Vec<_>>().join(",");
        write!(out, "{begin}{{{}}}", escape::json(&members)).map_err(Error::unwritten)?;
        begin = ",\n ";
    }
    writeln!(out, "{}", if begin == "[" { "[]" } else { "]" }).map_err(Error::unwritten)
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
    ) -> Result<(), Error> {
        let cells: Vec<String> = cells
            .map(|(text, is_text)| (self.cell)(&text, is_text))
            .collect();
        let Self { before, after, .. } = self;
        writeln!(out, "{before}{}{after}", cells.join(self.between)).map_err(Error::unwritten)
    }

    /// The names of the columns, then `rule`, then every row.
    fn write_all(
        &self,
        mut rows: Rows<'_>,
        columns: &[Column],
        rule: &str,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let names = columns.iter().map(|it| (it.name.as_str().into(), true));
        self.write(names, out)?;
        out.write_all(rule.as_bytes()).map_err(Error::unwritten)?;
        rows.try_for_each(|row| {
            let row = row?;
            self.write(row.iter().map(|it| (it.text(), it.is_text())), out)
        })
    }
}
