//! Rules: what a value says, taken apart.
//!
//! A value is a list with commas between its rules, and a rule that has a value of its own has a
//! colon before it. The module `list` says what else may stand between rules.

use crate::list::{Item, items};
use crate::named::named;
use crate::time::parse_time;

pub use crate::kind::{Kind, kind};

/// One rule, as written in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name in lower case; the whole text up to a colon if the rule is not known.
    pub name: Vec<u8>,
    /// The rule as written, with its value; a parameter of Robots-Tag as `name` or `name=value`,
    /// without quotes.
    pub raw: Vec<u8>,
    /// The text after the colon, if there is one.
    pub value: Option<Vec<u8>>,
    /// Whether a source defines a rule of that name.
    pub is_known: bool,
    /// Whether white space or a semicolon is where a comma should be, before or after it.
    pub is_tolerated: bool,
}

impl Rule {
    fn new(name: &[u8], value: Option<&[u8]>, raw: Vec<u8>) -> Self {
        let name = name.to_ascii_lowercase();
        Self {
            is_known: kind(&name).is_some(),
            name,
            raw,
            value: value.map(<[u8]>::to_vec),
            is_tolerated: false,
        }
    }

    /// A rule with the name and value of a parameter, as structured fields have it.
    pub(crate) fn of_parameter(name: &[u8], value: Option<&[u8]>) -> Self {
        let mut raw = name.to_ascii_lowercase();
        if let Some(value) = value {
            raw.push(b'=');
            raw.extend_from_slice(value);
        }
        Self::new(name, value, raw)
    }

    /// The rule in `text`, which is not empty.
    pub(crate) fn of(text: &[u8]) -> Self {
        let (name, value) = match memchr::memchr(b':', text) {
            Some(colon) => (&text[..colon], Some(text[colon + 1..].trim_ascii())),
            None => (text, None),
        };
        Self::new(name.trim_ascii(), value, text.to_vec())
    }

    /// Its value, if rules of its name take one of this kind.
    fn value_of(&self, kind_of_value: Kind) -> Option<&[u8]> {
        let is_of_kind = kind(&self.name) == Some(kind_of_value);
        self.value.as_deref().filter(|_| is_of_kind)
    }

    /// Its number, if rules of its kind take one: -1 for no limit. Other text is ignored (Google:
    /// "if you don't specify a parseable number, this rule is ignored").
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        let value = std::str::from_utf8(self.value_of(Kind::Number)?).ok()?;
        value.parse().ok().filter(|number| *number >= -1)
    }

    /// The size that it says.
    #[must_use]
    pub fn size(&self) -> Option<ImagePreview> {
        ImagePreview::of_name(self.value_of(Kind::Size)?)
    }

    /// The time that it says; seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub fn time(&self) -> Option<i64> {
        parse_time(self.value_of(Kind::Time)?)
    }
}

named! {
    /// How large an image preview may be, from the most restrictive on.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ImagePreview {
        /// None at all.
        None = "none",
        /// One of the usual size.
        Standard = "standard",
        /// A large one.
        Large = "large",
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
        read_item(&item, &mut visit);
    }
}

pub(crate) fn read_item(item: &Item<'_>, mut visit: impl FnMut(Rule)) {
    let rules = item.rules();
    let is_tolerated = item.has_semicolon || rules.len() > 1;
    for text in rules {
        visit(Rule {
            is_tolerated,
            ..Rule::of(text)
        });
    }
}
