//! The body of a response: transfer and content codings undone, under limits.
//!
//! Implements RFC 9112 §6.3 (which bytes are the body) and RFC 9110 §8.4 (content codings) as
//! far as stored responses need them: the body is the rest of the record, with which
//! `Content-Length` is only compared. Neither memory nor time depends on the claims of a body.

use std::borrow::Cow;

use super::chunked::for_each_chunk;
use super::codings::{Coding, Stage, read};
use super::head::{Header, ResponseHead};
use super::issue::{BodyIssue, BodyIssues};
use crate::container::GZIP_MAGIC;
use crate::header_fields::FieldValue;

/// The most codings that are undone; responses have one, rarely two. If the head lists more than
/// this maximum, the body is taken as it is.
const MAX_CODINGS: usize = 8;

const BUFFER_BYTES: usize = 16 * 1024;

/// How much of a body is kept and decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLimits {
    /// Bytes of the decoded body to keep.
    pub keep: usize,
    /// The most bytes to decode, for each coding. The decoded length is counted up to this limit;
    /// the count ends earlier if a coding below the outermost one reaches it.
    pub max_decoded: u64,
}

impl BodyLimits {
    /// The default decode limit: 64 MiB.
    pub const DEFAULT_MAX_DECODED: u64 = 64 << 20;

    /// Limits that keep `keep` bytes and decode up to 64 MiB.
    #[must_use]
    pub const fn keeping(keep: usize) -> Self {
        Self {
            keep,
            max_decoded: Self::DEFAULT_MAX_DECODED,
        }
    }
}

/// A decoded body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Body<'b> {
    /// The first bytes of the decoded body, at most [`BodyLimits::keep`].
    pub bytes: &'b [u8],
    /// Bytes of the whole decoded body; a lower bound with [`BodyIssue::OverDecodeLimit`].
    pub decoded_length: u64,
    /// What was wrong.
    pub issues: BodyIssues,
}

/// Decodes the body stored after a response's head.
///
/// `stored` is the block from [`ResponseHead::body_offset`] on. The result borrows from `stored`,
/// or from `scratch` if bytes had to be decoded or joined; `scratch` may be reused.
///
/// If a server has applied the coding gzip to a gzip file, the file is unpacked too, as if the head
/// listed gzip twice, and [`BodyIssue::BadEncoding`] is set.
///
/// ```
/// use warc_recovery::http::{BodyLimits, ResponseHead, decode_body};
///
/// let block = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
/// let head = ResponseHead::parse(block);
/// let mut scratch = Vec::new();
/// let stored = &block[head.body_offset()..];
/// let body = decode_body(&head, stored, BodyLimits::keeping(4), &mut scratch);
/// assert_eq!((body.bytes, body.decoded_length), (&b"abcd"[..], 5));
/// assert!(body.issues.is_empty());
/// ```
pub fn decode_body<'b>(
    head: &ResponseHead<'_>,
    stored: &'b [u8],
    limits: BodyLimits,
    scratch: &'b mut Vec<u8>,
) -> Body<'b> {
    Plan::of(head, stored).decode(stored, limits, scratch)
}

/// Like [`decode_body`], but only undoes the codings that the head lists, as digests require.
pub(crate) fn decode_named_codings<'b>(
    head: &ResponseHead<'_>,
    stored: &'b [u8],
    limits: BodyLimits,
    scratch: &'b mut Vec<u8>,
) -> Body<'b> {
    let plan = Plan {
        may_have_gzip_file: false,
        ..Plan::of(head, stored)
    };
    plan.decode(stored, limits, scratch)
}

/// Decodes `coded`. Keeps in `scratch` the bytes to keep, and at least enough to recognise a gzip
/// file. Returns the whole decoded length, and why decoding stopped early.
fn decode(
    stages: &mut [Stage],
    mut coded: &[u8],
    limits: BodyLimits,
    scratch: &mut Vec<u8>,
) -> (u64, Option<BodyIssue>) {
    let mut length = 0;
    let mut buffer = vec![0; BUFFER_BYTES];
    scratch.clear();
    loop {
        let count = match read(stages, &mut coded, &mut buffer, limits.max_decoded) {
            Ok(0) => return (length, None),
            Ok(count) => count,
            Err(stop) => return (length, Some(stop)),
        };
        let most = limits.keep.max(GZIP_MAGIC.len());
        scratch.extend_from_slice(&buffer[..count.min(most - scratch.len())]);
        length += count as u64;
    }
}

/// The codings of a body, as its head lists them.
#[derive(Default)]
struct Plan {
    is_chunked: bool,
    /// The codings in the order in which they are undone.
    codings: Vec<Coding>,
    /// Whether a gzip file under the codings is unpacked too: only if gzip is one of them.
    may_have_gzip_file: bool,
    issues: BodyIssues,
}

