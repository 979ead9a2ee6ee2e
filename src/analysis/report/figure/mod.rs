//! Figures: what is drawn, and its drawing as SVG.
//!
//! Text stays text; colours are attributes for light paper, which the page's style sheet overrides
//! by class for dark screens. Every share has its interval, every mark its label, and a crawler has
//! one colour on the page.

mod dots;
mod heat;
mod panels;
pub(super) mod plot;
mod stack;
mod svg;
mod timeline;

use plot::Plot;

/// A figure of a section.
#[derive(Debug)]
pub(super) struct Figure {
    /// What it shows, as a title.
    pub(super) measure: String,
    /// What the axis counts.
    pub(super) axis: String,
    /// An `svg` element, whose text alternative has all of its data; none where there is nothing to
    /// draw.
    pub(super) svg: Option<String>,
}

impl Figure {
    pub(super) fn of(id: &str, measure: String, axis: String, plot: &Plot) -> Self {
        let mut canvas = svg::Canvas::default();
        let words = match plot {
            Plot::Dots {
                series,
                rows,
                is_linked,
            } => dots::draw(&mut canvas, &axis, series, rows, *is_linked),
            Plot::Stack { parts, rows, rest } => stack::draw(&mut canvas, &axis, parts, rows, rest),
            Plot::Panels { times, panels } => panels::draw(&mut canvas, &axis, times, panels),
            Plot::Heat { columns, rows } => heat::draw(&mut canvas, &axis, columns, rows),
            Plot::Timeline { events, crawls } => timeline::draw(&mut canvas, events, crawls),
        };
        Self {
            svg: words.map(|words| canvas.finish(id, &measure, &words)),
            measure,
            axis,
        }
    }
}

#[cfg(test)]
mod tests;
