//! Prescan: whether a page has a tag that may address robots, and how far the page must be read.
//!
//! If the tokenizer takes `<meta` for a tag, it continues in the states of attributes (HTML Living
//! Standard §13.2.5.32 to §13.2.5.40), whatever came before. So reading these states from every
//! `<meta` finds every tag that the tokenizer finds, with the same end and the same attributes; and
//! false tags, where the tokenizer does not look for tags. Names are compared as written; a name
//! with a character reference counts as a match.

use memchr::memmem::find_iter;

use crate::names::{Attribute, addresses_robots};

/// Limit on the bytes read, as a multiple of the page's length: each tag without an end is read to
/// the end of the page, which could take quadratic time.
const MAX_READINGS: usize = 4;

/// What a prescan finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Candidates {
    /// No tag addresses robots.
    None,
    /// The last tag that may do so ends here.
    EndingAt(usize),
    /// Too many tags have no end: only tokenizing the whole page can decide.
    Unknown,
}

/// Looks for meta tags that may address robots, in time linear in the length of the page.
#[must_use]
pub fn candidates(html: &[u8]) -> Candidates {
    let mut last = None;
    let mut budget = html.len() * MAX_READINGS;
    // Every spelling of `<meta` begins with one of these (as does `<main`, rejected below).
    for first in [b"<m", b"<M"] {
        for at in find_iter(html, first) {
            let Some(tag) = begin_of_tag(&html[at..], b"<meta") else {
                continue;
            };
            let mut attributes = Attributes { rest: tag };
            let mut is_candidate = false;
            while let Some((name, value)) = attributes.next() {
                is_candidate |= may_address_robots(name, value);
            }
            let end = html.len() - attributes.rest.len();
            match budget.checked_sub(end - at) {
                Some(left) => budget = left,
                None => return Candidates::Unknown,
            }
            // A tag that the end of the page cuts off does not count.
            if is_candidate && html[end - 1] == b'>' {
                last = last.max(Some(end));
            }
        }
    }
    last.map_or(Candidates::None, Candidates::EndingAt)
}

pub(super) fn end_of_last_html_tag(html: &[u8]) -> Option<usize> {
    let begins = |at: &usize| begin_of_tag(&html[*at..], b"<html").is_some();
    let last = |first| find_iter(html, first).filter(begins).last();
    let at = last(b"<h").max(last(b"<H"))?;
    let rest = begin_of_tag(&html[at..], b"<html")?;
    let mut attributes = Attributes { rest };
    while attributes.next().is_some() {}
    Some(html.len() - attributes.rest.len())
}

/// The text after `tag`, such as `<meta` in any case, if `html` begins with a tag of this name.
fn begin_of_tag<'h>(html: &'h [u8], tag: &[u8]) -> Option<&'h [u8]> {
    let (name, rest) = html.split_at_checked(tag.len())?;
    let is_name = name.eq_ignore_ascii_case(tag)
        && rest
            .first()
            .is_some_and(|byte| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>'));
    is_name.then_some(rest)
}

fn may_address_robots(name: &[u8], value: &[u8]) -> bool {
    Attribute::of_name(name).is_some_and(|it| addresses_robots(it, value) || value.contains(&b'&'))
}

/// Reads attributes up to the end of their tag, where `rest` then begins.
struct Attributes<'h> {
    rest: &'h [u8],
}

impl<'h> Attributes<'h> {
    /// The next attribute; `None` at the end of the tag, or of the page.
    fn next(&mut self) -> Option<(&'h [u8], &'h [u8])> {
        self.skip(|byte| byte.is_ascii_whitespace() || *byte == b'/');
        if self.rest.first().is_none_or(|byte| *byte == b'>') {
            self.rest = self.rest.get(1..).unwrap_or_default();
            return None;
        }
        // An equals sign at the start is part of the name.
        let end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'/' | b'>' | b'=');
        let length = self.rest[1..].iter().position(end);
        let name = self.take(length.map_or(self.rest.len(), |length| length + 1));
        self.skip(u8::is_ascii_whitespace);
        if self.rest.first() != Some(&b'=') {
            return Some((name, b""));
        }
        self.take(1);
        self.skip(u8::is_ascii_whitespace);
        let value = if let Some(quote @ (b'"' | b'\'')) = self.rest.first() {
            self.take(1);
            let end = memchr::memchr(*quote, self.rest);
            let value = self.take(end.unwrap_or(self.rest.len()));
            self.take(1.min(self.rest.len()));
            value
        } else {
            let end = |byte: &u8| byte.is_ascii_whitespace() || *byte == b'>';
            let length = self.rest.iter().position(end);
            self.take(length.unwrap_or(self.rest.len()))
        };
        Some((name, value))
    }

    fn skip(&mut self, is_skipped: impl Fn(&u8) -> bool) {
        let end = self.rest.iter().position(|byte| !is_skipped(byte));
        self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
    }

    fn take(&mut self, length: usize) -> &'h [u8] {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        taken
    }
}
