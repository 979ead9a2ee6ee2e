//! Meta tags: which of a page address robots, and where they are.
//!
//! A page is read in two steps. The [prescan](candidates) looks for possible tags without reading
//! the text between them: it finds every real one, and some false ones (in a comment, in a script).
//! Only where it finds one is the page tokenized, by html5gum (HTML Living Standard §13.2.5), and
//! no further than the end of the last candidate. [`head`] decides which elements hold raw text and
//! where the head ends, which HTML leaves to the tree builder.

mod charset;
mod head;
mod language;
mod links;
mod prescan;
mod sniffing;
mod tokens;

use crate::named::named;

pub use charset::decode;
pub use language::language;
pub use links::Links;
pub use prescan::{Candidates, candidates};
pub use sniffing::begins_as_html;

/// Bytes of a page that are worth reading: 2 MiB, what browsers and crawlers read at least.
pub const LIMIT: usize = 2 * 1024 * 1024;

/// Bytes of a name or value that are kept: draft-illyes-repext-03 §3.1.1 asks for 8 KiB at least.
pub const MAX_VALUE_BYTES: usize = 8 * 1024;

named! {
    /// Where a meta tag stands, by HTML's own rule (HTML Living Standard §13.2.6.4.4, "in head").
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

named! {
    /// The attribute that names what a meta tag is about.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Attribute {
        /// `name`.
        Name = "name",
        /// `http-equiv`.
        HttpEquiv = "http-equiv",
    }
}

/// A meta tag that addresses robots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta<'a> {
    /// Which attribute names it.
    pub attribute: Attribute,
    /// The value of that attribute, character references resolved.
    pub name: &'a [u8],
    /// The value of `content`, character references resolved; at most [`MAX_VALUE_BYTES`] and what
    /// makes it longer than that.
    pub content: &'a [u8],
    /// Where it stands.
    pub place: Place,
}

/// Calls `visit` with every meta tag of `html` that addresses robots and has content, in order.
///
/// `html` is the beginning of a page, in UTF-8 or any other encoding that agrees with ASCII; see
/// [`decode`] for others. The time is linear in its length, and memory does not grow with it.
///
/// ```
/// use page_directives::html::{Place, metas};
///
/// let mut found = Vec::new();
/// metas(b"<!-- <meta name=robots content=all> --><META CONTENT='no&#105;ndex' name=Robots>", |meta| {
///     found.push((meta.content.to_vec(), meta.place));
/// });
/// assert_eq!(found, [(b"noindex".to_vec(), Place::Head)]);
/// ```
pub fn metas(html: &[u8], visit: impl FnMut(Meta<'_>)) {
    let end = match candidates(html) {
        Candidates::None => return,
        Candidates::EndingAt(end) => end,
        Candidates::Unknown => html.len(),
    };
    tokens::read(&html[..end], None, visit);
}

/// As [`metas`], and counts what the page says of its links and passages. For that the whole page
/// is tokenized.
pub fn metas_and_links(html: &[u8], visit: impl FnMut(Meta<'_>)) -> Links {
    let mut links = Links::default();
    tokens::read(html, Some(&mut links), visit);
    links
}
