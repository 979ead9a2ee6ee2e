#![doc = include_str!("../README.md")]

use psl::Type;

/// The list in use. The crate `psl` does not date its list; the crate's version is pinned in
/// Cargo.toml, and both change together.
pub const LIST: &str = "crate psl 2.1.247";

/// The registrable domain of `host`: its suffix in the ICANN division of the list, and one label.
/// `None` for a host that is itself a suffix, or whose suffix is not on the list.
///
/// `host` is a domain name in lower case and Punycode, without a final dot.
///
/// ```
/// use registrable_domain::registrable_domain;
///
/// assert_eq!(registrable_domain("www.example.co.uk"), Some("example.co.uk"));
/// assert_eq!(registrable_domain("co.uk"), None);
/// ```
#[must_use]
pub fn registrable_domain(host: &str) -> Option<&str> {
    let suffix = icann_suffix(host)?;
    let above = host.strip_suffix(suffix)?.strip_suffix('.')?;
    let label = above.rsplit('.').next().filter(|label| !label.is_empty())?;
    host.get(host.len() - suffix.len() - 1 - label.len()..)
}

/// Whether the last labels of `name` are a suffix on the list, in either of its divisions.
///
/// ```
/// use registrable_domain::is_under_listed_suffix;
///
/// assert!(is_under_listed_suffix("example.com"));
/// assert!(!is_under_listed_suffix("robots.txt"));
/// ```
#[must_use]
pub fn is_under_listed_suffix(name: &str) -> bool {
    psl::suffix(name.as_bytes()).is_some_and(|suffix| suffix.is_known())
}

/// The longest suffix of `domain` in the ICANN division, the default rule (`*`) aside.
fn icann_suffix(domain: &str) -> Option<&str> {
    let mut name = domain;
    loop {
        let found = psl::suffix(name.as_bytes())?;
        let suffix = name.get(name.len().checked_sub(found.as_bytes().len())?..)?;
        match found.typ()? {
            Type::Icann => return Some(suffix),
            // The longest match is private, so every ICANN match is shorter.
            Type::Private => name = suffix.split_once('.')?.1,
        }
    }
}

#[cfg(test)]
mod tests;
