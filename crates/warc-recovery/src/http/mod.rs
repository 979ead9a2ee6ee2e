//! The HTTP response inside a WARC record's block: its head, and its body with transfer and content
//! codings undone under a limit.
//!
//! Implements RFC 9112 (HTTP/1.1) and RFC 9110 (HTTP semantics) as a reader of archives needs them:
//! any block gives a response, and [`BodyIssues`] lists what is wrong with it. Every function is
//! pure.

pub mod body;
mod chunked;
#[cfg_attr(
    not(feature = "content-codings"),
    allow(dead_code, reason = "no coding is undone without the feature")
)]
mod codings;
pub mod head;
pub mod issue;
mod link;

pub(crate) use body::decode_named_codings;
pub use body::{Body, BodyLimits, decode_body};
pub use chunked::for_each_chunk;
pub use head::{Header, MAX_HEAD_BYTES, ResponseHead, begins_response};
pub use issue::{BodyIssue, BodyIssues};
pub use link::link_target;
