//! Shares in time, to scale, and shares at two times; lines are labelled at their ends.

use super::Ink;
use super::dots::units;
use super::svg::{Anchor, Canvas, Scale, TEXT, WIDTH, fitting, spread, text_width, tick, ticks};
use crate::analysis::report::format::{Share, fixed};

/// Height of the plot.
const HEIGHT: f64 = 230.0;
/// Space for names at the right, at most.
const MOST_NAMES: f64 = 156.0;
/// Between two names.
const GAP: f64 = 16.0;

/// Draws shares in time; returns what they show in words.
pub(super) fn draw(
    canvas: &mut Canvas,
    axis: &str,
    times: &[(String, f64)],
    lines: &[(String, Vec<Option<Share>>)],
) -> Option<String> {
    let (first, last) = (times.first()?, times.last()?);
    if times.len() < 2 {
        return None;
    }
    let shares = || lines.iter().flat_map(|(_, shares)| shares.iter().flatten());
    shares().next()?;
    let most = shares()
        .map(|it| it.interval.map_or(it.value, |(_, high)| high))
        .fold(0.0, f64::max);
    let marks = ticks(most, 4.0);
    let names = lines
        .iter()
        .map(|(name, _)| text_width(name))
        .fold(0.0, f64::max);
    let right = WIDTH - names.min(MOST_NAMES) - 24.0;
    let (top, bottom) = (26.0, 26.0 + HEIGHT);
    let x = Scale::new((first.1, last.1), (38.0, right));
    let y = Scale::new((0.0, marks[marks.len() - 1]), (bottom, top));
    canvas.text((0.0, 8.0), Anchor::Start, &fitting(axis, WIDTH));
    for mark in &marks {
        canvas.line((32.0, y.at(*mark)), (right, y.at(*mark)), 1.0, Ink::Grid);
        canvas.text((28.0, y.at(*mark)), Anchor::End, &tick(*mark));
    }
    // Labels of times that would overlap are left out, except the last.
    let mut free = f64::MAX;
    for (label, day) in times.iter().rev() {
        let at = x.at(*day);
        canvas.line((at, bottom), (at, bottom + 4.0), 1.0, Ink::Text);
        let half = text_width(label) / 2.0;
        if at + half < free {
            let middle = at.max(half);
            canvas.text((middle, bottom + 6.0 + TEXT * 0.7), Anchor::Middle, label);
            free = middle - half - 6.0;
        }
    }
    canvas.text(
        (f64::midpoint(38.0, right), bottom + 14.0 + TEXT * 1.5),
        Anchor::Middle,
        "Crawl",
    );
    let mut ends = Vec::new();
    for (place, (name, shares)) in lines.iter().enumerate() {
        let ink = Ink::Series(place);
        // Intervals of several lines are drawn next to each other.
        let aside = (units(place) - units(lines.len() - 1) / 2.0) * 2.0;
        let points: Vec<(f64, f64)> = times
            .iter()
            .zip(shares)
            .filter_map(|((_, day), share)| Some((x.at(*day) + aside, y.at(share.as_ref()?.value))))
            .collect();
        for ((_, day), share) in times.iter().zip(shares) {
            if let Some((low, high)) = share.as_ref().and_then(|share| share.interval) {
                let at = x.at(*day) + aside;
                canvas.line((at, y.at(low)), (at, y.at(high)), 1.0, ink);
            }
        }
        canvas.path(&points, 2.0, ink);
        for point in &points {
            canvas.dot(*point, 3.0, ink, false);
        }
        if let Some(point) = points.last() {
            ends.push((name, point.1, ink));
        }
    }
    let wanted: Vec<f64> = ends.iter().map(|(_, at, _)| *at).collect();
    let places = spread(&wanted, GAP, top, bottom);
    for ((name, at, ink), place) in ends.into_iter().zip(places) {
        canvas.line((right + 6.0, at), (right + 14.0, place), 1.0, ink);
        canvas.text(
            (right + 18.0, place),
            Anchor::Start,
            &fitting(name, MOST_NAMES),
        );
    }
    let told: Vec<String> = lines
        .iter()
        .filter_map(|(name, shares)| {
            let known = || shares.iter().flatten();
            let (from, to) = (known().next()?, known().next_back()?);
            Some(format!("{name} {}, then {}", from.shown(), to.shown()))
        })
        .collect();
    Some(format!(
        "{axis}, {} to {}: {}.",
        first.0,
        last.0,
        told.join("; ")
    ))
}

