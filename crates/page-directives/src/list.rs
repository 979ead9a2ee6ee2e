//! Lists: where one rule ends and the next begins.
//!
//! Commas separate rules; the sources allow nothing else. Pages also use semicolons and white
//! space. A semicolon is read as a comma. White space separates rules only before the name of a
//! known rule, and only if every word between the commas belongs to a known rule: so a sentence is
//! not read as rules. The value of a rule begins with the first word after its colon, whatever that
//! is, and ends before the next name of a known rule. Rules that are split like this are flagged.
//!
//! Dates contain commas, white space and colons. An item that begins with a digit and follows a
//! date after a comma belongs to the date, because no rule begins with a digit.

use crate::kind::kind;

/// The text between two separators of a list: nearly always one rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Item<'v> {
    /// Its text, without surrounding white space; not empty.
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
            // Both items, with the text between them.
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

/// Whether `text` ends in the value of an `unavailable_after`; `is_date` if it begins in one.
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

fn begins_rule(word: &[u8]) -> bool {
    let name = &word[..memchr::memchr(b':', word).unwrap_or(word.len())];
    kind(&name.to_ascii_lowercase()).is_some()
}

impl<'v> Item<'v> {
    pub(crate) fn rules(&self) -> Vec<&'v [u8]> {
        let starts = starts(self.text);
        let ends = starts.iter().skip(1).copied().chain([self.text.len()]);
        let bounds = starts.iter().zip(ends);
        let texts = bounds.map(|(&start, end)| self.text[start..end].trim_ascii());
        texts.collect()
    }
}

/// The part of a rule in which a word of an item ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RulePart {
    Name,
    Colon,
    Value,
}

/// Where the rules of an item begin: one rule unless every word belongs to a known rule.
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
