//! Remarks: what is wrong in a robots.txt, line by line.

use super::named::named;

/// Number of remarks kept per file; the counts of the table `files` are exact.
pub const MAX_REMARKS: usize = 100;
/// Bytes of a line kept in a remark.
pub const MAX_REMARK_TEXT: usize = 200;

macro_rules! remark_kinds {
    ($( $(#[doc = $doc:literal])+ $kind:ident = $name:literal, )+) => {
        named! {
            /// What is wrong with a line.
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub enum RemarkKind { $( $(#[doc = $doc])+ $kind = $name, )+ }
        }

        impl RemarkKind {
            /// What it means, in plain sentences.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $( Self::$kind => concat!($($doc),+).trim_ascii(), )+ }
            }
        }
    };
}

remark_kinds! {
    /// The key is not the standard one, but tolerant parsers such as Google's accept it.
    ToleratedSpelling = "tolerated_spelling",
    /// The key is an evident misspelling that no parser accepts.
    Misspelling = "misspelling",
    /// White space separates key and value instead of a colon; tolerant parsers accept the line.
    MissingColon = "missing_colon",
    /// An allow or disallow line before any user-agent line: nobody obeys it.
    RuleOutsideGroup = "rule_outside_group",
    /// The pattern begins with neither `/` nor `*`: it matches nothing.
    RuleWithoutSlash = "rule_without_slash",
    /// The pattern is an absolute URL: it matches nothing.
    RuleIsUrl = "rule_is_url",
    /// Only other directives are between the user-agent lines. RFC 9309 puts these lines into one
    /// group with the same rules, but each directive applies only to the user-agent lines directly
    /// above it.
    DirectiveSplitsGroup = "directive_splits_group",
    /// The user-agent value does not begin with a product token, so it names no crawler.
    NoProductToken = "no_product_token",
    /// The line is not blank, and neither a comment nor a directive.
    NotADirective = "not_a_directive",
    /// A byte order mark in front of the line makes its key unknown.
    ByteOrderMark = "byte_order_mark",
    /// The line is longer than 16,663 bytes; what follows is not read.
    LineTooLong = "line_too_long",
    /// The line has a NUL byte; what follows it is not read.
    Nul = "nul",
}

/// Something wrong with a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark<'a> {
    /// Line, from 1.
    pub line_number: u32,
    /// What is wrong.
    pub kind: RemarkKind,
    /// The first [`MAX_REMARK_TEXT`] bytes of the line.
    pub text: &'a [u8],
}
