//! Rules: the parts of a value.
//!
//! A value is a list of rules with commas between them; if a rule has a value of its own, a colon
//! precedes it. The module `list` defines which other separators are tolerated.

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
    /// Whether white space or a semicolon replaces a comma before or after the rule.
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

    /// A rule with the name and value of a structured field's parameter.
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

    /// Its value, if rules of its name take a value of this kind.
    fn value_of(&self, kind_of_value: Kind) -> Option<&[u8]> {
        let is_of_kind = kind(&self.name) == Some(kind_of_value);
        self.value.as_deref().filter(|_| is_of_kind)
    }

    /// Its number (-1 for no limit), if rules of its kind take a number. Other text is ignored
    /// (Google: "if you don't specify a parseable number, this rule is ignored").
    #[must_use]
    pub fn number(&self) -> Option<i64> {
        let value = std::str::from_utf8(self.value_of(Kind::Number)?).ok()?;
        value.parse().ok().filter(|number| *number >= -1)
    }

    /// Its size, if rules of its kind take a size.
    #[must_use]
    pub fn size(&self) -> Option<ImagePreview> {
        ImagePreview::of_name(self.value_of(Kind::Size)?)
    }

    /// Its time, in seconds since 1970-01-01T00:00:00Z, if rules of its kind take a time.
    #[must_use]
    pub fn time(&self) -> Option<i64> {
        parse_time(self.value_of(Kind::Time)?)
    }
}

named! {
    /// How large an image preview may be, the most restrictive value first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub enum ImagePreview {
        /// No preview.
        None = "none",
        /// A preview of the usual size.
        Standard = "standard",
        /// A large preview.
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
