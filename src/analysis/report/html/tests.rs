//! Contrast of the page's colours in the light and the dark theme, also for text in figures, whose
//! background no checker can find. WCAG 2.2 requires 4.5 to 1 for text (§1.4.3) and 3 to 1 for
//! graphics (§1.4.11).

use super::{SCRIPT, STYLE, lede, marked};
use crate::analysis::report::figure::{Ink, STRONGEST_SHADE};
use crate::tests::check;

const SERIES: [&str; 8] = ["s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"];

/// The value of a custom property in a theme. The dark theme comes second in the style sheet.
fn bytes(name: &str, is_dark: bool) -> [u8; 3] {
    let key = format!("--{name}: #");
    let mut values = STYLE.split(&key).skip(1);
    let light = values.next().expect("a colour");
    let value = if is_dark {
        values.next().expect("a dark colour")
    } else {
        light
    };
    let digits: String = value.chars().take_while(char::is_ascii_hexdigit).collect();
    let digits: String = match digits.len() {
        3 => digits.chars().flat_map(|digit| [digit, digit]).collect(),
        _ => digits,
    };
    let part = |place: usize| u8::from_str_radix(&digits[place..place + 2], 16).expect("digits");
    [0, 2, 4].map(part)
}

fn colour(name: &str, is_dark: bool) -> [f64; 3] {
    bytes(name, is_dark).map(f64::from)
}

/// Relative luminance, as WCAG 2.2 defines it.
fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] = colour.map(|value| match value / 255.0 {
        value if value <= 0.04045 => value / 12.92,
        value => ((value + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], other: [f64; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// How a colour with this opacity looks on paper.
fn on_paper(colour: [f64; 3], opacity: f64, paper: [f64; 3]) -> [f64; 3] {
    let mix = |place: usize| colour[place] * opacity + paper[place] * (1.0 - opacity);
    [mix(0), mix(1), mix(2)]
}

#[test]
fn the_measure_is_that_of_wcag() {
    assert!((contrast([255.0; 3], [0.0; 3]) - 21.0).abs() < 1e-9);
    // #767676 is the lightest grey that is legible on white.
    assert!((contrast([118.0; 3], [255.0; 3]) - 4.54).abs() < 0.01);
}

#[test]
fn text_is_legible() {
    for is_dark in [false, true] {
        let of = |name: &str| colour(name, is_dark);
        let paper = of("paper");
        for text in ["ink", "faint", "link"] {
            for ground in ["paper", "band"] {
                let ratio = contrast(of(text), of(ground));
                assert!(
                    ratio >= 4.5,
                    "{text} on {ground}, dark {is_dark}: {ratio:.2}"
                );
            }
        }
        // Numbers must be legible on every shade of a heat map.
        for step in 0..=20_u8 {
            let opacity = STRONGEST_SHADE * f64::from(step) / 20.0;
            let ratio = contrast(of("ink"), on_paper(of("blocked"), opacity, paper));
            assert!(
                ratio >= 4.5,
                "shade of {opacity:.2}, dark {is_dark}: {ratio:.2}"
            );
        }
    }
}

#[test]
fn drawings_have_contrast() {
    for is_dark in [false, true] {
        let paper = colour("paper", is_dark);
        for name in ["blocked", "partly", "allowed", "everybody"]
            .into_iter()
            .chain(SERIES)
        {
            let ratio = contrast(colour(name, is_dark), paper);
            assert!(ratio >= 3.0, "{name}, dark {is_dark}: {ratio:.2}");
        }
    }
}

#[test]
fn figures_alone_have_the_colours_of_the_light_page() {
    let of = |ink: Ink| ink.class_and_colour().1;
    let inks = [
        (Ink::Text, "ink"),
        (Ink::Grid, "line"),
        (Ink::Blocked, "blocked"),
        (Ink::Partly, "partly"),
        (Ink::Allowed, "allowed"),
        (Ink::Everybody, "everybody"),
        (Ink::Silent, "silent"),
    ];
    let series = (0..).map(Ink::Series).zip(SERIES);
    for (ink, name) in inks.into_iter().chain(series) {
        let [red, green, blue] = bytes(name, false);
        let hexadecimal = format!("#{red:02x}{green:02x}{blue:02x}");
        assert_eq!(of(ink), hexadecimal, "{name}");
    }
}

#[test]
fn text_is_not_markup() {
    assert_eq!(marked("a `b<c` d"), "a <code>b&lt;c</code> d");
}

#[test]
fn style_and_script_cannot_end_early() {
    assert!(!STYLE.contains("</") && !SCRIPT.contains("</"));
    for text in [STYLE, SCRIPT] {
        // Words that would use the network, or run text as code.
        for word in [
            "http:",
            "https:",
            "//fonts",
            "eval(",
            "innerHTML",
            "document.write",
            "fetch(",
        ] {
            assert!(!text.contains(word), "{word}");
        }
    }
}

#[test]
fn introductions() {
    check(
        "src/analysis/report/html/lede",
        |question, [text, ..]| match question {
            "line" => lede::inline(text),
            _ => lede::html(text),
        },
    );
}
