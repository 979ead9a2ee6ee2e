//! The body of a response: transfer and content codings undone, under limits.
//!
//! Implements RFC 9112 §6.3 (which bytes are the body) and RFC 9110 §8.4 (content codings) as
//! far as stored responses need them: the body is what the record holds, and `Content-Length` is
//! only compared with it.
//!
//! A body without codings is borrowed. At most `keep` bytes of any other body are held, and
//! decoding stops at `max_decoded`, so neither memory nor time depends on the claims of a body.

use std::ops::ControlFlow;

use super::chunked::Chunks;
use super::content_coding::{Coding, CodingName};
use super::head::{Header, ResponseHead};
use super::issue::{BodyIssue, BodyIssues};
use super::pipeline::{Sink, Stage, Stop, feed, finish};
use crate::header_fields::FieldValue;

/// How many codings are undone at most; responses have one, rarely two. A body whose head lists
/// more is taken as it is.
const MAX_CODINGS: usize = 8;

/// How much of a body is kept and decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyLimits {
    /// Bytes of the decoded body to keep.
    pub keep: usize,
    /// Bytes to decode at most; the decoded length is counted up to here.
    pub max_decoded: u64,
}

impl BodyLimits {
    /// The decode limit where none is asked for: 64 MiB.
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
    /// Length of the whole decoded body in bytes; a lower bound where it was over the decode limit.
    pub decoded_length: u64,
    /// What was wrong.
    pub issues: BodyIssues,
}

/// Decodes the body stored after a response's head.
///
/// `stored` is the block from [`ResponseHead::body_offset`] on. The result borrows from it, or from
/// `scratch` where bytes had to be decoded or joined; `scratch` is cleared first and may be used
/// again and again.
///
/// Headers that the crawler has renamed are not used for decoding: they say what the body was, not
/// what is stored. A gzip file on top of which a server has put the coding gzip is unpacked too, as
/// if the head named gzip twice, and is [`BodyIssue::BadEncoding`].
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
    decode_planned(Plan::of(head), head, stored, limits, scratch)
}

/// As [`decode_body`], without a coding that the head does not name: what a digest is of.
pub(crate) fn decode_named_codings<'b>(
    head: &ResponseHead<'_>,
    stored: &'b [u8],
    limits: BodyLimits,
    scratch: &'b mut Vec<u8>,
) -> Body<'b> {
    let plan = Plan {
        may_have_gzip_file: false,
        ..Plan::of(head)
    };
    decode_planned(plan, head, stored, limits, scratch)
}

fn decode_planned<'b>(
    mut plan: Plan,
    head: &ResponseHead<'_>,
    stored: &'b [u8],
    limits: BodyLimits,
    scratch: &'b mut Vec<u8>,
) -> Body<'b> {
    let mut issues = plan.issues;
    if head.is_too_long() {
        issues.insert(BodyIssue::HeadTooLong);
    }
    if !head.is_complete() {
        issues.insert(BodyIssue::HeadTruncated);
    }
    // Transfer-Encoding overrides Content-Length (RFC 9112 §6.3), and a 304 gives the length of the
    // body that it does not repeat.
    if !plan.is_chunked && head.status() != Some(304) {
        let claimed = head.get(Header::ContentLength).and_then(FieldValue::to_u64);
        if claimed.is_some_and(|claimed| claimed != stored.len() as u64) {
            issues.insert(BodyIssue::LengthMismatch);
        }
    }
    if stored.is_empty() {
        // Nothing is stored: the body is empty, or the crawler has left it out.
        return Body {
            bytes: stored,
            decoded_length: 0,
            issues,
        };
    }

    while !plan.codings.is_empty() {
        let mut stages: Vec<_> = plan
            .codings
            .iter()
            .map(|&coding| Stage::new(coding))
            .collect();
        let mut sink = Sink::new(scratch, limits.keep);
        let mut source = Source::new(stored, plan.is_chunked);
        let stop = source
            .by_ref()
            .try_for_each(|slice| feed(&mut stages, slice, &mut sink, limits.max_decoded));
        let stop = match stop {
            ControlFlow::Continue(()) => finish(&mut stages, &mut sink, limits.max_decoded),
            stopped @ ControlFlow::Break(_) => stopped,
        };

        if stop != ControlFlow::Break(Stop::OverLimit)
            && let Some(at) = stages.iter().position(Stage::was_given_plain_data)
        {
            // Begin again without this coding. At most two rounds for each.
            if stages[at].coding() == Coding::Zlib {
                plan.codings[at] = Coding::Deflate;
            } else {
                plan.codings.remove(at);
                issues.insert(BodyIssue::BadEncoding);
            }
            plan.may_have_gzip_file = false;
            continue;
        }
        if plan.may_have_gzip_file && stop.is_continue() && sink.begins_as_gzip() {
            plan.may_have_gzip_file = false;
            plan.codings.push(Coding::Gzip);
            issues.insert(BodyIssue::BadEncoding);
            continue;
        }

        issues.extend(source.issues());
        match stop {
            ControlFlow::Break(Stop::OverLimit) => issues.insert(BodyIssue::OverDecodeLimit),
            ControlFlow::Break(Stop::Failed) => issues.insert(BodyIssue::BadEncoding),
            ControlFlow::Continue(()) if stages.iter().any(Stage::is_unfinished) => {
                issues.insert(BodyIssue::TruncatedBody);
            }
            ControlFlow::Continue(()) => {}
        }
        if stages.iter().any(Stage::is_damaged) {
            issues.insert(BodyIssue::BadEncoding);
        }
        let decoded_length = sink.length();
        return Body {
            bytes: scratch,
            decoded_length,
            issues,
        };
    }

    join(
        Source::new(stored, plan.is_chunked),
        issues,
        limits.keep,
        scratch,
    )
}

