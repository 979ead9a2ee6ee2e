//! Bodies, coded and damaged, each as bytes.

use std::io::Read;

use BodyIssue::{
    BadChunk, BadEncoding, LengthMismatch, NotChunked, OverDecodeLimit, TruncatedBody,
    UnknownEncoding,
};
use flate2::Compression;
use flate2::read::{DeflateEncoder, GzEncoder, ZlibEncoder};
use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

use super::*;

const TEXT: &[u8] = b"User-agent: *\nDisallow: /private/\n";

/// [`TEXT`] in brotli.
const BROTLI: &[u8] = b"\x8b\x10\x80User-agent: *\nDisallow: /private/\n\x03";

/// 100,000,000 zeros in brotli.
const BROTLI_BOMB: &[u8] = include_bytes!("../../../tests/zeros.br");

const LIMITS: BodyLimits = BodyLimits {
    keep: 1 << 20,
    max_decoded: 4 << 20,
};

/// Everything that an encoder of `flate2::read` makes.
fn all(mut encoder: impl Read) -> Vec<u8> {
    let mut packed = Vec::new();
    encoder.read_to_end(&mut packed).expect("in memory");
    packed
}

fn gzip(data: &[u8]) -> Vec<u8> {
    all(GzEncoder::new(data, Compression::default()))
}

fn zlib(data: &[u8]) -> Vec<u8> {
    all(ZlibEncoder::new(data, Compression::default()))
}

fn deflate(data: &[u8]) -> Vec<u8> {
    all(DeflateEncoder::new(data, Compression::default()))
}

fn zstd(data: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(data, 3).expect("in memory")
}

/// One chunk per `size` bytes.
fn chunked(data: &[u8], size: usize) -> Vec<u8> {
    let mut stored = Vec::new();
    for chunk in data.chunks(size) {
        stored.extend_from_slice(format!("{:x}\r\n", chunk.len()).as_bytes());
        stored.extend_from_slice(chunk);
        stored.extend_from_slice(b"\r\n");
    }
    stored.extend_from_slice(b"0\r\n\r\n");
    stored
}

/// Decodes under a head with these field lines: kept bytes, length, issues.
fn decode_within(
    fields: &str,
    stored: &[u8],
    limits: BodyLimits,
) -> (Vec<u8>, u64, Vec<BodyIssue>) {
    let block = format!("HTTP/1.1 200 OK\r\n{fields}\r\n\r\n");
    let head = ResponseHead::parse(block.as_bytes());
    let mut scratch = b"left over".to_vec();
    let body = decode_body(&head, stored, limits, &mut scratch);
    assert!(body.bytes.len() <= limits.keep);
    (
        body.bytes.to_vec(),
        body.decoded_length,
        body.issues.iter().collect(),
    )
}

fn assert_decodes(fields: &str, stored: &[u8], data: &[u8], issues: &[BodyIssue]) {
    let expected = (data.to_vec(), data.len() as u64, issues.to_vec());
    assert_eq!(decode_within(fields, stored, LIMITS), expected, "{fields}");
}

fn assert_coded(coding: &str, stored: &[u8], data: &[u8], issues: &[BodyIssue]) {
    assert_decodes(&format!("Content-Encoding: {coding}"), stored, data, issues);
}

#[test]
fn a_body_without_codings_is_borrowed() {
    let block = b"HTTP/1.1 200 OK\r\nContent-Encoding: identity\r\nContent-Length: 4\r\n\r\nbody";
    let head = ResponseHead::parse(block);
    let stored = &block[head.body_offset()..];
    let mut scratch = Vec::new();
    let body = decode_body(&head, stored, BodyLimits::keeping(2), &mut scratch);
    assert_eq!((body.bytes, body.decoded_length), (&b"bo"[..], 4));
    assert!(body.issues.is_empty());
    assert!(std::ptr::eq(body.bytes.as_ptr(), stored.as_ptr()));
}

#[test]
fn one_chunk_is_borrowed_and_more_are_joined() {
    let fields = "Transfer-Encoding: chunked";
    assert_decodes(fields, b"4\r\nWiki\r\n0\r\n\r\n", b"Wiki", &[]);
    let more = b"4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n";
    assert_decodes(fields, more, b"Wikipedia", &[]);
    let block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nWiki\r\n0\r\n\r\n";
    let head = ResponseHead::parse(block);
    let mut scratch = Vec::new();
    decode_body(&head, &block[head.body_offset()..], LIMITS, &mut scratch);
    assert_eq!(scratch.capacity(), 0);
}

