//! Names: which meta tags and header fields address robots.
//!
//! No list of the names that crawlers obey is complete. A meta tag addresses a crawler if its name
//! is a product token (RFC 9309 §2.2.1, read as generously as HTTP's `token`) that looks like a
//! crawler's name, or is on a list of names that do not look like one.

use crate::named::named;

/// Most bytes of a name: no crawler uses longer names.
const MAX_BYTES: usize = 64;

/// Names of crawlers, and of uses of fetched content, that the pattern does not recognise.
const OTHERS: &str = "\
    aihit anthropic-ai apis-google archive.org bingpreview chatgpt-user claude-user claude-web \
    cohere-ai duplexweb-google facebookexternalhit feedfetcher-google google google-extended \
    google-inspectiontool googleother googleother-image googleother-video ia_archiver \
    mediapartners-google meta-externalagent meta-externalfetcher omgili perplexity-user slurp teoma \
    yandex";

pub(crate) fn is_one_of(name: &[u8], names: &str) -> bool {
    names.split(' ').any(|other| other.as_bytes() == name)
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

/// Whether a meta tag addresses robots if its `attribute` has this value, in any case and with
/// white space around it. A `name` does if it is `robots` or the name of a crawler; an `http-equiv`
/// if it is `robots`, `x-robots-tag` or `robots-tag`; either attribute if its value is a
/// [preference](is_preference). No crawler is known to obey an `http-equiv`.
///
/// ```
/// use page_directives::names::Attribute::{HttpEquiv, Name};
/// use page_directives::names::addresses_robots;
///
/// assert!(addresses_robots(Name, b"ROBOTS"));
/// assert!(addresses_robots(Name, b"googlebot-news"));
/// assert!(addresses_robots(Name, b"tdm-reservation"));
/// assert!(!addresses_robots(Name, b"bottom-colour"));
/// assert!(addresses_robots(HttpEquiv, b"X-Robots-Tag"));
/// assert!(!addresses_robots(HttpEquiv, b"googlebot"));
/// ```
#[must_use]
pub fn addresses_robots(attribute: Attribute, value: &[u8]) -> bool {
    normal(value).is_some_and(|name| {
        let is_for_rules = match attribute {
            Attribute::Name => is_crawler(&name),
            Attribute::HttpEquiv => {
                matches!(&*name, b"x-robots-tag" | b"robots-tag" | b"robots")
            }
        };
        is_for_rules || is_preference(&name)
    })
}

/// Whether a name in lower case belongs to a header field, or meta tag, with usage preferences.
#[must_use]
pub fn is_preference(name: &[u8]) -> bool {
    matches!(
        name,
        b"tdm-reservation" | b"tdm-policy" | b"content-usage" | b"content-signal"
    )
}

/// The name in lower case without white space around it; `None` if it cannot be a product token.
#[must_use]
pub fn normal(name: &[u8]) -> Option<Vec<u8>> {
    let name = name.trim_ascii();
    let is_token = (1..=MAX_BYTES).contains(&name.len()) && name.iter().copied().all(is_token_byte);
    is_token.then(|| name.to_ascii_lowercase())
}

/// Bytes of a product token: a `token` (RFC 9110 §5.6.2) and the slash of a version.
fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~/".contains(&byte)
}

/// Whether a name in lower case looks like a crawler's.
fn is_crawler(name: &[u8]) -> bool {
    let mut words = name.split(|byte| !byte.is_ascii_alphabetic());
    words.any(|word| word.ends_with(b"bot") || word.ends_with(b"bots"))
        || memchr::memmem::find(name, b"spider").is_some()
        || memchr::memmem::find(name, b"crawl").is_some()
        || is_one_of(name, OTHERS)
}
