//! Rules: what a value says, taken apart.
//!
//! A value is a list with commas between its rules, and a rule that has a value of its own has a
//! colon before it. White space and semicolons between rules that are known are read as commas, and
//! flagged: no source allows them, and pages have them.

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

/// The rules that somebody has defined, with the kind of their value.
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

/// The kind of the rule called `name`, in lower case; none where nobody has defined one.
#[must_use]
pub fn kind(name: &[u8]) -> Option<Kind> {
    let at = KNOWN.binary_search_by_key(&name, |(known, _)| known).ok()?;
    Some(KNOWN[at].1)
}

/// One rule, as it stands in a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Its name in lower case. Of what is not known, all of it up to a colon.
    pub name: Vec<u8>,
    /// The rule as written, with its value.
    pub raw: Vec<u8>,
    /// What stands after the colon, if there is one.
    pub value: Option<Vec<u8>>,
    /// Whether somebody has defined a rule of that name.
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
    fn of(text: &[u8]) -> Self {
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

    /// The number that it says, where it has one by its kind: -1 for no limit. What is no number
    /// says nothing (Google: "if you don't specify a parseable number, this rule is ignored").
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

/// The items of a list, between its commas. A comma within a date separates nothing: no rule begins
/// with a digit, so an item that does continues the `unavailable_after` before it.
#[must_use]
pub(crate) fn items(value: &[u8]) -> Vec<&[u8]> {
    let mut items: Vec<&[u8]> = Vec::new();
    let mut start = 0;
    let mut is_date = false;
    for comma in memchr::memchr_iter(b',', value).chain([value.len()]) {
        let item = value[start..comma].trim_ascii();
        start = comma + 1;
        if is_date
            && item.first().is_some_and(u8::is_ascii_digit)
            && let Some(last) = items.last_mut()
        {
            // All of both, with what stands between them.
            let begin = offset(value, last);
            *last = value[begin..comma].trim_ascii();
            continue;
        }
        is_date = has_date(item);
        if !item.is_empty() {
            items.push(item);
        }
    }
    items
}

/// Where `part` begins in `whole`, of which it is a slice.
fn offset(whole: &[u8], part: &[u8]) -> usize {
    part.as_ptr().addr() - whole.as_ptr().addr()
}

/// Whether an item is an `unavailable_after`, of a crawler that it names or of all.
fn has_date(item: &[u8]) -> bool {
    let mut parts = item.split(|byte| *byte == b':').map(<[u8]>::trim_ascii);
    parts
        .by_ref()
        .take(2)
        .any(|part| part.eq_ignore_ascii_case(b"unavailable_after"))
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
        read_item(item, &mut visit);
    }
}

/// The rules of one item of a list: nearly always one.
pub(crate) fn read_item(item: &[u8], visit: &mut impl FnMut(Rule)) {
    let is_separator = |byte: &u8| byte.is_ascii_whitespace() || *byte == b';';
    let words = || item.split(is_separator).filter(|word| !word.is_empty());
    let are_rules = words().count() > 1 && words().all(is_complete);
    if !are_rules {
        let text = item.trim_ascii();
        if !text.is_empty() {
            visit(Rule::of(text));
        }
        return;
    }
    for word in words() {
        visit(Rule {
            is_tolerated: true,
            ..Rule::of(word)
        });
    }
}

/// Whether a word is a known rule with all that belongs to it, so that another may follow.
fn is_complete(word: &[u8]) -> bool {
    let rule = Rule::of(word);
    match kind(&rule.name) {
        Some(Kind::Flag) => rule.value.is_none(),
        Some(Kind::Number) => rule.number().is_some(),
        Some(Kind::Size) => rule.size().is_some(),
        Some(Kind::Time) | None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(value: &str) -> Vec<String> {
        let mut rules = Vec::new();
        read(value.as_bytes(), |rule| {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let value = rule
                .value
                .as_deref()
                .map(|value| format!("={}", text(value)));
            let mark = if rule.is_tolerated { "~" } else { "" };
            let known = if rule.is_known { "" } else { "?" };
            rules.push(format!(
                "{mark}{known}{}{}",
                text(&rule.name),
                value.unwrap_or_default()
            ));
        });
        rules
    }

    #[test]
    fn known_rules_are_in_order() {
        assert!(KNOWN.is_sorted_by_key(|(name, _)| *name));
    }

    #[test]
    fn values_are_lists() {
        assert_eq!(rules(" NOINDEX ,, follow,"), ["noindex", "follow"]);
        assert_eq!(rules(""), Vec::<String>::new());
        assert_eq!(
            rules("max-snippet:-1, foo:bar, foo bar"),
            ["max-snippet=-1", "?foo=bar", "?foo bar"]
        );
    }

    #[test]
    fn other_separators_are_tolerated_between_known_rules() {
        assert_eq!(rules("noindex nofollow"), ["~noindex", "~nofollow"]);
        assert_eq!(
            rules("noindex;nofollow, all"),
            ["~noindex", "~nofollow", "all"]
        );
        assert_eq!(
            rules("max-snippet:20 noindex"),
            ["~max-snippet=20", "~noindex"]
        );
        assert_eq!(rules("please noindex"), ["?please noindex"]);
    }

    #[test]
    fn commas_of_dates_divide_nothing() {
        assert_eq!(
            rules("unavailable_after: Saturday, 01-Jan-00 00:00:00 GMT, noindex"),
            [
                "unavailable_after=Saturday, 01-Jan-00 00:00:00 GMT",
                "noindex"
            ]
        );
        assert_eq!(
            rules("noindex, unavailable_after: Jun 25, 2010, 15:00:00 PST"),
            ["noindex", "unavailable_after=Jun 25, 2010, 15:00:00 PST"]
        );
        assert_eq!(rules("noindex, 25"), ["noindex", "?25"]);
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