/// A body without codings: borrowed where it is one slice, else joined.
fn join<'b>(
    mut source: Source<'b>,
    mut issues: BodyIssues,
    keep: usize,
    scratch: &'b mut Vec<u8>,
) -> Body<'b> {
    let first = source.next().unwrap_or_default();
    let Some(second) = source.next() else {
        issues.extend(source.issues());
        let bytes = &first[..first.len().min(keep)];
        return Body {
            bytes,
            decoded_length: first.len() as u64,
            issues,
        };
    };
    let mut sink = Sink::new(scratch, keep);
    sink.push(first);
    sink.push(second);
    source.by_ref().for_each(|slice| sink.push(slice));
    issues.extend(source.issues());
    let decoded_length = sink.length();
    Body {
        bytes: scratch,
        decoded_length,
        issues,
    }
}

/// What a head says about the coding of its body.
struct Plan {
    is_chunked: bool,
    /// The codings in the order in which they are undone.
    codings: Vec<Coding>,
    /// Whether a gzip file below the codings is unpacked too: only below the coding gzip.
    may_have_gzip_file: bool,
    issues: BodyIssues,
}

impl Plan {
    fn of(head: &ResponseHead<'_>) -> Self {
        let mut plan = Self {
            is_chunked: false,
            codings: Vec::new(),
            may_have_gzip_file: false,
            issues: BodyIssues::NONE,
        };
        // Listed as applied: content codings first, then transfer codings.
        for header in [Header::ContentEncoding, Header::TransferEncoding] {
            for value in head.get_all(header) {
                for name in value.raw().split(|&byte| byte == b',') {
                    plan.add(header, name.trim_ascii());
                }
            }
        }
        plan.codings.reverse();
        plan.may_have_gzip_file = plan.codings.contains(&Coding::Gzip);
        if plan.codings.len() > MAX_CODINGS {
            plan.codings.clear();
            plan.issues.insert(BodyIssue::BadEncoding);
        }
        plan
    }

    fn add(&mut self, header: Header, name: &[u8]) {
        match CodingName::parse(name) {
            CodingName::Chunked if header == Header::TransferEncoding => self.is_chunked = true,
            CodingName::Known(coding) if self.codings.len() <= MAX_CODINGS => {
                self.codings.push(coding);
            }
            // Beyond one more than the most that are undone, more change nothing.
            CodingName::Known(_) | CodingName::Identity => {}
            CodingName::Chunked | CodingName::Unknown => {
                self.issues.insert(BodyIssue::UnknownEncoding);
            }
        }
    }
}

/// The stored bytes, chunks taken apart.
enum Source<'a> {
    Whole(Option<&'a [u8]>),
    Chunked(Chunks<'a>),
}

impl<'a> Source<'a> {
    fn new(stored: &'a [u8], is_chunked: bool) -> Self {
        if is_chunked {
            Self::Chunked(Chunks::new(stored))
        } else {
            Self::Whole(Some(stored))
        }
    }

    fn issues(&self) -> BodyIssues {
        match self {
            Self::Whole(_) => BodyIssues::NONE,
            Self::Chunked(chunks) => chunks.issues(),
        }
    }
}

impl<'a> Iterator for Source<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        match self {
            Self::Whole(bytes) => bytes.take(),
            Self::Chunked(chunks) => chunks.next(),
        }
    }
}