#[test]
fn chunk_damage_is_reported() {
    let fields = "Transfer-Encoding: chunked";
    assert_decodes(fields, TEXT, TEXT, &[NotChunked]);
    assert_decodes(fields, b"4\r\nWi", b"Wi", &[TruncatedBody]);
    assert_decodes(fields, b"4\r\nWikizz\r\n", b"Wikizz\r\n", &[BadChunk]);
    assert_decodes(fields, b"", b"", &[]);
}

#[test]
fn every_coding() {
    for (name, stored) in [
        ("gzip", gzip(TEXT)),
        ("X-GZip", gzip(TEXT)),
        ("deflate", zlib(TEXT)),
        ("deflate", deflate(TEXT)),
        ("br", BROTLI.to_vec()),
        ("zstd", zstd(TEXT)),
        ("identity", TEXT.to_vec()),
        ("", TEXT.to_vec()),
    ] {
        assert_coded(name, &stored, TEXT, &[]);
        for size in [1, 7, 1_000] {
            let fields = format!("Content-Encoding: {name}\r\nTransfer-Encoding: chunked");
            assert_decodes(&fields, &chunked(&stored, size), TEXT, &[]);
        }
    }
}

#[test]
fn stacked_codings_are_undone_from_the_last() {
    assert_coded("br, gzip", &gzip(BROTLI), TEXT, &[]);
    assert_coded(
        "gzip\r\nContent-Encoding: zstd",
        &zstd(&gzip(TEXT)),
        TEXT,
        &[],
    );
    let fields = "Transfer-Encoding: gzip, chunked";
    assert_decodes(fields, &chunked(&gzip(TEXT), 5), TEXT, &[]);
    let fields = "Content-Encoding: deflate\r\nTransfer-Encoding: gzip, chunked";
    assert_decodes(fields, &chunked(&gzip(&deflate(TEXT)), 5), TEXT, &[]);
}

#[test]
fn a_coding_that_was_not_applied_is_passed_over() {
    for name in ["gzip", "deflate", "br", "zstd", "gzip, br"] {
        assert_coded(name, TEXT, TEXT, &[BadEncoding]);
        assert_coded(name, b"a", b"a", &[BadEncoding]);
    }
    // Only one of the two was applied.
    assert_coded("gzip, br", BROTLI, TEXT, &[BadEncoding]);
    assert_coded("gzip, br", &gzip(TEXT), TEXT, &[BadEncoding]);
    assert_coded("gzip, gzip", &gzip(TEXT), TEXT, &[BadEncoding]);
}

#[test]
fn a_gzip_file_under_the_coding_gzip_is_unpacked() {
    for (fields, stored) in [
        ("Content-Encoding: gzip", gzip(&gzip(TEXT))),
        ("Content-Encoding: gzip, br", gzip(&gzip(BROTLI))),
        ("Content-Encoding: gzip, zstd", zstd(&gzip(&gzip(TEXT)))),
    ] {
        // Of `gzip, br` the stored order is wrong too: nothing is guessed.
        if fields.ends_with("br") {
            let (bytes, _, issues) = decode_within(fields, &stored, LIMITS);
            assert!(bytes != TEXT && issues == [BadEncoding], "{fields}");
        } else {
            assert_decodes(fields, &stored, TEXT, &[BadEncoding]);
        }
        let whole = decode_within(fields, &stored, LIMITS);
        let fields = format!("{fields}\r\nTransfer-Encoding: chunked");
        let in_chunks = decode_within(&fields, &chunked(&stored, 7), LIMITS);
        assert_eq!(in_chunks, whole);
    }
    // If nothing is kept, the length is the same as for the kept body.
    let nothing = BodyLimits { keep: 0, ..LIMITS };
    let (_, length, _) = decode_within("Content-Encoding: gzip", &gzip(&gzip(TEXT)), nothing);
    assert_eq!(length, TEXT.len() as u64);
    // A third layer stays, and so does a gzip file that no coding is named for.
    let once = gzip(TEXT);
    assert_coded("gzip", &gzip(&gzip(&once)), &once, &[BadEncoding]);
    assert_decodes("Content-Type: application/gzip", &once, &once, &[]);
    assert_coded("zstd", &zstd(&once), &once, &[]);
    // Bytes that only begin like a gzip file stay as they are.
    let no_gzip = b"\x1f\x8b\x08no";
    let (bytes, _, issues) = decode_within("Content-Encoding: gzip", &gzip(no_gzip), LIMITS);
    assert!(bytes == no_gzip && issues == [BadEncoding]);
    // A bomb in a bomb is cut off at the limit.
    let bomb = gzip(&gzip(&vec![0; 64 << 20]));
    let (_, length, issues) = decode_within("Content-Encoding: gzip", &bomb, LIMITS);
    assert!(length <= LIMITS.max_decoded && issues.contains(&OverDecodeLimit));
}

