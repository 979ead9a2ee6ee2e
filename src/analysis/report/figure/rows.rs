//! Charts with a row for each subject. Each function returns the data in words.

use super::plot::{Bar, Ink, Parts, STRONGEST_SHADE};
use super::svg::{
    Canvas, END, MIDDLE, ROW, START, TEXT, WIDTH, described, fitting, listed, scale,
    slanted_height, text_width, ticks, widest,
};
use crate::analysis::report::format::{Share, count, fixed, units};

pub(super) fn dots(
    canvas: &mut Canvas,
    axis: &str,
    series: &[String],
    rows: &[Bar],
    is_linked: bool,
) -> Option<String> {
    let shares = || rows.iter().flat_map(|row| row.shares.iter().flatten());
    shares().next()?;
    let marks = ticks(shares().map(|it| it.reach()).fold(0.0, f64::max), 4.0);
    let names = widest(rows.iter().map(|row| &row.name), 40.0);
    let is_above = names > 170.0;
    let left = if is_above { 8.0 } else { names + 8.0 };
    let shown = |share: &Share, in_per_cent: fn(Share) -> String| match axis.strip_prefix('%') {
        Some(_) => in_per_cent(*share),
        None => count(share.value),
    };
    let is_stacked = series.len() > 1 && !is_linked;
    let label = |row: &Bar| {
        let labelled = if is_stacked { row.shares.len() } else { 1 };
        let labelled = row.shares.iter().take(labelled).flatten();
        let labels = labelled.map(|share| shown(share, Share::shown));
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
            // Series are drawn one below the other within the row.
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
            end = end.max(x(share.reach()));
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
        listed(&row.name, values)
    });
    Some(described(axis, description))
}

pub(super) fn stack(
    canvas: &mut Canvas,
    axis: &str,
    parts: &[(&str, Ink)],
    rows: &[Parts],
    rest: &str,
) -> Option<String> {
    const MAX_NAME_WIDTH: f64 = 160.0;
    const BAR: f64 = 14.0;
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
            // A gap separates parts for readers who cannot see their colours.
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
        let shown = |share: &f64| Share::of(*share).shown();
        listed(
            &row.name,
            values.map(|((name, _), share)| format!("{name} {}", shown(share))),
        )
    });
    Some(described(axis, description))
}

pub(super) fn heat(
    canvas: &mut Canvas,
    axis: &str,
    columns: &[String],
    rows: &[(String, Vec<Option<Share>>)],
) -> Option<String> {
    const MAX_NAME_WIDTH: f64 = 120.0;
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
    // If the names of columns would touch, they slope down to their columns from the left.
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
