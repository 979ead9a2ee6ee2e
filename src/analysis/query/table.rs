//! Rows as a table for reading, as wide as there is room for and no wider.
//!
//! Every column is shown: headings are broken at their underscores, long text goes on in further
//! lines of its cell, and where even that does not fit, every row is a block of lines, one for each
//! column.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthChar as _;

use super::Column;

/// Columns of the terminal that text in a cell has at least.
const MIN_CELL_WIDTH: usize = 12;
/// The maximum width of text in a cell if output does not go to a terminal.
const MAX_CELL_WIDTH: usize = 200;

/// Cells in columns and rows, escaped already.
#[derive(Debug)]
pub(super) struct Table<'c> {
    pub(super) columns: &'c [Column],
    /// The rows, as many cells as there are columns.
    pub(super) rows: Vec<Vec<String>>,
}

impl Table<'_> {
    /// The table in lines of at most `width` columns, where a width is given.
    pub(super) fn to_text(&self, width: Option<usize>) -> String {
        match self.widths(width) {
            Some(widths) => self.boxed(&widths),
            None => self.blocks(width.unwrap_or(MAX_CELL_WIDTH)),
        }
    }

    /// The width of every column, or `None` if they do not fit into one row.
    fn widths(&self, width: Option<usize>) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = (0..self.columns.len())
            .map(|at| {
                let cells = self.rows.iter().map(|row| columns_of(&row[at]));
                let name = &self.columns[at].name;
                // A heading is broken only where there is an end to the line.
                let heading = if width.is_some() {
                    pieces(name)
                } else {
                    vec![name.as_str()]
                };
                let heading = heading.iter().map(|piece| columns_of(piece));
                cells.chain(heading).max().unwrap_or(0).max(1)
            })
            .collect();
        let Some(width) = width else {
            return Some(
                widths
                    .into_iter()
                    .map(|it| it.min(MAX_CELL_WIDTH))
                    .collect(),
            );
        };
        // A border before every column, one at the end, a space on both sides of every cell.
        let room = width.checked_sub(3 * widths.len() + 1)?;
        while widths.iter().sum::<usize>() > room {
            // Numbers are never broken.
            let widest = (0..widths.len())
                .filter(|at| !self.columns[*at].is_number())
                .max_by_key(|at| widths[*at])?;
            if widths[widest] <= MIN_CELL_WIDTH {
                return None;
            }
            widths[widest] -= 1;
        }
        // Room that is left spares headings a line.
        for at in 0..widths.len() {
            let left = room - widths.iter().sum::<usize>();
            let whole = columns_of(&self.columns[at].name);
            if whole > widths[at] && whole - widths[at] <= left {
                widths[at] = whole;
            }
        }
        Some(widths)
    }

    fn boxed(&self, widths: &[usize]) -> String {
        let rule = |ends: [&str; 3]| {
            let lines: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
            format!("{}{}{}\n", ends[0], lines.join(ends[1]), ends[2])
        };
        let mut text = rule(["┌", "┬", "┐"]);
        let headings: Vec<Vec<String>> = self
            .columns
            .iter()
            .zip(widths)
            .map(|(column, width)| joined(&pieces(&column.name), *width))
            .collect();
        self.line(&mut text, &headings, widths);
        text.push_str(&rule(["├", "┼", "┤"]));
        for row in &self.rows {
            let cells: Vec<Vec<String>> = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| broken(cell, *width))
                .collect();
            self.line(&mut text, &cells, widths);
        }
        text.push_str(&rule(["└", "┴", "┘"]));
        text
    }

    /// One row of cells, which may have several lines each.
    fn line(&self, text: &mut String, cells: &[Vec<String>], widths: &[usize]) {
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..height {
            for ((column, cell), width) in self.columns.iter().zip(cells).zip(widths) {
                let piece = cell.get(line).map_or("", String::as_str);
                let space = " ".repeat(width.saturating_sub(columns_of(piece)));
                text.push_str("│ ");
                if column.is_number() {
                    text.extend([space.as_str(), piece]);
                } else {
                    text.extend([piece, space.as_str()]);
                }
                text.push(' ');
            }
            text.push_str("│\n");
        }
    }

    /// Every row as lines of a column's name and its value.
    fn blocks(&self, width: usize) -> String {
        let names = self.columns.iter().map(|column| columns_of(&column.name));
        let names = names.max().unwrap_or(0);
        let room = width.saturating_sub(names + 2).max(MIN_CELL_WIDTH);
        let mut text = String::new();
        for (number, row) in self.rows.iter().enumerate() {
            // Writing to a String cannot fail, here and below.
            let _ = writeln!(text, "── row {} ──", number + 1);
            for (column, cell) in self.columns.iter().zip(row) {
                let name = &column.name;
                let space = " ".repeat(names - columns_of(name));
                for (line, piece) in broken(cell, room).iter().enumerate() {
                    let _ = if line == 0 {
                        writeln!(text, "{name}{space}  {piece}")
                    } else {
                        writeln!(text, "{}  {piece}", " ".repeat(names))
                    };
                }
            }
        }
        text
    }
}

