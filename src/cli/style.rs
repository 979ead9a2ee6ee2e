//! How a piece of text stands out where standard output is a terminal with colours, unless
//! `NO_COLOR` is set (<https://no-color.org>).

use console::Style;

pub(super) const PLAIN: Style = Style::new();
/// Names and headings.
pub(super) const STRONG: Style = Style::new().bold();
/// Text of less interest.
pub(super) const FAINT: Style = Style::new().dim();
/// Rules that allow, and agents that may fetch everything.
pub(super) const ALLOWED: Style = Style::new().green();
/// Rules that disallow, and agents that may fetch nothing.
pub(super) const DISALLOWED: Style = Style::new().red();
/// Other directives.
pub(super) const OTHER: Style = Style::new().cyan();
/// Errors in a file.
pub(super) const WRONG: Style = Style::new().yellow();
