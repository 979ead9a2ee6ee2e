use super::plot::STRONGEST_SHADE;
use super::svg::{SLANT, TEXT, WIDTH, fitting, text_width, ticks};
use super::*;
use crate::analysis::report::crawls::Crawl;
use crate::analysis::report::format::Share;

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

fn drawn(axis: &str, plot: &Plot) -> Option<String> {
    Figure::of("x", "m".to_owned(), axis.to_owned(), plot).svg
}

fn crawl((label, day): (&str, f64)) -> Crawl {
    Crawl {
        label: label.to_owned(),
        day: Some(day),
    }
}

fn panel(name: &str, share: Share, times: usize) -> Panel {
    Panel {
        name: name.to_owned(),
        ink: Ink::Series(0),
        shares: vec![Some(share); times],
        others: vec![Some(Share::of(88.0)); times],
        since: Some(30.0),
    }
}

#[test]
fn time_is_to_scale() {
    let times = [
        ("2026-03", 0.0),
        ("2026-05", 61.0),
        ("2026-07", 122.0),
        ("2026-08", 153.0),
    ];
    let crawls = times.map(crawl).to_vec();
    let panels = vec![panel("GPTBot", share(1.0, 0.5, 1.5), 4)];
    let svg = drawn("% of hosts", &Plot::Panels { crawls, panels }).expect("a figure");
    let dots = attribute(&svg, "circle", "cx");
    assert_eq!(dots.len(), 4);
    let (two_months, one_month) = (dots[2] - dots[1], dots[3] - dots[2]);
    assert!(
        (two_months / one_month - 61.0 / 31.0).abs() < 0.02,
        "{dots:?}"
    );
    // All values and intervals are in the description.
    let words = "GPTBot: 2026-03 1.0% (0.5–1.5) and 88.0%, 2026-05 1.0% (0.5–1.5) and 88.0%";
    assert!(svg.contains(words), "{svg}");
    // Both lines are on one scale.
    let lines = svg.lines().filter(|it| it.starts_with("<polyline "));
    let heights: Vec<f64> = lines
        .filter_map(|it| it.rsplit_once(',')?.1.split('"').next()?.parse().ok())
        .collect();
    assert_eq!(heights.len(), 2);
    assert!(heights[0] + 40.0 < heights[1], "{heights:?}");
}

/// A figure of every kind, with names that are too long.
fn figures() -> Vec<String> {
    let name = || "a crawler with quite a long name that goes on".to_owned();
    let dots = |name: &str, is_linked| Plot::Dots {
        series: vec!["websites".to_owned(), "hosts".to_owned()],
        rows: vec![Bar {
            name: name.to_owned(),
            ink: Ink::Series(0),
            shares: vec![Some(share(7.0, 0.1, 14.9)), Some(share(3.0, 2.0, 4.0))],
        }],
        is_linked,
    };
    // A label of a crawl may be wider than the drawing.
    let crawls = [("2026-03", 0.0), (&*name().repeat(2), 153.0)];
    let crawls = crawls.map(crawl).to_vec();
    [
        dots(&name(), false),
        dots("GPTBot", true),
        Plot::Heat {
            columns: vec![name(); 8],
            rows: vec![(name(), vec![Some(share(12.0, 9.0, 16.0)); 8])],
        },
        Plot::Panels {
            crawls: crawls.clone(),
            panels: vec![panel(&name(), share(99.9, 99.0, 100.0), 2); 3],
        },
        Plot::Timeline {
            events: vec![(name(), 3.0, Ink::Series(1)), (name(), 153.0, Ink::Other)],
            crawls,
        },
        Plot::Stack {
            parts: vec![("fully blocked", Ink::Blocked)],
            rows: vec![Parts {
                name: name(),
                shares: vec![12.0],
                interval: Some((3.0, 99.0)),
                end: "n = 1,234,567".to_owned(),
            }],
            rest: "not blocked",
        },
    ]
    .map(|plot| {
        let axis = "% of the websites that gave a usable answer, % of hosts";
        drawn(axis, &plot).expect("a figure")
    })
    .into()
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
    for svg in figures() {
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
    for svg in figures() {
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
    let dots = Plot::Dots {
        series: Vec::new(),
        rows: Vec::new(),
        is_linked: false,
    };
    let panels = Plot::Panels {
        crawls: Vec::new(),
        panels: Vec::new(),
    };
    for plot in [dots, panels] {
        assert!(drawn("", &plot).is_none());
    }
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
