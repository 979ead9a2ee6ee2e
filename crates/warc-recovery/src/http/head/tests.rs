//! Oddities of response heads, each as bytes.

use super::*;

#[test]
fn one_value_is_joined_without_a_copy() {
    let head = ResponseHead::parse(b"HTTP/1.1 200 OK\r\nX-Robots-Tag: caf\xe9\r\n\r\n");
    assert!(matches!(
        head.get_joined(Header::XRobotsTag),
        Some(Cow::Borrowed(b"caf\xe9"))
    ));
}

#[test]
fn a_head_over_the_limit_keeps_its_body() {
    let filler = "X-Filler: 0123456789\r\n".repeat(MAX_HEAD_BYTES / 22 + 10);
    for end in ["\r\n", "\n"] {
        let block =
            format!("HTTP/1.1 200 OK\r\nServer: a\r\n{filler}ETag: late\r\n{end}body\r\n\r\nx");
        let head = ResponseHead::parse(block.as_bytes());
        assert!(head.is_too_long() && head.is_complete());
        assert_eq!(head.status(), Some(200));
        assert_eq!(&block[head.body_offset()..], "body\r\n\r\nx");
        assert!(head.get(Header::Server).is_some() && head.get(Header::ETag).is_none());
    }
    // With the limit at any byte near the end of the head.
    for length in 0..30 {
        let rest = MAX_HEAD_BYTES - 17 - length;
        let block = format!(
            "HTTP/1.1 200 OK\r\n{}: \r\n\r\nbody{}",
            "x".repeat(rest),
            "y".repeat(40)
        );
        let head = ResponseHead::parse(block.as_bytes());
        assert!(head.is_complete(), "{length}");
        assert!(block[head.body_offset()..].starts_with("body"), "{length}");
        let head_length = head.body_offset();
        assert_eq!(head.is_too_long(), head_length > MAX_HEAD_BYTES, "{length}");
    }
    let endless = format!("HTTP/1.1 200 OK\r\n{filler}");
    let head = ResponseHead::parse(endless.as_bytes());
    assert!(head.is_too_long() && !head.is_complete());
    assert_eq!(head.body_offset(), endless.len());
}

#[test]
fn interim_responses_over_the_limit_are_told() {
    let block = format!(
        "{}HTTP/1.1 200 OK\r\n\r\nbody",
        "HTTP/1.1 100 Continue\r\n\r\n".repeat(MAX_HEAD_BYTES / 25 + 10)
    );
    assert!(ResponseHead::parse(block.as_bytes()).is_too_long());
}
