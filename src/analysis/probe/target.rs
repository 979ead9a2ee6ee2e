//! A path to test: alone, with its host, or in a URL.

use robots_dialects::path::UrlPath;

use crate::url_parts::{Url, host_name, origin};

/// Schemes for which a robots.txt is defined.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// A path, and the host or origin whose policies are tested with it: all policies for a path alone.
#[derive(Debug)]
pub(super) struct Target<'q> {
    pub(super) written: &'q [u8],
    pub(super) path: UrlPath<'q>,
    /// The host of `example.com/path`, whatever its scheme and port, or of a URL.
    pub(super) host: Option<String>,
    /// Scheme, host and port of a URL, as in `https://example.com`.
    pub(super) origin: Option<String>,
}

impl<'q> Target<'q> {
    pub(super) fn read(written: &'q [u8]) -> Result<Self, &'static str> {
        let (host, origin) = host_and_origin(&String::from_utf8_lossy(written)).ok_or(
            "none of these: a path (beginning with a slash), a host with a dot and a path, an \
             http, https or ftp URL",
        )?;
        Ok(Self {
            written,
            path: UrlPath::from_url(written),
            host,
            origin,
        })
    }
}

/// The host and the origin that a line names; `None` if the line does not name a path.
fn host_and_origin(text: &str) -> Option<(Option<String>, Option<String>)> {
    // As in a relative URL, two slashes at the beginning precede a host.
    let rest = text.strip_prefix("//");
    if rest.is_none() && text.starts_with('/') {
        return Some((None, None));
    }
    if let Ok(url) = Url::parse(text)
        && SCHEMES.contains(&url.scheme())
        && let Some(host) = host_name(&url)
    {
        return Some((Some(host.to_owned()), origin(&url)));
    }
    let host = rest.unwrap_or(text).split(['/', '?', ';', '#']).next()?;
    let url = Url::parse(&format!("https://{host}")).ok()?;
    // A colon would precede a port, and a port needs a scheme.
    let name = host_name(&url).filter(|name| !host.contains(':') && name.contains('.'))?;
    Some((Some(name.to_owned()), None))
}
