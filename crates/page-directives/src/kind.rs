//! The rules that some source defines, and the kinds of their values.

/// What stands after the colon of a rule that is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing.
    Flag,
    /// A number: `max-snippet`, `max-video-preview`.
    Number,
    /// `none`, `standard` or `large`.
    Size,
    /// A date and time.
    Time,
}

/// The kind of the rule called `name`, in lower case; `None` where no source defines it.
#[must_use]
pub fn kind(name: &[u8]) -> Option<Kind> {
    Some(match name {
        b"max-snippet" | b"max-video-preview" => Kind::Number,
        b"max-image-preview" => Kind::Size,
        b"unavailable_after" => Kind::Time,
        b"all"
        | b"archive"
        | b"follow"
        | b"index"
        | b"indexifembedded"
        | b"noai"
        | b"noarchive"
        | b"nocache"
        | b"nofollow"
        | b"noimageai"
        | b"noimageclick"
        | b"noimageindex"
        | b"noindex"
        | b"none"
        | b"noodp"
        | b"nopagereadaloud"
        | b"nopreview"
        | b"nositelinkssearchbox"
        | b"nosnippet"
        | b"notranslate"
        | b"noyaca"
        | b"noydir"
        | b"snippet"
        | b"translate" => Kind::Flag,
        _ => return None,
    })
}
