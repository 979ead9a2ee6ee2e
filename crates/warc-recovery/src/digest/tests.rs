//! Known digests, computed by other means (Python's hashlib over the same bytes).

use super::*;

/// Digests of `abc`: hexadecimal, base32, base64.
const ABC: [(&str, [&str; 3]); 4] = [
    (
        "md5",
        [
            "900150983cd24fb0d6963f7d28e17f72",
            "SAAVBGB42JH3BVUWH56SRYL7OI======",
            "kAFQmDzST7DWlj99KOF/cg==",
        ],
    ),
    (
        "sha1",
        [
            "a9993e364706816aba3e25717850c26c9cd0d89d",
            "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=",
        ],
    ),
    (
        "sha256",
        [
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "XJ4BNP4PAHH6UQKBIDPF3LRCEOYAGYNDSYLXVHFUCD7WD4QACWWQ====",
            "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=",
        ],
    ),
    (
        "sha512",
        [
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            "3WXTLIMTMF5LVTCBONE24ICBGEJON6SORGUX5IQKT3XOMS2V2ONCDEUZFITU7QNIG25DYI5D73V32RKNIQRWIPHIBYVJVSKPUVGKJHY=",
            "3a81oZNherrMQXNJriBBMRLm+k6JqX6iCp7u5ktV05ohkpkqJ0/BqDa6PCOj/uu9RU1EI2Q86A4qmslPpUyknw==",
        ],
    ),
];

/// Names of fields.
const BLOCK: &str = "WARC-Block-Digest";
const PAYLOAD: &str = "WARC-Payload-Digest";

const BODY: &[u8] = b"User-agent: *\nDisallow: /a\n";
const CHUNKED: &[u8] = b"e\r\nUser-agent: *\n\r\nd\r\nDisallow: /a\n\r\n0\r\n\r\n";

fn sha1(bytes: &[u8]) -> String {
    format!("sha1:{}", base32(&Algorithm::Sha1.hash(&[bytes])))
}

/// The verdict on a record of this type, with these digest fields.
fn verdict(record_type: &str, fields: &[(&str, &str)], block: &[u8]) -> Option<bool> {
    let mut bytes = format!(
        "WARC/1.1\r\nWARC-Type: {record_type}\r\nContent-Length: {}\r\n",
        block.len()
    );
    for (name, value) in fields {
        let _ = write!(bytes, "{name}: {value}\r\n");
    }
    bytes.push_str("\r\n");
    let head = RecordHead::parse(bytes.as_bytes()).expect("a head");
    let http = ResponseHead::parse(block);
    verify(&head, block.starts_with(b"HTTP/").then_some(&http), block)
}

fn response(headers: &str, body: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{headers}\r\n").as_bytes(), body].concat()
}

#[test]
fn every_algorithm_in_every_encoding() {
    for (label, values) in ABC {
        for value in values {
            for label in [
                label.to_owned(),
                label.to_uppercase(),
                label.replace("sha", "SHA-"),
            ] {
                let claim = format!("{label}:{value}");
                let claim = Claim::parse(claim.as_bytes()).expect("a known algorithm");
                assert!(claim.is_of(&[b"a", b"bc"]), "{label} {value}");
                assert!(!claim.is_of(&[b"abd"]), "{label} {value}");
            }
        }
    }
    let lower = Claim::parse(b"sha1:vgmt4nsha2awvor6evyxqugcnsonbwe5").expect("known");
    assert!(lower.is_of(&[b"abc"]));
}

#[test]
fn payloads_are_hashed_as_the_standard_says_as_stored_or_decoded() {
    let chunked = response("Transfer-Encoding: chunked\r\n", CHUNKED);
    let gzip = {
        use std::io::Write as _;
        let level = flate2::Compression::default();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
        encoder.write_all(BODY).expect("memory");
        encoder.finish().expect("memory")
    };
    let coded = response("Content-Encoding: gzip\r\n", &gzip);
    for (record_type, hashed, block, expected) in [
        ("response", BODY, &*chunked, true),
        ("response", CHUNKED, &chunked, true),
        ("response", BODY, &coded, true),
        ("response", &gzip, &coded, true),
        // The head is not part of the payload.
        ("response", &coded, &coded, false),
        ("resource", BODY, BODY, true),
    ] {
        let found = verdict(record_type, &[(PAYLOAD, &sha1(hashed))], block);
        assert_eq!(found, Some(expected), "{record_type} {hashed:?}");
    }
}

#[test]
fn one_wrong_digest_among_several_is_wrong() {
    let block = response("", BODY);
    let (right, wrong) = (sha1(BODY), sha1(b"another body"));
    let block_digest = sha1(&block);
    for (fields, expected) in [
        (vec![(PAYLOAD, right.as_str())], Some(true)),
        (vec![(PAYLOAD, &wrong)], Some(false)),
        (vec![("warc-block-digest", &block_digest)], Some(true)),
        (vec![(BLOCK, &right)], Some(false)),
        (vec![(BLOCK, &block_digest), (PAYLOAD, &wrong)], Some(false)),
        (vec![(PAYLOAD, &right), (PAYLOAD, "md5:00")], Some(false)),
        (vec![(PAYLOAD, &right), (PAYLOAD, "blake3:00")], Some(true)),
    ] {
        assert_eq!(verdict("response", &fields, &block), expected, "{fields:?}");
    }
}

#[test]
fn what_cannot_be_checked_is_neither_right_nor_wrong() {
    let block = response("", BODY);
    let wrong = sha1(b"another body");
    let payload = (PAYLOAD, wrong.as_str());
    for fields in [
        vec![],
        vec![(PAYLOAD, "blake3:00")],
        vec![(PAYLOAD, "VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5")],
        vec![payload, ("WARC-Segment-Number", "1")],
        vec![payload, ("WARC-Truncated", "length")],
    ] {
        assert_eq!(verdict("response", &fields, &block), None, "{fields:?}");
    }
    assert_eq!(verdict("revisit", &[payload], &block), None);
    let bytes = b"WARC/1.1\r\nContent-Length: 9\r\nWARC-Block-Digest: sha1:A\r\n\r\n";
    let head = RecordHead::parse(bytes).expect("a head");
    assert_eq!(verify(&head, None, b"a part"), None);
}
