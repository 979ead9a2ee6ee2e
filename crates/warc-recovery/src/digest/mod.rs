//! Digests: whether a record holds the bytes that its head gives a digest of.
//!
//! Outside the main flow, with `--verify-digests` only. Implements ISO 28500:2017 §5.8
//! (`WARC-Block-Digest`: the whole block) and 5.9 (`WARC-Payload-Digest`). The standard takes the
//! payload of an HTTP response to be its entity-body in the sense of RFC 2616 §7.2: the
//! body without transfer codings, content codings kept. Writers have read that in three ways, and
//! a record does not contain which, so each is tried:
//!
//! 1. the body without transfer codings, as the standard says;
//! 2. the body as stored, chunk sizes and all;
//! 3. the body without content codings as well: what a crawler saw that decoded while it fetched.
//!
//! Values are written in base32 (RFC 4648 §6), which most writers use for SHA-1, in
//! hexadecimal or in base64; the standard leaves both algorithm and encoding open.

use std::borrow::Cow;
use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use md5::Md5;
use sha1::{Digest, Sha1};
use sha2::{Sha256, Sha512};

use crate::http::chunked::Chunks;
use crate::http::{BodyIssue, BodyLimits, Header, ResponseHead, decode_named_codings};
use crate::warc::{Field, RecordHead, RecordType};

/// Bytes of a body that are decoded to be hashed.
const MAX_DECODED: usize = 64 << 20;

/// The alphabet of base32.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

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
        .map(|claim| claim.is_of(&[block]))
        .collect();
    let holds_payload =
        head.record_type() != RecordType::Revisit && head.segment_number().is_none();
    if holds_payload {
        let payload = Payload { http, block };
        for claim in claims(head, Field::PayloadDigest) {
            match payload.has(&claim) {
                // Some crawlers hash what they fetched, some what they kept of it.
                Some(false) if head.get(Field::Truncated).is_some() => {}
                is_right => verdicts.extend(is_right),
            }
        }
    }
    verdicts.into_iter().reduce(|all, one| all && one)
}

/// The digests in the fields of this name that can be checked.
fn claims<'a>(head: &RecordHead<'a>, field: Field) -> impl Iterator<Item = Claim<'a>> {
    head.values_of(field.name())
        .filter_map(|value| Claim::parse(value.raw()))
}

/// The payload of a record.
struct Payload<'a> {
    /// None where the block itself is the payload.
    http: Option<&'a ResponseHead<'a>>,
    block: &'a [u8],
}

impl Payload<'_> {
    /// Whether the claim holds for the payload in one of its interpretations; none where it may
    /// hold for more bytes than are decoded.
    fn has(&self, claim: &Claim<'_>) -> Option<bool> {
        let Some(http) = self.http else {
            return Some(claim.is_of(&[self.block]));
        };
        let stored = &self.block[http.body_offset().min(self.block.len())..];
        let is_chunked = http.get_all(Header::TransferEncoding).any(|value| {
            let value = value.raw().to_ascii_lowercase();
            memchr::memmem::find(&value, b"chunked").is_some()
        });
        if is_chunked && claim.is_of(&Chunks::new(stored).collect::<Vec<_>>()) {
            return Some(true);
        }
        if claim.is_of(&[stored]) {
            return Some(true);
        }
        let mut scratch = Vec::new();
        let limits = BodyLimits::keeping(MAX_DECODED);
        let body = decode_named_codings(http, stored, limits, &mut scratch);
        if body.issues.contains(BodyIssue::OverDecodeLimit) {
            return None;
        }
        Some(body.bytes != stored && claim.is_of(&[body.bytes]))
    }
}

/// The algorithms that are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Algorithm {
    Md5,
    Sha1,
    Sha256,
    Sha512,
}

impl Algorithm {
    /// By its label, in any case, with or without a hyphen.
    fn of_label(label: &[u8]) -> Option<Self> {
        const LABELS: [(&[u8], Algorithm); 4] = [
            (b"md5", Algorithm::Md5),
            (b"sha1", Algorithm::Sha1),
            (b"sha256", Algorithm::Sha256),
            (b"sha512", Algorithm::Sha512),
        ];
        let label: Vec<u8> = label
            .iter()
            .filter(|byte| **byte != b'-')
            .map(u8::to_ascii_lowercase)
            .collect();
        LABELS
            .iter()
            .find(|(known, _)| *known == label)
            .map(|(_, algorithm)| *algorithm)
    }

    fn hash(self, parts: &[&[u8]]) -> Vec<u8> {
        fn run<D: Digest>(parts: &[&[u8]]) -> Vec<u8> {
            let mut hasher = D::new();
            for part in parts {
                hasher.update(part);
            }
            hasher.finalize().to_vec()
        }
        match self {
            Self::Md5 => run::<Md5>(parts),
            Self::Sha1 => run::<Sha1>(parts),
            Self::Sha256 => run::<Sha256>(parts),
            Self::Sha512 => run::<Sha512>(parts),
        }
    }
}

/// A digest as a head states it: `sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ`.
struct Claim<'a> {
    algorithm: Algorithm,
    value: Cow<'a, str>,
}

impl<'a> Claim<'a> {
    fn parse(field: &'a [u8]) -> Option<Self> {
        let colon = memchr::memchr(b':', field)?;
        Some(Self {
            algorithm: Algorithm::of_label(field[..colon].trim_ascii())?,
            value: String::from_utf8_lossy(field[colon + 1..].trim_ascii()),
        })
    }

    /// Whether the value is the digest of `parts` joined, in any of the encodings.
    fn is_of(&self, parts: &[&[u8]]) -> bool {
        let digest = self.algorithm.hash(parts);
        let value = self.value.trim_end_matches('=');
        value.eq_ignore_ascii_case(&base32(&digest))
            || value.eq_ignore_ascii_case(&hexadecimal(&digest))
            || value == STANDARD_NO_PAD.encode(&digest)
            || value == URL_SAFE_NO_PAD.encode(&digest)
    }
}

/// Bytes in base32, not padded.
fn base32(bytes: &[u8]) -> String {
    let groups = bytes.chunks(5).flat_map(|chunk| {
        let mut padded = [0; 8];
        padded[3..3 + chunk.len()].copy_from_slice(chunk);
        let bits = u64::from_be_bytes(padded);
        let digits = (chunk.len() * 8).div_ceil(5);
        (0..digits).map(move |digit| BASE32[(bits >> (35 - 5 * digit) & 31) as usize])
    });
    groups.map(char::from).collect()
}

/// Bytes in hexadecimal.
fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
