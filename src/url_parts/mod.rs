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

pub mod scope;

use std::borrow::Cow;
use std::fmt::Write as _;
use std::net::Ipv6Addr;

use memchr::{memchr, memchr_iter, memchr2};
use registrable_domain::registrable_domain;
use url::{Host, Url};

/// The Public Suffix List in use, as the manifest names it.
pub const PUBLIC_SUFFIX_LIST: &str = registrable_domain::LIST;

/// A URL taken apart. Borrowed where the URL is in normal form already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UrlParts<'a> {
    protocol: Cow<'a, str>,
    host: Option<HostName<'a>>,
    port: Option<u16>,
    path: Cow<'a, str>,
    query: Option<Cow<'a, str>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct HostName<'a> {
    name: Cow<'a, str>,
    is_ip_address: bool,
}

impl<'a> UrlParts<'a> {
    /// Takes a URL apart; `None` where the text is not an absolute URL.
    pub fn parse(url: &'a str) -> Option<Self> {
        Self::parse_plain(url).or_else(|| Self::parse_any(url))
    }

    /// The usual case without the `url` crate: `http` or `https`, a host of small letters, and
    /// nothing that normalisation would change. `None` says nothing about the URL. Robots.txt URLs
    /// come by the million and look like this.
    fn parse_plain(url: &'a str) -> Option<Self> {
        let (protocol, rest, default_port) = if let Some(rest) = url.strip_prefix("https://") {
            ("https", rest, 443)
        } else {
            ("http", url.strip_prefix("http://")?, 80)
        };
        let authority_end = memchr2(b'/', b'?', rest.as_bytes()).unwrap_or(rest.len());
        let (authority, target) = rest.split_at(authority_end);
        let (host, port) = match split_once(authority, b':') {
            None => (authority, None),
            Some((host, port)) => (host, Some(parse_plain_port(port)?)),
        };
        let (path, query) = match split_once(target, b'?') {
            None => (target, None),
            Some((path, query)) => (path, Some(query)),
        };
        let is_plain = is_plain_host(host.as_bytes())
            && is_plain_path(path.as_bytes())
            && query.is_none_or(|query| query.bytes().all(is_plain_in_query));
        is_plain.then(|| Self {
            protocol: Cow::Borrowed(protocol),
            host: Some(HostName {
                name: Cow::Borrowed(host),
                is_ip_address: false,
            }),
            port: port.filter(|&port| port != default_port),
            path: Cow::Borrowed(if path.is_empty() { "/" } else { path }),
            query: query.map(Cow::Borrowed),
        })
    }

    /// Any URL, by the `url` crate.
    fn parse_any(url: &str) -> Option<Self> {
        let url = Url::parse(url).ok()?;
        let owned = |text: &str| Cow::Owned(text.to_owned());
        Some(Self {
            protocol: owned(url.scheme()),
            host: url.host().as_ref().and_then(HostName::from_host),
            port: url.port(),
            path: owned(url.path()),
            query: url.query().map(owned),
        })
    }

    /// The URL that these are all parts of: one of [`Self::parse_plain`].
    fn to_url(&self) -> String {
        let mut url = format!(
            "{}://{}",
            self.protocol,
            self.host_name().unwrap_or_default()
        );
        if let Some(port) = self.port {
            let _ = write!(url, ":{port}"); // Writing to a String cannot fail.
        }
        url.push_str(&self.path);
        if let Some(query) = &self.query {
            url.push('?');
            url.push_str(query);
        }
        url
    }

