//! Rows and the records that they become.

use super::*;

fn cells(values: &[(Column, &'static str)]) -> Cells<'static> {
    let mut cells = Cells::default();
    for (column, value) in values {
        cells[*column as usize] = Cell::Text(Cow::Borrowed(value.as_bytes()));
    }
    cells
}

fn fetch(values: &[(Column, &'static str)]) -> Fetch<'static> {
    Fetch::from_cells(cells(values)).expect("a fetch")
}

/// Head and block.
fn written(fetch: &Fetch<'_>) -> (String, String) {
    let (mut head, mut block) = (Vec::new(), Vec::new());
    fetch.write(&mut head, &mut block);
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (text(head), text(block))
}

#[test]
fn urls_and_hosts() {
    for (column, value, origin) in [
        (
            Column::Url,
            "http://a.example/robots.txt",
            "http://a.example",
        ),
        (Column::Url, " a.example/robots.txt\n", "https://a.example"),
        (Column::Url, "//a.example/robots.txt", "https://a.example"),
        (Column::Url, "a.example:8080", "https://a.example:8080"),
        (Column::Host, "a.example", "https://a.example"),
        (
            Column::Host,
            "http://a.example:81/x?y",
            "http://a.example:81",
        ),
        (Column::Host, "a.example/", "https://a.example"),
    ] {
        let found = fetch(&[(column, value)]);
        let expected = format!("{origin}/robots.txt");
        assert_eq!(String::from_utf8_lossy(&found.url), expected, "{value}");
    }
    let other = fetch(&[(Column::Url, "https://a.example/other")]);
    assert_eq!(other.url, b"https://a.example/other");
    let both = fetch(&[(Column::Url, ""), (Column::Host, "b.example")]);
    assert_eq!(both.url, b"https://b.example/robots.txt");
    let neither = Fetch::from_cells(cells(&[(Column::Url, " "), (Column::Body, "x")]));
    assert_eq!(neither.expect_err("no URL").kind, DamageKind::NoTargetUri);
}

#[test]
fn what_an_answer_is() {
    let with = |status: Option<&'static str>, body: Option<&'static str>| {
        let mut values = vec![(Column::Host, "a.example")];
        values.extend(status.map(|status| (Column::Status, status)));
        values.extend(body.map(|body| (Column::Body, body)));
        let fetch = fetch(&values);
        let (head, block) = written(&fetch);
        (head.contains("WARC-Type: response"), block)
    };
    let response = |block: &str| (true, block.to_owned());
    let resource = |block: &str| (false, block.to_owned());
    assert_eq!(
        with(Some("200"), Some("x")),
        response("HTTP/1.1 200\r\n\r\nx")
    );
    assert_eq!(with(Some("404"), None), response("HTTP/1.1 404\r\n\r\n"));
    assert_eq!(with(Some("ok"), Some("x")), resource("x"));
    assert_eq!(with(None, Some("x")), resource("x"));
    assert_eq!(with(None, Some("")), resource(""), "an empty file");
    assert_eq!(with(None, None), response(""), "no answer");
    assert_eq!(with(Some("timeout"), Some("")), response(""), "no answer");
    assert_eq!(with(Some("0"), None), response(""), "no answer");
}

#[test]
fn statuses() {
    for (text, expected) in [
        ("200", Some(200)),
        ("404 Not Found", Some(404)),
        ("301.0", Some(301)),
        ("-1", None),
        ("99", None),
        ("1000", None),
        ("200OK", None),
        ("", None),
    ] {
        let cell = Cell::Text(Cow::Borrowed(text.as_bytes()));
        assert_eq!(status_of(cell), expected, "{text}");
    }
    for (number, expected) in [(200, Some(200)), (0, None), (-200, None), (i64::MAX, None)] {
        assert_eq!(status_of(Cell::Integer(number)), expected);
    }
    for (number, expected) in [
        (200.0, Some(200)),
        (200.5, None),
        (f64::NAN, None),
        (1e300, None),
    ] {
        assert_eq!(status_of(Cell::Real(number)), expected);
    }
}

#[test]
fn statuses_that_are_no_codes_are_noted() {
    let is_odd = |status| {
        fetch(&[
            (Column::Host, "a.example"),
            (Column::Status, status),
            (Column::Body, "x"),
        ])
        .has_odd_status()
    };
    for odd in ["timeout", "OK", "200OK", "99", "1000", "2e9"] {
        assert!(is_odd(odd), "{odd}");
    }
    for usual in [
        "200",
        "404 Not Found",
        "301.0",
        "",
        "null",
        "0",
        "-1",
        "NaN",
    ] {
        assert!(!is_odd(usual), "{usual}");
    }
}

#[test]
fn a_record_is_what_a_crawler_would_have_written() {
    let found = fetch(&[
        (Column::Url, "http://a.example/robots.txt\r\nWARC-Type: x"),
        (Column::Time, "2026-08-01 12:00:00"),
        (Column::Status, "301"),
        (
            Column::Headers,
            "{\"Content-Length\": \"9\", \"X\": \"a\\r\\nServer: b\"}",
        ),
        (Column::Location, "/x"),
        (Column::ContentType, "text/plain"),
        (Column::IpAddress, "192.0.2.1"),
        (Column::Body, "moved"),
    ]);
    let (head, block) = written(&found);
    let expected = "WARC/1.1\r\nWARC-Type: response\r\n\
        WARC-Target-URI: http://a.example/robots.txt  WARC-Type: x\r\n\
        WARC-Date: 2026-08-01T12:00:00.000000Z\r\nWARC-IP-Address: 192.0.2.1\r\n\
        Content-Type: application/http\r\nContent-Length: 100\r\n\r\n";
    assert_eq!(head.replace(&block.len().to_string(), "100"), expected);
    assert_eq!(
        block,
        "HTTP/1.1 301\r\nX-Crawler-Content-Length: 9\r\nX: a  Server: b\r\nlocation: /x\r\n\
         Content-Type: text/plain\r\n\r\nmoved"
    );
}

#[test]
fn a_resource_is_never_taken_for_a_response() {
    let found = fetch(&[
        (Column::Host, "a.example"),
        (Column::Headers, "Content-Type: application/http"),
        (Column::Body, "HTTP/1.1 200 OK\r\n\r\nx"),
    ]);
    let (head, block) = written(&found);
    assert!(
        head.contains("WARC-Type: resource") && !head.contains("Content-Type"),
        "{head}"
    );
    assert!(block.ends_with("\r\n\r\nx"));
}

#[test]
fn bad_values_are_told() {
    let host = (Column::Host, "a.example");
    for (value, words) in [
        ((Column::BodyBase64, "VXNl*"), "base64"),
        ((Column::Time, "01/08/2026"), "--columns time="),
        ((Column::Headers, "x"), "--columns headers="),
    ] {
        let problem = Fetch::from_cells(cells(&[host, value])).expect_err(words);
        assert!(problem.message.contains(words), "{problem:?}");
        assert_eq!(problem.kind, DamageKind::NotARecord);
    }
    for nothing in ["", "NaN", "None", "null", "-"] {
        assert_eq!(fetch(&[host, (Column::Time, nothing)]).time, None);
    }
    for packed in ["VXNlcg==", "VXNlcg", "VXNl\r\ncg=="] {
        let found = fetch(&[host, (Column::BodyBase64, packed)]);
        assert_eq!(found.body.as_deref(), Some(&b"User"[..]), "{packed}");
    }
}
