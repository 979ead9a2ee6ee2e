//! The kind of a line, and how its key decides it.
//!
//! Used by the line reader. Keys match by prefix and without case, and some
//! misspellings count, as in Google's open-source parser.

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
    /// The name that RFC 9309 §2.2 (for `sitemap`, the sitemaps protocol) gives
    /// the key, in lower case.
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

/// Kind of a key, and whether it is an accepted misspelling. Keys match by
/// prefix: `Allowed` is an allow line. The first octet decides which prefixes
/// are compared at all.
#[inline]
pub(crate) fn classify(key: &[u8]) -> (LineKind, bool) {
    let (kind, exact, misspelt): (_, &[u8], &[&[u8]]) = match key.first().map(|first| first | 0x20)
    {
        Some(b'u') => (
            LineKind::UserAgent,
            b"user-agent",
            &[b"useragent", b"user agent"],
        ),
        Some(b'a') => (LineKind::Allow, b"allow", &[]),
        Some(b'd') => (LineKind::Disallow, b"disallow", &DISALLOW_MISSPELT),
        Some(b's') => (LineKind::Sitemap, b"sitemap", &[b"site-map"]),
        _ => return (LineKind::Other, false),
    };
    if starts_with(key, exact) {
        (kind, false)
    } else if misspelt.iter().any(|name| starts_with(key, name)) {
        (kind, true)
    } else {
        (LineKind::Other, false)
    }
}

const DISALLOW_MISSPELT: [&[u8]; 5] = [
    b"dissallow",
    b"dissalow",
    b"disalow",
    b"diasllow",
    b"disallaw",
];

/// Whether `key` begins with `name`, ignoring ASCII case.
#[inline]
fn starts_with(key: &[u8], name: &[u8]) -> bool {
    key.get(..name.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::LineKind::{Allow, Disallow, Other, Sitemap, UserAgent};
    use super::*;

    #[test]
    fn keys_match_by_prefix_and_misspelling() {
        for (key, kind, is_typo) in [
            ("User-Agent", UserAgent, false),
            ("user-agents", UserAgent, false),
            ("useragent", UserAgent, true),
            ("USER AGENT", UserAgent, true),
            ("user_agent", Other, false),
            ("user", Other, false),
            ("Allowed", Allow, false),
            ("alow", Other, false),
            ("disallow", Disallow, false),
            ("dissallow", Disallow, true),
            ("dissalow", Disallow, true),
            ("disalow", Disallow, true),
            ("diasllow", Disallow, true),
            ("disallaw", Disallow, true),
            ("disalllow", Other, false),
            ("desallow", Other, false),
            ("sitemap", Sitemap, false),
            ("site-map", Sitemap, true),
            ("site map", Other, false),
            ("Crawl-delay", Other, false),
            ("", Other, false),
        ] {
            assert_eq!(classify(key.as_bytes()), (kind, is_typo), "{key}");
        }
    }
}
