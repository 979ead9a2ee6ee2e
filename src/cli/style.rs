//! Colours of text on a terminal.

use std::fmt;
use std::io::{IsTerminal as _, stdout};

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Names and headings.
    Strong,
    /// Text of less interest.
    Faint,
    /// Rules that allow, and agents that may fetch everything.
    Allowed,
    /// Rules that disallow, and agents that may fetch nothing.
    Disallowed,
    /// Other directives.
    Other,
    /// Errors in a file.
    Wrong,
}

/// Whether text is coloured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette {
    is_coloured: bool,
}

impl Palette {
    /// Colours on a terminal that knows them, unless `NO_COLOR` is set (<https://no-color.org>).
    pub(super) fn for_stdout() -> Self {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
        Self {
            is_coloured: stdout().is_terminal() && !is_set("NO_COLOR") && !is_dumb,
        }
    }

    /// `text`, made to stand out where colours are used.
    pub(super) fn paint<T: fmt::Display>(self, style: Style, text: T) -> Painted<T> {
        Painted {
            code: self.is_coloured.then_some(match style {
                Style::Strong => "1",
                Style::Faint => "2",
                Style::Allowed => "32",
                Style::Disallowed => "31",
                Style::Other => "36",
                Style::Wrong => "33",
            }),
            text,
        }
    }
}

/// Text with its colour.
pub(super) struct Painted<T> {
    /// The parameter of the escape sequence SGR (ECMA-48 §8.3.117).
    code: Option<&'static str>,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(f, "\x1b[{code}m{}\x1b[0m", self.text),
            None => self.text.fmt(f),
        }
    }
}
