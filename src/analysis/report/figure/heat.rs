//! Shares of pairs as shades with their numbers.

use super::STRONGEST_SHADE;
use super::dots::units;
use super::svg::{Anchor, Canvas, ROW, TEXT, WIDTH, fitting, text_width};
use crate::analysis::report::format::fixed;

/// Space for names of rows, at most.
const MOST_NAMES: f64 = 120.0;

/// Draws it; returns what it shows in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axes: &(String, String),
    columns: &[String],
    rows: &[(String, Vec<Option<f64>>)],
) -> Option<String> {
    let cells = || {
        rows.iter().flat_map(|(name, values)| {
            columns
                .iter()
                .zip(values)
                .filter_map(move |(column, value)| Some((name, column, (*value)?)))
        })
    };
    let (row, column, most) = cells().max_by(|one, other| one.2.total_cmp(&other.2))?;
    if columns.is_empty() || most <= 0.0 {
        return None;
    }
    let names = rows
        .iter()
        .map(|(name, _)| text_width(name))
        .fold(30.0, f64::max);
    let left = names.min(MOST_NAMES) + 8.0;
    let width = (WIDTH - left) / units(columns.len());
    // Columns that are narrower than their names are numbered, and the numbers told above.
    let is_wide = columns
        .iter()
        .all(|column| text_width(column) < width - 4.0);
    canvas.text((0.0, 8.0), Anchor::Start, &fitting(&axes.0, WIDTH));
    canvas.text((0.0, 26.0), Anchor::Start, &fitting(&axes.1, WIDTH));
    let mut top = 42.0;
    if !is_wide {
        let mut x = 0.0;
        for (place, column) in columns.iter().enumerate() {
            let told = format!("{} {column}", place + 1);
            if x > 0.0 && x + text_width(&told) > WIDTH {
                (x, top) = (0.0, top + 18.0);
            }
            canvas.text((x, top), Anchor::Start, &told);
            x += text_width(&told) + 14.0;
        }
        top += 20.0;
    }
    for (place, column) in columns.iter().enumerate() {
        let name = if is_wide {
            column.clone()
        } else {
            (place + 1).to_string()
        };
        canvas.text(
            (left + width * (units(place) + 0.5), top),
            Anchor::Middle,
            &name,
        );
    }
    top += TEXT * 0.9;
    for (place, (name, values)) in rows.iter().enumerate() {
        let y = top + ROW * units(place);
        canvas.text(
            (left - 8.0, y + ROW / 2.0),
            Anchor::End,
            &fitting(name, MOST_NAMES),
        );
        for (number, value) in values.iter().enumerate() {
            let x = left + width * units(number);
            let told = match value {
                Some(value) => {
                    canvas.shade(
                        (x + 1.0, y + 1.0),
                        width - 2.0,
                        ROW - 2.0,
                        STRONGEST_SHADE * value / most,
                    );
                    fixed(*value, usize::from(most < 10.0))
                }
                None => "–".to_owned(),
            };
            canvas.text((x + width / 2.0, y + ROW / 2.0), Anchor::Middle, &told);
        }
    }
    Some(format!(
        "{}, {}. Largest: {row}, {column}: {}%.",
        axes.0,
        axes.1,
        fixed(most, 1)
    ))
}
