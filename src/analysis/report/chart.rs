//! Charts as SVG, drawn by plotters: text stays text, and colours are those of [`Ink`], which the
//! page's style sheet maps to colours for light, dark and paper.
//!
//! A chart says nothing that the table beside it does not say: it has at most as many bars as the
//! table has rows, and its text alternative names the table.

use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::answer::{Answer, heading};
use super::section::{Chart, Colour};
use crate::escape;

/// Width in units of the drawing, some 1/16 em of the page's text each.
const WIDTH: u32 = 480;
/// Height of a bar with the space around it.
const STEP: u32 = 24;
/// Space for the names of bars.
const NAMES: u32 = 164;
/// Characters of a name that fit there.
const NAME_CHARACTERS: usize = 20;
/// Lines in a chart, at most: more cannot be told apart.
const MOST_LINES: usize = 6;
/// Height of a chart of lines.
const LINES_HEIGHT: u32 = 270;
/// Space at the right of lines, for their names.
const LINE_NAMES: u32 = 156;
/// Size of the text, by plotters' measure, which is 1.24 of that of CSS.
const TEXT: f64 = 16.0;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Drawn = Result<(), Box<dyn std::error::Error>>;

/// The colours that a drawing has; see `style.css`.
struct Ink;

impl Ink {
    const TEXT: RGBColor = RGBColor(0x22, 0x22, 0x22);
    const GRID: RGBColor = RGBColor(0xDD, 0xDD, 0xDD);
    /// In the order in which lines take them.
    const LINES: [RGBColor; MOST_LINES] = [
        RGBColor(0x00, 0x72, 0xB2),
        RGBColor(0xD5, 0x5E, 0x00),
        RGBColor(0x00, 0x9E, 0x73),
        RGBColor(0xCC, 0x79, 0xA7),
        RGBColor(0xE6, 0x9F, 0x00),
        RGBColor(0x56, 0xB4, 0xE9),
    ];

    fn of(colour: Colour) -> RGBColor {
        match colour {
            Colour::Full => Self::LINES[1],
            Colour::Partial => Self::LINES[4],
            Colour::None => Self::LINES[0],
            Colour::Other => Self::LINES[5],
            Colour::Silent => RGBColor(0xBB, 0xBB, 0xBB),
        }
    }
}

/// The chart of an answer, as an `svg` element; none where there is nothing to draw.
#[must_use]
pub(super) fn draw(
    chart: &Chart,
    answer: &Answer,
    rows: usize,
    id: &str,
    title: &str,
) -> Option<String> {
    let mut svg = String::new();
    let description = match *chart {
        Chart::None => return None,
        Chart::Bars { label, value } => {
            let column = answer.column(value)?;
            let parts = [Part {
                name: heading(value),
                colour: Ink::LINES[0],
                values: values(answer, rows, column),
            }];
            let shown = answer
                .rows
                .iter()
                .take(rows)
                .map(|row| row[column].shown(value));
            let names = names(answer, rows, label)?;
            bars(&mut svg, &names, &parts, &shown.collect::<Vec<_>>()).ok()?;
            format!(
                "Bars: {} of {} rows of the table.",
                heading(value),
                names.len()
            )
        }
        Chart::Stack { label, parts } => {
            let drawn: Option<Vec<Part>> = parts
                .iter()
                .map(|(column, name, colour)| {
                    Some(Part {
                        name: (*name).to_owned(),
                        colour: Ink::of(*colour),
                        values: values(answer, rows, answer.column(column)?),
                    })
                })
                .collect();
            let names = names(answer, rows, label)?;
            bars(&mut svg, &names, &drawn?, &[]).ok()?;
            let parts: Vec<&str> = parts.iter().map(|(_, name, _)| *name).collect();
            format!(
                "Stacked bars of {} rows of the table: {}.",
                names.len(),
                parts.join(", ")
            )
        }
        Chart::Lines { x, y, series } => {
            let (ticks, lines) = lines_of(answer, x, y, series)?;
            draw_lines(&mut svg, &ticks, &lines).ok()?;
            let names: Vec<&str> = lines.iter().map(|line| line.name.as_str()).collect();
            format!("Lines over {}: {}.", heading(x), names.join(", "))
        }
    };
    Some(accessible(&svg, id, title, &description))
}

/// A part of every bar, or the whole.
struct Part {
    name: String,
    colour: RGBColor,
    values: Vec<f64>,
}

/// A line: a value for each tick, where there is one.
struct Line {
    name: String,
    values: Vec<Option<f64>>,
}

