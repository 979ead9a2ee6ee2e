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

/// The rules that a source defines, with the kind of their value.
const KNOWN: [(&[u8], Kind); 28] = [
    (b"all", Kind::Flag),
    (b"archive", Kind::Flag),
    (b"follow", Kind::Flag),
    (b"index", Kind::Flag),
    (b"indexifembedded", Kind::Flag),
    (b"max-image-preview", Kind::Size),
    (b"max-snippet", Kind::Number),
    (b"max-video-preview", Kind::Number),
    (b"noai", Kind::Flag),
    (b"noarchive", Kind::Flag),
    (b"nocache", Kind::Flag),
    (b"nofollow", Kind::Flag),
    (b"noimageai", Kind::Flag),
    (b"noimageclick", Kind::Flag),
    (b"noimageindex", Kind::Flag),
    (b"noindex", Kind::Flag),
    (b"none", Kind::Flag),
    (b"noodp", Kind::Flag),
    (b"nopagereadaloud", Kind::Flag),
    (b"nopreview", Kind::Flag),
    (b"nositelinkssearchbox", Kind::Flag),
    (b"nosnippet", Kind::Flag),
    (b"notranslate", Kind::Flag),
    (b"noyaca", Kind::Flag),
    (b"noydir", Kind::Flag),
    (b"snippet", Kind::Flag),
    (b"translate", Kind::Flag),
    (b"unavailable_after", Kind::Time),
];

/// The kind of the rule called `name`, in lower case; `None` where it is not defined.
#[must_use]
pub fn kind(name: &[u8]) -> Option<Kind> {
    let at = KNOWN.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(KNOWN[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rules_are_in_order() {
        assert!(KNOWN.is_sorted_by_key(|(name, _)| *name));
    }
}
