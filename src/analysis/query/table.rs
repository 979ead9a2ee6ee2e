//! Rows as a table for reading, no wider than the terminal.
//!
//! Every column is shown: headings are broken at underscores, long text continues on further lines
//! of its cell; if that does not fit, every row is a block of lines, one for each column.

use indexmap::{IndexMap, IndexSet};
use unicode_width::UnicodeWidthChar as _;

use super::Column;

/// The minimum width of text in a cell, in columns of the terminal.
const MIN_CELL_WIDTH: usize = 12;
/// The maximum width of text in a cell if output does not go to a terminal.
const MAX_CELL_WIDTH: usize = 200;

/// A table whose cells are escaped already, in lines of at most `width` columns.
pub(super) fn to_text(columns: &[Column], rows: &[Vec<String>], width: Option<usize>) -> String {
    match widths(columns, rows, width) {
        Some(widths) => boxed(columns, rows, &widths),
        None => blocks(columns, rows, width.unwrap_or(MAX_CELL_WIDTH)),
    }
}

fn widths(columns: &[Column], rows: &[Vec<String>], width: Option<usize>) -> Option<Vec<usize>> {
    let widths = columns.iter().enumerate().map(|(at, column)| {
        let cells = rows.iter().map(|row| columns_of(&row[at]));
        // A heading is broken only if the width is limited.
        let heading = match width {
            Some(_) => pieces(&column.name).into_iter().map(columns_of).max(),
            None => Some(columns_of(&column.name)),
        };
        cells.chain(heading).max().unwrap_or(0).max(1)
    });
    let Some(width) = width else {
        return Some(widths.map(|it| it.min(MAX_CELL_WIDTH)).collect());
    };
    let mut widths: Vec<usize> = widths.collect();
    // A border before every column, one at the end, a space on both sides of every cell.
    let room = width.checked_sub(3 * widths.len() + 1)?;
    while widths.iter().sum::<usize>() > room {
        // Numbers are never broken.
        let widest = (0..widths.len())
            .filter(|at| !columns[*at].is_number())
            .max_by_key(|at| widths[*at])?;
        if widths[widest] <= MIN_CELL_WIDTH {
            return None;
        }
        widths[widest] -= 1;
    }
    // Headings use the room that is left, which saves lines.
    for (at, column) in columns.iter().enumerate() {
        let left = room - widths.iter().sum::<usize>();
        let whole = columns_of(&column.name);
        if whole > widths[at] && whole - widths[at] <= left {
            widths[at] = whole;
        }
    }
    Some(widths)
}

fn boxed(columns: &[Column], rows: &[Vec<String>], widths: &[usize]) -> String {
    let rule = |[left, middle, right]: [&str; 3]| {
        let lines: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
        format!("{left}{}{right}\n", lines.join(middle))
    };
    // A row of cells, which may have several lines each.
    let row = |cells: Vec<Vec<String>>| {
        let mut text = String::new();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..height {
            for ((column, cell), width) in columns.iter().zip(&cells).zip(widths) {
                let piece = cell.get(line).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(columns_of(piece)));
                let cell = if column.is_number() {
                    [&space, piece]
                } else {
                    [piece, &space]
                };
                text.extend(["│ ", cell[0], cell[1], " "]);
            }
            text.push_str("│\n");
        }
        text
    };
    let headings = columns.iter().zip(widths);
    let headings = headings.map(|(column, width)| joined(&pieces(&column.name), *width));
    let headings = row(headings.collect());
    let rows = rows.iter().map(|cells| {
        let cells = cells.iter().zip(widths);
        row(cells.map(|(cell, width)| broken(cell, *width)).collect())
    });
    let (top, middle) = (rule(["┌", "┬", "┐"]), rule(["├", "┼", "┤"]));
    let bottom = rule(["└", "┴", "┘"]);
    format!(
        "{top}{headings}{middle}{}{bottom}",
        rows.collect::<String>()
    )
}

fn blocks(columns: &[Column], rows: &[Vec<String>], width: usize) -> String {
    let names = columns.iter().map(|column| columns_of(&column.name));
    let names = names.max().unwrap_or(0);
    let room = width.saturating_sub(names + 2).max(MIN_CELL_WIDTH);
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        let heading = format!("── row {} ──\n", number + 1);
        text.push_str(&heading);
        for (column, cell) in columns.iter().zip(row) {
            let mut name = column.name.as_str();
            for piece in broken(cell, room) {
                let space = " ".repeat(names - columns_of(name));
                text.extend([name, &space, "  ", &piece, "\n"]);
                name = "";
            }
        }
    }
    text
}

