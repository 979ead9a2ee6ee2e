//! Meta tags: which tags of a page address robots, and where they are.
//!
//! A page is read in two steps. The [prescan](candidates) looks for possible tags without reading
//! the text between them: it finds every real tag, and some false ones (in a comment, in a script).
//! Only if the prescan finds a tag is the page tokenized, by html5gum (HTML Living Standard
//! §13.2.5), and no further than the end of the last candidate. [`head`] decides which elements
//! contain raw text and where the head ends, which HTML leaves to the tree builder.

mod charset;
mod head;
mod language;
mod links;
mod meta;
mod prescan;
mod sniffing;
mod tokens;

pub use charset::decode;
pub use language::language;
pub use links::Links;
pub use meta::{MAX_VALUE_BYTES, Meta, Place};
pub use prescan::{Candidates, candidates};
pub use sniffing::begins_as_html;

/// Bytes of a page that are worth reading: 2 MiB, the least that browsers and crawlers read.
pub const LIMIT: usize = 2 * 1024 * 1024;

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

/// As [`metas`], but also counts links and marked passages. The whole page is tokenized for this.
pub fn metas_and_links(html: &[u8], visit: impl FnMut(Meta<'_>)) -> Links {
    let mut links = Links::default();
    tokens::read(html, Some(&mut links), visit);
    links
}