impl Plan {
    fn of(head: &ResponseHead<'_>, stored: &[u8]) -> Self {
        let mut plan = Self::default();
        // Listed as applied: content codings first, then transfer codings.
        for header in [Header::ContentEncoding, Header::TransferEncoding] {
            for value in head.get_all(header) {
                for name in value.raw().split(|&byte| byte == b',') {
                    plan.add(header, &name.trim_ascii().to_ascii_lowercase());
                }
            }
        }
        plan.codings.reverse();
        plan.may_have_gzip_file = plan.codings.contains(&Coding::Gzip);
        if plan.codings.len() > MAX_CODINGS {
            plan.codings.clear();
            plan.issues.insert(BodyIssue::BadEncoding);
        }
        if head.is_too_long() {
            plan.issues.insert(BodyIssue::HeadTooLong);
        }
        if !head.is_complete() {
            plan.issues.insert(BodyIssue::HeadTruncated);
        }
        // Transfer-Encoding overrides Content-Length (RFC 9112 §6.3), and a 304 gives the length of
        // the body that it does not repeat.
        let claimed = head.get(Header::ContentLength).and_then(FieldValue::to_u64);
        let is_claim = !plan.is_chunked && head.status() != Some(304);
        if is_claim && claimed.is_some_and(|claimed| claimed != stored.len() as u64) {
            plan.issues.insert(BodyIssue::LengthMismatch);
        }
        plan
    }

    fn add(&mut self, header: Header, name: &[u8]) {
        match name {
            b"" | b"identity" => {}
            b"chunked" if header == Header::TransferEncoding => self.is_chunked = true,
            name => match Coding::of_name(name) {
                // One more than the maximum is enough to refuse the body.
                Some(_) if self.codings.len() > MAX_CODINGS => {}
                Some(coding) => self.codings.push(coding),
                None => self.issues.insert(BodyIssue::UnknownEncoding),
            },
        }
    }

    fn decode<'b>(
        mut self,
        stored: &'b [u8],
        limits: BodyLimits,
        scratch: &'b mut Vec<u8>,
    ) -> Body<'b> {
        let (mut coded, mut length) = (Cow::Borrowed(stored), stored.len() as u64);
        // If nothing is stored, the body is empty, or the crawler has left it out.
        if self.is_chunked && !stored.is_empty() {
            (coded, length) = (Cow::default(), 0);
            let most = if self.codings.is_empty() {
                limits.keep
            } else {
                usize::try_from(limits.max_decoded).unwrap_or(usize::MAX)
            };
            self.issues.extend(for_each_chunk(stored, |data| {
                length += data.len() as u64;
                let data = &data[..data.len().min(most - coded.len())];
                if coded.is_empty() {
                    coded = Cow::Borrowed(data);
                } else {
                    coded.to_mut().extend_from_slice(data);
                }
            }));
        }
        while !self.codings.is_empty() && !stored.is_empty() {
            let mut stages: Vec<_> = self.codings.iter().copied().map(Stage::new).collect();
            let (decoded_length, stop) = decode(&mut stages, &coded, limits, scratch);
            if stop != Some(BodyIssue::OverDecodeLimit)
                && let Some(at) = stages.iter().position(Stage::was_given_plain_data)
            {
                // Begin again without this coding: at most two rounds per coding.
                if stages[at].coding == Coding::Zlib {
                    self.codings[at] = Coding::Deflate;
                } else {
                    self.codings.remove(at);
                    self.issues.insert(BodyIssue::BadEncoding);
                }
                self.may_have_gzip_file = false;
                continue;
            }
            if self.may_have_gzip_file && stop.is_none() && scratch.starts_with(&GZIP_MAGIC) {
                self.may_have_gzip_file = false;
                self.codings.push(Coding::Gzip);
                self.issues.insert(BodyIssue::BadEncoding);
                continue;
            }
            let were_all_joined = length == coded.len() as u64;
            if let Some(stop) = stop {
                self.issues.insert(stop);
            } else if !were_all_joined {
                self.issues.insert(BodyIssue::OverDecodeLimit);
            } else if stages.iter().any(Stage::is_unfinished) {
                self.issues.insert(BodyIssue::TruncatedBody);
            }
            if stages.iter().any(|stage| stage.has_data_behind) {
                self.issues.insert(BodyIssue::BadEncoding);
            }
            scratch.truncate(limits.keep);
            return Body {
                bytes: scratch,
                decoded_length,
                issues: self.issues,
            };
        }
        let kept = coded.len().min(limits.keep);
        let bytes = match coded {
            Cow::Borrowed(bytes) => &bytes[..kept],
            Cow::Owned(joined) => {
                *scratch = joined;
                &scratch[..kept]
            }
        };
        Body {
            bytes,
            decoded_length: length,
            issues: self.issues,
        }
    }
}
