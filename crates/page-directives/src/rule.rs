//! Rules: what a value says, taken apart.
//!
//! A value is a list with commas between its rules, and a rule that has a value of its own has a
//! colon before it. The module `list` says what else may stand between rules.

use crate::list::items;
use crate::time::parse_time;

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

/// One rule, as written in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name in lower case; the whole text up to a colon if the rule is not known.
    pub name: Vec<u8>,
    /// The rule as written, with its value.
    pub raw: Vec<u8>,
    /// What stands after the colon, if there is one.
    pub value: Option<Vec<u8>>,
    /// Whether a source defines a rule of that name.
    pub is_known: bool,
    /// Whether white space or a semicolon stands where a comma should, before or after it.
    pub is_tolerated: bool,
}

impl Rule {
    /// A rule with the name and value of a parameter, as structured fields have it.
    #[must_use]
    pub fn of_parameter(name: &[u8], value: Option<&[u8]>) -> Self {
        let name = name.to_ascii_lowercase();
        let raw = match value {
            Some(value) => [&name, &b"="[..], value].concat(),
            None => name.clone(),
        };
        Self {
            is_known: kind(&name).is_some(),
            raw,
            value: value.map(<[u8]>::to_vec),
            name,
            is_tolerated: false,
        }
    }

    /// The rule in `text`, which is not empty.
    pub(crate) fn of(text: &[u8]) -> Self {
        let (name, value) = match memchr::memchr(b':', text) {
            Some(colon) => (&text[..colon], Some(text[colon + 1..].trim_ascii())),
            None => (text, None),
        };
        let name = name.trim_ascii().to_ascii_lowercase();
        Self {
            is_known: kind(&name).is_some(),
            name,
            raw: text.to_vec(),
            value: value.map(<[u8]>::to_vec),
            is_tolerated: false,
        }
    }

    /// Its number, if rules of its kind take one: -1 for no limit. Other text is ignored (Google:
    /// "if you don't specify a parseable number, this rule is ignored").
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        if kind(&self.name) != Some(Kind::Number) {
            return None;
        }
        let value = std::str::from_utf8(self.value.as_deref()?).ok()?;
        value.parse().ok().filter(|number| *number >= -1)
    }

    /// The size that it says.
    #[must_use]
    pub fn size(&self) -> Option<ImagePreview> {
        if kind(&self.name) != Some(Kind::Size) {
            return None;
        }
        let value = self.value.as_deref()?;
        ImagePreview::ALL
            .into_iter()
            .find(|size| value.eq_ignore_ascii_case(size.name().as_bytes()))
    }

    /// The time that it says; seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn time(&self) -> Option<i64> {
        if kind(&self.name) != Some(Kind::Time) {
            return None;
        }
        parse_time(self.value.as_deref()?)
    }
}

/// How large an image preview may be, from the most restrictive on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ImagePreview {
    /// None at all.
    None,
    /// One of the usual size.
    Standard,
    /// A large one.
    Large,
}

impl ImagePreview {
    /// Every size.
    pub const ALL: [Self; 3] = [Self::None, Self::Standard, Self::Large];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Standard => "standard",
            Self::Large => "large",
        }
    }
}

/// Calls `visit` with every rule of the content of a meta tag.
///
/// ```
/// use page_directives::rule::read;
///
/// let mut names = Vec::new();
/// read(b"NoIndex, max-snippet: 20", |rule| names.push((rule.name, rule.value)));
/// assert_eq!(names, [
///     (b"noindex".to_vec(), None),
///     (b"max-snippet".to_vec(), Some(b"20".to_vec())),
/// ]);
/// ```
pub fn read(value: &[u8], mut visit: impl FnMut(Rule)) {
    for item in items(value) {
        item.read(&mut visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rules_are_in_order() {
        assert!(KNOWN.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn values_have_a_kind() {
        let rule = |text: &str| Rule::of(text.as_bytes());
        assert_eq!(rule("max-snippet: 20").number(), Some(20));
        assert_eq!(rule("max-snippet: -2").number(), None);
        assert_eq!(rule("max-snippet: many").number(), None);
        assert_eq!(rule("noindex: 20").number(), None);
        assert_eq!(
            rule("max-image-preview:LARGE").size(),
            Some(ImagePreview::Large)
        );
        assert_eq!(rule("max-image-preview:huge").size(), None);
        assert_eq!(
            rule("unavailable_after: 2020-09-21").time(),
            Some(1_600_646_400)
        );
    }
}
