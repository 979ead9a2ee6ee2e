//! The kind of a line, by its key. Keys match by prefix and without case, and some misspellings
//! count, as in Google's open-source parser.

/// What a line is, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineKind {
    /// Starts a group, or names another agent of the group.
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
    /// The key in lower case, under RFC 9309 §2.2 or (`sitemap`) the sitemaps protocol.
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

/// Beginnings by which keys are recognised, and whether each is an accepted misspelling.
const NAMES: [(&[u8], LineKind, bool); 12] = [
    (b"user-agent", LineKind::UserAgent, false),
    (b"allow", LineKind::Allow, false),
    (b"disallow", LineKind::Disallow, false),
    (b"sitemap", LineKind::Sitemap, false),
    (b"useragent", LineKind::UserAgent, true),
    (b"user agent", LineKind::UserAgent, true),
    (b"dissallow", LineKind::Disallow, true),
    (b"dissalow", LineKind::Disallow, true),
    (b"disalow", LineKind::Disallow, true),
    (b"diasllow", LineKind::Disallow, true),
    (b"disallaw", LineKind::Disallow, true),
    (b"site-map", LineKind::Sitemap, true),
];

/// Kind of a key, and whether it is an accepted misspelling. `Allowed` is an allow line.
#[inline]
pub(crate) fn classify(key: &[u8]) -> (LineKind, bool) {
    let begins = |name: &[u8]| {
        let start = key.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    let found = NAMES.iter().find(|(name, ..)| begins(name));
    found.map_or((LineKind::Other, false), |(_, kind, is_typo)| {
        (*kind, *is_typo)
    })
}
