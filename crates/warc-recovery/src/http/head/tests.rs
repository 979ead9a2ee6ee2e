//! Oddities of response heads, each as bytes.

use super::*;

fn raw(value: Option<FieldValue<'_>>) -> Option<&str> {
    value.map(|value| std::str::from_utf8(value.raw()).expect("UTF-8"))
}

#[test]
fn a_usual_head() {
    let block = b"HTTP/1.1 200 OK\r\nServer: nginx\r\ncontent-TYPE: text/plain; charset=utf-8\r\n\
        Content-Length: 4\r\nETag: \"x\"\r\nX-Other: 1\r\n\r\nbody";
    let head = ResponseHead::parse(block);
    assert_eq!(head.version(), Some(&b"1.1"[..]));
    assert_eq!(head.status(), Some(200));
    assert_eq!(&block[head.body_offset()..], b"body");
    assert!(head.is_complete());
    assert_eq!(raw(head.get(Header::Server)), Some("nginx"));
    assert_eq!(
        raw(head.get(Header::ContentType)),
        Some("text/plain; charset=utf-8")
    );
    assert_eq!(
        head.get(Header::ContentLength).and_then(FieldValue::to_u64),
        Some(4)
    );
    assert_eq!(raw(head.get(Header::ETag)), Some("\"x\""));
    assert_eq!(head.get(Header::Location), None);
    assert_eq!(raw(head.values_of("x-other").next()), Some("1"));
}

#[test]
fn status_lines() {
    for (line, version, status) in [
        ("HTTP/1.0 200", "1.0", Some(200)),
        ("HTTP/1.1 404 ", "1.1", Some(404)),
        ("HTTP/1.1   301   Moved  Permanently", "1.1", Some(301)),
        ("http/1.1 200 ok", "1.1", Some(200)),
        ("HTTP/2 200", "2", Some(200)),
        ("HTTP/2.0 429 Too Many Requests", "2.0", Some(429)),
        ("HTTP/3 503", "3", Some(503)),
        ("HTTP/0.9 200 OK", "0.9", Some(200)),
        ("HTTP/1.1\t999\tRequest Denied", "1.1", Some(999)),
        ("HTTP/1.1 200OK", "1.1", Some(200)),
        ("HTTP/1.1 OK", "1.1", None),
        ("HTTP/1.1 2000", "1.1", None),
        ("HTTP/1.1 20", "1.1", None),
        ("HTTP/1.1 000 None", "1.1", None),
        ("HTTP/1.1", "1.1", None),
        ("HTTP 502 Bad Gateway", "", Some(502)),
        ("http  404", "", Some(404)),
    ] {
        for end in ["\r\n\r\nb", "\n\nb"] {
            let block = format!("{line}{end}");
            let head = ResponseHead::parse(block.as_bytes());
            assert_eq!(head.version(), Some(version.as_bytes()), "{line}");
            assert_eq!(head.status(), status, "{line}");
            assert_eq!(&block[head.body_offset()..], "b", "{line}");
        }
    }
}

#[test]
fn no_status_line_is_all_body() {
    for block in [
        &b"User-agent: *\nDisallow: /\n"[..],
        b"",
        b"HTTP",
        b"HTTP/",
        b"HTTP/x\r\n\r\n",
        b"\r\n\r\nhello",
        b"<html>",
    ] {
        let head = ResponseHead::parse(block);
        assert_eq!((head.version(), head.status()), (None, None));
        assert_eq!(head.body_offset(), 0);
        assert!(head.is_complete());
    }
}

#[test]
fn a_status_line_without_a_version_needs_a_head_behind_it() {
    let block = b"\r\nHTTP 502 Bad Gateway\r\nServer: a\r\n\r\nbody";
    let head = ResponseHead::parse(block);
    assert_eq!((head.status(), head.version()), (Some(502), Some(&b""[..])));
    assert_eq!(raw(head.get(Header::Server)), Some("a"));
    assert_eq!(&block[head.body_offset()..], b"body");
    for message in [
        &b"HTTP 404 Not Found"[..],
        b"HTTP 404 Not Found\n",
        b"HTTP 404 Not Found\nThe page does not exist.\n",
        b"HTTP is a protocol\n\n",
        b"HTTP 99\n\n",
    ] {
        let head = ResponseHead::parse(message);
        assert_eq!((head.version(), head.body_offset()), (None, 0));
    }
}

#[test]
fn line_ends_before_the_status_line() {
    let head = ResponseHead::parse(b"\r\nHTTP/1.1 200 OK\r\n\r\nx");
    assert_eq!((head.status(), head.body_offset()), (Some(200), 21));
}

