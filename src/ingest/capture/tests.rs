//! Media types, and URLs that cannot be parsed.

use super::*;

#[test]
fn content_types_are_taken_apart() {
    let parsed = ContentType::parse(b"Text/Plain; format=flowed; Charset=\"UTF-8\"");
    assert_eq!(parsed.media_type, b"text/plain");
    assert_eq!(parsed.charset.as_deref(), Some(&b"utf-8"[..]));
    assert_eq!(ContentType::parse(b"text/html").charset, None);
}

#[test]
fn impossible_hosts_have_robots_txt_captures_too() {
    assert!(is_robotstxt("https://www.203.0.113.7.1/robots.txt", None));
    assert!(
        !is_robotstxt("https://www.203.0.113.7.1/a/robots.txt", None)
            && !is_robotstxt("/robots.txt", None)
    );
}
