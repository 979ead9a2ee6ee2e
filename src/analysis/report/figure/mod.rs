//! Figures: their data, and their drawing as SVG.
//!
//! Text stays text; colours are attributes for light paper, which the page's style sheet overrides
//! by class for dark screens. Every share has its interval, every mark its label, and a crawler has
//! one colour on the page.

mod plot;
mod rows;
mod svg;
mod time;

#[cfg(test)]
pub(super) use plot::STRONGEST_SHADE;
pub use plot::{Bar, Ink, Panel, Parts, Plot};

#[derive(Debug)]
pub(super) struct Figure {
    pub(super) measure: String,
    pub(super) axis: String,
    /// An `svg` element, whose text alternative has all of its data; `None` without data.
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
            } => rows::dots(&mut canvas, &axis, series, rows, *is_linked),
            Plot::Stack { parts, rows, rest } => rows::stack(&mut canvas, &axis, parts, rows, rest),
            Plot::Panels { crawls, panels } => time::panels(&mut canvas, &axis, crawls, panels),
            Plot::Heat { columns, rows } => rows::heat(&mut canvas, &axis, columns, rows),
            Plot::Timeline { events, crawls } => time::timeline(&mut canvas, events, crawls),
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
