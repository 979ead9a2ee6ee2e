//! Oddities of record heads, each as bytes.

use super::*;

fn raw(value: Option<FieldValue<'_>>) -> Option<&str> {
    value.map(|value| std::str::from_utf8(value.raw()).expect("UTF-8"))
}

fn error(input: &[u8]) -> HeadError {
    RecordHead::parse(input).expect_err("not a head")
}

const RESPONSE: &[u8] = b"WARC/1.0\r\n\
    WARC-Type: response\r\n\
    WARC-Date: 2026-08-15T10:00:00Z\r\n\
    WARC-Record-ID: <urn:uuid:4d4e3b2a-0000-4000-8000-000000000000>\r\n\
    Content-Length: 5\r\n\
    Content-Type: application/http; msgtype=response\r\n\
    WARC-Warcinfo-ID: <urn:uuid:1>\r\n\
    WARC-IP-Address: 192.0.2.1\r\n\
    WARC-Target-URI: https://example.com/robots.txt\r\n\
    WARC-Protocol: h2\r\n\
    WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n\
    WARC-Payload-Digest: sha256:00\r\n\
    WARC-Block-Digest: sha1:X\r\n\
    WARC-Truncated: length\r\n\
    WARC-Identified-Payload-Type: text/plain\r\n\
    \r\nHTTP/";

#[test]
fn a_usual_head() {
    let head = RecordHead::parse(RESPONSE).expect("a head");
    assert_eq!(head.version(), Version { major: 1, minor: 0 });
    assert_eq!(head.record_type(), RecordType::Response);
    assert_eq!(head.content_length(), 5);
    assert_eq!(&RESPONSE[head.head_length()..], b"HTTP/");
    assert_eq!(
        raw(head.target_uri()),
        Some("https://example.com/robots.txt")
    );
    assert_eq!(
        raw(head.record_id()),
        Some("urn:uuid:4d4e3b2a-0000-4000-8000-000000000000")
    );
    assert_eq!(raw(head.warcinfo_id()), Some("urn:uuid:1"));
    assert_eq!(head.date(), Some(1_786_788_000_000_000));
    assert_eq!(raw(head.get(Field::IpAddress)), Some("192.0.2.1"));
    assert_eq!(raw(head.get(Field::Truncated)), Some("length"));
    assert_eq!(raw(head.get(Field::BlockDigest)), Some("sha1:X"));
    assert_eq!(
        raw(head.get(Field::IdentifiedPayloadType)),
        Some("text/plain")
    );
    assert_eq!(head.get(Field::RefersTo), None);
    assert_eq!(head.malformed_lines(), 0);
    let mut protocols = head.values_of("WARC-Protocol");
    assert_eq!(
        (raw(protocols.next()), protocols.next()),
        (Some("h2"), None)
    );
}

#[test]
fn the_first_of_repeated_fields_counts_and_all_digests_are_there() {
    let head = RecordHead::parse(RESPONSE).expect("a head");
    let first = raw(head.get(Field::PayloadDigest));
    assert_eq!(first, Some("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"));
    assert_eq!(head.payload_digests().count(), 2);
    assert_eq!(raw(head.payload_digests().nth(1)), Some("sha256:00"));
}

#[test]
fn every_prefix_is_incomplete() {
    let whole = RecordHead::parse(RESPONSE).expect("a head").head_length();
    for end in 0..whole {
        assert_eq!(error(&RESPONSE[..end]), HeadError::Incomplete, "{end}");
    }
}

#[test]
fn lf_only_any_case_and_white_space() {
    let input = b"WARC/0.17 \nwarc-TYPE:\tRevisit \ncontent-length :  7\n\
        WARC-PROFILE:<http://netpreserve.org/warc/1.0/revisit/identical-payload-digest>\n\
        warc-refers-to: <urn:uuid:2>\nWARC-Refers-To-Target-URI: <http://a/>\n\
        WARC-Refers-To-Date: 2026\nWARC-Segment-Number: 2\nWARC-Filename: a.warc\n\n";
    let head = RecordHead::parse(input).expect("a head");
    assert_eq!(
        head.version(),
        Version {
            major: 0,
            minor: 17
        }
    );
    assert_eq!(head.record_type(), RecordType::Revisit);
    assert_eq!(head.content_length(), 7);
    assert_eq!(head.head_length(), input.len());
    assert!(raw(head.profile()).is_some_and(|profile| profile.starts_with("http://")));
    assert_eq!(raw(head.refers_to()), Some("urn:uuid:2"));
    assert_eq!(raw(head.refers_to_target_uri()), Some("http://a/"));
    assert_eq!(head.refers_to_date(), Some(1_767_225_600_000_000));
    assert_eq!(head.segment_number(), Some(2));
    assert_eq!(raw(head.get(Field::Filename)), Some("a.warc"));
}

