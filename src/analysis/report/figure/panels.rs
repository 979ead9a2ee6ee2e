//! Shares over time as small multiples: a panel for each, to scale in time, with one scale of
//! shares, so that panels can be compared.

use super::plot::{Ink, Panel};
use super::svg::{
    Canvas, END, START, TEXT, WIDTH, described, fitting, scale, text_width, tick, ticks, widest,
};
use crate::analysis::report::format::{Share, units};

/// Panels next to each other, and the size of one.
const COLUMNS: usize = 2;
const HEIGHT: f64 = 74.0;
const GAP: f64 = 46.0;
/// Times of which each has a dot. Intervals of more are finer, so that they leave the line visible.
const DOTS: usize = 24;
/// Space for the numbers of the axis.
const NUMBERS: f64 = 30.0;

/// Draws it; returns its data in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axis: &str,
    times: &[(String, f64)],
    panels: &[Panel],
) -> Option<String> {
    let (first, last) = (times.first()?, times.last()?);
    let shares = || {
        panels
            .iter()
            .flat_map(|panel| panel.shares.iter().chain(&panel.others).flatten())
    };
    shares().next()?;
    if times.len() < 2 {
        return None;
    }
    let reach = |share: &Share| share.interval.map_or(share.value, |(_, high)| high);
    let marks = ticks(shares().map(reach).fold(0.0, f64::max), 3.0);
    canvas.text((0.0, 8.0), START, &fitting(axis, WIDTH));
    let has_dots = times.len() <= DOTS;
    let columns = COLUMNS.min(panels.len());
    let width = WIDTH / units(columns);
    let shares = panels.iter().filter_map(|panel| *panel.shares.last()?);
    let space = widest(shares.map(Share::shown), 36.0) + 8.0;
    for (place, panel) in panels.iter().enumerate() {
        let left = width * units(place % columns) + NUMBERS;
        let right = width * units(place % columns + 1) - space;
        let top = 44.0 + (HEIGHT + GAP) * units(place / columns);
        let bottom = top + HEIGHT;
        let x = scale((first.1, last.1), (left + 4.0, right));
        let y = scale((0.0, marks[marks.len() - 1]), (bottom, top));
        let name = fitting(&panel.name, width - 30.0);
        canvas.text((left - NUMBERS + 12.0, top - 15.0), START, &name);
        for mark in &marks {
            canvas.line((left, y(*mark)), (right, y(*mark)), 1.0, Ink::Grid);
        }
        for mark in [marks[0], marks[marks.len() - 1]] {
            canvas.text((left - 4.0, y(mark)), END, &tick(mark));
        }
        let is_fitting = text_width(&first.0) + text_width(&last.0) < right - left;
        if is_fitting {
            canvas.text((left, bottom + 11.0), START, &first.0);
        }
        canvas.text((right, bottom + 11.0), END, &last.0);
        if let Some(since) = panel.since.filter(|day| (first.1..=last.1).contains(day)) {
            canvas.line((x(since), top), (x(since), bottom), 1.0, Ink::Text);
        }
        let points_of = |shares: &[Option<Share>]| {
            let points = times.iter().zip(shares).filter_map(|((_, day), share)| {
                let share = (*share)?;
                Some(((x(*day), y(share.value)), share))
            });
            points.collect::<Vec<((f64, f64), Share)>>()
        };
        let places_of = |points: &[((f64, f64), Share)]| -> Vec<(f64, f64)> {
            points.iter().map(|(point, _)| *point).collect()
        };
        let others = places_of(&points_of(&panel.others));
        if !others.is_empty() {
            canvas.path(&others, 1.0, panel.ink);
        }
        let points = points_of(&panel.shares);
        for ((at, _), share) in &points {
            if let Some((low, high)) = share.interval {
                let width = if has_dots { 1.5 } else { 0.5 };
                canvas.line((*at, y(low)), (*at, y(high)), width, panel.ink);
            }
        }
        let places = places_of(&points);
        canvas.path(&places, 2.0, panel.ink);
        for point in places.iter().filter(|_| has_dots) {
            canvas.dot(*point, 3.0, panel.ink, false);
        }
        if let Some((point, share)) = points.last() {
            canvas.text((point.0 + 6.0, point.1), START, &share.shown());
        }
        canvas.reach(bottom + 6.0 + TEXT);
    }
    let description = panels.iter().map(|panel| {
        let values = times.iter().zip(&panel.shares).enumerate().filter_map(
            |(place, ((label, _), share))| {
                let other = panel.others.get(place).copied().flatten();
                let other = other.map(|it| format!(" and {}", it.shown()));
                let share = share.as_ref()?.in_table();
                Some(format!("{label} {share}{}", other.unwrap_or_default()))
            },
        );
        format!("{}: {}", panel.name, values.collect::<Vec<_>>().join(", "))
    });
    Some(described(axis, description))
}
