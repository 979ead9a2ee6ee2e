//! The kind of a line, and how its key decides it.
//!
//! Used by the line reader. Keys match by prefix and without case, and some misspellings count, as
//! in Google's open-source parser.

/// What a line is, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Starts a group or names a further agent of it.
    UserAgent,
    /// Allow rule.
    Allow,
    /// Disallow rule.
    Disallow,
    /// Sitemap record, outside groups.
    Sitemap,
    /// A key and a value, but none of the four keys above.
    Other,
    /// Nothing but a comment.
    Comment,
    /// Nothing but white space.
    Empty,
    /// Text without a separator or without a key.
    Invalid,
}

impl LineKind {
    /// The name that RFC 9309 §2.2 (for `sitemap`, the sitemaps protocol) gives the key, in lower
    /// case.
    #[must_use]
    pub const fn name(self) -> Option<&'static [u8]> {
        match self {
            Self::UserAgent => Some(b"user-agent"),
            Self::Allow => Some(b"allow"),
            Self::Disallow => Some(b"disallow"),
            Self::Sitemap => Some(b"sitemap"),
            Self::Other | Self::Comment | Self::Empty | Self::Invalid => None,
        }
    }

    /// Whether the line has a key and a value.
    #[must_use]
    pub const fn is_directive(self) -> bool {
        matches!(
            self,
            Self::UserAgent | Self::Allow | Self::Disallow | Self::Sitemap | Self::Other
        )
    }
}

/// Kind of a key, and whether it is an accepted misspelling. Keys match by prefix: `Allowed` is an
/// allow line. The first byte decides which prefixes are compared at all.
#[inline]
pub(crate) fn classify(key: &[u8]) -> (LineKind, bool) {
    match key.first().map(|first| first | 0x20) {
        Some(b'u') if starts_with(key, b"user-agent") => (LineKind::UserAgent, false),
        Some(b'u') if starts_with(key, b"useragent") || starts_with(key, b"user agent") => {
            (LineKind::UserAgent, true)
        }
        Some(b'a') if starts_with(key, b"allow") => (LineKind::Allow, false),
        Some(b'd') if starts_with(key, b"disallow") => (LineKind::Disallow, false),
        Some(b'd') if is_misspelt_disallow(key) => (LineKind::Disallow, true),
        Some(b's') if starts_with(key, b"sitemap") => (LineKind::Sitemap, false),
        Some(b's') if starts_with(key, b"site-map") => (LineKind::Sitemap, true),
        _ => (LineKind::Other, false),
    }
}

#[inline]
fn is_misspelt_disallow(key: &[u8]) -> bool {
    starts_with(key, b"dissallow")
        || starts_with(key, b"dissalow")
        || starts_with(key, b"disalow")
        || starts_with(key, b"diasllow")
        || starts_with(key, b"disallaw")
}

/// Whether `key` begins with `name`; letters compare without case.
#[inline]
fn starts_with<const N: usize>(key: &[u8], name: &[u8; N]) -> bool {
    let start = key.first_chunk::<N>();
    start.is_some_and(|start| start.eq_ignore_ascii_case(name))
}
