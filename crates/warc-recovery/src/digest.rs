//! Digests: whether a record holds the bytes whose digest its head gives.
//!
//! Implements ISO 28500:2017 §5.8 (`WARC-Block-Digest`: the whole block) and §5.9
//! (`WARC-Payload-Digest`). The standard takes the payload of an HTTP response to be its
//! entity-body in the sense of RFC 2616 §7.2: the body without transfer codings, content codings
//! kept. Writers have read that in three ways, and a record does not state which, so all are tried:
//!
//! 1. the body without transfer codings, as the standard says;
//! 2. the body as stored, chunk sizes and all;
//! 3. the body without content codings as well, as stored by crawlers that decode while they fetch.
//!
//! Values are written in base32 (RFC 4648 §6), which most writers use for SHA-1, in
//! hexadecimal or in base64; the standard leaves both algorithm and encoding open.

use std::borrow::Cow;

use data_encoding::{BASE32_NOPAD, BASE64_NOPAD, BASE64URL_NOPAD, HEXLOWER};
use md5::Md5;
use sha1::Sha1;
use sha1::digest::DynDigest;
use sha2::{Sha256, Sha512};

use crate::header_fields::FieldValue;
use crate::http::{
    BodyIssue, BodyLimits, Header, ResponseHead, decode_named_codings, for_each_chunk,
};
use crate::warc::{Field, RecordHead, RecordType};

const MAX_DECODED: usize = 64 << 20;

/// Whether every digest in `head` that can be checked is right; `None` if none can be checked.
///
/// `http` is the head of the response in `block`, if it holds one. Not checked: digests of
/// algorithms other than MD5, SHA-1, SHA-256 and SHA-512; digests of a block that is not held
/// whole; the payload digest of a revisit or a segment, whose bytes are elsewhere.
#[must_use]
pub fn verify(
    head: &RecordHead<'_>,
    http: Option<&ResponseHead<'_>>,
    block: &[u8],
) -> Option<bool> {
    if head.content_length() != block.len() as u64 {
        return None;
    }
    let mut verdicts: Vec<bool> = claims(head, Field::BlockDigest)
        .map(|claim| claim.is_of(block))
        .collect();
    let segment = head.get(Field::SegmentNumber).and_then(FieldValue::to_u64);
    if head.record_type() != RecordType::Revisit && segment.is_none() {
        for claim in claims(head, Field::PayloadDigest) {
            match holds_for_payload(&claim, http, block) {
                // Some crawlers hash all that they fetched, others only the part that they kept.
                Some(false) if head.get(Field::Truncated).is_some() => {}
                is_right => verdicts.extend(is_right),
            }
        }
    }
    verdicts.into_iter().reduce(|all, one| all && one)
}

fn claims<'a>(head: &RecordHead<'a>, field: Field) -> impl Iterator<Item = Claim<'a>> {
    head.values_of(field.name())
        .filter_map(|value| Claim::parse(value.raw()))
}

/// Whether the claim holds for the payload of a block in one of its interpretations; `None` if it
/// may hold for more bytes than are decoded. Without `http` the block itself is the payload.
fn holds_for_payload(
    claim: &Claim<'_>,
    http: Option<&ResponseHead<'_>>,
    block: &[u8],
) -> Option<bool> {
    let Some(http) = http else {
        return Some(claim.is_of(block));
    };
    let stored = &block[http.body_offset().min(block.len())..];
    let is_chunked = http.get_all(Header::TransferEncoding).any(|value| {
        let value = value.raw().to_ascii_lowercase();
        memchr::memmem::find(&value, b"chunked").is_some()
    });
    if is_chunked {
        let mut hash = (claim.hash)();
        for_each_chunk(stored, |data| hash.update(data));
        if claim.has_value(hash) {
            return Some(true);
        }
    }
    if claim.is_of(stored) {
        return Some(true);
    }
    let mut scratch = Vec::new();
    let limits = BodyLimits::keeping(MAX_DECODED);
    let body = decode_named_codings(http, stored, limits, &mut scratch);
    if body.issues.contains(BodyIssue::OverDecodeLimit) {
        return None;
    }
    Some(body.bytes != stored && claim.is_of(body.bytes))
}

type HashFunction = fn() -> Box<dyn DynDigest>;

fn hash_function(label: &[u8]) -> Option<HashFunction> {
    let mut label = label.to_ascii_lowercase();
    label.retain(|byte| *byte != b'-');
    Some(match label.as_slice() {
        b"md5" => || Box::<Md5>::default(),
        b"sha1" => || Box::<Sha1>::default(),
        b"sha256" => || Box::<Sha256>::default(),
        b"sha512" => || Box::<Sha512>::default(),
        _ => return None,
    })
}

/// A digest as a head states it: `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
struct Claim<'a> {
    hash: HashFunction,
    value: Cow<'a, str>,
}

impl<'a> Claim<'a> {
    fn parse(field: &'a [u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', field)?;
        Some(Self {
            hash: hash_function(field[..colon].trim_ascii())?,
            value: String::from_utf8_lossy(field[colon + 1..].trim_ascii()),
        })
    }

    /// Whether the value is the digest of `bytes`, in any of the encodings.
    fn is_of(&self, bytes: &[u8]) -> bool {
        let mut hash = (self.hash)();
        hash.update(bytes);
        self.has_value(hash)
    }

    fn has_value(&self, hash: Box<dyn DynDigest>) -> bool {
        let digest = hash.finalize();
        let value = self.value.trim_end_matches('=');
        value.eq_ignore_ascii_case(&BASE32_NOPAD.encode(&digest))
            || value.eq_ignore_ascii_case(&HEXLOWER.encode(&digest))
            || value == BASE64_NOPAD.encode(&digest)
            || value == BASE64URL_NOPAD.encode(&digest)
    }
}
