//! Shares of pairs as shades with their numbers.

use super::STRONGEST_SHADE;
use super::svg::{
    Canvas, END, MIDDLE, ROW, START, TEXT, WIDTH, described, fitting, slanted_height, text_width,
    widest,
};
use crate::analysis::report::format::{Share, fixed, units};

/// Space for names of rows, at most.
const MAX_NAME_WIDTH: f64 = 120.0;

/// Draws it; returns what it shows in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axis: &str,
    columns: &[String],
    rows: &[(String, Vec<Option<Share>>)],
) -> Option<String> {
    let cells = || {
        rows.iter().flat_map(|(name, values)| {
            let of_columns = columns.iter().zip(values);
            of_columns.filter_map(move |(column, value)| Some((name, column, (*value)?)))
        })
    };
    let most = cells().map(|cell| cell.2.value).fold(0.0, f64::max);
    if columns.is_empty() || most <= 0.0 {
        return None;
    }
    let left = widest(rows.iter().map(|(name, _)| name), 30.0).min(MAX_NAME_WIDTH) + 8.0;
    let width = (WIDTH - left) / units(columns.len());
    // Names of columns that would touch come down to them from the left.
    let widths: Vec<f64> = columns.iter().map(|column| text_width(column)).collect();
    let mut pairs = widths.windows(2);
    let is_wide = pairs.all(|pair| f64::midpoint(pair[0], pair[1]) + 3.0 <= width)
        && widths.last().is_none_or(|last| *last <= width);
    canvas.text((0.0, 8.0), START, &fitting(axis, WIDTH));
    let mut top = 32.0;
    if is_wide {
        for (place, column) in columns.iter().enumerate() {
            let middle = left + width * (units(place) + 0.5);
            canvas.text((middle, top), MIDDLE, column);
        }
        top += TEXT * 0.9;
    } else {
        let names = columns.iter().map(|column| fitting(column, MAX_NAME_WIDTH));
        let names: Vec<String> = names.collect();
        top += slanted_height(widest(names.iter(), 0.0)) - TEXT;
        for (place, name) in names.iter().enumerate() {
            canvas.slanted((left + width * (units(place) + 0.5), top - 5.0), name);
        }
    }
    for (place, (name, values)) in rows.iter().enumerate() {
        let y = top + ROW * units(place);
        let middle = (left - 8.0, y + ROW / 2.0);
        canvas.text(middle, END, &fitting(name, MAX_NAME_WIDTH));
        for (number, share) in values.iter().enumerate() {
            let x = left + width * units(number);
            // The interval has no room in a cell: it shows under the pointer.
            let (text, tip) = match share {
                Some(share) => {
                    let tip = format!("{name}, {}: {}", columns[number], share.in_table());
                    (fixed(share.value, usize::from(most < 10.0)), tip)
                }
                None => ("–".to_owned(), String::new()),
            };
            let strength = share.map_or(0.0, |share| STRONGEST_SHADE * share.value / most);
            let (at, size) = ((x + 1.0, y + 1.0), (width - 2.0, ROW - 2.0));
            canvas.cell(at, size, strength, &text, &tip);
        }
    }
    let description =
        cells().map(|(row, column, share)| format!("{row}, {column}: {}", share.in_table()));
    Some(described(axis, description))
}
