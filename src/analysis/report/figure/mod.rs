//! Figures: what is drawn, and its drawing as SVG.
//!
//! A [`Figure`] holds numbers and words, and knows nothing of queries. Text stays text; colours are
//! attributes for light paper, which the page's style sheet overrides by class for dark screens.
//! Every share has its interval, every mark its label, and a crawler has one colour on the page.

mod dots;
mod heat;
mod panels;
mod stack;
mod svg;
mod timeline;

use super::format::Share;

/// Opacity of the strongest shade of a heat map: light enough for dark text on light paper, dark
/// enough for light text on a dark screen.
pub(super) const STRONGEST_SHADE: f64 = 0.55;

#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// What it shows, as a title.
    pub(super) measure: String,
    /// What the axis counts.
    pub(super) axis: String,
    pub(super) plot: Plot,
}

/// A row of dots.
#[derive(Debug, Clone)]
pub(super) struct Bar {
    pub(super) name: String,
    pub(super) ink: Ink,
    /// A share for each series: the first is filled, the second hollow.
    pub(super) shares: Vec<Option<Share>>,
}

/// A row of parts of a whole.
#[derive(Debug, Clone)]
pub(super) struct Parts {
    pub(super) name: String,
    /// The parts in per cent.
    pub(super) shares: Vec<f64>,
    /// The interval of the first parts together, and how many they are.
    pub(super) interval: Option<(f64, f64)>,
    /// The label at the end of the row.
    pub(super) end: String,
}

/// A share over time.
#[derive(Debug, Clone)]
pub(super) struct Panel {
    pub(super) name: String,
    pub(super) ink: Ink,
    /// A share for each time, where there is one.
    pub(super) shares: Vec<Option<Share>>,
    /// The same of another population, which the others are compared with; empty without one.
    pub(super) others: Vec<Option<Share>>,
    /// The day on which the subject became known.
    pub(super) since: Option<f64>,
}

#[derive(Debug, Clone)]
pub(super) enum Plot {
    /// Shares on one axis, each a dot with its interval; linked, they are one thing at two times.
    Dots {
        /// Names of the series; without names there is one.
        series: Vec<String>,
        rows: Vec<Bar>,
        is_linked: bool,
    },
    /// Parts of a whole; what is left to 100 is the remainder.
    Stack {
        /// Names and colours of the parts.
        parts: Vec<(String, Ink)>,
        rows: Vec<Parts>,
        /// Name of the remainder.
        rest: String,
    },
    /// Shares over time, a small panel for each, on one scale.
    Panels {
        /// Points in time: label and day.
        times: Vec<(String, f64)>,
        panels: Vec<Panel>,
    },
    /// A share for every pair, as a shade.
    Heat {
        columns: Vec<String>,
        rows: Vec<(String, Vec<Option<Share>>)>,
    },
    /// Events on a line of time, above the crawls.
    Timeline {
        events: Vec<(String, f64, Ink)>,
        crawls: Vec<(String, f64)>,
    },
}

impl Plot {
    /// Dots of one series.
    pub(super) fn dots(rows: Vec<Bar>) -> Self {
        Self::Dots {
            series: Vec::new(),
            rows,
            is_linked: false,
        }
    }
}

/// Colours by meaning; see `page.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Text and lines that matter.
    Text,
    /// Axes.
    Grid,
    Blocked,
    /// What is partly blocked.
    Partly,
    Allowed,
    /// What is blocked by the rules for everybody.
    Everybody,
    /// What nothing is said of.
    Silent,
    /// What has no colour of its own.
    Other,
    /// One of a series, by its place.
    Series(usize),
}

impl Figure {
    /// The figure as an `svg` element, whose text alternative has all of its data; none where there
    /// is nothing to draw.
    pub(super) fn draw(&self, id: &str) -> Option<String> {
        let mut canvas = svg::Canvas::new();
        let axis = self.axis.as_str();
        let words = match &self.plot {
            Plot::Dots {
                series,
                rows,
                is_linked,
            } => dots::draw(&mut canvas, axis, series, rows, *is_linked),
            Plot::Stack { parts, rows, rest } => stack::draw(&mut canvas, axis, parts, rows, rest),
            Plot::Panels { times, panels } => panels::draw(&mut canvas, axis, times, panels),
            Plot::Heat { columns, rows } => heat::draw(&mut canvas, axis, columns, rows),
            Plot::Timeline { events, crawls } => timeline::draw(&mut canvas, events, crawls),
        }?;
        Some(canvas.finish(id, &self.measure, &words))
    }
}

#[cfg(test)]
mod tests;
