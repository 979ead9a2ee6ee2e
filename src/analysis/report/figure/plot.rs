//! The data of figures, and their colours.

use crate::analysis::report::crawls::Crawl;
use crate::analysis::report::format::Share;

#[derive(Debug, Clone)]
pub struct Bar {
    pub name: String,
    pub ink: Ink,
    /// A share for each series; the dots of the first series are filled, of the second hollow.
    pub shares: Vec<Option<Share>>,
}

#[derive(Debug, Clone)]
pub struct Parts {
    pub name: String,
    pub shares: Vec<f64>,
    /// The interval of the sum of the first parts.
    pub interval: Option<(f64, f64)>,
    pub end: String,
}

#[derive(Debug, Clone)]
pub struct Panel {
    pub name: String,
    pub ink: Ink,
    /// An element for each crawl; `None` if the crawl has no share.
    pub shares: Vec<Option<Share>>,
    /// Shares of another population, for comparison, drawn as a thin line; empty without one.
    pub others: Vec<Option<Share>>,
    pub since: Option<f64>,
}

#[derive(Debug, Clone)]
pub enum Plot {
    /// Shares on one axis, each a dot with its interval. Linked dots are one thing at two times.
    Dots {
        /// Names of the series; empty if there is only one.
        series: Vec<String>,
        rows: Vec<Bar>,
        is_linked: bool,
    },
    /// Parts of a whole; `rest` is the name of the remainder to 100.
    Stack {
        parts: Vec<(&'static str, Ink)>,
        rows: Vec<Parts>,
        rest: &'static str,
    },
    /// Shares over time, each in a small panel, all on one scale.
    Panels {
        crawls: Vec<Crawl>,
        panels: Vec<Panel>,
    },
    /// A share for every pair, as a shade.
    Heat {
        columns: Vec<String>,
        rows: Vec<(String, Vec<Option<Share>>)>,
    },
    Timeline {
        events: Vec<(String, f64, Ink)>,
        crawls: Vec<Crawl>,
    },
}

impl Plot {
    pub fn dots(rows: Vec<Bar>) -> Self {
        Self::Dots {
            series: Vec::new(),
            rows,
            is_linked: false,
        }
    }
}

/// Colours by meaning; see `page.css`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    Text,
    Grid,
    Blocked,
    Partly,
    Allowed,
    /// Blocked by the rules for everybody.
    Everybody,
    /// The rest of a whole, and lines between dots.
    Silent,
    Other,
    Series(usize),
}

impl Ink {
    /// The class in the style sheet, and the colour on light paper: from the palette of Okabe and
    /// Ito, which colour-blind readers can distinguish.
    pub fn class_and_colour(self) -> (&'static str, &'static str) {
        const SERIES: [(&str, &str); 8] = [
            ("i0", "#0072b2"),
            ("i1", "#d55e00"),
            ("i2", "#009e73"),
            ("i3", "#aa5a87"),
            ("i4", "#b57a00"),
            ("i5", "#3f8fc4"),
            ("i6", "#6b6b6b"),
            ("i7", "#222222"),
        ];
        match self {
            Self::Text => ("it", "#1b1b1b"),
            Self::Grid => ("ig", "#d4d4d4"),
            Self::Blocked => ("ib", "#d55e00"),
            Self::Partly => ("ip", "#c08400"),
            Self::Allowed => ("ia", "#0072b2"),
            Self::Everybody => ("ie", "#7f3b08"),
            Self::Silent => ("is", "#cfcfcf"),
            Self::Other => ("i6", "#6b6b6b"),
            Self::Series(place) => SERIES[place % SERIES.len()],
        }
    }
}

/// Opacity of the strongest shade of a heat map: light enough for dark text on light paper, dark
/// enough for light text on a dark screen.
pub const STRONGEST_SHADE: f64 = 0.55;
