//! Events on a line of time, above the crawls.

use super::plot::Ink;
use super::svg::{Canvas, END, MIDDLE, ROW, START, TEXT, WIDTH, fitting, scale, text_width};
use crate::analysis::report::format::units;

/// Draws it; returns its data in words. Days are days since 1970-01-01.
pub(super) fn draw(
    canvas: &mut Canvas,
    events: &[(String, f64, Ink)],
    crawls: &[(String, f64)],
) -> Option<String> {
    events.first()?;
    let days = || {
        events
            .iter()
            .map(|it| it.1)
            .chain(crawls.iter().map(|it| it.1))
    };
    let (first, last) = days().fold((f64::MAX, f64::MIN), |(first, last), day| {
        (first.min(day), last.max(day))
    });
    let x = scale((first, last), (10.0, WIDTH - 10.0));
    let line = 8.0 + ROW * units(events.len());
    // The latest is at the top, with names on the left: so few lines cross a name.
    for (place, (name, day, ink)) in events.iter().rev().enumerate() {
        let (at, y) = (x(*day), 8.0 + ROW * units(place));
        canvas.line((at, y), (at, line), 1.0, Ink::Grid);
        canvas.dot((at, y), 4.0, *ink, false);
        let label = fitting(name, WIDTH);
        let is_left = at - 8.0 - text_width(&label) > 0.0;
        let (at, anchor) = if is_left {
            (at - 8.0, END)
        } else {
            (at + 8.0, START)
        };
        canvas.text((at, y), anchor, &label);
    }
    canvas.line((0.0, line), (WIDTH, line), 1.5, Ink::Text);
    let mut free = f64::MAX;
    for (label, day) in crawls.iter().rev() {
        let at = x(*day);
        canvas.line((at, line - 5.0), (at, line + 5.0), 2.0, Ink::Text);
        let half = text_width(label) / 2.0;
        let middle = at.clamp(half, WIDTH - half);
        if middle + half < free {
            canvas.text((middle, line + 8.0 + TEXT * 0.7), MIDDLE, label);
            free = middle - half - 6.0;
        }
    }
    canvas.text((WIDTH / 2.0, line + 12.0 + TEXT * 1.8), MIDDLE, "Crawls");
    let description = events.iter().map(|(name, ..)| name.as_str());
    let crawls = crawls.iter().map(|(label, _)| label.as_str());
    Some(format!(
        "Became known: {}. Crawls: {}.",
        description.collect::<Vec<_>>().join("; "),
        crawls.collect::<Vec<_>>().join(", ")
    ))
}
