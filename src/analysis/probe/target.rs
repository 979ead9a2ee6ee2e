//! What is asked about: a path, a path with its host, or a URL.

use crate::url_parts::scope::Scope;
use robots_dialects::path::UrlPath;

/// A path, and to whose policies it is put.
#[derive(Debug)]
pub(super) struct Target<'q> {
    /// As written.
    pub(super) written: &'q [u8],
    /// Its path and query.
    pub(super) path: UrlPath<'q>,
    /// Whose policies are asked.
    pub(super) whose: Whose,
    /// Of a URL: its scheme, host and port as one text.
    pub(super) origin: Option<String>,
}

/// Whose policies are asked.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// Everyone's: a path alone.
    Everyone,
    /// A host's, whatever scheme and port: `example.com/path`.
    Host(String),
    /// Those that speak for a URL: `https://example.com/path`.
    Origin(Scope),
}

impl<'q> Target<'q> {
    /// Reads a line; what is wrong where it is none of the three.
    pub(super) fn read(written: &'q [u8]) -> Result<Self, &'static str> {
        let whose = Whose::read(written).ok_or(
            "none of these: a path (beginning with a slash), a host with a dot and a path, an http, https or ftp URL",
        )?;
        let origin = match &whose {
            Whose::Origin(scope) => Some(scope.to_string()),
            Whose::Everyone | Whose::Host(_) => None,
        };
        Ok(Self {
            written,
            path: UrlPath::of_url(written),
            whose,
            origin,
        })
    }
}

impl Whose {
    fn read(written: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(written);
        // As in a URL path, two slashes at the beginning announce a host.
        let host = match text.strip_prefix("//") {
            None if text.starts_with('/') => return Some(Self::Everyone),
            None => match Scope::of_url(&text) {
                Some(scope) => return Some(Self::Origin(scope)),
                None => text.split(['/', '?', ';', '#']).next()?,
            },
            Some(rest) => rest.split(['/', '?', ';', '#']).next()?,
        };
        // A colon would be that of a port, and a port is one of a scheme's services.
        let scope = Scope::of_url(&format!("https://{host}"))
            .filter(|scope| !host.contains(':') && scope.host().contains('.'))?;
        Some(Self::Host(scope.host().to_owned()))
    }

    /// The host, where there is one.
    pub(super) fn host(&self) -> Option<&str> {
        match self {
            Self::Everyone => None,
            Self::Host(host) => Some(host),
            Self::Origin(scope) => Some(scope.host()),
        }
    }

    /// Whether the robots.txt of `scope` speaks for the path.
    pub(super) fn is_spoken_for_by(&self, scope: &Scope) -> bool {
        match self {
            Self::Everyone => true,
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
            assert_eq!(target.whose.host(), host, "{written}");
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
