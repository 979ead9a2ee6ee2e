//! Text laid out in columns: the width of the terminal, lines broken to fit it, and styles, which
//! appear on a terminal with colours, unless `NO_COLOR` is set (<https://no-color.org>).

use std::iter;

use console::{Style, Term};
use unicode_width::UnicodeWidthChar as _;

pub(super) const PLAIN: Style = Style::new();
pub(super) const STRONG: Style = Style::new().bold();
pub(super) const FAINT: Style = Style::new().dim();
pub(super) const ALLOWED: Style = Style::new().green();
pub(super) const DISALLOWED: Style = Style::new().red();
pub(super) const OTHER: Style = Style::new().cyan();
pub(super) const WRONG: Style = Style::new().yellow();

/// The columns that text on standard output may take. A table needs 60, and lines of more than 120
/// are hard to read.
pub(super) fn width() -> usize {
    let size = Term::stdout().size_checked();
    let columns = size.map_or(80, |(_, columns)| usize::from(columns));
    columns.clamp(60, 120)
}

/// The columns of a line of text on `terminal`; without a terminal, lines are not broken.
pub(super) fn line_width(terminal: &Term) -> usize {
    let size = terminal.size_checked();
    size.map_or(usize::MAX, |(_, columns)| usize::from(columns))
}

pub(super) fn columns(text: &str) -> usize {
    text.chars().map(|c| c.width().unwrap_or(0)).sum()
}

/// Words in lines of at most `width` columns, all of which begin in the column `indent`.
pub(super) fn wrap(text: &str, indent: usize, width: usize) -> String {
    hang(text.split_whitespace(), indent, indent, width)
}

/// Pieces in lines of at most `width` columns, broken between pieces only; a longer piece has its
/// own line. The first line begins in the column `start`, the others in the column `indent`.
pub(super) fn hang<T: AsRef<str>>(
    pieces: impl IntoIterator<Item = T>,
    start: usize,
    indent: usize,
    width: usize,
) -> String {
    let mut text = String::new();
    let mut column = start;
    for (index, piece) in pieces.into_iter().enumerate() {
        let wide = columns(piece.as_ref());
        if index > 0 && column + 1 + wide > width {
            text.push('\n');
            text.extend(iter::repeat_n(' ', indent));
            column = indent;
        } else if index > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(piece.as_ref());
        column += wide;
    }
    text
}

/// `text` in lines of at most `width` columns, with nothing added and nothing left out: broken
/// after a space if the line's second half has one, else where the line is full. At most `most`
/// lines; the second value counts the characters after these lines.
pub(super) fn fold(text: &str, width: usize, most: usize) -> (Vec<&str>, usize) {
    let mut lines = Vec::new();
    let (mut start, mut used) = (0, 0);
    // The position after the line's last space, and the columns before it.
    let mut space = (0, 0);
    for (at, character) in text.char_indices() {
        let wide = character.width().unwrap_or(0);
        if used + wide > width && at > start {
            let (end, before) = if space.1 * 2 > width {
                space
            } else {
                (at, used)
            };
            lines.push(&text[start..end]);
            if lines.len() == most {
                return (lines, text[end..].chars().count());
            }
            (start, used, space) = (end, used - before, (end, 0));
        }
        used += wide;
        if character == ' ' {
            space = (at + 1, used);
        }
    }
    lines.push(&text[start..]);
    (lines, 0)
}

/// `text`, or its beginning and an ellipsis, in at most `width` columns.
pub(super) fn shorten(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let (lines, _) = fold(text, width.saturating_sub(1).max(1), 1);
    format!("{}…", lines.first().unwrap_or(&""))
}
