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
//! - `url_port` is null where the URL gives none or its scheme's default.
//!
//! One difference is deliberate: Common Crawl takes `url_path` and `url_query` from the URL as
//! written; here they are normalised (dot segments resolved, an empty path is `/`, other bytes
//! percent-encoded). A crawler normalises URLs before it fetches them, so the captures of a crawl
//! are the same either way.

use std::net::IpAddr;

use registrable_domain::registrable_domain;
use url::{Host, Url};

/// The Public Suffix List in use, as the manifest names it.
pub const PUBLIC_SUFFIX_LIST: &str = registrable_domain::LIST;

#[derive(Debug)]
pub struct UrlParts(Url);

impl UrlParts {
    /// Takes a URL apart; `None` where the text is not an absolute URL.
    pub fn parse(url: &str) -> Option<Self> {
        Url::parse(url).ok().map(Self)
    }

    /// The scheme in lower case, without a colon.
    pub fn protocol(&self) -> &str {
        self.0.scheme()
    }

    /// The host in lower case, IDNs in Punycode, IPv6 addresses in brackets, one final dot removed.
    /// `None` for URLs without a host, such as `dns:` URIs, and where nothing but dots would be
    /// left at its end.
    pub fn host_name(&self) -> Option<&str> {
        let host = self.0.host_str()?;
        let name = host.strip_suffix('.').unwrap_or(host);
        // No label is empty (RFC 1034 §3.1): `http://./` is not an address.
        (!name.is_empty() && !name.ends_with('.')).then_some(name)
    }

    /// The port, if the URL gives one and it is not its scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.0.port()
    }

    /// Scheme, host and port, as at the start of a URL: all that must be equal for a robots.txt to
    /// apply to a URL (RFC 9309 §2.3).
    pub fn origin(&self) -> Option<String> {
        let origin = format!("{}://{}", self.protocol(), self.host_name()?);
        Some(match self.port() {
            Some(port) => format!("{origin}:{port}"),
            None => origin,
        })
    }

    /// The path, normalised; at least `/` for `http`, `https` and `ftp`.
    pub fn path(&self) -> &str {
        self.0.path()
    }

    /// The query without its question mark. Empty after a bare `?`, `None` where there is no
    /// question mark.
    pub fn query(&self) -> Option<&str> {
        self.0.query()
    }

    /// The last label of the host name; `None` for an IP address.
    pub fn tld(&self) -> Option<&str> {
        let domain = self.domain()?;
        Some(domain.rsplit_once('.').map_or(domain, |(_, tld)| tld))
    }

    /// The registrable domain: the public suffix and one label. `None` for an IP address, for a
    /// host that is itself a suffix, and where the suffix is not on the list.
    pub fn registered_domain(&self) -> Option<&str> {
        registrable_domain(self.domain()?)
    }

    /// Whether this is the URL of a robots.txt file (RFC 9309 §2.3): the path is exactly
    /// `/robots.txt`, under `http`, `https` or `ftp`. A bare `?` after it is not a query; servers
    /// answer both alike.
    pub fn is_robotstxt_url(&self) -> bool {
        self.path() == "/robots.txt"
            && self.query().is_none_or(str::is_empty)
            && self.host_name().is_some()
            && matches!(self.protocol(), "http" | "https" | "ftp")
    }

    /// Whether two URLs have the same host name. Scheme and port may differ, and a URL without a
    /// host is like no other.
    pub fn is_same_host(&self, other: &Self) -> bool {
        self.host_name().is_some() && self.host_name() == other.host_name()
    }

    /// The host name where it is a domain. URLs of schemes that the URL standard does not know keep
    /// their host as it is written, IPv4 addresses included.
    fn domain(&self) -> Option<&str> {
        match self.0.host()? {
            Host::Domain(host) if host.parse::<IpAddr>().is_err() => self.host_name(),
            _ => None,
        }
    }
}

/// The URL that a `Location` field value leads to from `base`, without its fragment; RFC 9110
/// §10.2.2 allows a reference relative to the target URI. `None` where the value is empty or the
/// two make no URL.
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
