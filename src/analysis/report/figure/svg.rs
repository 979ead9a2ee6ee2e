//! Builds an SVG document of rectangles, lines, circles and text, and estimates how wide text is.

use super::plot::Ink;
use crate::analysis::query::cell::html as escape;
use crate::analysis::report::format::plain;

/// Width of every figure, in units. On a phone of 390 pixels, some 358 are left for a figure: text
/// of [`TEXT`] units is 11.6 pixels high there.
pub(super) const WIDTH: f64 = 400.0;
pub(super) const TEXT: f64 = 13.0;
pub(super) const ROW: f64 = 22.0;

pub(super) const SLANT: f64 = 50.0;

pub(super) fn slanted_height(width: f64) -> f64 {
    width * SLANT.to_radians().sin() + TEXT * 0.7
}

/// Attributes of text that begins at its position, ends there, or has its middle there.
pub(super) const START: &str = "";
pub(super) const END: &str = " text-anchor=\"end\"";
pub(super) const MIDDLE: &str = " text-anchor=\"middle\"";

#[derive(Default)]
pub(super) struct Canvas {
    body: String,
    height: f64,
}

impl Canvas {
    pub(super) fn reach(&mut self, y: f64) {
        self.height = self.height.max(y);
    }

    pub(super) fn rectangle(&mut self, (x, y): (f64, f64), width: f64, height: f64, ink: Ink) {
        let (paint, width) = (filled(ink), width.max(0.0));
        self.shape(&format!(
            "<rect {paint} x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
        self.reach(y + height);
    }

    /// A rectangle in the colour of [`Ink::Blocked`] with the opacity `strength` (0 to 1), a text
    /// on it, and another text, `tip`, that shows under the pointer.
    pub(super) fn cell(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        strength: f64,
        text: &str,
        tip: &str,
    ) {
        let (paint, tip) = (filled(Ink::Blocked), escape(tip));
        self.shape(&format!(
            "<g><title>{tip}</title>\n<rect {paint} fill-opacity=\"{strength:.2}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        ));
        self.reach(y + height);
        self.text((x + width / 2.0, y + height / 2.0), MIDDLE, text);
        self.shape("</g>");
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, ink: Ink) {
        let (class, colour) = ink.class_and_colour();
        self.shape(&format!(
            "<line class=\"s {class}\" stroke=\"{colour}\" stroke-width=\"{width}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>",
            from.0, from.1, to.0, to.1
        ));
        self.reach(from.1.max(to.1) + 1.0);
    }

    pub(super) fn interval(&mut self, (low, high): (f64, f64), y: f64, ink: Ink) {
        self.line((low, y), (high, y), 1.5, ink);
        for x in [low, high] {
            self.line((x, y - 3.0), (x, y + 3.0), 1.5, ink);
        }
    }

    pub(super) fn path(&mut self, points: impl Iterator<Item = (f64, f64)>, width: f64, ink: Ink) {
        let (class, colour) = ink.class_and_colour();
        let points = points.map(|(x, y)| format!("{x:.1},{y:.1}"));
        self.shape(&format!(
            "<polyline class=\"s {class}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" points=\"{}\"/>",
            points.collect::<Vec<_>>().join(" ")
        ));
    }

    pub(super) fn dot(&mut self, (x, y): (f64, f64), radius: f64, ink: Ink, is_hollow: bool) {
        let (class, colour) = ink.class_and_colour();
        let paint = if is_hollow {
            format!("class=\"s h {class}\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"2\"")
        } else {
            filled(ink)
        };
        self.shape(&format!(
            "<circle {paint} cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\"/>"
        ));
        self.reach(y + radius);
    }

    /// Text whose middle is at `y`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), anchor: &str, text: &str) {
        self.words((x, y + TEXT * 0.35), anchor, text);
        self.reach(y + TEXT * 0.75);
    }

    /// Text that ends at its position and slopes down to it from the left.
    pub(super) fn slanted(&mut self, (x, y): (f64, f64), text: &str) {
        let turned = format!(" transform=\"rotate({SLANT} {x:.1} {y:.1})\"{END}");
        self.words((x, y), &turned, text);
        self.reach(y);
    }

    fn words(&mut self, (x, y): (f64, f64), attributes: &str, text: &str) {
        let (paint, line) = (filled(Ink::Text), text.replace(['\n', '\t'], " "));
        self.shape(&format!(
            "<text {paint} x=\"{x:.1}\" y=\"{y:.1}\"{attributes}>{}</text>",
            escape(&line)
        ));
    }

    fn shape(&mut self, element: &str) {
        self.body.push_str(element);
        self.body.push('\n');
    }

    /// Names with their colours, in as many lines as they need; returns where the lines end.
    pub(super) fn legend<'n>(&mut self, items: impl Iterator<Item = (&'n str, Ink, bool)>) -> f64 {
        let (mut x, mut y, mut end) = (0.0, 9.0, 0.0);
        for (name, ink, is_hollow) in items {
            let width = 18.0 + text_width(name) + 16.0;
            if x > 0.0 && x + width > WIDTH {
                (x, y) = (0.0, y + 19.0);
            }
            self.dot((x + 6.0, y), 5.0, ink, is_hollow);
            self.text((x + 16.0, y), START, &fitting(name, WIDTH - 20.0));
            x += width;
            end = y + 14.0;
        }
        end
    }

    /// Grid lines from `top` to `bottom`, with their values and the axis title below.
    pub(super) fn axis(
        &mut self,
        marks: &[f64],
        scale: impl Fn(f64) -> f64,
        (top, bottom): (f64, f64),
        title: &str,
    ) {
        for mark in marks {
            let x = scale(*mark);
            self.line((x, top), (x, bottom), 1.0, Ink::Grid);
            self.text((x, bottom + 10.0), MIDDLE, &plain(*mark));
        }
        let middle = f64::midpoint(scale(marks[0]), scale(marks[marks.len() - 1]));
        // The title stays within the drawing.
        let half = text_width(title).min(WIDTH) / 2.0;
        let middle = middle.clamp(half, WIDTH - half);
        let at = (middle, bottom + 12.0 + TEXT * 1.3);
        self.text(at, MIDDLE, &fitting(title, WIDTH));
    }

    pub(super) fn finish(self, id: &str, title: &str, words: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" \
             aria-labelledby=\"{id}-t {id}-d\" font-family=\"system-ui, sans-serif\" font-size=\"{TEXT}\">\n\
             <title id=\"{id}-t\">{}</title>\n<desc id=\"{id}-d\">{}</desc>\n\
             <g aria-hidden=\"true\">\n{}</g>\n</svg>",
            self.height + 4.0,
            escape(title),
            escape(words),
            self.body
        )
    }
}

