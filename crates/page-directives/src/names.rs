//! Names: which meta tags and header fields address robots.
//!
//! No list of the names that crawlers obey is complete. A meta tag addresses a crawler if its name
//! is a product token (RFC 9309 §2.2.1, read as generously as HTTP's `token`) that looks like the
//! name of a crawler, or is on a list of names that do not.

/// Bytes of a name at most: no crawler uses longer ones.
const MAX_BYTES: usize = 64;

/// Names of crawlers, and of uses of what they fetch, that the pattern does not recognise.
const OTHERS: &str = "\
    aihit anthropic-ai apis-google archive.org bingpreview chatgpt-user claude-user claude-web \
    cohere-ai duplexweb-google facebookexternalhit feedfetcher-google google google-extended \
    google-inspectiontool googleother googleother-image googleother-video ia_archiver \
    mediapartners-google meta-externalagent meta-externalfetcher omgili perplexity-user slurp teoma \
    yandex";

pub(crate) fn is_one_of(name: &[u8], names: &str) -> bool {
    names.split(' ').any(|other| other.as_bytes() == name)
}

/// What a name speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// Rules for robots: the name is `robots`, or a crawler's.
    Robots,
    /// Preferences for the use of the content: `tdm-reservation`, `tdm-policy`, `content-usage`,
    /// `content-signal` (see [`is_preference`]).
    Preference,
}

/// What a meta tag with this `name` speaks of, in any case and with white space around; none where
/// it does not speak to robots.
///
/// ```
/// use page_directives::names::{Subject, subject_of_meta};
///
/// assert_eq!(subject_of_meta(b"ROBOTS"), Some(Subject::Robots));
/// assert_eq!(subject_of_meta(b"googlebot-news"), Some(Subject::Robots));
/// assert_eq!(subject_of_meta(b"tdm-reservation"), Some(Subject::Preference));
/// assert_eq!(subject_of_meta(b"bottom-colour"), None);
/// ```
#[must_use]
pub fn subject_of_meta(name: &[u8]) -> Option<Subject> {
    let name = normal(name)?;
    let name = name.as_slice();
    if is_preference(name) {
        Some(Subject::Preference)
    } else if is_crawler(name) {
        Some(Subject::Robots)
    } else {
        None
    }
}

/// What a meta tag with this `http-equiv` speaks of. No crawler is known to obey one.
#[must_use]
pub fn subject_of_http_equiv(name: &[u8]) -> Option<Subject> {
    let name = normal(name)?;
    match name.as_slice() {
        b"x-robots-tag" | b"robots-tag" | b"robots" => Some(Subject::Robots),
        name if is_preference(name) => Some(Subject::Preference),
        _ => None,
    }
}

/// Whether a name in lower case belongs to a header field, or meta tag, with usage preferences.
#[must_use]
pub fn is_preference(name: &[u8]) -> bool {
    matches!(
        name,
        b"tdm-reservation" | b"tdm-policy" | b"content-usage" | b"content-signal"
    )
}

/// The name in lower case without white space around it; none where it cannot be a product token.
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

/// Whether a name in lower case looks like a crawler's: a word of it ends in
/// `bot` or `bots`, or it has `spider` or `crawl` in it.
fn is_crawler(name: &[u8]) -> bool {
    let mut words = name.split(|byte| !byte.is_ascii_alphabetic());
    words.any(|word| word.ends_with(b"bot") || word.ends_with(b"bots"))
        || memchr::memmem::find(name, b"spider").is_some()
        || memchr::memmem::find(name, b"crawl").is_some()
        || is_one_of(name, OTHERS)
}
