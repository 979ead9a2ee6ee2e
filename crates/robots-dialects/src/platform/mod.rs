//! Platforms: who wrote a robots.txt, its owner, or the software and services that they use.
//!
//! A platform is known by a comment that only it writes, or by a file that is exactly its default:
//!
//! | sign | what is the platform's |
//! |---|---|
//! | comments at the beginning and the end of a block | every line between them |
//! | a comment in a file that the platform makes | every group whose lines are all in the platform's template, for each of the crawlers that it names; a group with any other line is the owner's |
//! | the policy as a whole, to the byte of its canonical form | everything |
//!
//! The lines that are left without the platform's are the owner's: a robots.txt by itself, with the
//! line numbers of the file ([`Authors::owner_body`]). A switch in a platform's settings is the
//! owner's choice if the platform writes its rules outside a block.

mod authors;
mod known;
mod templates;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use self::authors::{Authors, PlatformPart};
pub use self::known::Marks;

/// The names of all platforms that are known, in alphabetical order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let marked = known::COMMENTS.iter().map(|(platform, ..)| *platform);
    let defaults = templates::defaults().map(|((platform, _), _)| platform);
    let names: BTreeSet<_> = marked.chain(defaults).collect();
    names.into_iter().collect()
}
