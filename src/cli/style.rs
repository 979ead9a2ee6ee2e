//! Colours of text on a terminal.

use console::{StyledObject, style};

/// How a piece of text stands out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// As it is.
    Plain,
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

impl Style {
    /// `text`, which stands out where standard output is a terminal with colours, unless `NO_COLOR`
    /// is set (<https://no-color.org>).
    pub(super) fn paint<T>(self, text: T) -> StyledObject<T> {
        let text = style(text);
        match self {
            Self::Plain => text,
            Self::Strong => text.bold(),
            Self::Faint => text.dim(),
            Self::Allowed => text.green(),
            Self::Disallowed => text.red(),
            Self::Other => text.cyan(),
            Self::Wrong => text.yellow(),
        }
    }
}
