//! The parts of a response that downloads need, and the HTTP fields that contain them.

use std::io::Read;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use robots_dialects::http_date::parse_http_date;

use super::cache::Validators;

pub(super) struct Reply {
    /// HTTP status: 200, 206 or 416.
    pub(super) status: u16,
    /// Without the key.
    pub(super) validators: Validators,
    pub(super) length: Option<u64>,
    pub(super) range: Option<ContentRange>,
    /// Whether the end of the body is marked, by its length or by a last chunk, so that the reader
    /// reports a truncated body as an error (RFC 9112 §6.3).
    pub(super) is_delimited: bool,
    pub(super) body: Box<dyn Read + Send>,
}

/// Content-Range (RFC 9110 §14.4).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ContentRange {
    /// First and last byte; `None` if the file does not have the requested range.
    pub(super) bytes: Option<(u64, u64)>,
    /// Length of the whole file, if known.
    pub(super) complete: Option<u64>,
}

impl ContentRange {
    pub(super) fn parse(value: &str) -> Option<Self> {
        let (unit, range) = value.split_once(' ')?;
        // Names of units have no case (RFC 9110 §14.1).
        if !unit.eq_ignore_ascii_case("bytes") {
            return None;
        }
        let (range, complete) = range.trim().split_once('/')?;
        let complete = match complete {
            "*" => None,
            number => Some(number.parse().ok()?),
        };
        let bytes = match range {
            "*" => None,
            range => {
                let (first, last) = range.split_once('-')?;
                Some((first.parse().ok()?, last.parse().ok()?))
            }
        };
        // A range without bytes would be requested again without end.
        let is_valid = bytes.is_none_or(|(first, last)| first <= last);
        is_valid.then_some(Self { bytes, complete })
    }
}

/// Longest Retry-After; longer ones are cut to it. A century can still be added to an `Instant`
/// without overflow.
pub(super) const MAX_RETRY_AFTER: Duration = Duration::from_secs(100 * 365 * 86_400);

/// Retry-After (RFC 9110 §10.2.3): seconds, in any number of digits, or a date.
pub(super) fn retry_after(value: &str) -> Option<Duration> {
    let value = value.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = value.parse().map_or(MAX_RETRY_AFTER, Duration::from_secs);
        return Some(seconds.min(MAX_RETRY_AFTER));
    }
    let at = u64::try_from(parse_http_date(value.as_bytes())?).ok()?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    let pause = Duration::from_secs(at).saturating_sub(now);
    Some(pause.min(MAX_RETRY_AFTER))
}
