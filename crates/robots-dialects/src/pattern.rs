//! Path patterns: `*` and a final `$` (RFC 9309 §2.2.3).
//!
//! A pattern is anchored at the start of the path, `*` matches any bytes, and `$` is special
//! only as the last byte, where it anchors the end. The match works on bytes; percent-encoding is
//! handled before.
//!
//! Robots.txt files are written by strangers, so the worst case counts. Between the first and the
//! last literal segment, the leftmost occurrence of each segment is always as good as any other: no
//! backtracking is needed. A linear substring search looks for each segment after the previous one,
//! so a match costs O(path + pattern), and `*a*a*a*b` is no worse than `ab`. Nothing is allocated.

use memchr::{memchr, memmem};

/// Whether `pattern` matches `path`. An empty pattern matches everything; the dialect decides what
/// that means. A pattern without `/` or `*` at its start matches no path that starts with a slash.
///
/// ```
/// use robots_dialects::pattern::matches;
///
/// assert!(matches(b"/*.gif$", b"/a/b.gif"));
/// assert!(!matches(b"/*.gif$", b"/a/b.gif?c"));
/// ```
#[must_use]
pub fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, is_anchored) = split_anchor(pattern);
    match memchr(b'*', pattern) {
        None if is_anchored => path == pattern,
        None => path.starts_with(pattern),
        Some(star) => path
            .strip_prefix(&pattern[..star])
            .is_some_and(|rest| matches_after_star(&pattern[star + 1..], rest, is_anchored)),
    }
}

/// A pattern without its special `$`, and whether it had one.
pub(crate) fn split_anchor(pattern: &[u8]) -> (&[u8], bool) {
    match pattern {
        [start @ .., b'$'] => (start, true),
        _ => (pattern, false),
    }
}

/// Matches what follows the first `*` of a pattern.
fn matches_after_star(mut pattern: &[u8], mut path: &[u8], is_anchored: bool) -> bool {
    while let Some(star) = memchr(b'*', pattern) {
        let segment = &pattern[..star];
        match memmem::find(path, segment) {
            Some(at) => path = &path[at + segment.len()..],
            None => return false,
        }
        pattern = &pattern[star + 1..];
    }
    // With `$` the last segment must end the path; `ends_with` cannot reach back over bytes that
    // earlier segments took, because `path` is the rest after them.
    if is_anchored {
        path.ends_with(pattern)
    } else {
        memmem::find(path, pattern).is_some()
    }
}

/// Whether `pattern` has a `*`.
#[must_use]
pub fn has_wildcard(pattern: &[u8]) -> bool {
    memchr(b'*', pattern).is_some()
}

/// Whether `pattern` has a special `$`.
#[must_use]
pub fn has_end_anchor(pattern: &[u8]) -> bool {
    pattern.ends_with(b"$")
}

/// What occurs in a pattern, found when its line is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternTraits {
    /// Neither an escape nor a byte outside US-ASCII: the pattern is the same in every form of
    /// [`percent`](crate::percent).
    pub is_plain: bool,
    /// A `*`.
    pub has_wildcard: bool,
    /// A `?`.
    pub has_query: bool,
}

impl PatternTraits {
    /// The traits of `pattern`.
    #[must_use]
    #[inline]
    pub fn of(pattern: &[u8]) -> Self {
        Self {
            is_plain: pattern.is_ascii() && memchr(b'%', pattern).is_none(),
            has_wildcard: has_wildcard(pattern),
            has_query: memchr(b'?', pattern).is_some(),
        }
    }
}

/// Whether `pattern` matches every path that begins with a slash: `/`, `*`, and their redundant
/// spellings such as `/*` and `**`.
#[must_use]
pub fn matches_every_path(pattern: &[u8]) -> bool {
    let (pattern, is_anchored) = split_anchor(pattern);
    // At most one slash, which matches the path's first byte; all else is `*`.
    let mut slashes = 0;
    for byte in pattern {
        match byte {
            b'*' => {}
            b'/' => slashes += 1,
            _ => return false,
        }
    }
    slashes <= 1 && (pattern.ends_with(b"*") || (!is_anchored && slashes == 1))
}
