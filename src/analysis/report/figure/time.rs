//! Figures over time. Each function returns the data in words.

use super::plot::{Ink, Panel};
use super::svg::{
    Canvas, END, MIDDLE, ROW, START, TEXT, WIDTH, described, fitting, listed, scale, text_width,
    ticks, widest,
};
use crate::analysis::report::crawls::{Crawl, on_axis};
use crate::analysis::report::format::{Share, plain, units};

/// Panels in a row, their height, and the gap below them.
const COLUMNS: usize = 2;
const HEIGHT: f64 = 74.0;
const GAP: f64 = 46.0;
/// The most crawls with dots. With more, intervals are thinner, so that the line stays visible.
const DOTS: usize = 24;
const NUMBERS: f64 = 30.0;

pub(super) fn panels<'p>(
    canvas: &mut Canvas,
    axis: &str,
    crawls: &[Crawl],
    panels: &'p [Panel],
) -> Option<String> {
    let (first, last) = (crawls.first()?, crawls.last()?);
    let of_panel = |panel: &'p Panel| panel.shares.iter().chain(&panel.others).flatten();
    let shares = || panels.iter().flat_map(of_panel);
    shares().next()?;
    if crawls.len() < 2 {
        return None;
    }
    let days = on_axis(crawls);
    let range = (days[0], days[days.len() - 1]);
    let marks = ticks(shares().map(|it| it.reach()).fold(0.0, f64::max), 3.0);
    canvas.text((0.0, 8.0), START, &fitting(axis, WIDTH));
    let has_dots = crawls.len() <= DOTS;
    let columns = COLUMNS.min(panels.len());
    let width = WIDTH / units(columns);
    let shares = panels.iter().filter_map(|panel| *panel.shares.last()?);
    let space = widest(shares.map(Share::shown), 36.0) + 8.0;
    for (place, panel) in panels.iter().enumerate() {
        let left = width * units(place % columns) + NUMBERS;
        let right = width * units(place % columns + 1) - space;
        let top = 44.0 + (HEIGHT + GAP) * units(place / columns);
        let bottom = top + HEIGHT;
        let x = scale(range, (left + 4.0, right));
        let y = scale((0.0, marks[marks.len() - 1]), (bottom, top));
        let name = fitting(&panel.name, width - 30.0);
        canvas.text((left - NUMBERS + 12.0, top - 15.0), START, &name);
        for mark in &marks {
            canvas.line((left, y(*mark)), (right, y(*mark)), 1.0, Ink::Grid);
        }
        for mark in [marks[0], marks[marks.len() - 1]] {
            canvas.text((left - 4.0, y(mark)), END, &plain(mark));
        }
        if text_width(&first.label) + text_width(&last.label) < right - left {
            canvas.text((left, bottom + 11.0), START, &first.label);
        }
        let label = fitting(&last.label, right - left + NUMBERS);
        canvas.text((right, bottom + 11.0), END, &label);
        if let Some(since) = panel.since.filter(|it| (range.0..=range.1).contains(it)) {
            canvas.line((x(since), top), (x(since), bottom), 1.0, Ink::Text);
        }
        let points_of = |shares: &[Option<Share>]| -> Vec<((f64, f64), Share)> {
            let points = days.iter().zip(shares);
            let point = |(day, share): (&f64, &Option<Share>)| {
                let share = (*share)?;
                Some(((x(*day), y(share.value)), share))
            };
            points.filter_map(point).collect()
        };
        let others = points_of(&panel.others);
        if !others.is_empty() {
            canvas.path(others.iter().map(|(point, _)| *point), 1.0, panel.ink);
        }
        let points = points_of(&panel.shares);
        for ((at, _), share) in &points {
            if let Some((low, high)) = share.interval {
                let width = if has_dots { 1.5 } else { 0.5 };
                canvas.line((*at, y(low)), (*at, y(high)), width, panel.ink);
            }
        }
        canvas.path(points.iter().map(|(point, _)| *point), 2.0, panel.ink);
        for (point, _) in points.iter().filter(|_| has_dots) {
            canvas.dot(*point, 3.0, panel.ink, false);
        }
        if let Some((point, share)) = points.last() {
            canvas.text((point.0 + 6.0, point.1), START, &share.shown());
        }
        canvas.reach(bottom + 6.0 + TEXT);
    }
    let description = panels.iter().map(|panel| {
        let values = crawls.iter().zip(&panel.shares).enumerate();
        let values = values.filter_map(|(place, (crawl, share))| {
            let other = panel.others.get(place).copied().flatten();
            let other = other.map(|it| format!(" and {}", it.shown()));
            let share = share.as_ref()?.in_table();
            Some(format!(
                "{} {share}{}",
                crawl.label,
                other.unwrap_or_default()
            ))
        });
        listed(&panel.name, values)
    });
    Some(described(axis, description))
}

/// Draws events on a line of time, above the crawls. Days are days since 1970-01-01.
pub(super) fn timeline(
    canvas: &mut Canvas,
    events: &[(String, f64, Ink)],
    crawls: &[Crawl],
) -> Option<String> {
    events.first()?;
    let of_crawls: Option<Vec<f64>> = crawls.iter().map(|crawl| crawl.day).collect();
    let of_crawls = of_crawls?;
    let days = || events.iter().map(|it| &it.1).chain(&of_crawls).copied();
    let first = days().fold(f64::MAX, f64::min);
    let last = days().fold(f64::MIN, f64::max);
    let x = scale((first, last), (10.0, WIDTH - 10.0));
    let line = 8.0 + ROW * units(events.len());
    // The latest event is at the top, and names are on the left, so that few lines cross a name.
    for (place, (name, day, ink)) in events.iter().rev().enumerate() {
        let (at, y) = (x(*day), 8.0 + ROW * units(place));
        canvas.line((at, y), (at, line), 1.0, Ink::Grid);
        canvas.dot((at, y), 4.0, *ink, false);
        let label = fitting(name, WIDTH);
        let is_left = at - 8.0 - text_width(&label) > 0.0;
        let (aside, anchor) = if is_left { (-8.0, END) } else { (8.0, START) };
        canvas.text((at + aside, y), anchor, &label);
    }
    canvas.line((0.0, line), (WIDTH, line), 1.5, Ink::Text);
    let mut free = f64::MAX;
    for (Crawl { label, .. }, day) in crawls.iter().zip(&of_crawls).rev() {
        let at = x(*day);
        canvas.line((at, line - 5.0), (at, line + 5.0), 2.0, Ink::Text);
        let label = fitting(label, WIDTH);
        let half = text_width(&label).min(WIDTH) / 2.0;
        let middle = at.clamp(half, WIDTH - half);
        if middle + half < free {
            canvas.text((middle, line + 8.0 + TEXT * 0.7), MIDDLE, &label);
            free = middle - half - 6.0;
        }
    }
    canvas.text((WIDTH / 2.0, line + 12.0 + TEXT * 1.8), MIDDLE, "Crawls");
    let events: Vec<&str> = events.iter().map(|(name, ..)| name.as_str()).collect();
    let crawls: Vec<&str> = crawls.iter().map(|it| it.label.as_str()).collect();
    let (events, crawls) = (events.join("; "), crawls.join(", "));
    Some(format!("Became known: {events}. Crawls: {crawls}."))
}
