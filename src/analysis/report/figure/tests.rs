use super::svg::{SLANT, TEXT, WIDTH, fitting, spread, text_width, ticks};
use super::*;

fn share(value: f64, low: f64, high: f64) -> Share {
    let interval = Some((low, high));
    Share {
        interval,
        ..Share::of(value)
    }
}

/// All numbers of an attribute.
fn attribute(svg: &str, element: &str, name: &str) -> Vec<f64> {
    svg.lines()
        .filter(|line| line.starts_with(&format!("<{element} ")))
        .filter_map(|line| line.split_once(&format!(" {name}=\"")))
        .map(|(_, rest)| {
            rest.split('"')
                .next()
                .expect("a value")
                .parse()
                .expect("a number")
        })
        .collect()
}

#[test]
fn time_is_to_scale() {
    let times = [
        ("2026-03", 0.0),
        ("2026-05", 61.0),
        ("2026-07", 122.0),
        ("2026-08", 153.0),
    ];
    let figure = Figure {
        measure: "Blocked".to_owned(),
        plot: Plot::Lines {
            axis: "% of hosts".to_owned(),
            times: times
                .iter()
                .map(|(label, day)| ((*label).to_owned(), *day))
                .collect(),
            lines: vec![("GPTBot".to_owned(), vec![Some(share(1.0, 0.5, 1.5)); 4])],
        },
    };
    let svg = figure.draw("x").expect("a figure");
    let dots = attribute(&svg, "circle", "cx");
    assert_eq!(dots.len(), 4);
    let (two_months, one_month) = (dots[2] - dots[1], dots[3] - dots[2]);
    assert!(
        (two_months / one_month - 61.0 / 31.0).abs() < 0.02,
        "{dots:?}"
    );
    // A line for each interval, from its low to its high end.
    assert!(
        svg.contains("<desc id=\"x-d\">% of hosts, 2026-03 to 2026-08: GPTBot 1.0%, then 1.0%")
    );
}

#[test]
fn labels_do_not_collide() {
    let places = spread(&[100.0, 101.0, 102.0, 20.0], 16.0, 10.0, 200.0);
    assert_eq!(places, [100.0, 116.0, 132.0, 20.0]);
    // At the lower end they move up.
    let places = spread(&[195.0, 198.0, 200.0], 16.0, 0.0, 200.0);
    assert_eq!(places, [168.0, 184.0, 200.0]);
}

/// A figure of every kind, with names that are too long.
fn figures() -> Vec<Figure> {
    let name = "a crawler with quite a long name that goes on";
    let figures = [
        Plot::Dots {
            axis: "% of hosts that answered conclusively, by host and by domain".to_owned(),
            series: vec!["by host".to_owned(), "by registrable domain".to_owned()],
            rows: vec![(
                name.to_owned(),
                vec![Some(share(7.0, 0.1, 14.9)), Some(share(3.0, 2.0, 4.0))],
            )],
        },
        Plot::TwoSides {
            axis: "hosts".to_owned(),
            sides: ("began to block".to_owned(), "stopped".to_owned()),
            rows: vec![(name.to_owned(), 3444.0, 12.0)],
        },
        Plot::Heat {
            axes: ("blocked".to_owned(), "also blocked".to_owned()),
            columns: vec![name.to_owned(); 8],
            rows: vec![(name.to_owned(), vec![Some(12.0); 8])],
        },
        Plot::Slope {
            axis: "% of hosts".to_owned(),
            ends: ("2026-03".to_owned(), "2026-08".to_owned()),
            lines: vec![
                (name.to_owned(), 1.0, 9.0, true),
                ("b".to_owned(), 1.0, 1.1, false),
            ],
        },
        Plot::Bars {
            axis: "hosts".to_owned(),
            rows: vec![(
                name.to_owned(),
                share(12.0, 3.0, 21.0),
                "12 hosts (99.9%)".to_owned(),
            )],
        },
        Plot::Stack {
            axis: "% of the hosts of a range of ranks".to_owned(),
            parts: vec![("fully blocked".to_owned(), Ink::Blocked)],
            rows: vec![(
                name.to_owned(),
                vec![share(12.0, 3.0, 99.0)],
                "n = 1,234,567".to_owned(),
            )],
            rest: "not blocked".to_owned(),
        },
    ];
    let figure = |plot| Figure {
        measure: "m".to_owned(),
        plot,
    };
    figures.into_iter().map(figure).collect()
}

/// The beginning, the end and the middle line of a text in a drawing.
fn place_of_text(line: &str) -> (f64, f64, f64) {
    let x = attribute(line, "text", "x")[0];
    let text = line
        .split_once('>')
        .and_then(|(_, rest)| rest.split_once('<'));
    let mut width = text_width(text.expect("text").0);
    if line.contains("rotate(") {
        width *= SLANT.to_radians().cos();
    }
    let (from, to) = match line {
        line if line.contains("\"middle\"") => (x - width / 2.0, x + width / 2.0),
        line if line.contains("\"end\"") => (x - width, x),
        _ => (x, x + width),
    };
    let middle = attribute(line, "text", "y")[0] - TEXT * 0.35;
    (from, to, middle)
}

#[test]
fn nothing_leaves_the_drawing() {
    for figure in figures() {
        let svg = figure.draw("x").expect("a figure");
        for line in svg.lines().filter(|line| line.starts_with("<text ")) {
            let (from, to, _) = place_of_text(line);
            assert!(
                from >= -TEXT && to <= WIDTH + TEXT,
                "{from} to {to}: {line}"
            );
        }
    }
}

#[test]
fn text_stands_on_paper_or_on_light_shades() {
    let mut shades = 0;
    for figure in figures() {
        let svg = figure.draw("x").expect("a figure");
        for rectangle in svg.lines().filter(|line| line.starts_with("<rect ")) {
            let of = |name| attribute(rectangle, "rect", name)[0];
            if rectangle.contains("fill-opacity=") {
                shades += 1;
                assert!(of("fill-opacity") <= STRONGEST_SHADE, "{rectangle}");
                continue;
            }
            for text in svg.lines().filter(|line| line.starts_with("<text ")) {
                let (from, to, middle) = place_of_text(text);
                let is_beside = to <= of("x") || from >= of("x") + of("width");
                let is_apart = middle < of("y") || middle > of("y") + of("height");
                assert!(is_beside || is_apart, "{text} on {rectangle}");
            }
        }
    }
    assert!(shades > 0);
}

#[test]
fn what_has_nothing_to_show_is_not_drawn() {
    let plot = Plot::Bars {
        axis: String::new(),
        rows: Vec::new(),
    };
    assert!(
        Figure {
            measure: String::new(),
            plot
        }
        .draw("x")
        .is_none()
    );
    let plot = Plot::Dots {
        axis: String::new(),
        series: Vec::new(),
        rows: Vec::new(),
    };
    assert!(
        Figure {
            measure: String::new(),
            plot
        }
        .draw("x")
        .is_none()
    );
}

#[test]
fn axes_have_round_values() {
    assert_eq!(ticks(14.7, 4.0), [0.0, 5.0, 10.0, 15.0]);
    assert_eq!(ticks(0.9, 4.0), [0.0, 0.5, 1.0]);
    assert_eq!(ticks(0.0, 4.0), [0.0, 1.0]);
    assert_eq!(ticks(100.0, 4.0), [0.0, 25.0, 50.0, 75.0, 100.0]);
    assert_eq!(ticks(9.0, 4.0), [0.0, 5.0, 10.0]);
    assert_eq!(fitting("abc", 400.0), "abc");
    assert!(fitting(&"x".repeat(90), 100.0).ends_with('…'));
}
