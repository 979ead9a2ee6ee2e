//! A path to test: alone, with its host, or in a URL.

use robots_dialects::path::UrlPath;

use crate::url_parts::scope::Scope;

/// A path, and the policies that are tested with it.
#[derive(Debug)]
pub(super) struct Target<'q> {
    /// The line as written.
    pub(super) written: &'q [u8],
    /// Its path and query.
    pub(super) path: UrlPath<'q>,
    /// The policies that are tested.
    pub(super) reach: Reach,
    /// Scheme, host and port of a URL, as in `https://example.com`.
    pub(super) origin: Option<String>,
}

/// The policies that a path is tested with.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// All: a path alone.
    Everywhere,
    /// The policies of a host, whatever its scheme and port: `example.com/path`.
    Host(String),
    /// The policies of an origin: `https://example.com/path`.
    Origin(Scope),
}

impl<'q> Target<'q> {
    /// Reads a line; the error says what is wrong with it.
    pub(super) fn read(written: &'q [u8]) -> Result<Self, &'static str> {
        let reach = Reach::read(written).ok_or(
            "none of these: a path (beginning with a slash), a host with a dot and a path, an \
             http, https or ftp URL",
        )?;
        let origin = match &reach {
            Reach::Origin(scope) => Some(scope.to_string()),
            Reach::Everywhere | Reach::Host(_) => None,
        };
        Ok(Self {
            written,
            path: UrlPath::from_url(written),
            reach,
            origin,
        })
    }
}

impl Reach {
    fn read(written: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(written);
        // As in a relative URL, two slashes at the beginning precede a host.
        let host = match text.strip_prefix("//") {
            None if text.starts_with('/') => return Some(Self::Everywhere),
            None => match Scope::from_url(&text) {
                Some(scope) => return Some(Self::Origin(scope)),
                None => text.split(['/', '?', ';', '#']).next()?,
            },
            Some(rest) => rest.split(['/', '?', ';', '#']).next()?,
        };
        // A colon would precede a port, and a port needs a scheme.
        let scope = Scope::from_url(&format!("https://{host}"))
            .filter(|scope| !host.contains(':') && scope.host().contains('.'))?;
        Some(Self::Host(scope.host().to_owned()))
    }

    /// The host, unless the target is only a path.
    pub(super) fn host(&self) -> Option<&str> {
        match self {
            Self::Everywhere => None,
            Self::Host(host) => Some(host),
            Self::Origin(scope) => Some(scope.host()),
        }
    }

    /// Whether the robots.txt of `scope` applies to the path.
    pub(super) fn is_covered_by(&self, scope: &Scope) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Host(host) => host == scope.host(),
            Self::Origin(own) => own == scope,
        }
    }
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
            assert_eq!(target.reach.host(), host, "{written}");
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