/// Moves values that all rows of a shipped query share (population, number, unit and crawl) and the
/// notes on rows from columns to lines below the table, unless no column would stay.
pub(super) fn with_constants_below(
    columns: &[Column],
    rows: &[Vec<String>],
) -> (Vec<Column>, Vec<Vec<String>>, String) {
    let (mut kept, mut constants) = (Vec::new(), Vec::new());
    let mut note = None;
    let is_share = columns.iter().any(|column| column.name == "population");
    for (at, column) in columns.iter().enumerate() {
        let first = rows.first().map_or("", |row| row[at].as_str());
        let is_constant = !rows.is_empty() && rows.iter().all(|row| row[at] == first);
        match column.name.as_str() {
            "n" | "population" | "unit" | "crawl" | "all_crawls" if is_share && is_constant => {
                constants.push(format!("{}: {first}", column.name));
            }
            "note" if is_share => note = Some(at),
            _ => kept.push(at),
        }
    }
    if kept.is_empty() {
        return (columns.to_vec(), rows.to_vec(), String::new());
    }
    let mut below = constants.join(", ");
    if !below.is_empty() {
        below.push('\n');
    }
    let notes = note.map(|note| notes_below(columns, rows, &kept, note));
    let cells = |row: &Vec<String>| kept.iter().map(|at| row[*at].clone()).collect();
    let rows = rows.iter().map(cells).collect();
    let columns = kept.iter().map(|at| columns[*at].clone()).collect();
    (columns, rows, below + &notes.unwrap_or_default())
}

/// Each distinct note in the column at `note`, after the names of the rows that have it.
fn notes_below(columns: &[Column], rows: &[Vec<String>], kept: &[usize], note: usize) -> String {
    const MAX_ROWS: usize = 3;
    let is_name = |at: &&usize| ["product_token", "crawl", "month"].contains(&&*columns[**at].name);
    let mut names: Vec<usize> = kept.iter().filter(is_name).copied().collect();
    if names.is_empty() {
        names.push(0);
    }
    let mut notes: IndexMap<&str, IndexSet<String>> = IndexMap::new();
    for row in rows.iter().filter(|row| row[note] != "NULL") {
        let name: Vec<&str> = names.iter().map(|at| row[*at].as_str()).collect();
        notes.entry(&row[note]).or_default().insert(name.join(" "));
    }
    let lines = notes.into_iter().map(|(text, of)| {
        let more = of.len().saturating_sub(MAX_ROWS);
        let and = (more > 0).then(|| format!(" and {more} more"));
        let of: Vec<String> = of.into_iter().take(MAX_ROWS).collect();
        format!("{}{}: {text}\n", of.join(", "), and.unwrap_or_default())
    });
    lines.collect()
}

fn columns_of(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// The pieces into which a heading may be broken, each with the underscore at its end.
fn pieces(name: &str) -> Vec<&str> {
    name.split_inclusive('_').collect()
}

/// Pieces joined into as few lines of at most `width` columns as possible.
fn joined(pieces: &[&str], width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in pieces {
        match lines.last_mut() {
            Some(line) if columns_of(line) + columns_of(piece) <= width => line.push_str(piece),
            _ => lines.push((*piece).to_owned()),
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// `text` in lines of at most `width` columns, broken after a space if the line's second half has
/// one.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let mut rest = line;
        while columns_of(rest) > width {
            let mut used = 0;
            let full = rest
                .char_indices()
                .find(|(_, c)| {
                    used += c.width().unwrap_or(0);
                    used > width
                })
                .map_or(rest.len(), |(at, _)| at);
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let full = full.max(first);
            // The space after a full line may be the break: it need not be seen.
            let after = rest[full..].starts_with(' ').then_some(full);
            let space = after.or_else(|| rest[..full].rfind(' ').filter(|at| *at >= full / 2));
            let end = space.map_or(full, |at| at + 1);
            lines.push(rest[..end].trim_end().to_owned());
            rest = &rest[end..];
        }
        lines.push(rest.to_owned());
    }
    lines
}
