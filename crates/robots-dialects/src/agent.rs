//! Names of crawlers: whom a user-agent line addresses.
//!
//! Three ways to take a name out of a user-agent value:
//!
//! | function | takes | from `MJ12bot/v1.4 (…)` | used by |
//! |---|---|---|---|
//! | [`product_token`] | an HTTP `token` (RFC 9110 §5.6.2) | `MJ12bot` | crawlers, which match the name that they publish; the tables |
//! | [`rfc9309_token`] | letters, `_` and `-` (RFC 9309 §2.2.1) | `MJ` | the dialects since 2019 |
//! | [`name_without_version`] | the text before a slash, a comma or white space | `MJ12bot` | the dialects of the 1990s |

use super::line::is_space;

/// The product token with which a user-agent value begins (RFC 9110 §5.6.2 `token`, §10.1.5
/// `product`), without the version. Empty if the value does not begin with one.
///
/// ```
/// use robots_dialects::agent::product_token;
///
/// assert_eq!(product_token(b"ExampleBot/1.0 (+https://example.com)"), b"ExampleBot");
/// assert_eq!(product_token(b"MJ12bot/v1.4"), b"MJ12bot");
/// ```
#[must_use]
pub fn product_token(value: &[u8]) -> &[u8] {
    leading(value, |byte| {
        byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
    })
}

/// The product token of a user-agent value under RFC 9309 §2.2.1: the leading `[A-Za-z_-]*`, so
/// `MJ12bot` gives `MJ`.
#[must_use]
pub fn rfc9309_token(value: &[u8]) -> &[u8] {
    leading(value, |byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
    })
}

fn leading(value: &[u8], is_part: fn(u8) -> bool) -> &[u8] {
    let end = value.iter().position(|byte| !is_part(*byte));
    &value[..end.unwrap_or(value.len())]
}

/// Whether a user-agent value means every crawler: `*` alone or followed by white space.
#[must_use]
pub fn is_wildcard(value: &[u8]) -> bool {
    match value {
        [b'*'] => true,
        [b'*', second, ..] => is_space(*second),
        _ => false,
    }
}

/// Whether two product tokens are the same crawler's: equality without case.
#[must_use]
pub fn is_same_token(one: &[u8], other: &[u8]) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// A robot's name as the 1990s compare it: all bytes before the first slash, comma or white space.
#[must_use]
pub fn name_without_version(value: &[u8]) -> &[u8] {
    leading(value, |byte| {
        !matches!(byte, b'/' | b',') && !is_space(byte)
    })
}

/// Whether `name` from a file is a substring of the robot's name without regard to case: the rule
/// of 1994 and 1996. An empty name never is.
#[must_use]
pub fn is_part_of_name(name: &[u8], robot: &[u8]) -> bool {
    !name.is_empty()
        && robot
            .windows(name.len())
            .any(|part| part.eq_ignore_ascii_case(name))
}
