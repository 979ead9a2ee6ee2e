//! Lists: where one rule ends and the next begins.
//!
//! Commas stand between rules; no source allows anything else, and pages have it. A semicolon is
//! read as a comma. White space is, before the name of a known rule, where all else that stands
//! between the commas belongs to known rules too; so the words of a sentence are not rules. The
//! value of a rule begins with the first word after its colon, whatever that is, and ends before
//! the next name of a known rule. Rules that are split like this are flagged.
//!
//! Dates hold commas, spaces and colons: no rule begins with a digit, so what does and follows a
//! date after a comma belongs to it.

use crate::rule::{Rule, kind};

/// What stands between two separators of a list: nearly always one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item<'v> {
    /// Its text, without white space around; not empty.
    pub(crate) text: &'v [u8],
    /// Whether a semicolon precedes or follows it.
    pub(crate) has_semicolon: bool,
}

/// The items of a list, between its commas and semicolons.
#[must_use]
pub(crate) fn items(value: &[u8]) -> Vec<Item<'_>> {
    let mut items: Vec<Item<'_>> = Vec::new();
    // Where the text of the last item begins.
    let mut begin = 0;
    let mut start = 0;
    let mut is_date = false;
    let mut is_after_semicolon = false;
    for end in memchr::memchr2_iter(b',', b';', value).chain([value.len()]) {
        let text = value[start..end].trim_ascii();
        let is_before_semicolon = value.get(end) == Some(&b';');
        let continues_date =
            is_date && !is_after_semicolon && text.first().is_some_and(u8::is_ascii_digit);
        if let Some(last) = items.last_mut().filter(|_| continues_date) {
            // All of both, with what stands between them.
            last.text = value[begin..end].trim_ascii();
            last.has_semicolon |= is_before_semicolon;
            is_date = ends_in_date(text, true);
        } else {
            is_date = ends_in_date(text, false);
            if !text.is_empty() {
                begin = start;
                let has_semicolon = is_after_semicolon || is_before_semicolon;
                items.push(Item {
                    text,
                    has_semicolon,
                });
            }
        }
        is_after_semicolon = is_before_semicolon;
        start = end + 1;
    }
    items
}

/// Whether what stands last in `text` is the value of an `unavailable_after`; `is_date` says
/// whether its beginning is.
fn ends_in_date(text: &[u8], mut is_date: bool) -> bool {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || *byte == b':';
    for word in text.split(is_between).filter(|word| !word.is_empty()) {
        if word.eq_ignore_ascii_case(b"unavailable_after") {
            is_date = true;
        } else if is_date {
            is_date = !begins_rule(word);
        }
    }
    is_date
}

/// Whether a word begins with the name of a known rule.
fn begins_rule(word: &[u8]) -> bool {
    let name = &word[..memchr::memchr(b':', word).unwrap_or(word.len())];
    kind(&name.to_ascii_lowercase()).is_some()
}

impl Item<'_> {
    /// Calls `visit` with its rules.
    pub(crate) fn read(&self, visit: &mut impl FnMut(Rule)) {
        let starts = starts(self.text);
        let ends = starts.iter().skip(1).copied().chain([self.text.len()]);
        for (&start, end) in starts.iter().zip(ends) {
            visit(Rule {
                is_tolerated: self.has_semicolon || starts.len() > 1,
                ..Rule::of(self.text[start..end].trim_ascii())
            });
        }
    }
}

/// What the words of an item have said of the rule that they belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RulePart {
    /// Its name.
    Name,
    /// Its name and the colon.
    Colon,
    /// Its value, or the beginning of that.
    Value,
}

/// Where the rules of an item begin: it is one rule unless every word of it belongs to a known one.
fn starts(text: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut said = None;
    let mut at = 0;
    for word in text.split(u8::is_ascii_whitespace) {
        let start = at;
        at += word.len() + 1;
        if word.is_empty() {
            continue;
        }
        said = Some(match said {
            Some(RulePart::Colon) => RulePart::Value,
            Some(RulePart::Name) if word == b":" => RulePart::Colon,
            Some(RulePart::Name) if word[0] == b':' => RulePart::Value,
            _ if begins_rule(word) => {
                starts.push(start);
                match memchr::memchr(b':', word) {
                    None => RulePart::Name,
                    Some(colon) if colon + 1 == word.len() => RulePart::Colon,
                    Some(_) => RulePart::Value,
                }
            }
            Some(RulePart::Value) => RulePart::Value,
            Some(RulePart::Name) | None => return vec![0],
        });
    }
    starts
}

