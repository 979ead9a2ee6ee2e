//! The contents of the report: a file for each chapter.

mod ai;
mod corpus;
mod crawlers;
mod dialects;
mod directives;
mod methods;
mod policies;
mod responses;
mod signals;
mod size;
mod time;

use super::section::{Chapter, Colour};

/// All chapters, in order.
pub(super) static ALL: &[Chapter] = &[
    corpus::CHAPTER,
    crawlers::CHAPTER,
    ai::CHAPTER,
    responses::CHAPTER,
    size::CHAPTER,
    directives::CHAPTER,
    policies::CHAPTER,
    signals::CHAPTER,
    dialects::CHAPTER,
    time::CHAPTER,
    methods::CHAPTER,
];

/// Columns that count hosts by how much they close, as parts of a bar.
const BLOCKED: &[(&str, &str, Colour)] = &[
    ("full", "fully blocked", Colour::Full),
    ("partial", "partly", Colour::Partial),
    ("none", "not", Colour::None),
];

/// The same as shares of hosts.
const BLOCKED_SHARES: &[(&str, &str, Colour)] = &[
    ("pct_full", "fully blocked", Colour::Full),
    ("pct_partial", "partly", Colour::Partial),
];
