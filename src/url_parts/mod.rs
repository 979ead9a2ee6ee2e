//! The parts of a captured URL, with the column names of Common Crawl's columnar index, and the
//! target of a redirect.
//!
//! URLs are parsed by the WHATWG URL standard (the `url` crate); the columns follow Common Crawl's
//! `cc-index-table` (`org.commoncrawl.net.WarcUri`, `HostName`):
//!
//! - `url_host_name` is in lower case and Punycode, without a final dot;
//! - `url_host_tld` is the last label, null for an IP address;
//! - `url_host_registered_domain` uses the ICANN division of the Public Suffix List only, strictly:
//!   `myblog.blogspot.com` is registered as `blogspot.com`, a host under no listed suffix and an IP
//!   address have no registered domain;
//! - `url_port` is null if the URL has no port, or its scheme's default.
//!
//! One difference is deliberate: Common Crawl takes `url_path` and `url_query` from the URL as
//! written; here they are normalised (dot segments resolved, an empty path is `/`, other bytes
//! percent-encoded). A crawler normalises URLs before it fetches them, so the captures of a crawl
//! are the same either way.

use std::net::IpAddr;

use registrable_domain::registrable_domain;
use url::Host;
pub use url::Url;

/// The version of the Public Suffix List in use, as in the manifest.
pub const PUBLIC_SUFFIX_LIST: &str = registrable_domain::LIST;

/// The host in lower case, IDNs in Punycode, IPv6 addresses in brackets, one final dot removed.
/// `None` for URLs without a host, such as `dns:` URIs, and for a host that would be empty or still
/// end in a dot.
pub fn host_name(url: &Url) -> Option<&str> {
    let host = url.host_str()?;
    let name = host.strip_suffix('.').unwrap_or(host);
    // No label is empty (RFC 1034 §3.1): `http://./` is not an address.
    (!name.is_empty() && !name.ends_with('.')).then_some(name)
}

/// Scheme, host and port, as at the start of a URL: all that must be equal for a robots.txt to
/// apply to a URL (RFC 9309 §2.3).
pub fn origin(url: &Url) -> Option<String> {
    let origin = format!("{}://{}", url.scheme(), host_name(url)?);
    Some(match url.port() {
        Some(port) => format!("{origin}:{port}"),
        None => origin,
    })
}

/// The last label of the host name; `None` for an IP address.
pub fn tld(url: &Url) -> Option<&str> {
    let domain = domain(url)?;
    Some(domain.rsplit_once('.').map_or(domain, |(_, tld)| tld))
}

/// The registrable domain: the public suffix and one label. `None` for an IP address, for a host
/// that is itself a suffix, and for a suffix that is not on the list.
pub fn registered_domain(url: &Url) -> Option<&str> {
    registrable_domain(domain(url)?)
}

/// Whether this is the URL of a robots.txt file (RFC 9309 §2.3): the path is exactly `/robots.txt`,
/// without a query, under `http`, `https` or `ftp`. A bare `?` after it is not a query: servers
/// answer with and without it alike.
pub fn is_robotstxt_url(url: &Url) -> bool {
    url.path() == "/robots.txt"
        && url.query().is_none_or(str::is_empty)
        && host_name(url).is_some()
        && matches!(url.scheme(), "http" | "https" | "ftp")
}

/// Whether two URLs have the same host name. Scheme and port may differ. False if either URL has no
/// host.
pub fn is_same_host(url: &Url, other: &Url) -> bool {
    host_name(url).is_some() && host_name(url) == host_name(other)
}

/// The host name if it is a domain. In URLs of schemes outside the URL standard, the host stays as
/// written, even if it is an IPv4 address.
fn domain(url: &Url) -> Option<&str> {
    match url.host()? {
        Host::Domain(host) if host.parse::<IpAddr>().is_err() => host_name(url),
        _ => None,
    }
}

/// The URL that a `Location` field value leads to from `base`, without its fragment; RFC 9110
/// §10.2.2 allows a reference relative to the target URI. `None` if the value is empty, or does not
/// form a URL with `base`.
pub fn absolute(base: &str, location: &str) -> Option<String> {
    let location = location.trim();
    if location.is_empty() {
        return None;
    }
    let mut target = match Url::parse(base) {
        Ok(base) => base.join(location),
        Err(_) => Url::parse(location),
    }
    .ok()?;
    target.set_fragment(None);
    Some(target.into())
}

#[cfg(test)]
mod tests;