    /// The same, borrowed from nothing.
    pub fn into_owned(self) -> UrlParts<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        UrlParts {
            protocol: owned(self.protocol),
            host: self.host.map(|host| HostName {
                name: owned(host.name),
                is_ip_address: host.is_ip_address,
            }),
            port: self.port,
            path: owned(self.path),
            query: self.query.map(owned),
        }
    }

    /// The scheme in lower case, without a colon.
    pub fn protocol(&self) -> &str {
        &self.protocol
    }

    /// The host in lower case, IDNs in Punycode, IPv6 addresses in brackets, one final dot removed.
    /// `None` for URLs without a host, such as `dns:` URIs, and where nothing but dots would be
    /// left at its end.
    pub fn host_name(&self) -> Option<&str> {
        self.host.as_ref().map(|host| &*host.name)
    }

    /// The port, if the URL gives one and it is not its scheme's default.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// The path, normalised; at least `/` for `http`, `https` and `ftp`.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The query without its question mark. Empty after a bare `?`, `None` where there is no
    /// question mark.
    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
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
        self.path == "/robots.txt"
            && self.query().is_none_or(str::is_empty)
            && self.host.is_some()
            && matches!(&*self.protocol, "http" | "https" | "ftp")
    }

    /// Whether two URLs have the same host name. Scheme and port may differ, and a URL without a
    /// host is like no other.
    pub fn is_same_host(&self, other: &UrlParts<'_>) -> bool {
        self.host_name().is_some() && self.host_name() == other.host_name()
    }

    /// The host name where it is a domain.
    fn domain(&self) -> Option<&str> {
        self.host
            .as_ref()
            .filter(|host| !host.is_ip_address)
            .map(|host| &*host.name)
    }
}

impl HostName<'_> {
    fn from_host(host: &Host<&str>) -> Option<Self> {
        let (name, is_ip_address) = match host {
            Host::Domain(domain) => (
                domain.strip_suffix('.').unwrap_or(domain).to_owned(),
                is_ip_literal(domain),
            ),
            Host::Ipv4(address) => (address.to_string(), true),
            Host::Ipv6(address) => (format!("[{address}]"), true),
        };
        // No label is empty (RFC 1034 §3.1): `http://./` is not an address.
        let is_name = !name.is_empty() && !name.ends_with('.');
        is_name.then_some(Self {
            name: Cow::Owned(name),
            is_ip_address,
        })
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
    if let Some(parts) = UrlParts::parse_plain(location) {
        return Some(parts.to_url());
    }
    let mut target = match Url::parse(base) {
        Ok(base) => base.join(location),
        Err(_) => Url::parse(location),
    }
    .ok()?;
    target.set_fragment(None);
    Some(target.into())
}

/// URLs of schemes that the URL standard does not know keep their host as it is written, IPv4
/// addresses included.
fn is_ip_literal(host: &str) -> bool {
    host.parse::<std::net::Ipv4Addr>().is_ok() || host.parse::<Ipv6Addr>().is_ok()
}

/// The text before and after the first `byte`, which is ASCII; as `str::split_once` does with a
/// `char`, which it searches for step by step.
fn split_once(text: &str, byte: u8) -> Option<(&str, &str)> {
    let at = memchr(byte, text.as_bytes())?;
    Some((text.get(..at)?, text.get(at + 1..)?))
}

/// A port of plain digits. Leading zeros are left to the `url` crate.
fn parse_plain_port(port: &str) -> Option<u16> {
    let is_plain =
        matches!(port.as_bytes(), [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit));
    if is_plain { port.parse().ok() } else { None }
}

/// Whether a host is a domain in normal form: no capital, no Punycode (which has to be checked), no
/// final dot, and a last label that makes no IPv4 address.
fn is_plain_host(host: &[u8]) -> bool {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.');
    let last_label = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    last_label.first().is_some_and(u8::is_ascii_lowercase)
        && host.iter().copied().all(is_plain)
        && !memchr_iter(b'-', host).any(|hyphen| host[..hyphen].ends_with(b"xn-"))
}

/// Whether normalisation leaves a path as it is. A segment that begins with a dot, plain or
/// percent-encoded, may be a dot segment.
fn is_plain_path(path: &[u8]) -> bool {
    if path == b"/robots.txt" {
        return true;
    }
    path.iter()
        .copied()
        .all(|byte| is_plain_in_query(byte) || byte == b'\'')
        && !(path.windows(2)).any(|two| matches!(two, b"/." | b"/%"))
}

/// Bytes that are not escaped in a query.
fn is_plain_in_query(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~!$&()*+,;=:@/?%".contains(&byte)
}

#[cfg(test)]
mod tests;
