//! Figures: what is drawn, and its drawing as SVG.
//!
//! A [`Figure`] holds numbers and words, and knows nothing of queries. Text stays text; colours are
//! attributes for light paper, which the page's style sheet overrides by class for dark screens.

mod bars;
mod dots;
mod heat;
mod lines;
mod svg;

use super::format::Share;

/// Opacity of the strongest shade of a heat map: light enough for dark text on light paper, dark
/// enough for light text on a dark screen.
pub(super) const STRONGEST_SHADE: f64 = 0.55;

/// A figure.
#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// What it shows, as a title: the measure and its unit.
    pub(super) measure: String,
    /// How it is drawn.
    pub(super) plot: Plot,
}

/// Ways to draw.
#[derive(Debug, Clone)]
pub(super) enum Plot {
    /// Shares on one axis, each a dot with its interval; of every row one for each series.
    Dots {
        /// What the axis counts.
        axis: String,
        /// Names of the series; one series has no legend.
        series: Vec<String>,
        /// Rows from above.
        rows: Vec<(String, Vec<Option<Share>>)>,
    },
    /// Parts of a whole; what is left to 100 is the remainder.
    Stack {
        /// What the axis counts.
        axis: String,
        /// Names and colours of the parts.
        parts: Vec<(String, Ink)>,
        /// Rows from the top: the parts in per cent, the first of them with its interval if it has
        /// one, and the label at the end of the row.
        rows: Vec<(String, Vec<Share>, String)>,
        /// Name of the remainder.
        rest: String,
    },
    /// Counts on two sides of zero.
    TwoSides {
        /// What the axis counts.
        axis: String,
        /// Names of the sides: right, left.
        sides: (String, String),
        /// Rows from above: counts to the right and to the left.
        rows: Vec<(String, f64, f64)>,
    },
    /// Shares in time.
    Lines {
        /// What the axis counts.
        axis: String,
        /// Points in time: label and day.
        times: Vec<(String, f64)>,
        /// Lines: a share for each time, where there is one.
        lines: Vec<(String, Vec<Option<Share>>)>,
    },
    /// Shares at two times.
    Slope {
        /// What the axis counts.
        axis: String,
        /// The times.
        ends: (String, String),
        /// Lines, and whether each is a change beyond its interval.
        lines: Vec<(String, f64, f64, bool)>,
    },
    /// A share for every pair, as a shade.
    Heat {
        /// What rows and columns are.
        axes: (String, String),
        /// Names of columns.
        columns: Vec<String>,
        /// Rows.
        rows: Vec<(String, Vec<Option<f64>>)>,
    },
    /// Counts or shares, a bar for each, with the interval where there is one.
    Bars {
        /// What the axis counts.
        axis: String,
        /// Rows from the top: the length and the label at its end.
        rows: Vec<(String, Share, String)>,
    },
}

/// Colours by meaning; see `page.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ink {
    /// Text and lines that matter.
    Text,
    /// Axes.
    Grid,
    /// What is blocked.
    Blocked,
    /// What is partly blocked.
    Partly,
    /// What is allowed by name.
    Allowed,
    /// What is blocked by the rules for everybody.
    Everybody,
    /// What nothing is said of.
    Silent,
    /// One of a series, by its place.
    Series(usize),
}

impl Figure {
    /// The shares that it shows.
    pub(super) fn shares(&self) -> Vec<Share> {
        match &self.plot {
            Plot::Dots { rows, .. } => rows
                .iter()
                .flat_map(|row| &row.1)
                .flatten()
                .copied()
                .collect(),
            Plot::Lines { lines, .. } => lines
                .iter()
                .flat_map(|it| &it.1)
                .flatten()
                .copied()
                .collect(),
            Plot::Stack { rows, .. } => rows
                .iter()
                .filter_map(|row| row.1.first())
                .copied()
                .collect(),
            Plot::Bars { rows, .. } => rows.iter().map(|row| row.1).collect(),
            Plot::TwoSides { .. } | Plot::Slope { .. } | Plot::Heat { .. } => Vec::new(),
        }
    }

    /// The figure as an `svg` element, whose text alternative is in words; none where there is
    /// nothing to draw.
    pub(super) fn draw(&self, id: &str) -> Option<String> {
        let mut canvas = svg::Canvas::new();
        let words = match &self.plot {
            Plot::Dots { axis, series, rows } => dots::draw(&mut canvas, axis, series, rows),
            Plot::Stack {
                axis,
                parts,
                rows,
                rest,
            } => bars::draw_stack(&mut canvas, axis, parts, rows, rest),
            Plot::TwoSides { axis, sides, rows } => {
                bars::draw_two_sides(&mut canvas, axis, sides, rows)
            }
            Plot::Bars { axis, rows } => bars::draw_bars(&mut canvas, axis, rows),
            Plot::Lines { axis, times, lines } => lines::draw(&mut canvas, axis, times, lines),
            Plot::Slope { axis, ends, lines } => lines::draw_slope(&mut canvas, axis, ends, lines),
            Plot::Heat {
                axes,
                columns,
                rows,
            } => heat::draw(&mut canvas, axes, columns, rows),
        }?;
        Some(canvas.finish(id, &self.measure, &words))
    }
}

#[cfg(test)]
mod tests;