#[cfg(test)]
mod tests {
    use crate::rule::read;

    /// Compares the rules of a list as `name=value`, with `|` between them, `~` before those that
    /// are flagged, `?` before those that are unknown.
    #[track_caller]
    fn assert_rules(value: &str, expected: &str) {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let mut rules = Vec::new();
        read(value.as_bytes(), |rule| {
            let tolerated = if rule.is_tolerated { "~" } else { "" };
            let known = if rule.is_known { "" } else { "?" };
            let value = rule.value.map(|value| format!("={}", text(&value)));
            let value = value.unwrap_or_default();
            rules.push(format!("{tolerated}{known}{}{value}", text(&rule.name)));
        });
        assert_eq!(rules.join(" | "), expected, "{value}");
    }

    #[test]
    fn values_are_lists() {
        assert_rules(" NOINDEX ,, follow,", "noindex | follow");
        assert_rules("", "");
        assert_rules(" ;, ;", "");
        assert_rules(
            "max-snippet:-1, foo:bar, foo bar",
            "max-snippet=-1 | ?foo=bar | ?foo bar",
        );
    }

    #[test]
    fn semicolons_are_commas() {
        assert_rules("noindex;nofollow, all", "~noindex | ~nofollow | all");
        assert_rules("noindex, nofollow;", "noindex | ~nofollow");
        assert_rules("noindex; foo bar", "~noindex | ~?foo bar");
        assert_rules(
            "noindex;unavailable_after: 2020-09-21",
            "~noindex | ~unavailable_after=2020-09-21",
        );
        assert_rules(
            "unavailable_after: 2020-09-21; nofollow",
            "~unavailable_after=2020-09-21 | ~nofollow",
        );
        assert_rules(
            "unavailable_after: Wed, 21 Oct 2015 07:28:00 GMT; 25, nofollow",
            "~unavailable_after=Wed, 21 Oct 2015 07:28:00 GMT | ~?25 | nofollow",
        );
    }

    #[test]
    fn white_space_divides_known_rules() {
        assert_rules("noindex nofollow", "~noindex | ~nofollow");
        assert_rules("max-snippet:20 noindex", "~max-snippet=20 | ~noindex");
        assert_rules("max-snippet: 50 noindex", "~max-snippet=50 | ~noindex");
        assert_rules(
            "noindex Max-Snippet : 20 max-video-preview :5",
            "~noindex | ~max-snippet=20 | ~max-video-preview=5",
        );
        assert_rules(
            "unavailable_after: 2020-09-21 nofollow",
            "~unavailable_after=2020-09-21 | ~nofollow",
        );
        assert_rules(
            "noindex unavailable_after: 21 Oct 2015 07:28:00 GMT nofollow",
            "~noindex | ~unavailable_after=21 Oct 2015 07:28:00 GMT | ~nofollow",
        );
    }

    #[test]
    fn the_first_word_of_a_value_is_no_rule() {
        assert_rules(
            "max-image-preview: none noindex",
            "~max-image-preview=none | ~noindex",
        );
        assert_rules("max-snippet: none", "max-snippet=none");
        assert_rules("max-snippet: 50 characters", "max-snippet=50 characters");
    }

    #[test]
    fn sentences_are_no_rules() {
        assert_rules("please noindex", "?please noindex");
        assert_rules("index all pages", "?index all pages");
        assert_rules("max-snippet 20", "?max-snippet 20");
    }

    #[test]
    fn commas_of_dates_divide_nothing() {
        assert_rules(
            "unavailable_after: Saturday, 01-Jan-00 00:00:00 GMT, noindex",
            "unavailable_after=Saturday, 01-Jan-00 00:00:00 GMT | noindex",
        );
        assert_rules(
            "noindex, unavailable_after: Jun 25, 2010, 15:00:00 PST",
            "noindex | unavailable_after=Jun 25, 2010, 15:00:00 PST",
        );
        assert_rules(
            "noindex unavailable_after: Jun 25, 2010, 15:00:00 PST nofollow, 25",
            "~noindex | ~unavailable_after=Jun 25, 2010, 15:00:00 PST | ~nofollow | ?25",
        );
        assert_rules("noindex, 25", "noindex | ?25");
    }
}