/// Moves what all rows of a shipped query have in common (population, number, unit and crawl) from
/// columns to a line below the table, and the notes of rows to lines of their own.
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
    let below = if constants.is_empty() {
        String::new()
    } else {
        format!("{}\n", constants.join(", "))
    };
    let notes = note.map(|note| notes_below(columns, rows, &kept, note));
    let rows = rows
        .iter()
        .map(|row| kept.iter().map(|at| row[*at].clone()).collect())
        .collect();
    let columns = kept.iter().map(|at| columns[*at].clone()).collect();
    (columns, rows, below + &notes.unwrap_or_default())
}

/// The notes in the column at `note`, each once, after the rows that have it.
fn notes_below(columns: &[Column], rows: &[Vec<String>], kept: &[usize], note: usize) -> String {
    /// Rows that a note names.
    const MAX_ROWS: usize = 3;
    let is_name = |at: &&usize| ["product_token", "crawl", "month"].contains(&&*columns[**at].name);
    let mut names: Vec<usize> = kept.iter().filter(is_name).copied().collect();
    if names.is_empty() {
        names.push(0);
    }
    let mut notes: Vec<(&str, Vec<String>)> = Vec::new();
    for row in rows.iter().filter(|row| row[note] != "NULL") {
        let name: Vec<&str> = names.iter().map(|at| row[*at].as_str()).collect();
        let name = name.join(" ");
        match notes.iter_mut().find(|(text, _)| *text == row[note]) {
            Some((_, of)) if of.contains(&name) => {}
            Some((_, of)) => of.push(name),
            None => notes.push((&row[note], vec![name])),
        }
    }
    let lines = notes.into_iter().map(|(text, mut of)| {
        let more = of.len().saturating_sub(MAX_ROWS);
        of.truncate(MAX_ROWS);
        let and = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("{}{and}: {text}\n", of.join(", "))
    });
    lines.collect()
}

/// The columns of a terminal that `text` takes.
fn columns_of(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// A name in the pieces that a heading may be broken into, each but the last with its underscore.
fn pieces(name: &str) -> Vec<&str> {
    name.split_inclusive('_').collect()
}

/// Pieces in as few lines of at most `width` columns as there can be.
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

/// `text` in lines of at most `width` columns, broken after a space where there is one in the
/// second half.
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
            // The space after a full line counts: it need not be seen.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, sql_type: &str) -> Column {
        Column {
            name: name.to_owned(),
            sql_type: sql_type.to_owned(),
        }
    }

    fn table(columns: &[Column], width: Option<usize>) -> String {
        let cells = ["gptbot, a crawler of OpenAI", "1682", "12.5"];
        let row: Vec<String> = cells
            .iter()
            .take(columns.len())
            .map(|cell| (*cell).to_owned())
            .collect();
        let rows = vec![row];
        Table { columns, rows }.to_text(width)
    }

    #[test]
    fn every_column_is_shown_however_narrow_the_terminal() {
        let columns = [
            column("agent", "VARCHAR"),
            column("hosts_with_rules", "BIGINT"),
            column("pct", "DOUBLE"),
        ];
        assert_eq!(
            table(&columns, Some(80)),
            "┌─────────────────────────────┬──────────────────┬──────┐\n\
             │ agent                       │ hosts_with_rules │  pct │\n\
             ├─────────────────────────────┼──────────────────┼──────┤\n\
             │ gptbot, a crawler of OpenAI │             1682 │ 12.5 │\n\
             └─────────────────────────────┴──────────────────┴──────┘\n"
        );
        assert_eq!(
            table(&columns, Some(40)),
            "┌──────────────────────┬────────┬──────┐\n\
             │ agent                │ hosts_ │  pct │\n\
             │                      │  with_ │      │\n\
             │                      │  rules │      │\n\
             ├──────────────────────┼────────┼──────┤\n\
             │ gptbot, a crawler of │   1682 │ 12.5 │\n\
             │ OpenAI               │        │      │\n\
             └──────────────────────┴────────┴──────┘\n"
        );
        assert_eq!(
            table(&columns, Some(20)),
            "── row 1 ──\nagent             gptbot, a\n                  crawler of\n                  \
             OpenAI\nhosts_with_rules  1682\npct               12.5\n"
        );
        for width in 1..90 {
            let text = table(&columns, Some(width));
            for piece in ["1682", "12.5", "gptbot", "pct"] {
                assert!(text.contains(piece), "{width}: {text}");
            }
        }
    }

    #[test]
    fn what_all_rows_say_alike_is_told_once() {
        let columns = ["product_token", "hosts", "n", "population", "crawl", "note"];
        let columns: Vec<Column> = columns.iter().map(|name| column(name, "VARCHAR")).collect();
        let row = |cells: [&str; 6]| cells.map(str::to_owned).to_vec();
        let rows = vec![
            row(["gptbot", "3", "9", "answered", "july", "a domain"]),
            row(["ccbot", "2", "9", "answered", "july", "NULL"]),
        ];
        let (columns, rows, below) = with_constants_below(&columns, &rows);
        assert_eq!(columns.len(), 2);
        assert_eq!(rows, [["gptbot", "3"], ["ccbot", "2"]]);
        assert_eq!(
            below,
            "n: 9, population: answered, crawl: july\ngptbot: a domain\n"
        );
        // A column of the user's own is not one of these.
        let own = vec![column("n", "BIGINT")];
        let (own, _, below) = with_constants_below(&own, &[vec!["1".to_owned()]]);
        assert_eq!((own.len(), below.as_str()), (1, ""));
    }
}
