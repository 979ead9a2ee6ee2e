//! `--dialect`: one dialect of the protocol, or all of them.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use robots_dialects::dialect::Dialect;

/// A dialect, or all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DialectArgument {
    One(Dialect),
    All,
}

impl DialectArgument {
    /// Reads the name of a dialect, or `all`.
    pub(super) fn parser() -> impl TypedValueParser<Value = Self> {
        let names = Dialect::ALL.map(Dialect::name).into_iter().chain(["all"]);
        PossibleValuesParser::new(names).map(|name| name.parse().map_or(Self::All, Self::One))
    }

    /// The dialects that were chosen.
    pub(super) fn dialects(self) -> impl Iterator<Item = Dialect> {
        Dialect::ALL
            .into_iter()
            .filter(move |dialect| self == Self::All || self == Self::One(*dialect))
    }
}