#[test]
fn folded_fields_and_uris_with_spaces_or_odd_bytes() {
    let input = b"WARC/1.1\r\nWARC-Target-URI: <http://a/b c\xff>\r\n\
        Content-Type: text/\r\n plain\r\nContent-Length:\r\n 3\r\n\r\n";
    let head = RecordHead::parse(input).expect("a head");
    let uri = head.target_uri().map(FieldValue::raw);
    assert_eq!(uri, Some(&b"http://a/b c\xff"[..]));
    assert_eq!(
        &*head.get(Field::ContentType).expect("a type").unfolded(),
        b"text/ plain"
    );
    assert_eq!(head.content_length(), 3);
    assert_eq!(head.record_type(), RecordType::Other);
}

#[test]
fn lines_that_are_no_fields_are_counted() {
    let input = b"WARC/1.0\r\ngarbage\r\nContent-Length: 0\r\n: x\r\n\r\n";
    assert_eq!(
        RecordHead::parse(input).expect("a head").malformed_lines(),
        2
    );
}

#[test]
fn a_head_cut_by_the_next_one() {
    let input = b"WARC/1.0\r\nWARC-Type: request\r\nWARC/1.0\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(error(input), HeadError::Interrupted(30));
}

#[test]
fn wrong_versions() {
    assert_eq!(error(b"HTTP/1.1 200 OK\r\n\r\n"), HeadError::NotWarc);
    assert_eq!(error(b"warc/1.0\r\n\r\n"), HeadError::MissingContentLength);
    assert_eq!(error(b"WARX"), HeadError::NotWarc);
    for version in [
        "WARC/",
        "WARC/1",
        "WARC/1.",
        "WARC/.1",
        "WARC/1.0 x",
        "WARC/a.b",
        "WARC/1.99999",
    ] {
        assert_eq!(
            error(format!("{version}\r\n\r\n").as_bytes()),
            HeadError::BadVersion
        );
    }
    let future = RecordHead::parse(b"WARC/2.0\nContent-Length: 0\n\n").expect("a head");
    assert_eq!(future.version(), Version { major: 2, minor: 0 });
}

#[test]
fn wrong_lengths() {
    assert_eq!(error(b"WARC/1.0\r\n\r\n"), HeadError::MissingContentLength);
    for value in ["", "-1", "+1", "1x", "18446744073709551616", "1, 1", "0x10"] {
        let input = format!("WARC/1.0\r\nContent-Length: {value}\r\n\r\n");
        assert_eq!(
            error(input.as_bytes()),
            HeadError::BadContentLength,
            "{value:?}"
        );
    }
    let differ = b"WARC/1.0\nContent-Length: 1\nContent-Length: 2\n\n";
    assert_eq!(error(differ), HeadError::BadContentLength);
    let equal =
        b"WARC/1.0\nContent-Length: 18446744073709551615\nContent-Length: 18446744073709551615\n\n";
    assert_eq!(
        RecordHead::parse(equal).expect("a head").content_length(),
        u64::MAX
    );
}

#[test]
fn a_head_that_never_ends() {
    let mut input = b"WARC/1.0\r\n".to_vec();
    while input.len() < MAX_HEAD_BYTES {
        input.extend_from_slice(b"X-Filler: abcdefghijklmnopqrstuvwxyz\r\n");
    }
    assert_eq!(error(&input[..MAX_HEAD_BYTES - 1]), HeadError::Incomplete);
    assert_eq!(error(&input), HeadError::TooLong);
    input.extend_from_slice(b"Content-Length: 0\r\n\r\n");
    assert_eq!(error(&input), HeadError::TooLong);
    let one_line = [b"WARC/".as_slice(), &vec![b'1'; MAX_HEAD_BYTES]].concat();
    assert_eq!(error(&one_line), HeadError::TooLong);
}

proptest::proptest! {
    #[test]
    fn a_head_never_panics(
        start in proptest::sample::select(vec!["", "WARC/1.0\r\n", "WARC/1.0\nContent-Length: "]),
        rest in proptest::collection::vec(
            proptest::prop_oneof![
                proptest::prelude::any::<u8>(),
                proptest::sample::select(b"\r\n: \tWARC/1.0".to_vec()),
            ],
            0..300,
        ),
    ) {
        let input = [start.as_bytes(), &rest].concat();
        match RecordHead::parse(&input) {
            Ok(head) => {
                assert!(head.head_length() <= input.len());
                // What was read does not depend on what follows.
                let again = RecordHead::parse(&input[..head.head_length()]).expect("the same");
                assert_eq!(again.content_length(), head.content_length());
            }
            Err(HeadError::Interrupted(at)) => assert!(input[at..at + 5].eq_ignore_ascii_case(b"WARC/")),
            Err(_) => {}
        }
        let _ = crate::warc::find_next_head(&input, 0);
        let _ = parse_date(&rest);
    }
}