fn values(answer: &Answer, rows: usize, column: usize) -> Vec<f64> {
    let rows = answer.rows.iter().take(rows);
    rows.map(|row| row[column].number().unwrap_or(0.0))
        .collect()
}

fn names(answer: &Answer, rows: usize, label: &[&str]) -> Option<Vec<String>> {
    let columns: Option<Vec<usize>> = label.iter().map(|name| answer.column(name)).collect();
    let columns = columns?;
    let name = |row: &Vec<super::answer::Cell>| {
        let cells = columns
            .iter()
            .zip(label)
            .filter(|(place, _)| !row[**place].is_null());
        let parts: Vec<String> = cells.map(|(place, name)| row[*place].shown(name)).collect();
        short(&parts.join(", "))
    };
    Some(answer.rows.iter().take(rows).map(name).collect())
}

/// A name as long as fits; one that is empty as a dash.
fn short(name: &str) -> String {
    let name = escape::text(name).replace(['\n', '\t'], " ");
    match name.chars().count() {
        0 => "–".to_owned(),
        n if n > NAME_CHARACTERS => {
            let head: String = name.chars().take(NAME_CHARACTERS - 1).collect();
            head + "…"
        }
        _ => name,
    }
}

/// How many there are, as plotters counts bytes and places; small by construction.
fn units(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn text(anchor: HPos) -> TextStyle<'static> {
    ("sans-serif", TEXT)
        .into_font()
        .color(&Ink::TEXT)
        .pos(Pos::new(anchor, VPos::Center))
}

