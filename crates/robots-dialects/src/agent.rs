//! Product tokens: who a user-agent line speaks to.
//!
//! RFC 9309 §2.2.1: a crawler's product token consists of letters, `_` and `-`,
//! and a group is its own when the token in the file equals it without regard
//! to case.

use super::line::is_space;

/// The product token of a user-agent value: its leading `[A-Za-z_-]*`, so that
/// `Googlebot/2.1` gives `Googlebot`. Empty where the value begins otherwise.
///
/// ```
/// use robots_dialects::agent::product_token;
///
/// assert_eq!(product_token(b"ExampleBot/1.0 (+https://example.com)"), b"ExampleBot");
/// assert_eq!(product_token(b"bot2"), b"bot");
/// ```
#[must_use]
pub fn product_token(value: &[u8]) -> &[u8] {
    let end = value
        .iter()
        .position(|byte| !is_token_byte(*byte))
        .unwrap_or(value.len());
    &value[..end]
}

/// Whether a user-agent value means every crawler: `*` alone or followed by
/// white space. `*foo` is not it (its token is empty).
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

/// A robot's name without its version, as the texts of the 1990s compare it:
/// what stands before the first slash, comma or white space. Unlike a product
/// token it may hold any other byte (`8bot`).
#[must_use]
pub fn name_without_version(value: &[u8]) -> &[u8] {
    let end = value
        .iter()
        .position(|byte| matches!(byte, b'/' | b',') || is_space(*byte))
        .unwrap_or(value.len());
    &value[..end]
}

/// Whether `name` from a file is a substring of the robot's name without regard
/// to case: the rule of 1994 and 1996. An empty name is part of none.
#[must_use]
pub fn is_part_of_name(name: &[u8], robot: &[u8]) -> bool {
    !name.is_empty()
        && robot
            .windows(name.len())
            .any(|part| part.eq_ignore_ascii_case(name))
}

/// Whether `byte` may stand in a product token.
#[must_use]
pub const fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_the_leading_run_of_letters_hyphen_and_underscore() {
        for (value, token) in [
            ("Googlebot/2.1", "Googlebot"),
            ("foo_bar-Baz", "foo_bar-Baz"),
            ("Foo Bar", "Foo"),
            ("One, Two", "One"),
            ("bot1", "bot"),
            ("1bot", ""),
            ("*", ""),
            ("", ""),
        ] {
            assert_eq!(product_token(value.as_bytes()), token.as_bytes(), "{value}");
        }
        assert_eq!(product_token(b"caf\xC3\xA9"), b"caf");
    }

    #[test]
    fn wildcard_stands_alone_or_before_white_space() {
        for value in [&b"*"[..], b"* ", b"* foo", b"*\tx", b"*\x0Bx"] {
            assert!(is_wildcard(value), "{value:?}");
        }
        for value in [&b""[..], b"*foo", b"**", b"foo*", b"x"] {
            assert!(!is_wildcard(value), "{value:?}");
        }
    }

    #[test]
    fn names_lose_their_version_and_match_as_substrings() {
        for (value, name) in [
            ("FooBot/1.2 [http://foobot.int]", "FooBot"),
            ("8bot", "8bot"),
            ("One, Two", "One"),
            ("FigTree Robot", "FigTree"),
            ("/1.0", ""),
        ] {
            assert_eq!(
                name_without_version(value.as_bytes()),
                name.as_bytes(),
                "{value}"
            );
        }
        assert!(is_part_of_name(b"bot", b"SpamBot"));
        assert!(!is_part_of_name(b"spambot", b"bot"));
        assert!(!is_part_of_name(b"", b"bot"));
    }

    #[test]
    fn tokens_are_equal_without_case() {
        assert!(is_same_token(b"GPTBot", b"gptbot"));
        assert!(!is_same_token(b"GPTBot", b"gpt"));
    }
}
