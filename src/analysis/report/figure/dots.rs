//! Shares as dots with their intervals, on one axis.

use super::plot::{Bar, Ink};
use super::svg::{Canvas, END, ROW, START, TEXT, WIDTH, described, fitting, scale, ticks, widest};
use crate::analysis::report::format::{Share, count, units};

/// Space for names, at most.
const MAX_NAME_WIDTH: f64 = 170.0;

/// Draws it; returns its data in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axis: &str,
    series: &[String],
    rows: &[Bar],
    is_linked: bool,
) -> Option<String> {
    let shares = || rows.iter().flat_map(|row| row.shares.iter().flatten());
    shares().next()?;
    let reach = |share: &Share| share.interval.map_or(share.value, |(_, high)| high);
    let most = shares().map(reach).fold(0.0, f64::max);
    let marks = ticks(most, 4.0);
    let names = widest(rows.iter().map(|row| &row.name), 40.0);
    let is_above = names > MAX_NAME_WIDTH;
    let left = if is_above { 8.0 } else { names + 8.0 };
    let shown = |share: &Share, in_per_cent: fn(Share) -> String| match axis.strip_prefix('%') {
        Some(_) => in_per_cent(*share),
        None => count(share.value),
    };
    let is_stacked = series.len() > 1 && !is_linked;
    let label = |row: &Bar| {
        let labelled = row
            .shares
            .iter()
            .take(if is_stacked { usize::MAX } else { 1 });
        let labels = labelled.flatten();
        let labels = labels.map(|share| shown(share, Share::shown));
        labels.collect::<Vec<_>>().join(" / ")
    };
    let space = widest(rows.iter().map(label), 0.0);
    let x = scale((0.0, marks[marks.len() - 1]), (left, WIDTH - space - 14.0));
    let legend = series.iter().enumerate();
    let legend = legend.map(|(place, name)| (name.as_str(), Ink::Other, place > 0));
    let top = canvas.legend(legend) + 4.0;
    let row_height =
        ROW + if is_stacked { 6.0 } else { 0.0 } + if is_above { TEXT * 1.2 } else { 0.0 };
    let bottom = top + row_height * units(rows.len());
    canvas.axis(&marks, x, (top, bottom), axis);
    for (place, row) in rows.iter().enumerate() {
        let middle =
            top + row_height * units(place + 1) - ROW / 2.0 - if is_stacked { 3.0 } else { 0.0 };
        if is_above {
            let above = (0.0, middle - ROW * 0.8);
            canvas.text(above, START, &fitting(&row.name, WIDTH));
        } else {
            canvas.text((left - 8.0, middle), END, &row.name);
        }
        if is_linked && let [Some(now), Some(before)] = row.shares.as_slice() {
            let (from, to) = (x(before.value), x(now.value));
            canvas.line((from, middle), (to, middle), 3.0, Ink::Silent);
        }
        let mut end: f64 = 0.0;
        for (number, share) in row.shares.iter().enumerate().rev() {
            let Some(share) = share else { continue };
            // Series stand one below the other within the row.
            let aside = if is_stacked {
                (units(number) - units(row.shares.len() - 1) / 2.0) * 10.0
            } else {
                0.0
            };
            let y = middle + aside;
            if let Some((low, high)) = share.interval {
                canvas.interval((x(low), x(high)), y, row.ink);
            }
            canvas.dot((x(share.value), y), 4.0, row.ink, number > 0);
            end = end.max(x(reach(share)));
        }
        if end > 0.0 {
            canvas.text((end + 8.0, middle), START, &label(row));
        }
    }
    let description = rows.iter().map(|row| {
        let values = row.shares.iter().enumerate().filter_map(|(place, share)| {
            let value = shown(share.as_ref()?, Share::in_table);
            let name = series.get(place).map(|name| format!("{name} "));
            Some(name.unwrap_or_default() + &value)
        });
        format!("{}: {}", row.name, values.collect::<Vec<_>>().join(", "))
    });
    Some(described(axis, description))
}
