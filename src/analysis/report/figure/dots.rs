//! Shares as dots with their intervals, on one axis.

use super::Ink;
use super::svg::{Anchor, Canvas, ROW, Scale, TEXT, WIDTH, fitting, text_width, tick, ticks};
use crate::analysis::report::format::Share;

/// Space for names, at most.
const MOST_NAMES: f64 = 160.0;

/// Draws it; returns what it shows in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axis: &str,
    series: &[String],
    rows: &[(String, Vec<Option<Share>>)],
) -> Option<String> {
    let shares = || rows.iter().flat_map(|(_, shares)| shares.iter().flatten());
    shares().next()?;
    let reach = |share: &Share| share.interval.map_or(share.value, |(_, high)| high);
    let most = shares().map(reach).fold(0.0, f64::max);
    let marks = ticks(most, 4.0);
    let names = rows
        .iter()
        .map(|(name, _)| text_width(name))
        .fold(40.0, f64::max);
    let left = names.min(MOST_NAMES) + 8.0;
    let scale = Scale::new((0.0, marks[marks.len() - 1]), (left, WIDTH - 16.0));
    let legend: Vec<(String, Ink, bool)> = series
        .iter()
        .enumerate()
        .map(|(place, name)| (name.clone(), Ink::Series(place), place > 0))
        .collect();
    let top = if series.len() > 1 {
        canvas.legend(&legend)
    } else {
        0.0
    } + 4.0;
    let many = series.len() > 1;
    let row_height = if many { ROW + 6.0 } else { ROW };
    let bottom = top + row_height * units(rows.len());
    draw_axis(canvas, &marks, scale, (top, bottom), axis);
    for (place, (name, shares)) in rows.iter().enumerate() {
        let middle = top + row_height * (units(place) + 0.5);
        canvas.text(
            (left - 8.0, middle),
            Anchor::End,
            &fitting(name, MOST_NAMES),
        );
        for (number, share) in shares.iter().enumerate() {
            let Some(share) = share else { continue };
            // Series stand one below the other within the row.
            let aside = if many {
                (units(number) - units(shares.len() - 1) / 2.0) * 10.0
            } else {
                0.0
            };
            let y = middle + aside;
            let ink = Ink::Series(number);
            if let Some((low, high)) = share.interval {
                canvas.line((scale.at(low), y), (scale.at(high), y), 2.0, ink);
                for end in [low, high] {
                    canvas.line((scale.at(end), y - 3.0), (scale.at(end), y + 3.0), 1.5, ink);
                }
            }
            canvas.dot((scale.at(share.value), y), 4.0, ink, number > 0);
        }
    }
    let told: Vec<String> = rows
        .iter()
        .take(6)
        .filter_map(|(name, shares)| {
            Some(format!("{name} {}", shares.first()?.as_ref()?.in_table()))
        })
        .collect();
    Some(format!("{axis}: {}.", told.join("; ")))
}

/// Grid lines from `top` to `bottom`, their values and what they count below.
pub(super) fn draw_axis(
    canvas: &mut Canvas,
    marks: &[f64],
    scale: Scale,
    (top, bottom): (f64, f64),
    axis: &str,
) {
    for mark in marks {
        let x = scale.at(*mark);
        canvas.line((x, top), (x, bottom), 1.0, Ink::Grid);
        canvas.text((x, bottom + 10.0), Anchor::Middle, &tick(mark.abs()));
    }
    let middle = f64::midpoint(scale.at(marks[0]), scale.at(marks[marks.len() - 1]));
    // The title stays within the drawing.
    let half = text_width(axis).min(WIDTH) / 2.0;
    let middle = middle.clamp(half, WIDTH - half);
    canvas.text(
        (middle, bottom + 12.0 + TEXT * 1.3),
        Anchor::Middle,
        &fitting(axis, WIDTH),
    );
}

/// A place or a number of rows as a factor; there are few.
pub(super) fn units(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::MAX, f64::from)
}
