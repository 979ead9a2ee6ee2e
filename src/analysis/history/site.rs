//! A site as typed: a host, an origin or a URL.

use crate::dataset::lookup::{TextRange, reversed_host};
use crate::url_parts::UrlParts;

/// Whose captures are asked for.
#[derive(Debug, Clone)]
pub struct Site {
    host: String,
    is_domain: bool,
    /// The origin, where a URL was given.
    origin: Option<String>,
    /// The port, where one was given with a host.
    port: Option<i32>,
    with_www: bool,
    with_subdomains: bool,
}

impl Site {
    /// A host, with or without a port, or a URL, which means its origin. None where `typed` is
    /// neither.
    pub fn parse(typed: &str, with_www: bool, with_subdomains: bool) -> Option<Self> {
        let is_url = typed.contains("://");
        let url = if is_url {
            typed.to_owned()
        } else {
            format!("http://{typed}")
        };
        let parts = UrlParts::parse(&url)?;
        let host = parts.host_name()?.to_owned();
        // A port is left out where it is the scheme's own: of 80, http says none, and https does.
        let https = || UrlParts::parse(&format!("https://{typed}"))?.port();
        let port = parts.port().or_else(|| if is_url { None } else { https() });
        Some(Self {
            origin: parts.origin().filter(|_| is_url),
            port: port.map(i32::from).filter(|_| !is_url),
            is_domain: parts.tld().is_some(),
            host,
            with_www,
            with_subdomains,
        })
    }

    /// The host that was named.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The hosts asked for, reversed.
    pub(super) fn hosts(&self) -> Vec<TextRange> {
        let reversed = |host: &str| reversed_host(host, self.is_domain);
        let mut hosts = vec![TextRange::Exactly(reversed(&self.host))];
        if self.is_domain && self.with_www {
            let other = match self.host.strip_prefix("www.") {
                Some(bare) => bare.to_owned(),
                None => format!("www.{}", self.host),
            };
            hosts.push(TextRange::Exactly(reversed(&other)));
        }
        if self.is_domain && self.with_subdomains {
            hosts.push(TextRange::From(reversed(&self.host) + "."));
        }
        hosts
    }

    /// Whether a capture of one of the hosts is asked for: its origin is, and its port.
    pub(super) fn has(&self, origin: &str, port: Option<i32>) -> bool {
        let is_of_others = self.with_www || self.with_subdomains;
        let is_origin = |wanted: &String| origin == wanted || is_of_others;
        self.origin.as_ref().is_none_or(is_origin) && self.port.is_none_or(|it| port == Some(it))
    }

    /// Whether one of two hosts is a subdomain of the other, ignoring `www.`.
    pub(super) fn is_related(&self, host: &str) -> bool {
        let bare = |host: &'_ str| host.strip_prefix("www.").unwrap_or(host).to_owned();
        let (own, other) = (bare(&self.host), bare(host));
        let is_below = |below: &str, above: &str| {
            (below.strip_suffix(above)).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
        };
        is_below(&other, &own) || (other.contains('.') && is_below(&own, &other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_host_an_origin_or_a_url() {
        let exactly = |host: &str| TextRange::Exactly(host.to_owned());
        for (typed, host, origin) in [
            ("Example.com", "com.example", None),
            ("example.com/robots.txt", "com.example", None),
            (
                "https://www.example.com/a?b",
                "com.example.www",
                Some("https://www.example.com"),
            ),
            (
                "http://example.com:8080",
                "com.example",
                Some("http://example.com:8080"),
            ),
            ("192.0.2.1", "192.0.2.1", None),
            ("b\u{fc}cher.example", "example.xn--bcher-kva", None),
        ] {
            let site = Site::parse(typed, false, false).expect(typed);
            assert_eq!(site.hosts(), [exactly(host)]);
            assert_eq!(site.origin.as_deref(), origin, "{typed}");
        }
        assert!(Site::parse("", false, false).is_none());
        assert!(Site::parse("a b", false, false).is_none());
        let site = Site::parse("www.example.com", true, true).expect("a host");
        let below = TextRange::From("com.example.www.".to_owned());
        assert_eq!(
            site.hosts(),
            [exactly("com.example.www"), exactly("com.example"), below]
        );
    }

    #[test]
    fn a_port_is_asked_for_where_it_is_given() {
        let site = Site::parse("example.com:8080", false, false).expect("a host");
        assert!(site.has("https://example.com:8080", Some(8080)));
        assert!(!site.has("https://example.com", Some(443)));
        let site = Site::parse("example.com:80", false, false).expect("a host");
        assert!(site.has("http://example.com", Some(80)));
        assert!(!site.has("https://example.com", Some(443)));
        let site = Site::parse("example.com", false, false).expect("a host");
        assert!(site.has("http://example.com", Some(80)));
    }

    #[test]
    fn hosts_above_and_below_are_related() {
        let site = Site::parse("www.example.com", false, false).expect("a host");
        for (host, is_related) in [
            ("example.com", true),
            ("shop.example.com", true),
            ("myexample.com", false),
            ("com", false),
        ] {
            assert_eq!(site.is_related(host), is_related, "{host}");
        }
    }
}
