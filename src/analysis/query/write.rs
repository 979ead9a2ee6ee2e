//! Results as they are written: a line for every row of DuckDB's, in each format.

use std::fmt::Write as _;
use std::io::Write;

use super::row::{self, Row};
use super::table::{self, Table};
use super::{Column, ResultFormat, cell, read_columns, unexpected};
use crate::analysis::duckdb::Session;
use crate::error::Error;
use crate::escape;

/// Rows that a table shows, at most.
const TABLE_ROWS: usize = 1000;

/// Writes the rows that a session prints for [`super::rows_of`].
pub(super) fn rows(
    session: &mut Session,
    format: ResultFormat,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let columns = read_columns(session)?;
    if columns.is_empty() {
        // DuckDB has failed, as it will be asked: an empty result has columns.
        return Ok(());
    }
    match format {
        ResultFormat::Table { width } => write_table(session, &columns, width, out),
        ResultFormat::Csv => write_csv(session, &columns, out),
        ResultFormat::Tsv => write_tsv(session, &columns, out),
        ResultFormat::Json => write_json(session, &columns, out),
        ResultFormat::Markdown => write_markdown(session, &columns, out),
        ResultFormat::Latex => write_latex(session, &columns, out),
    }
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
    session: &mut Session,
    columns: &[Column],
    width: Option<u16>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let (mut rows, mut total) = (Vec::new(), 0_usize);
    each_row(session, |row| {
        total += 1;
        if rows.len() < TABLE_ROWS {
            let cells = row.0.iter();
            rows.push(
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
    let shown = rows.len();
    let (columns, rows, below) = table::with_constants_below(columns, &rows);
    let table = Table {
        columns: &columns,
        rows,
    };
    let mut text = table.to_text(width.map(usize::from));
    text.push_str(&below);
    if shown < total {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{shown} of {total} rows; --format csv has them all");
    } else if total == 0 {
        text.push_str("no rows\n");
    }
    out.write_all(text.as_bytes()).map_err(Error::unwritten)
}

fn write_json(session: &mut Session, columns: &[Column], out: &mut dyn Write) -> Result<(), Error> {
    let ids: Vec<bool> = columns.iter().map(Column::is_id).collect();
    let (mut line, mut begin) = (Vec::new(), "[");
    while session.read_line(&mut line)? {
        let text = String::from_utf8_lossy(&line);
        let mut text = text.trim_end().to_owned();
        if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
            text = row::without_nan(&text);
        }
        if ids.contains(&true) {
            let row = Row::read(&text).map_err(|error| unexpected(&line, error))?;
            text = row::with_text(&row, &ids);
        }
        write!(out, "{begin}{}", escape::json(&text)).map_err(Error::unwritten)?;
        begin = ",\n ";
    }
    writeln!(out, "{}", if begin == "[" { "[]" } else { "]" }).map_err(Error::unwritten)?;
    Ok(())
}

/// Every row on a line, its cells made by `cell` and set apart by `separator`.
fn write_lines(
    session: &mut Session,
    separator: &str,
    cell: fn(&str) -> String,
    out: &mut dyn Write,
) -> Result<(), Error> {
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| cell(&row::text(value)))
            .collect();
        writeln!(out, "{}", cells.join(separator))
    })
}

fn write_tsv(session: &mut Session, columns: &[Column], out: &mut dyn Write) -> Result<(), Error> {
    let names: Vec<String> = columns
        .iter()
        .map(|column| cell::tsv(&column.name))
        .collect();
    writeln!(out, "{}", names.join("\t")).map_err(Error::unwritten)?;
    write_lines(session, "\t", cell::tsv, out)
}

fn write_latex(
    session: &mut Session,
    columns: &[Column],
    out: &mut dyn Write,
) -> Result<(), Error> {
    let names: Vec<String> = columns
        .iter()
        .map(|column| cell::latex(&column.name))
        .collect();
    let aligned = columns
        .iter()
        .map(|column| if column.is_number() { 'r' } else { 'l' });
    let aligned: String = aligned.collect();
    writeln!(
        out,
        "\\begin{{tabular}}{{{aligned}}}\n\\hline\n{} \\\\\n\\hline",
        names.join(" & ")
    )
    .map_err(Error::unwritten)?;
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| cell::latex(&row::text(value)))
            .collect();
        writeln!(out, "{} \\\\", cells.join(" & "))
    })?;
    writeln!(out, "\\hline\n\\end{{tabular}}").map_err(Error::unwritten)
}

fn write_csv(session: &mut Session, columns: &[Column], out: &mut dyn Write) -> Result<(), Error> {
    let names: Vec<_> = columns
        .iter()
        .map(|column| cell::csv(&column.name, true))
        .collect();
    writeln!(out, "{}", names.join(",")).map_err(Error::unwritten)?;
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| {
                cell::csv(&row::text(value), value.get().starts_with('"')).into_owned()
            })
            .collect();
        writeln!(out, "{}", cells.join(","))
    })
}

fn write_markdown(
    session: &mut Session,
    columns: &[Column],
    out: &mut dyn Write,
) -> Result<(), Error> {
    let names: Vec<_> = columns
        .iter()
        .map(|column| cell::markdown(&column.name))
        .collect();
    let rules = columns
        .iter()
        .map(|column| if column.is_number() { "--:" } else { "---" });
    writeln!(out, "| {} |", names.join(" | ")).map_err(Error::unwritten)?;
    writeln!(out, "| {} |", rules.collect::<Vec<_>>().join(" | ")).map_err(Error::unwritten)?;
    each_row(session, |row| {
        let cells: Vec<String> = row
            .0
            .iter()
            .map(|(_, value)| cell::markdown(&row::text(value)))
            .collect();
        writeln!(out, "| {} |", cells.join(" | "))
    })
}

fn each_row(
    session: &mut Session,
    mut write: impl FnMut(&Row) -> std::io::Result<()>,
) -> Result<(), Error> {
    let mut line = Vec::new();
    while session.read_line(&mut line)? {
        let text = String::from_utf8_lossy(&line);
        let row = Row::read(&text).map_err(|error| unexpected(&line, error))?;
        write(&row).map_err(Error::unwritten)?;
    }
    Ok(())
}
