//! Sniffing: whether bytes without a media type are HTML.

/// Whether `body` begins as HTML does (WHATWG MIME Sniffing §7.1), in UTF-8 or another encoding
/// that agrees with ASCII. A UTF-8 byte order mark is skipped, which §7.1 does not do.
///
/// ```
/// use page_directives::html::begins_as_html;
///
/// assert!(begins_as_html(b"\n<!DOCTYPE html><title>404</title>"));
/// assert!(!begins_as_html(b"User-agent: *\n"));
/// ```
#[must_use]
pub fn begins_as_html(body: &[u8]) -> bool {
    const TAGS: &str = "\
        !doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--";
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    let Some(tag) = body.trim_ascii_start().strip_prefix(b"<") else {
        return false;
    };
    TAGS.split('|').any(|name| {
        let Some((start, rest)) = tag.split_at_checked(name.len()) else {
            return false;
        };
        let is_whole = name == "!--" || matches!(rest, [b' ' | b'>', ..]);
        start.eq_ignore_ascii_case(name.as_bytes()) && is_whole
    })
}
