//! Policies: all that a page says to robots, in one form.
//!
//! Most pages of a host say the same, so their policy is stored once. The canonical form has a line
//! for each header field, then for each meta tag in the order of the page:
//!
//! ```text
//! header x-robots-tag: noindex, nofollow
//! meta head robots: max-image-preview:large
//! http-equiv body x-robots-tag: noindex
//! ```
//!
//! Values are as written, except that white space at the ends is left out and any other white space
//! becomes one space. A policy is a function of its canonical form.

use crate::header::{EVERY_CRAWLER, is_ambiguous, read_robots_tag, read_x_robots_tag};
use crate::html::{MAX_VALUE_BYTES, Meta, Place};
use crate::named::named;
use crate::names::{Attribute, is_preference, normal};
use crate::rule::{self, Rule};

/// Most bytes of a canonical form; a longer form is cut and marked as such.
pub const MAX_BYTES: usize = 64 * 1024;

/// The last line of a form from which something was left out.
const CUT: &[u8] = b"cut\n";

/// The header fields that address robots, in the order of a canonical form.
pub const HEADER_FIELDS: [&str; 6] = [
    "x-robots-tag",
    "robots-tag",
    "content-usage",
    "content-signal",
    "tdm-reservation",
    "tdm-policy",
];

named! {
    /// Where a statement is made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Source {
        /// In a header field of the response.
        Header = "header",
        /// In a meta tag with a `name`.
        Meta = "meta",
        /// In a meta tag with an `http-equiv`.
        HttpEquiv = "http-equiv",
    }
}

/// Writes a canonical form.
#[derive(Debug)]
pub struct Writer<'w> {
    form: &'w mut Vec<u8>,
    is_cut: bool,
}

impl<'w> Writer<'w> {
    /// Begins a form in `form`, which is cleared.
    pub fn new(form: &'w mut Vec<u8>) -> Self {
        form.clear();
        Self {
            form,
            is_cut: false,
        }
    }

    /// Adds a header field; `name` is one of [`HEADER_FIELDS`]. An empty field is left out.
    pub fn header(&mut self, name: &str, value: &[u8]) {
        self.line(&format!("header {name}"), value);
    }

    /// Adds a meta tag, unless its content is empty.
    pub fn meta(&mut self, meta: &Meta<'_>) {
        let source = match meta.attribute {
            Attribute::Name => Source::Meta,
            Attribute::HttpEquiv => Source::HttpEquiv,
        };
        let name = normal(meta.name).unwrap_or_default();
        let name = String::from_utf8_lossy(&name);
        let start = format!("{} {} {name}", source.name(), meta.place.name());
        self.line(&start, meta.content);
    }

    fn line(&mut self, start: &str, value: &[u8]) {
        if self.is_cut {
            return;
        }
        let kept = cut(value);
        self.is_cut = kept.len() < value.len();
        let words = kept.split(u8::is_ascii_whitespace);
        let words: Vec<&[u8]> = words.filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return;
        }
        let line = [start.as_bytes(), b": ", &words.join(&b' '), b"\n"].concat();
        if self.form.len() + line.len() + CUT.len() <= MAX_BYTES {
            self.form.extend(line);
        } else {
            self.is_cut = true;
        }
    }

    /// Ends the form.
    pub fn finish(self) {
        if self.is_cut {
            self.form.extend_from_slice(CUT);
        }
    }
}

/// The complete items of a value within the limit: the beginning of a rule could be another rule
/// (`noindexed-by-x` becoming `noindex`). A digit after a separator may continue a date.
fn cut(value: &[u8]) -> &[u8] {
    if value.len() <= MAX_VALUE_BYTES {
        return value;
    }
    let (within, mut next) = (&value[..MAX_VALUE_BYTES], value[MAX_VALUE_BYTES]);
    for (at, &byte) in within.iter().enumerate().rev() {
        let is_end = matches!(byte, b',' | b';');
        if is_end && !next.is_ascii_digit() && !next.is_ascii_whitespace() {
            return &within[..at];
        }
        if !byte.is_ascii_whitespace() {
            next = byte;
        }
    }
    &[]
}

/// A line of a canonical form: a header field or meta tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement<'f> {
    /// Where it is written.
    pub source: Source,
    /// The place of a meta tag in the page; `None` for a header field.
    pub place: Option<Place>,
    /// Its name in lower case: a field, `robots`, or a crawler.
    pub name: &'f [u8],
    /// Its value.
    pub value: &'f [u8],
}

impl Statement<'_> {
    /// Whether it is a usage preference, which has no rules.
    #[must_use]
    pub fn is_preference(&self) -> bool {
        is_preference(self.name)
    }

    /// Calls `visit` with every rule, and the crawler that the rule addresses: `*` for all.
    pub fn rules(&self, mut visit: impl FnMut(&[u8], Rule)) {
        match (self.source, self.name) {
            _ if self.is_preference() => {}
            (Source::Header | Source::HttpEquiv, b"x-robots-tag") => {
                read_x_robots_tag(self.value, visit);
            }
            (Source::Header | Source::HttpEquiv, b"robots-tag") => {
                read_robots_tag(self.value, visit);
            }
            (_, name) => {
                let crawler = if name == b"robots" {
                    EVERY_CRAWLER
                } else {
                    name
                };
                rule::read(self.value, |rule| visit(crawler, rule));
            }
        }
    }

    /// Whether it is an X-Robots-Tag that [leaves room](is_ambiguous) for another interpretation.
    #[must_use]
    pub fn is_ambiguous(&self) -> bool {
        self.name == b"x-robots-tag" && is_ambiguous(self.value)
    }
}

/// A policy, in its canonical form.
#[derive(Debug, Clone, Copy)]
pub struct Policy<'f> {
    form: &'f [u8],
}

impl<'f> Policy<'f> {
    /// The policy with this canonical form.
    #[must_use]
    pub fn new(form: &'f [u8]) -> Self {
        Self { form }
    }

    /// Whether something was left out of the form.
    #[must_use]
    pub fn is_cut(self) -> bool {
        self.form == CUT || self.form.ends_with(b"\ncut\n")
    }

    /// Its statements, in order.
    pub fn statements(self) -> impl Iterator<Item = Statement<'f>> {
        self.form.split(|byte| *byte == b'\n').filter_map(statement)
    }
}

/// The statement in a line of a form; `None` for the last line of a form that was cut.
fn statement(line: &[u8]) -> Option<Statement<'_>> {
    let colon = memchr::memmem::find(line, b": ")?;
    let mut words = line[..colon].split(|byte| *byte == b' ');
    let source = Source::of_name(words.next()?)?;
    let place = match source {
        Source::Header => None,
        Source::Meta | Source::HttpEquiv => Some(Place::of_name(words.next()?)?),
    };
    Some(Statement {
        source,
        place,
        name: words.next()?,
        value: &line[colon + 2..],
    })
}
