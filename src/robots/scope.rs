//! Which URLs a robots.txt speaks for.
//!
//! RFC 9309 §2.3: the rules are at `/robots.txt` of a service, in lower case, at
//! the top level; a file in a folder is none. Scheme, host and port must be
//! equal (Google's specification tells the cases): a default port equals none,
//! hosts are equal without regard to case, an internationalised host equals its
//! Punycode. `ftp` sites have a robots.txt too.

use memchr::{memchr, memmem, memrchr};

use super::path::UrlPath;
use super::punycode::host_to_ascii;

/// Schemes for which a robots.txt is defined, with their default ports.
const SCHEMES: [(&str, u16); 3] = [("http", 80), ("https", 443), ("ftp", 21)];

/// Scheme, host and port: what one robots.txt speaks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    scheme: &'static str,
    host: String,
    port: u16,
}

impl Scope {
    /// The scope that an absolute URL lies in. `None` where the scheme has no
    /// robots.txt or the URL has no host.
    #[must_use]
    pub fn of_url(url: &[u8]) -> Option<Self> {
        let scheme_end = memmem::find(url, b"://")?;
        let (scheme, default_port) = SCHEMES
            .into_iter()
            .find(|(name, _)| url[..scheme_end].eq_ignore_ascii_case(name.as_bytes()))?;
        let rest = &url[scheme_end + "://".len()..];
        let end = rest
            .iter()
            .position(|octet| matches!(octet, b'/' | b'?' | b'#' | b'\\'))
            .unwrap_or(rest.len());
        let authority = &rest[..end];
        let authority = memrchr(b'@', authority).map_or(authority, |at| &authority[at + 1..]);
        let (host, port) = split_port(authority, default_port)?;
        (!host.is_empty()).then(|| Self {
            scheme,
            host: host_to_ascii(&String::from_utf8_lossy(host)),
            port,
        })
    }

    /// The scope of a robots.txt by its own URL. `None` where the URL is not
    /// that of a robots.txt: another path, another case, a folder, a query.
    #[must_use]
    pub fn of_robots_txt(url: &[u8]) -> Option<Self> {
        UrlPath::of_url(url)
            .is_robots_txt()
            .then(|| Self::of_url(url))
            .flatten()
    }

    /// Whether the robots.txt of this scope speaks for `url`.
    #[must_use]
    pub fn covers(&self, url: &[u8]) -> bool {
        Self::of_url(url).as_ref() == Some(self)
    }

    /// The scheme in lower case.
    #[must_use]
    pub const fn scheme(&self) -> &'static str {
        self.scheme
    }

    /// The host in lower case and US-ASCII.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The port, the scheme's own where the URL had none.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }
}

/// Parts host and port. An empty port is the default one; a port that is no
/// number makes the authority invalid.
fn split_port(authority: &[u8], default_port: u16) -> Option<(&[u8], u16)> {
    // The colons inside an IPv6 literal part nothing.
    let colon = memrchr(b':', authority);
    let Some(colon) = colon.filter(|colon| memchr(b']', &authority[*colon..]).is_none()) else {
        return Some((authority, default_port));
    };
    let (host, port) = (&authority[..colon], &authority[colon + 1..]);
    if port.is_empty() {
        return Some((host, default_port));
    }
    // Unlike `u16::from_str`, a sign is no part of a port.
    let is_number = port.iter().all(u8::is_ascii_digit);
    let port = std::str::from_utf8(port).ok().filter(|_| is_number)?;
    Some((host, port.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::Scope;

    fn covers(robots_txt: &str, url: &str) -> bool {
        Scope::of_robots_txt(robots_txt.as_bytes())
            .is_some_and(|scope| scope.covers(url.as_bytes()))
    }

    /// After the table "Examples of valid robots.txt URLs" of Google's
    /// specification.
    #[test]
    fn scheme_host_and_port_must_be_equal() {
        for (robots_txt, url, expected) in [
            (
                "https://example.com/robots.txt",
                "https://example.com/folder/file",
                true,
            ),
            (
                "https://example.com/robots.txt",
                "https://other.example.com/",
                false,
            ),
            (
                "https://example.com/robots.txt",
                "http://example.com/",
                false,
            ),
            (
                "https://example.com/robots.txt",
                "https://example.com:8181/",
                false,
            ),
            (
                "https://www.example.com/robots.txt",
                "https://example.com/",
                false,
            ),
            (
                "https://example.com/folder/robots.txt",
                "https://example.com/folder/a",
                false,
            ),
            (
                "https://www.ex\u{e4}mple.com/robots.txt",
                "https://www.xn--exmple-cua.com/",
                true,
            ),
            ("ftp://example.com/robots.txt", "ftp://example.com/", true),
            (
                "ftp://example.com/robots.txt",
                "https://example.com/",
                false,
            ),
            (
                "https://212.96.82.21/robots.txt",
                "https://212.96.82.21/",
                true,
            ),
            (
                "https://212.96.82.21/robots.txt",
                "https://example.com/",
                false,
            ),
            (
                "https://example.com:443/robots.txt",
                "https://example.com/",
                true,
            ),
            (
                "https://example.com:8181/robots.txt",
                "https://example.com:8181/",
                true,
            ),
            (
                "https://example.com:8181/robots.txt",
                "https://example.com/",
                false,
            ),
        ] {
            assert_eq!(covers(robots_txt, url), expected, "{robots_txt} {url}");
        }
    }

    #[test]
    fn hosts_and_schemes_have_no_case() {
        assert!(covers(
            "HTTP://Example.COM/robots.txt",
            "http://example.com:80?q"
        ));
        assert!(covers(
            "http://user:pass@example.com/robots.txt",
            "http://example.com/"
        ));
        assert!(covers("http://[::1]:80/robots.txt", "http://[::1]/"));
        assert!(covers("http://[::1]:8080/robots.txt", "http://[::1]:8080/"));
    }

    #[test]
    fn other_urls_have_no_scope() {
        for url in [
            "https://example.com/ROBOTS.TXT",
            "https://example.com/robots.txt?x",
            "https://example.com/robots.txt/",
            "gopher://example.com/robots.txt",
            "https:///robots.txt",
            "http://example.com:+80/robots.txt",
            "http://example.com:99999/robots.txt",
            "/robots.txt",
            "",
        ] {
            assert_eq!(Scope::of_robots_txt(url.as_bytes()), None, "{url}");
        }
    }
}
