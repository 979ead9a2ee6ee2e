//! What a body is, apart from its rules: its encoding and its class.

use memchr::{memchr_iter, memmem};

use super::document::{Counts, Document};
use super::remark::Remark;
use crate::named::named;

/// Remarks kept for a file that is not a robots.txt (a page, an image): all its lines are wrong.
pub const MAX_FOREIGN_REMARKS: usize = 10;

named! {
    /// How the bytes of a body encode text.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Encoding {
        /// UTF-8, US-ASCII included.
        Utf8 = "utf-8",
        /// UTF-8 after a byte order mark.
        Utf8Bom = "utf-8-bom",
        /// UTF-16, by its byte order mark.
        Utf16 = "utf-16",
        /// Anything else.
        Other = "other",
    }
}

impl Encoding {
    /// The encoding of `body`; the caller knows whether it is valid UTF-8.
    #[must_use]
    pub fn of(body: &[u8], is_valid_utf8: bool) -> Self {
        match body {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Self::Utf16,
            [0xef, 0xbb, 0xbf, ..] if is_valid_utf8 => Self::Utf8Bom,
            _ if is_valid_utf8 => Self::Utf8,
            _ => Self::Other,
        }
    }
}

named! {
    /// What a body is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ContentClass {
        /// Some rule in a group.
        Rules = "rules",
        /// robots.txt lines (comments included), but no rule in a group.
        NoRules = "no_rules",
        /// Nothing but white space.
        Empty = "empty",
        /// An HTML or XML page.
        Html = "html",
        /// NULs or other control bytes abound.
        Binary = "binary",
        /// Still compressed.
        Compressed = "compressed",
        /// Any other text.
        Other = "other",
    }
}

impl ContentClass {
    /// The class of a file: `body` is its [identified](crate::limit::identified) bytes, and
    /// `document` was read from them.
    #[must_use]
    pub fn of_document(body: &[u8], document: &Document<'_>) -> Self {
        let has_rules = !document.rules.is_empty();
        let begins_with_any = |magics: &[&[u8]]| magics.iter().any(|it| body.starts_with(it));
        let text = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
        let start = text.trim_ascii_start();
        if start.is_empty() {
            Self::Empty
        } else if begins_with_any(COMPRESSED) {
            Self::Compressed
        } else if begins_with_any(BINARY) || (!has_rules && has_many_controls(body)) {
            Self::Binary
        } else if begins_with_tag(start, FIRST_TAGS) || (!has_rules && is_markup(start)) {
            Self::Html
        } else if has_rules {
            Self::Rules
        } else if is_half_known(&document.counts) {
            Self::NoRules
        } else {
            Self::Other
        }
    }

    /// Whether a body of this class is a robots.txt, not something served in its place.
    #[must_use]
    pub const fn is_robots_txt(self) -> bool {
        match self {
            Self::Rules | Self::NoRules | Self::Empty => true,
            Self::Html | Self::Binary | Self::Compressed | Self::Other => false,
        }
    }

    /// The `remarks` of a file of this class that are worth keeping.
    #[must_use]
    pub fn worth_keeping<'r, 'a>(self, remarks: &'r [Remark<'a>]) -> &'r [Remark<'a>] {
        if self.is_robots_txt() {
            remarks
        } else {
            &remarks[..remarks.len().min(MAX_FOREIGN_REMARKS)]
        }
    }
}

/// Whether at least half of the non-blank lines are known directives or comments. A file whose
/// first line is over the limit has no lines.
fn is_half_known(counts: &Counts) -> bool {
    let not_blank = counts.lines - counts.blank_lines;
    let known = not_blank - counts.invalid_lines - counts.unknown_directives;
    not_blank > 0 && known >= not_blank.div_ceil(2)
}

const COMPRESSED: &[&[u8]] = &[
    b"\x1f\x8b\x08",
    b"\x28\xb5\x2f\xfd",
    b"PK\x03\x04",
    b"BZh",
    b"\xfd7zXZ\0",
    b"\x04\x22\x4d\x18",
];

const BINARY: &[&[u8]] = &[b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"%PDF", b"\0\0\x01\0"];

fn has_many_controls(body: &[u8]) -> bool {
    if matches!(body, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]) {
        return false; // UTF-16 text is full of NULs
    }
    let sample = &body[..body.len().min(1024)];
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0x0e..=0x1a | 0x1c..=0x1f);
    sample.iter().filter(is_control).count() * 30 > sample.len()
}

/// Tags that only a page begins with; a page may quote rules, but is not a robots.txt.
const FIRST_TAGS: &[&str] = &[
    "!doctype", "html", "head", "body", "script", "title", "meta", "?xml", "rss",
];

/// Whether text begins with markup, or has a page's root element in its first 1,024 bytes.
fn is_markup(start: &[u8]) -> bool {
    let early = &start[..start.len().min(1024)];
    start[0] == b'<'
        || memchr_iter(b'<', early)
            .any(|at| begins_with_tag(&early[at..], &["!doctype html", "html", "head>", "body"]))
}

fn begins_with_tag(text: &[u8], names: &[&str]) -> bool {
    let Some(tag) = text.strip_prefix(b"<") else {
        return false;
    };
    names.iter().any(|name| {
        let start = tag.get(..name.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
    })
}

/// Whether a body cites Directive (EU) 2019/790, whose article 4 lets rights holders opt out of
/// text and data mining.
#[must_use]
pub fn mentions_eu_2019_790(body: &[u8]) -> bool {
    memmem::find(body, b"2019/790").is_some()
}
