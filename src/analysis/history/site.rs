//! A site as typed: a host, an origin or a URL.

use crate::dataset::lookup::TextRange;
use crate::dataset::reversed_host;
use crate::url_parts::{self, Url};

#[derive(Debug, Clone)]
pub struct Site {
    host: String,
    is_domain: bool,
    pub(super) scheme: Option<String>,
    /// The port of the URL, or the port that was given with a host.
    pub(super) port: Option<i32>,
    with_www: bool,
    with_subdomains: bool,
}

impl Site {
    /// A host, with or without a port, or a URL, which means its origin. `None` if `typed` is
    /// neither.
    pub fn parse(typed: &str, with_www: bool, with_subdomains: bool) -> Option<Self> {
        let is_url = typed.contains("://");
        let scheme = if is_url { "" } else { "http://" };
        let url = Url::parse(&format!("{scheme}{typed}")).ok()?;
        let host = url_parts::host_name(&url)?.to_owned();
        // The parser drops the default port of a scheme: 80 is lost with http, but not with https.
        let https = || Url::parse(&format!("https://{typed}")).ok()?.port();
        let port = if is_url {
            url.port_or_known_default()
        } else {
            url.port().or_else(https)
        };
        Some(Self {
            scheme: is_url.then(|| url.scheme().to_owned()),
            port: port.map(i32::from),
            is_domain: url_parts::tld(&url).is_some(),
            host,
            with_www,
            with_subdomains,
        })
    }

    pub fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn hosts(&self) -> Vec<TextRange> {
        let reversed = |host: &str| reversed_host(host, self.is_domain);
        let range = |text, is_beginning| TextRange { text, is_beginning };
        let mut hosts = vec![range(reversed(&self.host), false)];
        if self.is_domain && self.with_www {
            let other = match self.host.strip_prefix("www.") {
                Some(bare) => bare.to_owned(),
                None => format!("www.{}", self.host),
            };
            hosts.push(range(reversed(&other), false));
        }
        if self.is_domain && self.with_subdomains {
            hosts.push(range(reversed(&self.host) + ".", true));
        }
        hosts
    }

    /// Whether a capture of one of the hosts is wanted, by its origin and port.
    pub(super) fn has(&self, origin: &str, port: Option<i32>) -> bool {
        let scheme = origin.split_once("://").map(|(scheme, _)| scheme);
        self.scheme.as_deref().is_none_or(|it| scheme == Some(it))
            && self.port.is_none_or(|it| port == Some(it))
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
