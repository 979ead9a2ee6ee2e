//! The URLs that a robots.txt applies to.
//!
//! RFC 9309 §2.3: the rules are at `/robots.txt` of a service, in lower case, at the top level; a
//! file in a folder is not a robots.txt. Scheme, host and port must be equal. The cases are those
//! of Google's specification: a default port equals none, hosts are compared without case, an
//! internationalised host equals its Punycode form, and `ftp` sites have a robots.txt too. URLs are
//! taken apart by [`url_parts`](crate::url_parts).

use std::fmt;

use crate::url_parts::UrlParts;

/// Schemes for which a robots.txt is defined.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// Scheme, host and port: the URLs that one robots.txt applies to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Scope {
    scheme: &'static str,
    host: String,
    /// `None` for the scheme's default port.
    port: Option<u16>,
}

impl Scope {
    /// The scope that an absolute URL belongs to; `None` if the scheme has no robots.txt or the URL
    /// has no host.
    pub fn from_url(url: &str) -> Option<Self> {
        Self::from_parts(&UrlParts::parse(url)?)
    }

    /// The scope of a robots.txt, given its own URL; `None` if the URL does not name a robots.txt:
    /// another path, another case, a folder, a query.
    pub fn from_robots_txt(url: &str) -> Option<Self> {
        let parts = UrlParts::parse(url)?;
        parts
            .is_robotstxt_url()
            .then(|| Self::from_parts(&parts))
            .flatten()
    }

    fn from_parts(parts: &UrlParts) -> Option<Self> {
        let scheme = SCHEMES.into_iter().find(|name| *name == parts.protocol())?;
        Some(Self {
            scheme,
            host: parts.host_name()?.to_owned(),
            port: parts.port(),
        })
    }

    /// The host, in lower case and ASCII.
    pub fn host(&self) -> &str {
        &self.host
    }
}

/// The origin as at the start of a URL, `https://example.com`, with a port that is not the scheme's
/// default.
impl fmt::Display for Scope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}://{}", self.scheme, self.host)?;
        match self.port {
            Some(port) => write!(formatter, ":{port}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Scope;

    fn covers(robots_txt: &str, url: &str) -> bool {
        let scope = Scope::from_robots_txt(robots_txt);
        scope.is_some() && scope == Scope::from_url(url)
    }

    /// After the table "Examples of valid robots.txt URLs" of Google's
    /// specification.
    #[test]
    fn scheme_host_and_port_must_be_equal() {
        const HTTPS: &str = "https://example.com/robots.txt";
        const PORT: &str = "https://example.com:8181/robots.txt";
        const IDN: &str = "https://www.ex\u{e4}mple.com/robots.txt";
        const FTP: &str = "ftp://example.com/robots.txt";
        const ADDRESS: &str = "https://212.96.82.21/robots.txt";
        for (robots_txt, url, expected) in [
            (HTTPS, "https://example.com/folder/file", true),
            (HTTPS, "https://other.example.com/", false),
            (HTTPS, "http://example.com/", false),
            (HTTPS, "https://example.com:8181/", false),
            (HTTPS, "https://example.com:443/", true),
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
            (IDN, "https://www.xn--exmple-cua.com/", true),
            (IDN, "https://WWW.EX\u{c4}MPLE.com/", true),
            (FTP, "ftp://example.com/", true),
            (FTP, "ftp://example.com:21/", true),
            (FTP, "https://example.com/", false),
            (ADDRESS, "https://212.96.82.21/", true),
            (ADDRESS, "https://example.com/", false),
            (
                "https://example.com:443/robots.txt",
                "https://example.com/",
                true,
            ),
            (PORT, "https://example.com:8181/", true),
            (PORT, "https://example.com/", false),
        ] {
            assert_eq!(covers(robots_txt, url), expected, "{robots_txt} {url}");
        }
    }

    #[test]
    fn hosts_and_schemes_have_no_case() {
        for (robots_txt, url) in [
            ("HTTP://Example.COM/robots.txt", "http://example.com:80?q"),
            (
                "http://user:pass@example.com/robots.txt",
                "http://example.com./",
            ),
            ("http://[::1]:80/robots.txt", "http://[0:0::1]/"),
            ("http://[::1]:8080/robots.txt", "http://[::1]:8080/"),
        ] {
            assert!(covers(robots_txt, url), "{robots_txt} {url}");
        }
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
            assert_eq!(Scope::from_robots_txt(url), None, "{url}");
        }
    }

    #[test]
    fn a_scope_is_shown_as_its_origin() {
        for (url, origin) in [
            ("HTTPS://Example.com:443/a?b", "https://example.com"),
            ("http://example.com:8080", "http://example.com:8080"),
        ] {
            let scope = Scope::from_url(url).map(|scope| scope.to_string());
            assert_eq!(scope.as_deref(), Some(origin));
        }
    }
}
