//! The part of a URL that rules are matched against.
//!
//! Every dialect matches the path, its parameters and its query; scheme, authority and fragment are
//! left out (RFC 9309 §2.2.2). [`UrlPath`] holds that part with its normalised form, computed once
//! for many queries.

use std::borrow::Cow;
use std::sync::OnceLock;

use memchr::{memchr, memchr3, memmem};

use super::percent;

/// The path of a robots.txt (RFC 9309 §2.3): lower case, at the top level.
pub const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// Path, parameters and query of `url`, always with a leading slash; `/` for a bare host or an
/// empty URL. Never fails: text that does not look like a URL is read as Google's parser reads it.
/// Allocates only if `?` or `;` directly follows the authority.
///
/// ```
/// use robots_dialects::path::path_of_url;
///
/// assert_eq!(*path_of_url(b"https://h.example/a?b#c"), *b"/a?b");
/// assert_eq!(*path_of_url(b"https://h.example?b"), *b"/?b");
/// ```
#[must_use]
pub fn path_of_url(url: &[u8]) -> Cow<'_, [u8]> {
    const ROOT: &[u8] = b"/";
    // A scheme-relative URL, `//host/path`.
    let url = url.strip_prefix(b"//").unwrap_or(url);
    // `://` marks a scheme only if no path, parameter or query began before it.
    let first_delimiter = memchr3(b'/', b'?', b';', url);
    let authority = match memmem::find(url, b"://") {
        Some(scheme_end) if first_delimiter.is_none_or(|first| first >= scheme_end) => {
            scheme_end + "://".len()
        }
        _ => 0,
    };
    let Some(start) = memchr3(b'/', b'?', b';', &url[authority..]) else {
        return Cow::Borrowed(ROOT);
    };
    let start = authority + start;
    let end = memchr(b'#', url).unwrap_or(url.len());
    if end < start {
        return Cow::Borrowed(ROOT);
    }
    let path = &url[start..end];
    if path.first() == Some(&b'/') {
        Cow::Borrowed(path)
    } else {
        Cow::Owned([ROOT, path].concat())
    }
}

/// A URL path (with parameters and query) in the forms that the dialects compare.
#[derive(Clone, Debug)]
pub struct UrlPath<'u> {
    bytes: Cow<'u, [u8]>,
    /// `None` if it equals `bytes`.
    normalised: Option<Vec<u8>>,
    /// Made when first needed; `None` if it equals the normalised form.
    unescaped: OnceLock<Option<Vec<u8>>>,
}

impl<'u> UrlPath<'u> {
    /// Takes a path that begins with a slash and has no fragment.
    #[must_use]
    pub fn new(path: &'u [u8]) -> Self {
        Self::from_cow(Cow::Borrowed(path))
    }

    /// Takes the path out of a URL with [`path_of_url`].
    #[must_use]
    pub fn from_url(url: &'u [u8]) -> Self {
        Self::from_cow(path_of_url(url))
    }

    fn from_cow(bytes: Cow<'u, [u8]>) -> Self {
        let mut scratch = Vec::new();
        let is_normal = percent::rfc9309_path(&bytes, &mut scratch).as_ptr() == bytes.as_ptr();
        let normalised = (!is_normal).then_some(scratch);
        Self {
            bytes,
            normalised,
            unescaped: OnceLock::new(),
        }
    }

    /// The bytes as written in the URL.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The form of [`percent::rfc9309_path`].
    #[must_use]
    pub fn normalised(&self) -> &[u8] {
        self.normalised.as_deref().unwrap_or(&self.bytes)
    }

    /// The form of [`percent::rfc9309_unescaped`]; `None` if it equals the normalised form.
    pub(crate) fn unescaped(&self) -> Option<&[u8]> {
        let make = || {
            let (form, mut scratch) = (self.normalised(), Vec::new());
            let unescaped = percent::rfc9309_unescaped(form, &mut scratch);
            (unescaped.as_ptr() != form.as_ptr()).then_some(scratch)
        };
        self.unescaped.get_or_init(make).as_deref()
    }
}