/// Bars from the left, one for each name, their values at the end where `shown` has them.
fn bars(svg: &mut String, names: &[String], parts: &[Part], shown: &[String]) -> Drawn {
    let legend = if parts.len() > 1 { STEP + 4 } else { 0 };
    let count = units(names.len());
    let height = legend + count * STEP + 26;
    let root = SVGBackend::with_string(svg, (WIDTH, height)).into_drawing_area();
    let total = |bar: usize| parts.iter().map(|part| part.values[bar]).sum::<f64>();
    let most = (0..names.len()).map(total).fold(0.0, f64::max);
    let most = if most > 0.0 { most } else { 1.0 };
    if legend > 0 {
        draw_legend(&root, parts)?;
    }
    let mut chart = ChartBuilder::on(&root)
        .margin_top(legend)
        .margin_left(NAMES)
        .margin_right(if shown.is_empty() { 14 } else { 70 })
        .x_label_area_size(26)
        .build_cartesian_2d(0.0..most, f64::from(count)..0.0)?;
    chart
        .configure_mesh()
        .disable_y_mesh()
        .disable_y_axis()
        .x_labels(5)
        .x_label_formatter(&|value| tick(*value))
        .bold_line_style(Ink::GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(Ink::GRID)
        .label_style(text(HPos::Center))
        .draw()?;
    for (bar, name) in names.iter().enumerate() {
        let top = f64::from(units(bar));
        let mut from = 0.0;
        for part in parts {
            let to = from + part.values[bar];
            if to > from {
                let corners = [(from, top + 0.15), (to, top + 0.85)];
                chart.draw_series([Rectangle::new(corners, part.colour.filled())])?;
            }
            from = to;
        }
        let middle = chart.backend_coord(&(0.0, top + 0.5)).1;
        let end = chart.backend_coord(&(from, top + 0.5)).0;
        root.draw(&Text::new(
            name.clone(),
            (px(NAMES) - 8, middle),
            text(HPos::Right),
        ))?;
        if let Some(value) = shown.get(bar) {
            root.draw(&Text::new(
                value.clone(),
                (end + 6, middle),
                text(HPos::Left),
            ))?;
        }
    }
    root.present()?;
    Ok(())
}

fn px(units: u32) -> i32 {
    i32::try_from(units).unwrap_or(i32::MAX)
}

/// A number at an axis.
fn tick(value: f64) -> String {
    super::answer::Cell::of_number(value).shown("")
}

fn draw_legend(root: &Area<'_>, parts: &[Part]) -> Drawn {
    let mut x = 4;
    for part in parts {
        root.draw(&Rectangle::new(
            [(x, 5), (x + 13, 18)],
            part.colour.filled(),
        ))?;
        root.draw(&Text::new(
            part.name.clone(),
            (x + 18, 12),
            text(HPos::Left),
        ))?;
        // Some seven units for each character of this size.
        x += 34 + 7 * px(units(part.name.chars().count()));
    }
    Ok(())
}

/// Ticks from left to right, and at most as many lines as can be told apart: those that end highest.
fn lines_of(
    answer: &Answer,
    x: &str,
    y: &[&str],
    series: Option<&str>,
) -> Option<(Vec<String>, Vec<Line>)> {
    let x = answer.column(x)?;
    let mut ticks: Vec<String> = answer
        .rows
        .iter()
        .map(|row| row[x].text().into_owned())
        .collect();
    ticks.sort();
    ticks.dedup();
    if ticks.len() < 2 {
        return None;
    }
    let mut lines: Vec<Line> = Vec::new();
    for name in y {
        let column = answer.column(name)?;
        for row in &answer.rows {
            let name = match series {
                Some(series) => row[answer.column(series)?].text().into_owned(),
                None => heading(name),
            };
            let place = ticks.binary_search(&row[x].text().into_owned()).ok()?;
            let at = lines
                .iter()
                .position(|line| line.name == name)
                .unwrap_or_else(|| {
                    let values = vec![None; ticks.len()];
                    lines.push(Line { name, values });
                    lines.len() - 1
                });
            lines[at].values[place] = row[column].number();
        }
    }
    let last = |line: &Line| {
        line.values
            .iter()
            .rev()
            .find_map(|value| *value)
            .unwrap_or(0.0)
    };
    lines.sort_by(|one, other| last(other).total_cmp(&last(one)));
    lines.truncate(MOST_LINES);
    Some((ticks, lines))
}

fn draw_lines(svg: &mut String, ticks: &[String], lines: &[Line]) -> Drawn {
    let root = SVGBackend::with_string(svg, (WIDTH, LINES_HEIGHT)).into_drawing_area();
    let values = lines.iter().flat_map(|line| line.values.iter().flatten());
    let most = values.fold(0.0, |most: f64, value| most.max(*value));
    let most = if most > 0.0 { most * 1.05 } else { 1.0 };
    let last = units(ticks.len() - 1);
    let mut chart = ChartBuilder::on(&root)
        .margin_top(12)
        .margin_left(4)
        .margin_right(LINE_NAMES)
        .x_label_area_size(28)
        .y_label_area_size(48)
        .build_cartesian_2d(0.0..f64::from(last), 0.0..most)?;
    // Ticks stand at whole numbers only, the last one where it is full.
    let label = |value: &f64| {
        let is_here = |place: &usize| (f64::from(units(*place)) - value).abs() < 1e-9;
        let place = (0..ticks.len()).find(is_here);
        place.map_or(String::new(), |place| short(&ticks[place]))
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(ticks.len().min(5))
        .y_labels(6)
        .x_label_formatter(&label)
        .y_label_formatter(&|value| tick(*value))
        .bold_line_style(Ink::GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(Ink::GRID)
        .label_style(("sans-serif", TEXT).into_font().color(&Ink::TEXT))
        .draw()?;
    let mut ends: Vec<(i32, &str, RGBColor)> = Vec::new();
    for (line, colour) in lines.iter().zip(Ink::LINES) {
        let points: Vec<(f64, f64)> = (0..ticks.len())
            .filter_map(|place| Some((f64::from(units(place)), line.values[place]?)))
            .collect();
        let path = PathElement::new(points.clone(), colour.stroke_width(2));
        chart.draw_series([path])?;
        chart.draw_series(
            points
                .iter()
                .map(|point| Circle::new(*point, 3, colour.filled())),
        )?;
        if let Some(point) = points.last() {
            ends.push((chart.backend_coord(point).1, &line.name, colour));
        }
    }
    // Names that would lie on each other move down.
    ends.sort_by_key(|(y, ..)| *y);
    let mut free = 8;
    let x = px(WIDTH - LINE_NAMES);
    for (y, name, colour) in ends {
        let at = y.max(free);
        free = at + 16;
        root.draw(&Rectangle::new(
            [(x + 10, at - 4), (x + 18, at + 4)],
            colour.filled(),
        ))?;
        root.draw(&Text::new(short(name), (x + 23, at), text(HPos::Left)))?;
    }
    root.present()?;
    Ok(())
}

/// The drawing with a text alternative, as large as its place on the page.
fn accessible(svg: &str, id: &str, title: &str, description: &str) -> String {
    let (head, rest) = svg.split_once('>').unwrap_or((svg, ""));
    let view = head
        .split("viewBox=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let mut out = String::with_capacity(svg.len() + 300);
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "<svg viewBox=\"{}\" role=\"img\" aria-labelledby=\"{id}-title {id}-desc\">\n\
         <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-desc\">{} The table beside it has the numbers.</desc>{rest}",
        view.unwrap_or_default(),
        super::html::escape(title),
        super::html::escape(description)
    );
    out
}
