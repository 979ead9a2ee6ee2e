//! Bodies: what is borrowed, where decoding stops, and properties of any body. Cases of single
//! bodies are in `tests/cases/bodies.md`.

use proptest::prelude::{any, prop_assert_eq, proptest};
use warc_recovery::http::BodyIssue::{self, BadEncoding, OverDecodeLimit, TruncatedBody};
use warc_recovery::http::{BodyIssues, BodyLimits, ResponseHead, decode_body, for_each_chunk};

use crate::notation::{ROBOTS, chunked, deflate, zlib, zstd};
use crate::packing::gzip;

/// 100,000,000 zeros in brotli.
const BROTLI_BOMB: &[u8] = include_bytes!("../zeros.br");

pub(crate) const LIMITS: BodyLimits = BodyLimits {
    keep: 1 << 20,
    max_decoded: 4 << 20,
};

/// Decodes a body under a head with these field lines. Returns kept bytes, length and issues.
pub(crate) fn decode_within(
    fields: &str,
    stored: &[u8],
    limits: BodyLimits,
) -> (Vec<u8>, u64, Vec<BodyIssue>) {
    let block = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
    let head = ResponseHead::parse(block.as_bytes());
    let mut scratch = b"left over".to_vec();
    let body = decode_body(&head, stored, limits, &mut scratch);
    assert!(body.bytes.len() <= limits.keep);
    let issues = body.issues.iter().collect();
    (body.bytes.to_vec(), body.decoded_length, issues)
}

#[test]
fn bodies_without_codings_are_borrowed() {
    for (fields, stored, expected) in [
        (
            "Content-Encoding: identity\r\nContent-Length: 4",
            "body",
            "bo",
        ),
        ("Transfer-Encoding: chunked", "4\r\nbody\r\n0\r\n\r\n", "bo"),
    ] {
        let head = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
        let head = ResponseHead::parse(head.as_bytes());
        let mut scratch = Vec::new();
        let limits = BodyLimits::keeping(2);
        let body = decode_body(&head, stored.as_bytes(), limits, &mut scratch);
        assert_eq!((body.bytes, body.decoded_length), (expected.as_bytes(), 4));
        assert!(body.issues.is_empty());
        assert!(
            stored
                .as_bytes()
                .as_ptr_range()
                .contains(&body.bytes.as_ptr())
        );
        assert_eq!(scratch.capacity(), 0);
    }
}

