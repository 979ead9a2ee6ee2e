//! Header fields: X-Robots-Tag, which has no published grammar, and Robots-Tag, which is a
//! structured field.
//!
//! In X-Robots-Tag the name of a crawler and a colon may precede a rule, and commas separate rules:
//! `otherbot: noindex, nofollow, googlebot: nofollow`. A colon also precedes the value of a rule,
//! and the date of `unavailable_after` contains both commas and colons. The text before the first
//! colon of an item is the name of a rule if a rule of that name is known. Otherwise it is the name
//! of a crawler, if it has the form of a name; the rules up to the next such name apply to that
//! crawler.

use sfv::{BareItem, List, ListEntry, Parser};

use crate::list;
use crate::names::normal;
use crate::rule::{self, Kind, Rule};

/// The name that addresses every crawler.
pub const EVERY_CRAWLER: &[u8] = b"*";

/// Calls `visit` with every rule of an X-Robots-Tag field, and the crawler that the rule is for.
///
/// ```
/// use page_directives::header::read_x_robots_tag;
///
/// let mut found = Vec::new();
/// read_x_robots_tag(b"noarchive, BadBot: noindex, nofollow", |crawler, rule| {
///     found.push((crawler.to_vec(), rule.name));
/// });
/// assert_eq!(found, [
///     (b"*".to_vec(), b"noarchive".to_vec()),
///     (b"badbot".to_vec(), b"noindex".to_vec()),
///     (b"badbot".to_vec(), b"nofollow".to_vec()),
/// ]);
/// ```
pub fn read_x_robots_tag(value: &[u8], mut visit: impl FnMut(&[u8], Rule)) {
    let mut crawler = EVERY_CRAWLER.to_vec();
    for mut item in list::items(value) {
        if let Some((name, after)) = crawler_of(item.text) {
            (crawler, item.text) = (name, after);
        }
        rule::read_item(&item, |rule| visit(&crawler, rule));
    }
}

/// The crawler that an item names before its first colon, and the text after it.
fn crawler_of(item: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let colon = memchr::memchr(b':', item)?;
    let name = normal(&item[..colon])?;
    let is_rule = rule::kind(&name).is_some();
    (!is_rule).then(|| (name, item[colon + 1..].trim_ascii()))
}

/// Calls `visit` with every rule of a Robots-Tag field (draft-illyes-repext-03 §3.1.1), and the
/// crawler that the rule is for. A crawler without rules is not visited. False if the field is not
/// a List (RFC 9651 §4.2), and so has no rules. A semicolon with nothing after it, as in the
/// draft's own example, is ignored.
pub fn read_robots_tag(value: &[u8], mut visit: impl FnMut(&[u8], Rule)) -> bool {
    let value = without_empty_parameters(value);
    let Ok(members) = Parser::new(&value).parse::<List>() else {
        return false;
    };
    for member in members {
        // Tokens and strings name crawlers; inner lists and numbers do not.
        let ListEntry::Item(item) = member else {
            continue;
        };
        let crawler = match &item.bare_item {
            BareItem::Token(token) => token.as_str(),
            BareItem::String(text) if !text.as_str().is_empty() => text.as_str(),
            _ => continue,
        };
        let crawler = crawler.to_ascii_lowercase();
        for (name, value) in &item.params {
            let value = match value {
                BareItem::Boolean(false) => continue,
                BareItem::Boolean(true) => None,
                BareItem::Token(token) => Some(token.as_str().to_owned()),
                BareItem::String(text) => Some(text.as_str().to_owned()),
                BareItem::Integer(number) => Some(number.to_string()),
                BareItem::Decimal(number) => Some(number.to_string()),
                _ => Some(String::new()),
            };
            let value = value.as_deref().map(str::as_bytes);
            let rule = Rule::of_parameter(name.as_str().as_bytes(), value);
            visit(crawler.as_bytes(), rule);
        }
    }
    true
}

/// Drops unquoted semicolons before a comma or the end, ignoring white space between.
fn without_empty_parameters(value: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(value.len());
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (at, byte) in value.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b';' if !is_quoted => {
                let mut after = value[at + 1..].iter();
                let next = after.find(|byte| !byte.is_ascii_whitespace());
                if next.is_none_or(|next| *next == b',') {
                    continue;
                }
            }
            _ => {}
        }
        kept.push(*byte);
    }
    kept
}

/// Whether a field leaves room for another interpretation: the name of a crawler follows a rule, so
/// a proxy may have joined two fields; or the text before a colon names neither a rule nor a
/// crawler.
#[must_use]
pub fn is_ambiguous(value: &[u8]) -> bool {
    let items = list::items(value);
    let mut items = items.iter().map(|item| item.text).enumerate();
    items.any(|(at, item)| {
        let Some(colon) = memchr::memchr(b':', item) else {
            return false;
        };
        if crawler_of(item).is_some() {
            return at > 0;
        }
        let name = item[..colon].trim_ascii().to_ascii_lowercase();
        !rule::kind(&name).is_some_and(|kind| kind != Kind::Flag)
    })
}
