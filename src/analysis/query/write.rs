//! Writes results in each format, row by row.

use std::io::Write;

use super::row::{Cell, Rows};
use super::{Column, ResultFormat, cell, table};
use crate::analysis::duckdb::Session;
use crate::error::Error;
use crate::escape;

const TABLE_ROWS: usize = 1000;

/// Writes the rows that a session prints for [`super::row::rows_of`]; nothing if DuckDB fails
/// before the first row. A table has at most `width` columns of the terminal.
pub(super) fn rows(
    session: &mut Session,
    format: ResultFormat,
    width: Option<u16>,
    out: &mut dyn Write,
) -> Result<(), Error> {
    let Some((columns, rows)) = Rows::of(session)? else {
        return Ok(());
    };
    // Texts before, between and after the cells of a row, and how a cell is written.
    let (before, between, after, cell): (_, _, _, fn(&str, bool) -> String) = match format {
        ResultFormat::Table | ResultFormat::Parquet => {
            return write_table(rows, &columns, width, out);
        }
        ResultFormat::Json => return write_json(rows, &columns, out),
        ResultFormat::Csv => ("", ",", "", cell::csv),
        ResultFormat::Tsv => ("", "\t", "", |text, _| cell::tsv(text)),
        ResultFormat::Markdown => ("| ", " | ", " |", |text, _| cell::markdown(text)),
        ResultFormat::Latex => ("", " & ", " \\\\", |text, _| cell::latex(text)),
    };
    let line = |cells: Vec<String>| format!("{before}{}{after}\n", cells.join(between));
    // Numbers are aligned to the right.
    let aligned = |right: &str, left: &str| {
        let sign = |it: &Column| if it.is_number() { right } else { left }.to_owned();
        columns.iter().map(sign).collect::<Vec<String>>()
    };
    let names = columns.iter().map(|it| cell(&it.name, true));
    let names = line(names.collect());
    let (head, end) = match format {
        ResultFormat::Markdown => (names + &line(aligned("--:", "---")), ""),
        ResultFormat::Latex => {
            let columns = aligned("r", "l").concat();
            let head = format!("\\begin{{tabular}}{{{columns}}}\n\\hline\n{names}\\hline\n");
            (head, "\\hline\n\\end{tabular}\n")
        }
        _ => (names, ""),
    };
    let mut write = |text: &str| out.write_all(text.as_bytes()).map_err(Error::unwritten);
    write(&head)?;
    for row in rows {
        let row = row?;
        let cells = row.iter().map(|it| cell(&it.text(), it.is_text()));
        write(&line(cells.collect()))?;
    }
    write(end)
}

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
    let mut text = table::to_text(&columns, &rows, width.map(usize::from));
    text.push_str(&below);
    let shown = shown.len();
    if shown < total {
        let note = format!("{shown} of {total} rows; --format csv has them all\n");
        text.push_str(&note);
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