fn filled(ink: Ink) -> String {
    let (class, colour) = ink.class_and_colour();
    format!("class=\"{class}\" fill=\"{colour}\"")
}

/// The data of a figure in words, after the title of its axis.
pub(super) fn described(axis: &str, items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    format!("{axis}. {}.", items.join("; "))
}

pub(super) fn listed(name: &str, values: impl Iterator<Item = String>) -> String {
    format!("{name}: {}", values.collect::<Vec<_>>().join(", "))
}

/// Width of text, in units; rather too large than too small, because fonts differ.
pub(super) fn text_width(text: &str) -> f64 {
    let widths = text.chars().map(|character| match character {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' | '(' | ')' | ' ' => 0.36,
        'f' | 'r' | 't' | '-' | '*' | '/' => 0.44,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.98,
        'A'..='Z' => 0.74,
        character if character.is_ascii() => 0.635,
        character if u32::from(character) > 0x2e80 => 1.0,
        _ => 0.66,
    });
    widths.sum::<f64>() * TEXT
}

pub(super) fn widest<T: AsRef<str>>(texts: impl Iterator<Item = T>, least: f64) -> f64 {
    let widths = texts.map(|text| text_width(text.as_ref()));
    widths.fold(least, f64::max)
}

/// Text of at most this width; only the beginning of longer text.
pub(super) fn fitting(text: &str, width: f64) -> String {
    if text_width(text) <= width {
        return text.to_owned();
    }
    let mut out = String::new();
    for character in text.chars() {
        if text_width(&out) + 2.0 * TEXT > width {
            break;
        }
        out.push(character);
    }
    out.trim_end().to_owned() + "…"
}

/// A scale that maps the values `from` to `to` to the units `start` to `end`.
pub(super) fn scale(
    (from, to): (f64, f64),
    (start, end): (f64, f64),
) -> impl Fn(f64) -> f64 + Copy {
    let to = if to > from { to } else { from + 1.0 };
    move |value| start + (value - from) / (to - from) * (end - start)
}

/// Ticks from 0 to at least `most`, in about `steps` round steps.
pub(super) fn ticks(most: f64, steps: f64) -> Vec<f64> {
    if !(most > 0.0 && most.is_finite()) {
        return vec![0.0, 1.0];
    }
    let rough = most / steps;
    let power = 10f64.powf(rough.log10().floor());
    // Steps of 25, but not of 0.25 or 2.5: counts are whole.
    let step = [1.0, 2.0, 2.5, 5.0, 10.0]
        .into_iter()
        .filter(|factor| !(2.2..2.8).contains(factor) || power >= 10.0)
        .map(|factor| factor * power)
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(10.0 * power);
    let marks = (0..20).map(|place| step * f64::from(place));
    let n_below = marks.clone().take_while(|mark| *mark < most).count();
    marks.take(n_below + 1).collect()
}
