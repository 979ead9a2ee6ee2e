//! Bars: parts of a whole, counts, and counts on two sides of zero.

use super::Ink;
use super::dots::{draw_axis, units};
use super::svg::{Anchor, Canvas, ROW, Scale, WIDTH, fitting, text_width, ticks};
use crate::analysis::report::format::{Share, count};

/// Space for names, at most.
const MOST_NAMES: f64 = 160.0;
/// Height of a bar.
const BAR: f64 = 14.0;

fn space_for_names<'n>(names: impl Iterator<Item = &'n String>) -> f64 {
    names
        .map(|name| text_width(name))
        .fold(30.0, f64::max)
        .min(MOST_NAMES)
        + 8.0
}

/// Draws parts of a whole; returns what they show in words.
pub(super) fn draw_stack(
    canvas: &mut Canvas,
    axis: &str,
    parts: &[(String, Ink)],
    rows: &[(String, Vec<Share>, String)],
    rest: &str,
) -> Option<String> {
    let first = rows.first()?;
    let mut legend: Vec<(String, Ink, bool)> = parts
        .iter()
        .map(|(name, ink)| (name.clone(), *ink, false))
        .collect();
    legend.push((rest.to_owned(), Ink::Silent, false));
    let top = canvas.legend(&legend) + 4.0;
    let left = space_for_names(rows.iter().map(|(name, ..)| name));
    let ends = rows
        .iter()
        .map(|(.., end)| text_width(end))
        .fold(10.0, f64::max);
    let right = WIDTH - ends - 9.0;
    let scale = Scale::new((0.0, 100.0), (left, right));
    let bottom = top + ROW * units(rows.len());
    draw_axis(
        canvas,
        &[0.0, 25.0, 50.0, 75.0, 100.0],
        scale,
        (top, bottom),
        axis,
    );
    for (place, (name, shares, end)) in rows.iter().enumerate() {
        let middle = top + ROW * (units(place) + 0.5);
        canvas.text(
            (left - 8.0, middle),
            Anchor::End,
            &fitting(name, MOST_NAMES),
        );
        let mut from = 0.0;
        for ((_, ink), share) in parts.iter().zip(shares) {
            let to = (from + share.value.max(0.0)).min(100.0);
            let at = (scale.at(from), middle - BAR / 2.0);
            // A gap tells parts apart for those who do not see their colours.
            canvas.rectangle(at, scale.at(to) - scale.at(from) - 1.0, BAR, *ink);
            from = to;
        }
        let at = (scale.at(from), middle - BAR / 2.0);
        canvas.rectangle(at, scale.at(100.0) - scale.at(from), BAR, Ink::Silent);
        if let Some((low, high)) = shares.first().and_then(|share| share.interval) {
            draw_interval(canvas, scale, (low, high), middle);
        }
        canvas.text((right + 6.0, middle), Anchor::Start, end);
    }
    let told: Vec<String> = parts
        .iter()
        .zip(&first.1)
        .map(|((name, _), share)| format!("{name} {}", share.in_table()))
        .collect();
    Some(format!(
        "{axis}, {} rows of parts. {}: {}.",
        rows.len(),
        first.0,
        told.join(", ")
    ))
}

/// Draws an interval over a bar.
fn draw_interval(canvas: &mut Canvas, scale: Scale, (low, high): (f64, f64), y: f64) {
    canvas.line((scale.at(low), y), (scale.at(high), y), 1.5, Ink::Text);
    for end in [low, high] {
        let x = scale.at(end);
        canvas.line((x, y - 3.0), (x, y + 3.0), 1.5, Ink::Text);
    }
}

