//! The size limit: how much of a body is parsed.
//!
//! RFC 9309 §2.5: "Crawlers MAY impose a parsing limit that SHOULD be at least 500 kibibytes".

use memchr::memrchr2;

/// Bytes parsed unless a higher limit is set: 500 KiB.
pub const DEFAULT_LIMIT: usize = 500 * 1024;

/// The bytes of `body` that are parsed under `limit`.
///
/// A longer body is cut after the last line that is complete within the limit: a cut line would
/// invent a rule (`Disallow: /foo` becoming `Disallow: /`). Nothing is left of a body whose first
/// line is longer than the limit.
///
/// ```
/// use robots_dialects::limit::cut;
///
/// let body = b"User-agent: *\nDisallow: /private\n";
/// assert_eq!(cut(body, 25), b"User-agent: *\n"); // and not `Disallow: /`
/// ```
#[must_use]
pub fn cut(body: &[u8], limit: usize) -> &[u8] {
    let Some(within) = body.get(..limit).filter(|within| within.len() < body.len()) else {
        return body;
    };
    memrchr2(b'\n', b'\r', within).map_or(&[], |end| &within[..=end])
}

/// The bytes that identify and classify a body under `limit`: the bytes that are parsed, or the
/// first `limit` bytes if they contain no complete line. Such a body is not an empty file.
#[must_use]
pub fn identified(body: &[u8], limit: usize) -> &[u8] {
    let parsed = cut(body, limit);
    if parsed.is_empty() {
        &body[..limit.min(body.len())]
    } else {
        parsed
    }
}