#[test]
fn unknown_codings_are_passed_over() {
    assert_coded("utf-8", TEXT, TEXT, &[UnknownEncoding]);
    assert_coded("gzip, utf-8", &gzip(TEXT), TEXT, &[UnknownEncoding]);
    assert_coded("chunked", TEXT, TEXT, &[UnknownEncoding]);
    let many = format!("Content-Encoding: {}", "gzip,".repeat(1_000));
    assert_decodes(&many, TEXT, TEXT, &[BadEncoding]);
}

#[test]
fn renamed_headers_are_not_decoded_by() {
    let fields = "X-Crawler-Content-Encoding: gzip\r\nX-Crawler-Transfer-Encoding: chunked";
    assert_decodes(fields, TEXT, TEXT, &[]);
    let fields = "X-Archive-Orig-Content-Encoding: br\r\nX-Archive-Orig-Content-Length: 9";
    assert_decodes(fields, TEXT, TEXT, &[]);
}

#[test]
fn gzip_members_and_headers() {
    let two = [gzip(b"one "), gzip(b"two")].concat();
    assert_coded("gzip", &two, b"one two", &[]);
    assert_coded("gzip", &[&two[..], b"\0\0\r\n"].concat(), b"one two", &[]);
    let junk = [&two[..], b"junk"].concat();
    assert_coded("gzip", &junk, b"one two", &[BadEncoding]);
    // Extra field, name, comment and header checksum.
    let plain = gzip(TEXT);
    let full = b"\x1f\x8b\x08\x1e\0\0\0\0\0\x03\x02\0abname\0comment\0cc";
    let empty_extra = b"\x1f\x8b\x08\x04\0\0\0\0\0\x03\0\0";
    for header in [&full[..], empty_extra] {
        assert_coded("gzip", &[header, &plain[10..]].concat(), TEXT, &[]);
    }
    // A wrong method: this does not look like gzip.
    let wrong = b"\x1f\x8b\x07\0\0\0\0\0\0\x03abc";
    assert_coded("gzip", wrong, wrong, &[BadEncoding]);
    // A wrong checksum costs nothing.
    let mut wrong = plain.clone();
    let trailer = wrong.len() - 8;
    wrong[trailer] ^= 1;
    assert_coded("gzip", &wrong, TEXT, &[BadEncoding]);
    // The second member is damaged.
    let damaged = [&plain[..], b"\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff"].concat();
    assert_coded("gzip", &damaged, TEXT, &[BadEncoding]);
}

#[test]
fn zstd_frames_are_concatenated() {
    let skippable = b"\x50\x2a\x4d\x18\x02\0\0\0ab";
    let frames = [zstd(b"one "), skippable.to_vec(), zstd(b"two")].concat();
    assert_coded("zstd", &frames, b"one two", &[]);
    let junk = [&zstd(TEXT)[..], b"junk"].concat();
    assert_coded("zstd", &junk, TEXT, &[BadEncoding]);
}

#[test]
fn a_zstd_window_over_the_limit_is_refused() {
    // A frame of one empty raw block: descriptor 0, window 2^(10 + 21), last block.
    let frame = b"\x28\xb5\x2f\xfd\x00\xa8\x01\0\0";
    assert_coded("zstd", frame, frame, &[BadEncoding]);
    let frame = b"\x28\xb5\x2f\xfd\x00\x70\x01\0\0";
    assert_coded("zstd", frame, b"", &[]);
}

#[test]
fn data_after_the_end_of_a_stream() {
    for (name, stored) in [
        ("deflate", zlib(TEXT)),
        ("deflate", deflate(TEXT)),
        ("br", BROTLI.into()),
    ] {
        assert_coded(name, &[&stored[..], b"\r\n"].concat(), TEXT, &[]);
        assert_coded(name, &[&stored[..], b"junk"].concat(), TEXT, &[BadEncoding]);
    }
}

