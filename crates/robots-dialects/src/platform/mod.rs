//! Platforms: who wrote a robots.txt, its owner or software and services that the owner uses.
//!
//! A platform is recognised by a comment that only it writes, or by a file that is exactly its
//! default:
//!
//! | sign | the platform's part |
//! |---|---|
//! | comments at the beginning and the end of a block | every line between them |
//! | a comment in a file that the platform generates | every group whose lines are all in the platform's template for each crawler that the group names; a group with any other line is the owner's |
//! | a policy whose canonical form is, byte for byte, the platform's default | everything |
//!
//! The remaining lines are the owner's. They form a robots.txt of their own, with the line numbers
//! of the file ([`Authors::owner_body`]). Rules that a platform writes outside a block because of a
//! switch in its settings count as the owner's choice.

mod authors;
mod known;
mod templates;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

pub use self::authors::{Authors, PlatformPart};
pub use self::known::Marks;

/// The names of all platforms that can be recognised, in alphabetical order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let marked = known::COMMENTS.iter().map(|(platform, ..)| *platform);
    let defaults = templates::defaults().map(|((platform, _), _)| platform);
    let names: BTreeSet<_> = marked.chain(defaults).collect();
    names.into_iter().collect()
}
