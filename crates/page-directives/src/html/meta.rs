//! A meta tag that addresses robots, and where it is.

use crate::named::named;
use crate::names::Attribute;

/// Bytes of a name or value that are kept: draft-illyes-repext-03 §3.1.1 asks for at least 8 KiB.
pub const MAX_VALUE_BYTES: usize = 8 * 1024;

named! {
    /// Where a meta tag is, by HTML's own rule (HTML Living Standard §13.2.6.4.4, "in head").
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Place {
        /// In the head.
        Head = "head",
        /// In a `noscript` of the head: present only for clients that run no scripts.
        Noscript = "noscript",
        /// In the head for clients that run scripts, in the body for others: something in a
        /// `noscript` before it, such as an image, has ended the head.
        HeadWithScripts = "head_with_scripts",
        /// In a `template`, which is not part of the page.
        Template = "template",
        /// After the end of the head.
        Body = "body",
    }
}

/// A meta tag that addresses robots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta<'a> {
    /// Which attribute names it.
    pub attribute: Attribute,
    /// The value of that attribute, character references resolved.
    pub name: &'a [u8],
    /// The value of `content`, character references resolved; at most [`MAX_VALUE_BYTES`], and one
    /// byte more if it is longer.
    pub content: &'a [u8],
    /// Where it is.
    pub place: Place,
}
