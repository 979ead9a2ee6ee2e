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

#[derive(Debug, Clone)]
pub(super) struct Figure {
    /// What it shows, as a title.
    pub(super) measure: String,
    /// What the axis counts.
    pub(super) axis: String,
    pub(super) plot: Plot,
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