#[test]
fn truncated_streams_keep_what_decodes() {
    let long: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    for (name, stored) in [
        ("gzip", gzip(&long)),
        ("deflate", zlib(&long)),
        ("zstd", zstd(&long)),
    ] {
        let half = &stored[..stored.len() / 2];
        let fields = format!("Content-Encoding: {name}");
        let (bytes, length, issues) = decode_within(&fields, half, LIMITS);
        assert!(length > 100_000, "{name}: {length}");
        assert!(long.starts_with(&bytes));
        assert_eq!(bytes.len() as u64, length);
        assert_eq!(issues, [TruncatedBody]);
    }
    // Nothing but the start of a header.
    assert_coded("gzip", b"\x1f\x8b\x08\0", b"", &[TruncatedBody]);
    // All the data, but not all of the trailer.
    let stored = gzip(TEXT);
    assert_coded("gzip", &stored[..stored.len() - 3], TEXT, &[TruncatedBody]);
    assert_coded("br", &BROTLI[..20], &TEXT[..17], &[TruncatedBody]);
}

#[test]
fn damaged_streams_keep_what_decodes() {
    let long: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
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
    for (name, stored) in [
        ("gzip", gzip(&zeros)),
        ("deflate", zlib(&zeros)),
        ("br", BROTLI_BOMB.to_vec()),
        ("zstd", zstd(&zeros)),
        // The bomb goes off between two stages.
        ("br, gzip", gzip(&zeros)),
    ] {
        let (bytes, length, issues) =
            decode_within(&format!("Content-Encoding: {name}"), &stored, limits);
        if name == "br, gzip" {
            assert!(length <= limits.max_decoded);
            continue;
        }
        assert_eq!((bytes.len(), length), (100, 10_000_000), "{name}");
        assert_eq!(issues, [OverDecodeLimit], "{name}");
    }
    // Exactly at the limit is not over it.
    let limits = BodyLimits {
        keep: 100,
        max_decoded: TEXT.len() as u64,
    };
    let (_, length, issues) = decode_within("Content-Encoding: gzip", &gzip(TEXT), limits);
    assert_eq!((length, issues), (TEXT.len() as u64, vec![]));
}

#[test]
fn many_gzip_members_take_linear_time() {
    let stored = gzip(b"x").repeat(100_000);
    let (bytes, length, issues) = decode_within("Content-Encoding: gzip", &stored, LIMITS);
    assert_eq!((bytes.len(), length, issues), (100_000, 100_000, vec![]));
}

#[test]
fn content_length_is_compared_only() {
    assert_decodes("Content-Length: 34", TEXT, TEXT, &[]);
    assert_decodes("Content-Length: 10", TEXT, TEXT, &[LengthMismatch]);
    assert_decodes("Content-Length: 10", b"", b"", &[LengthMismatch]);
    assert_decodes("Content-Length: many", TEXT, TEXT, &[]);
    let fields = "Content-Length: 9\r\nTransfer-Encoding: chunked";
    assert_decodes(fields, b"1\r\nx\r\n0\r\n\r\n", b"x", &[]);
    let stored = gzip(TEXT);
    let fields = format!("Content-Encoding: gzip\r\nContent-Length: {}", stored.len());
    assert_decodes(&fields, &stored, TEXT, &[]);
    let head = ResponseHead::parse(b"HTTP/1.1 304 Not Modified\r\nContent-Length: 10\r\n\r\n");
    let issues = decode_body(&head, b"", LIMITS, &mut Vec::new()).issues;
    assert!(issues.is_empty());
}

fn codings() -> impl proptest::strategy::Strategy<Value = Vec<&'static str>> {
    let names = vec!["gzip", "deflate", "br", "zstd", "utf-8", "identity"];
    proptest::collection::vec(proptest::sample::select(names), 0..4)
}

proptest! {
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

    #[test]
    fn any_bytes_give_a_body_within_the_limits(
        names in codings(),
        is_chunked in any::<bool>(),
        seed in proptest::sample::select(vec![
            Vec::new(), gzip(TEXT), zlib(TEXT), deflate(TEXT), zstd(TEXT), BROTLI.to_vec(),
            gzip(BROTLI), chunked(&gzip(TEXT), 9), BROTLI_BOMB.to_vec(),
        ]),
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4),
        tail in proptest::collection::vec(any::<u8>(), 0..100),
        keep in 0..200_usize,
    ) {
        let mut stored = seed;
        if !stored.is_empty() {
            for (at, byte) in changes {
                let at = at.index(stored.len());
                stored[at] = byte;
            }
        }
        stored.extend_from_slice(&tail);
        let chunked = if is_chunked { "\r\nTransfer-Encoding: chunked" } else { "" };
        let fields = format!("Content-Encoding: {}{chunked}", names.join(","));
        let limits = BodyLimits { keep, max_decoded: 5_000 };
        let (bytes, length, _) = decode_within(&fields, &stored, limits);
        prop_assert!(length <= 5_000);
        prop_assert!(bytes.len() as u64 <= length);
        prop_assert!(bytes.len() == keep || bytes.len() as u64 == length);
    }
}
