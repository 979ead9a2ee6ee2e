//! One fetch as a crawler keeps it, before it becomes WARC records.

use super::time::Time;

/// A request and what came back.
#[derive(Clone)]
pub(crate) struct Exchange {
    /// The URL that was asked for.
    pub(crate) url: String,
    /// When.
    pub(crate) fetched: Time,
    /// The response's head, with the empty line that ends it. Empty for a resource.
    pub(crate) head: Vec<u8>,
    /// What follows the head, as it is stored.
    pub(crate) payload: Vec<u8>,
    /// What the crawler takes the payload for.
    pub(crate) identified: &'static str,
    /// Address of the server.
    pub(crate) ip: String,
    /// Lines of `WARC-Protocol`.
    pub(crate) protocols: &'static [&'static str],
    /// Which record the answer is kept in.
    pub(crate) kind: Kind,
    /// How that record differs from the usual.
    pub(crate) oddity: Oddity,
}

/// The record that an answer is kept in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A `response` with its `request`.
    Response,
    /// A `response` without a `request`, as pages of a mixed crawl.
    Lone,
    /// A `resource`: the file itself, without an HTTP head.
    Resource,
    /// A `revisit` of the response just before: same payload, not stored again.
    Revisit,
    /// A `revisit` of the response just before, which the server calls not modified.
    NotModified,
    /// A `revisit` of a response that is not in this archive.
    RevisitElsewhere,
    /// A `metadata` record about the response just before.
    Metadata,
}

/// What is unusual about a record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Oddity {
    /// Nothing.
    None,
    /// `<` and `>` around the target URI, as the grammar of WARC/1.0 has it.
    Brackets,
    /// WARC/1.1 with fractional seconds.
    Fraction,
    /// Digests in hexadecimal.
    HexDigests,
    /// No digests.
    NoDigests,
    /// A second payload digest, by another algorithm.
    SecondDigest(&'static str),
    /// `WARC-Truncated` with this reason.
    Truncated(&'static str),
    /// Names of fields in lower case.
    LowerCase,
    /// A field that goes on in the next line.
    Folded,
}

impl Exchange {
    /// The URL's path with its query.
    pub(crate) fn path(&self) -> &str {
        let after_scheme = self.url.find("://").map_or(0, |at| at + 3);
        self.url[after_scheme..]
            .find('/')
            .map_or("/", |at| &self.url[after_scheme + at..])
    }

    /// The URL's host and port.
    pub(crate) fn authority(&self) -> &str {
        authority_of(&self.url)
    }
}

/// What stands between a URL's scheme and its path.
pub(crate) fn authority_of(url: &str) -> &str {
    let after_scheme = url.find("://").map_or(0, |at| at + 3);
    let rest = &url[after_scheme..];
    rest.split(['/', '?']).next().unwrap_or(rest)
}