/// Draws shares at two times; returns what they show in words.
pub(super) fn draw_slope(
    canvas: &mut Canvas,
    axis: &str,
    ends: &(String, String),
    lines: &[(String, f64, f64, bool)],
) -> Option<String> {
    let values = || {
        lines
            .iter()
            .flat_map(|(_, before, after, _)| [*before, *after])
    };
    let (least, most) = values().fold((f64::MAX, 0.0_f64), |(least, most), value| {
        (least.min(value), most.max(value))
    });
    if most <= 0.0 {
        return None;
    }
    let decimals = if most < 10.0 { 2 } else { 1 };
    // The height grows with the number of lines, which need room for labels.
    let height = (units(lines.len()) * (GAP + 4.0)).max(180.0);
    let (top, bottom) = (44.0, 44.0 + height);
    // Slopes are what it shows, and every end has its number: the axis need not begin at 0.
    let y = Scale::new((least, most), (bottom, top));
    let labels: Vec<(String, String)> = lines
        .iter()
        .map(|(name, before, after, _)| {
            (
                format!("{}%", fixed(*before, decimals)),
                format!("{}%  {name}", fixed(*after, decimals)),
            )
        })
        .collect();
    let left = labels
        .iter()
        .map(|(label, _)| text_width(label))
        .fold(0.0, f64::max)
        + 24.0;
    let right = labels
        .iter()
        .map(|(_, label)| text_width(label))
        .fold(0.0, f64::max)
        .min(180.0);
    let right = WIDTH - right - 22.0;
    canvas.text((0.0, 8.0), Anchor::Start, &fitting(axis, WIDTH));
    canvas.text((left, 28.0), Anchor::Middle, &fitting(&ends.0, 120.0));
    canvas.text((right, 28.0), Anchor::Middle, &fitting(&ends.1, 120.0));
    for at in [left, right] {
        canvas.line((at, top - 6.0), (at, bottom + 6.0), 1.0, Ink::Grid);
    }
    let befores: Vec<f64> = lines.iter().map(|(_, before, ..)| y.at(*before)).collect();
    let afters: Vec<f64> = lines.iter().map(|(_, _, after, _)| y.at(*after)).collect();
    let places_before = spread(&befores, GAP, top, bottom);
    let places_after = spread(&afters, GAP, top, bottom);
    for (place, (.., is_change)) in lines.iter().enumerate() {
        let ink = match is_change {
            true if afters[place] < befores[place] => Ink::Blocked,
            true => Ink::Allowed,
            false => Ink::Series(6),
        };
        let (from, to) = ((left, befores[place]), (right, afters[place]));
        canvas.line(from, to, if *is_change { 2.5 } else { 1.5 }, ink);
        canvas.dot(from, 3.5, ink, false);
        canvas.dot(to, 3.5, ink, false);
        let (before, after) = &labels[place];
        // Labels that had to move have a line to their points.
        canvas.line(
            (left - 16.0, places_before[place]),
            (left - 4.0, from.1),
            0.8,
            Ink::Series(6),
        );
        canvas.line(
            (right + 4.0, to.1),
            (right + 16.0, places_after[place]),
            0.8,
            Ink::Series(6),
        );
        canvas.text((left - 18.0, places_before[place]), Anchor::End, before);
        canvas.text(
            (right + 18.0, places_after[place]),
            Anchor::Start,
            &fitting(after, 180.0),
        );
    }
    let told: Vec<String> = lines
        .iter()
        .map(|(name, before, after, _)| {
            format!(
                "{name} from {}% to {}%",
                fixed(*before, decimals),
                fixed(*after, decimals)
            )
        })
        .collect();
    Some(format!(
        "{axis}, {} and {}: {}.",
        ends.0,
        ends.1,
        told.join("; ")
    ))
}
