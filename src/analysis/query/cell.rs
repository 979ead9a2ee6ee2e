//! A value as a cell of CSV, TSV, Markdown or LaTeX, or as text of HTML.

use std::borrow::Cow;

use crate::escape;

/// A cell of CSV (RFC 4180), quoted where it must be.
///
/// Text that a spreadsheet would take for a formula gets an apostrophe before it, which marks text
/// in spreadsheets. A number does not, whether its column is numeric (`is_text` is false) or text,
/// such as an id cast to text: a negative number runs nothing.
pub fn csv(value: &str, is_text: bool) -> String {
    let is_formula = is_text
        && !is_number(value)
        && value.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']);
    let apostrophe = if is_formula { "'" } else { "" };
    if value.contains(['"', ',', '\n', '\r']) {
        format!("\"{apostrophe}{}\"", value.replace('"', "\"\""))
    } else {
        format!("{apostrophe}{value}")
    }
}

pub fn csv_line<'t>(cells: impl Iterator<Item = (Cow<'t, str>, bool)>) -> String {
    let cells = cells.map(|(value, is_text)| csv(&value, is_text));
    cells.collect::<Vec<_>>().join(",") + "\n"
}

fn is_number(text: &str) -> bool {
    // Rust reads words as numbers too, such as `-inf`.
    text.ends_with(|last: char| last.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

/// A cell of a Markdown table: one line, nothing in it is markup.
pub fn markdown(value: &str) -> String {
    escaped(value, |character, cell| match character {
        '\n' => cell.push_str("\\\\n"),
        '\t' => cell.push_str("\\\\t"),
        '<' => cell.push_str("&lt;"),
        '>' => cell.push_str("&gt;"),
        '&' => cell.push_str("&amp;"),
        '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '$' => cell.extend(['\\', character]),
        _ => cell.push(character),
    })
}

/// A cell of TSV, as DuckDB, PostgreSQL and MySQL read it: characters that would end the cell are
/// escaped.
pub fn tsv(value: &str) -> String {
    escape::text(value)
        .replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
}

/// A cell of a LaTeX table: nothing in it is a command.
pub fn latex(value: &str) -> String {
    escaped(value, |character, cell| match character {
        '\\' => cell.push_str("\\textbackslash{}"),
        '~' => cell.push_str("\\textasciitilde{}"),
        '^' => cell.push_str("\\textasciicircum{}"),
        '\n' | '\t' => cell.push(' '),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => cell.extend(['\\', character]),
        _ => cell.push(character),
    })
}

/// Text of HTML, within an element or an attribute's quotes: nothing in it is markup.
pub fn html(value: &str) -> String {
    escaped(value, |character, text| match character {
        '&' => text.push_str("&amp;"),
        '<' => text.push_str("&lt;"),
        '>' => text.push_str("&gt;"),
        '"' => text.push_str("&quot;"),
        '\'' => text.push_str("&#39;"),
        _ => text.push(character),
    })
}

/// A value whose characters `write` appends; invisible characters are escaped first.
fn escaped(value: &str, write: fn(char, &mut String)) -> String {
    let value = escape::text(value);
    let mut cell = String::with_capacity(value.len() + 8);
    value.chars().for_each(|it| write(it, &mut cell));
    cell
}