/// Draws counts to the right and to the left of zero; returns what they show in words.
pub(super) fn draw_two_sides(
    canvas: &mut Canvas,
    axis: &str,
    sides: &(String, String),
    rows: &[(String, f64, f64)],
) -> Option<String> {
    let most = rows
        .iter()
        .map(|(_, right, left)| right.max(*left))
        .fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let legend = [
        (sides.1.clone(), Ink::Allowed, false),
        (sides.0.clone(), Ink::Blocked, false),
    ];
    let top = canvas.legend(&legend) + 4.0;
    let left = space_for_names(rows.iter().map(|(name, ..)| name));
    // The same steps on either side, as far as each side needs them; room for a number at the ends.
    let marks = ticks(most, 3.0);
    let reach = |side: &dyn Fn(&(String, f64, f64)) -> f64| {
        let most = rows.iter().map(side).fold(0.0, f64::max);
        marks
            .iter()
            .position(|mark| *mark >= most)
            .unwrap_or(marks.len() - 1)
    };
    let (right_reach, left_reach) = (reach(&|row| row.1), reach(&|row| row.2));
    let scale = Scale::new(
        (-marks[left_reach], marks[right_reach]),
        (left + 14.0, WIDTH - 16.0),
    );
    let bottom = top + ROW * units(rows.len());
    let mut both: Vec<f64> = marks[..=left_reach]
        .iter()
        .rev()
        .map(|mark| -mark)
        .collect();
    both.extend(&marks[1..=right_reach]);
    draw_axis(canvas, &both, scale, (top, bottom), axis);
    for (place, (name, added, removed)) in rows.iter().enumerate() {
        let middle = top + ROW * (units(place) + 0.5);
        let (y, zero) = (middle - BAR / 2.0, scale.at(0.0));
        canvas.text(
            (left - 8.0, middle),
            Anchor::End,
            &fitting(name, MOST_NAMES),
        );
        canvas.rectangle((zero, y), scale.at(*added) - zero, BAR, Ink::Blocked);
        let to = scale.at(-removed);
        canvas.rectangle((to, y), zero - to, BAR, Ink::Allowed);
    }
    canvas.line(
        (scale.at(0.0), top),
        (scale.at(0.0), bottom),
        1.5,
        Ink::Text,
    );
    let told: Vec<String> = rows
        .iter()
        .take(6)
        .map(|(name, added, removed)| format!("{name} +{} −{}", count(*added), count(*removed)))
        .collect();
    Some(format!("{}, {}: {}.", sides.0, sides.1, told.join("; ")))
}

/// Draws a bar for each count or share, and returns a description. Names that are too long for the
/// left side are put above their bars.
pub(super) fn draw_bars(
    canvas: &mut Canvas,
    axis: &str,
    rows: &[(String, Share, String)],
) -> Option<String> {
    let reach = |share: &Share| share.interval.map_or(share.value, |(_, high)| high);
    let most = rows
        .iter()
        .map(|(_, share, _)| reach(share))
        .fold(0.0, f64::max);
    if most <= 0.0 {
        return None;
    }
    let is_above = rows.iter().any(|(name, ..)| text_width(name) > MOST_NAMES);
    let (left, row_height) = if is_above {
        (8.0, ROW * 1.75)
    } else {
        (space_for_names(rows.iter().map(|(name, ..)| name)), ROW)
    };
    let ends = rows
        .iter()
        .map(|(.., shown)| text_width(shown))
        .fold(0.0, f64::max);
    let marks = ticks(most, 3.0);
    let scale = Scale::new((0.0, marks[marks.len() - 1]), (left, WIDTH - ends - 12.0));
    let bottom = 4.0 + row_height * units(rows.len());
    draw_axis(canvas, &marks, scale, (4.0, bottom), axis);
    for (place, (name, share, shown)) in rows.iter().enumerate() {
        let middle = 4.0 + row_height * units(place + 1) - ROW / 2.0;
        if is_above {
            let above = (0.0, middle - ROW * 0.75);
            canvas.text(above, Anchor::Start, &fitting(name, WIDTH));
        } else {
            let beside = (left - 8.0, middle);
            canvas.text(beside, Anchor::End, name);
        }
        let width = scale.at(share.value) - left;
        canvas.rectangle((left, middle - BAR / 2.0), width, BAR, Ink::Series(0));
        if let Some(ends) = share.interval {
            draw_interval(canvas, scale, ends, middle);
        }
        canvas.text((scale.at(reach(share)) + 6.0, middle), Anchor::Start, shown);
    }
    let told: Vec<String> = rows
        .iter()
        .take(6)
        .map(|(name, _, shown)| format!("{name} {shown}"))
        .collect();
    Some(format!("{axis}: {}.", told.join("; ")))
}
