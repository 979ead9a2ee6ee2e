//! Kinds of rules: which names some source defines, and what values they take.

use crate::names::is_one_of;

/// The kind of value that a known rule has after its colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No value.
    Flag,
    /// A number: `max-snippet`, `max-video-preview`.
    Number,
    /// `none`, `standard` or `large`.
    Size,
    /// A date and time.
    Time,
}

/// The rules without a value that some source defines.
const FLAGS: &str = "\
    all archive follow index indexifembedded noai noarchive nocache nofollow noimageai \
    noimageclick noimageindex noindex none noodp nopagereadaloud nopreview nositelinkssearchbox \
    nosnippet notranslate noyaca noydir snippet translate";

/// The kind of the rule called `name`, in lower case; `None` if no source defines it.
#[must_use]
pub fn kind(name: &[u8]) -> Option<Kind> {
    match name {
        b"max-snippet" | b"max-video-preview" => Some(Kind::Number),
        b"max-image-preview" => Some(Kind::Size),
        b"unavailable_after" => Some(Kind::Time),
        _ => is_one_of(name, FLAGS).then_some(Kind::Flag),
    }
}
