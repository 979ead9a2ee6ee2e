//! Parts of a whole, a bar for each row.

use super::plot::{Ink, Parts};
use super::svg::{Canvas, END, ROW, START, WIDTH, described, fitting, scale, widest};
use crate::analysis::report::format::{Share, units};

/// Space for names, at most.
const MAX_NAME_WIDTH: f64 = 160.0;
const BAR: f64 = 14.0;

/// Draws it; returns its data in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axis: &str,
    parts: &[(&str, Ink)],
    rows: &[Parts],
    rest: &str,
) -> Option<String> {
    rows.first()?;
    let legend = parts.iter().copied().chain([(rest, Ink::Silent)]);
    let top = canvas.legend(legend.map(|(name, ink)| (name, ink, false))) + 4.0;
    let left = widest(rows.iter().map(|row| &row.name), 30.0).min(MAX_NAME_WIDTH) + 8.0;
    let right = WIDTH - widest(rows.iter().map(|row| &row.end), 10.0) - 9.0;
    let x = scale((0.0, 100.0), (left, right));
    let bottom = top + ROW * units(rows.len());
    let marks = [0.0, 25.0, 50.0, 75.0, 100.0];
    canvas.axis(&marks, x, (top, bottom), axis);
    for (place, row) in rows.iter().enumerate() {
        let middle = top + ROW * (units(place) + 0.5);
        let name = fitting(&row.name, MAX_NAME_WIDTH);
        canvas.text((left - 8.0, middle), END, &name);
        let mut from = 0.0;
        for ((_, ink), share) in parts.iter().zip(&row.shares) {
            let to = (from + share.max(0.0)).min(100.0);
            let at = (x(from), middle - BAR / 2.0);
            // A gap tells parts apart for those who do not see their colours.
            canvas.rectangle(at, x(to) - x(from) - 1.0, BAR, *ink);
            from = to;
        }
        let at = (x(from), middle - BAR / 2.0);
        canvas.rectangle(at, x(100.0) - x(from), BAR, Ink::Silent);
        if let Some((low, high)) = row.interval {
            canvas.interval((x(low), x(high)), middle, Ink::Text);
        }
        canvas.text((right + 6.0, middle), START, &row.end);
    }
    let description = rows.iter().map(|row| {
        let values = parts.iter().zip(&row.shares);
        let values =
            values.map(|((name, _), share)| format!("{name} {}", Share::of(*share).shown()));
        format!("{}: {}", row.name, values.collect::<Vec<_>>().join(", "))
    });
    Some(described(axis, description))
}