#[test]
fn a_response_without_a_body_has_any_length() {
    let head = ResponseHead::parse(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n");
    let issues = decode_body(&head, b"", LIMITS, &mut Vec::new()).issues;
    assert!(issues.is_empty());
}

#[test]
fn truncated_and_damaged_streams_keep_what_decodes() {
    let long: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    for (coding, stored) in [
        ("gzip", gzip(&long)),
        ("deflate", zlib(&long)),
        ("zstd", zstd(&long)),
    ] {
        let half = &stored[..stored.len() / 2];
        let fields = format!("Content-Encoding: {coding}");
        let (bytes, length, issues) = decode_within(&fields, half, LIMITS);
        assert!(length > 100_000, "{coding}: {length}");
        assert!(long.starts_with(&bytes));
        assert_eq!(bytes.len() as u64, length);
        assert_eq!(issues, [TruncatedBody]);
    }
    let mut stored = gzip(&long);
    let middle = stored.len() / 2;
    stored[middle..middle + 100].fill(0xff);
    let (bytes, length, issues) = decode_within("Content-Encoding: gzip", &stored, LIMITS);
    assert!(length > 100_000);
    assert!(bytes.starts_with(&long[..100_000]));
    assert_eq!(issues, [BadEncoding]);
}

#[test]
fn decoding_stops_at_the_limit() {
    let limits = BodyLimits {
        keep: 100,
        max_decoded: 10_000_000,
    };
    let zeros = vec![0; 20_000_000];
    for (coding, stored) in [
        ("gzip", gzip(&zeros)),
        ("deflate", zlib(&zeros)),
        ("br", BROTLI_BOMB.to_vec()),
        ("zstd", zstd(&zeros)),
    ] {
        let fields = format!("Content-Encoding: {coding}");
        let (bytes, length, issues) = decode_within(&fields, &stored, limits);
        assert_eq!((bytes.len(), length), (100, 10_000_000), "{coding}");
        assert_eq!(issues, [OverDecodeLimit], "{coding}");
    }
    // The bomb expands between two stages.
    let (_, length, _) = decode_within("Content-Encoding: br, gzip", &gzip(&zeros), limits);
    assert!(length <= limits.max_decoded);
    // A bomb in a gzip file under the coding gzip.
    let bomb = gzip(&gzip(&vec![0; 64 << 20]));
    let (_, length, issues) = decode_within("Content-Encoding: gzip", &bomb, LIMITS);
    assert!(length <= LIMITS.max_decoded && issues.contains(&OverDecodeLimit));
    // A body of exactly the limit is not over it.
    let max_decoded = ROBOTS.len() as u64;
    let limits = BodyLimits {
        keep: 100,
        max_decoded,
    };
    let (_, length, issues) = decode_within("Content-Encoding: gzip", &gzip(ROBOTS), limits);
    assert_eq!((length, issues), (max_decoded, vec![]));
}

/// Even if nothing is kept, the length is right.
#[test]
fn the_length_does_not_depend_on_what_is_kept() {
    let nothing = BodyLimits { keep: 0, ..LIMITS };
    let twice = gzip(&gzip(ROBOTS));
    let (_, length, _) = decode_within("Content-Encoding: gzip", &twice, nothing);
    assert_eq!(length, ROBOTS.len() as u64);
}

#[test]
fn many_gzip_members_take_linear_time() {
    let stored = gzip(b"x").repeat(100_000);
    let (bytes, length, issues) = decode_within("Content-Encoding: gzip", &stored, LIMITS);
    assert_eq!((bytes.len(), length, issues), (100_000, 100_000, vec![]));
}

#[test]
fn many_chunks_take_linear_time() {
    let body = b"1\r\nx\r\n".repeat(1_000_000);
    let mut length = 0;
    let issues = for_each_chunk(&body, |data| length += data.len());
    assert_eq!(length, 1_000_000);
    assert!(issues.contains(TruncatedBody));
}

proptest! {
    #[test]
    fn chunks_of_any_length_are_joined(
        chunks in proptest::collection::vec(
            proptest::collection::vec(any::<u8>(), 1..50), 0..20),
        line_end in proptest::sample::select(vec!["\r\n", "\n"]),
    ) {
        let mut stored = Vec::new();
        for chunk in &chunks {
            stored.extend(format!("{:x}{line_end}", chunk.len()).bytes());
            stored.extend([chunk, line_end.as_bytes()].concat());
        }
        stored.extend(format!("0{line_end}{line_end}").bytes());
        let mut joined = Vec::new();
        let issues = for_each_chunk(&stored, |data| joined.extend_from_slice(data));
        prop_assert_eq!((joined, issues), (chunks.concat(), BodyIssues::NONE));
    }

    #[test]
    fn decoding_undoes_encoding(
        data in proptest::collection::vec(any::<u8>(), 1..2_000),
        names in proptest::collection::vec(
            proptest::sample::select(vec!["gzip", "deflate", "raw", "zstd"]), 0..4),
        chunk_size in 0..100_usize,
        keep in 0..3_000_usize,
    ) {
        let mut stored = data.clone();
        let mut fields = String::new();
        for name in names {
            stored = match name {
                "gzip" => gzip(&stored),
                "deflate" => zlib(&stored),
                "raw" => deflate(&stored),
                _ => zstd(&stored),
            };
            let name = if name == "raw" { "deflate" } else { name };
            fields.extend(["Content-Encoding: ", name, "\r\n"]);
        }
        if chunk_size > 0 {
            stored = chunked(&stored, chunk_size);
            fields += "Transfer-Encoding: chunked\r\n";
        }
        let limits = BodyLimits::keeping(keep);
        let (bytes, length, issues) = decode_within(fields.trim_end(), &stored, limits);
        prop_assert_eq!(&bytes[..], &data[..data.len().min(keep)]);
        prop_assert_eq!(length, data.len() as u64);
        prop_assert_eq!(issues, vec![]);
    }
}