#[test]
fn interim_responses_are_passed_over() {
    let block = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\
        HTTP/1.1 200 OK\r\nServer: a\r\n\r\nbody";
    let head = ResponseHead::parse(block);
    assert_eq!(head.status(), Some(200));
    assert_eq!(head.get(Header::Link), None);
    assert_eq!(raw(head.get(Header::Server)), Some("a"));
    assert_eq!(&block[head.body_offset()..], b"body");
    // An interim response alone is what there is.
    assert_eq!(
        ResponseHead::parse(b"HTTP/1.1 100 Continue\r\n\r\n").status(),
        Some(100)
    );
    let switched = ResponseHead::parse(b"HTTP/1.1 101 Upgrade\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
    assert_eq!(switched.status(), Some(101));
}

#[test]
fn repeated_and_folded_headers() {
    let block = b"HTTP/1.1 200 OK\nX-Robots-Tag: noindex\nServer: a\nX-Robots-Tag: bot:\n  noai\n\
        Server: b\n\n";
    let head = ResponseHead::parse(block);
    assert_eq!(
        head.get_joined(Header::XRobotsTag).as_deref(),
        Some(&b"noindex, bot: noai"[..])
    );
    assert_eq!(raw(head.get(Header::Server)), Some("a"));
    assert_eq!(head.get_all(Header::Server).count(), 2);
    assert_eq!(head.get_all(Header::Location).count(), 0);
    assert_eq!(head.get_joined(Header::Location), None);
}

#[test]
fn one_value_is_joined_without_a_copy() {
    let head = ResponseHead::parse(b"HTTP/1.1 200 OK\r\nX-Robots-Tag: caf\xe9\r\n\r\n");
    assert!(matches!(
        head.get_joined(Header::XRobotsTag),
        Some(Cow::Borrowed(b"caf\xe9"))
    ));
}

#[test]
fn renamed_headers_are_information_only() {
    let block = b"HTTP/1.1 200 OK\r\nX-Crawler-Content-Encoding: gzip\r\n\
        X-Crawler-Transfer-Encoding: chunked\r\nX-Crawler-Content-Length: 60\r\n\
        Content-Length: 100\r\nX-Archive-Orig-Server: Apache\r\nX-Crawler-Unknown: 1\r\n\r\n";
    let head = ResponseHead::parse(block);
    assert_eq!(head.get(Header::ContentEncoding), None);
    assert_eq!(
        raw(head.get_original(Header::ContentEncoding)),
        Some("gzip")
    );
    assert_eq!(head.get(Header::TransferEncoding), None);
    assert_eq!(
        raw(head.get_original(Header::TransferEncoding)),
        Some("chunked")
    );
    assert_eq!(raw(head.get(Header::ContentLength)), Some("100"));
    assert_eq!(raw(head.get_original(Header::ContentLength)), Some("60"));
    assert_eq!(raw(head.get_original(Header::Server)), Some("Apache"));
    assert_eq!(head.get_original(Header::ETag), None);
}

#[test]
fn a_head_without_an_end() {
    for block in [
        &b"HTTP/1.1 200 OK"[..],
        b"HTTP/1.1 200 OK\r\nServer: a",
        b"HTTP/1.1 200 OK\r\nServer: a\r\n",
    ] {
        let head = ResponseHead::parse(block);
        assert_eq!(head.status(), Some(200));
        assert!(!head.is_complete());
        assert_eq!(head.body_offset(), block.len());
    }
    let head = ResponseHead::parse(b"HTTP/1.1 200 OK\r\nServer: a");
    assert_eq!(raw(head.get(Header::Server)), Some("a"));
}

#[test]
fn every_header_is_found_by_its_name() {
    for &header in Header::ALL {
        let block = format!(
            "HTTP/1.1 200 OK\r\n{}: v\r\n\r\n",
            header.name().to_uppercase()
        );
        assert_eq!(
            raw(ResponseHead::parse(block.as_bytes()).get(header)),
            Some("v")
        );
    }
}

proptest::proptest! {
    #[test]
    fn a_head_never_panics(
        start in proptest::sample::select(vec!["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100\n\nHTTP/2 "]),
        rest in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::prelude::any::<u8>(),
                proptest::sample::select(b"\r\n: \tHTTP/1.0 200".to_vec()),
            ],
            0..300,
        ),
    ) {
        let block = [start.as_bytes(), &rest].concat();
        let head = ResponseHead::parse(&block);
        assert!(head.body_offset() <= block.len());
        for &header in Header::ALL {
            let _ = head.get_joined(header);
        }
    }
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
    // For any byte at the border.
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

#[test]
fn status_lines_of_other_kinds() {
    let status = |block: &'static [u8]| {
        let head = ResponseHead::parse(block);
        (head.version(), head.status(), &block[head.body_offset()..])
    };
    assert_eq!(
        status(b"ICY 200 OK\r\nicy-name: x\r\n\r\nbody"),
        (Some(&b"ICY"[..]), Some(200), &b"body"[..])
    );
    assert_eq!(status(b"ICY weather"), (None, None, &b"ICY weather"[..]));
    assert_eq!(
        status(b"\r\n \t\n\r\nHTTP/1.1 200 OK\r\n\r\nbody").2,
        b"body"
    );
    assert_eq!(
        status(b"HTTP/x 404 No\r\nA: b\r\n\r\nbody"),
        (Some(&b"x"[..]), Some(404), &b"body"[..])
    );
    assert_eq!(status(b"\n\nUser-agent: *\n").2, b"\n\nUser-agent: *\n");
}
