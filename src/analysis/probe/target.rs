//! A path to test: alone, with its host, or in a URL.

use robots_dialects::path::UrlPath;

use crate::url_parts::UrlParts;

/// Schemes for which a robots.txt is defined.
const SCHEMES: [&str; 3] = ["http", "https", "ftp"];

/// A path, and the host or origin whose policies are tested with it: all policies for a path alone.
#[derive(Debug)]
pub(super) struct Target<'q> {
    /// The line as written.
    pub(super) written: &'q [u8],
    /// Its path and query.
    pub(super) path: UrlPath<'q>,
    /// The host of `example.com/path`, whatever its scheme and port, or of a URL.
    pub(super) host: Option<String>,
    /// Scheme, host and port of a URL, as in `https://example.com`.
    pub(super) origin: Option<String>,
}

impl<'q> Target<'q> {
    /// Reads a line; the error says what is wrong with it.
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

/// The host and the origin that a line names; none if it names a path in no way.
fn host_and_origin(text: &str) -> Option<(Option<String>, Option<String>)> {
    // As in a relative URL, two slashes at the beginning precede a host.
    let rest = text.strip_prefix("//");
    if rest.is_none() && text.starts_with('/') {
        return Some((None, None));
    }
    if let Some(url) = UrlParts::parse(text)
        && SCHEMES.contains(&url.protocol())
        && let Some(host) = url.host_name()
    {
        return Some((Some(host.to_owned()), url.origin()));
    }
    let host = rest.unwrap_or(text).split(['/', '?', ';', '#']).next()?;
    let url = UrlParts::parse(&format!("https://{host}"))?;
    // A colon would precede a port, and a port needs a scheme.
    let name = url
        .host_name()
        .filter(|name| !host.contains(':') && name.contains('.'))?;
    Some((Some(name.to_owned()), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_hosts_and_urls_are_told_apart() {
        for (written, path, host, origin) in [
            ("/a?b", "/a?b", None, None),
            ("E.example/a", "/a", Some("e.example"), None),
            ("//e.example/a", "/a", Some("e.example"), None),
            ("e.example", "/", Some("e.example"), None),
            (
                "e.example?q=http://x/",
                "/?q=http://x/",
                Some("e.example"),
                None,
            ),
            (
                "HTTPS://m\u{fc}ller.example:443/a",
                "/a",
                Some("xn--mller-kva.example"),
                Some("https://xn--mller-kva.example"),
            ),
            (
                "http://e.example:81/",
                "/",
                Some("e.example"),
                Some("http://e.example:81"),
            ),
        ] {
            let target = Target::read(written.as_bytes()).expect(written);
            assert_eq!(target.path.bytes(), path.as_bytes(), "{written}");
            assert_eq!(target.host.as_deref(), host, "{written}");
            assert_eq!(target.origin.as_deref(), origin, "{written}");
        }
        for written in [
            "a/b",
            "gopher://e.example/",
            "e.example:80/",
            "mailto:a@e.example",
            "?q",
            "//",
        ] {
            assert!(Target::read(written.as_bytes()).is_err(), "{written}");
        }
    }
}
