//! Why a request, or a file, did not succeed, and what follows from it.

use std::fmt;
use std::time::Duration;

/// Why a request did not succeed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server refuses requests for now: 403, 429 or 503. All requests pause.
    Throttled {
        /// HTTP status.
        status: u16,
        /// Its Retry-After.
        retry_after: Option<Duration>,
    },
    /// Something that may be gone at the next try: a broken connection, another 5xx.
    Transient(String),
    /// The server's certificate is not trusted: nothing of this server can be had, and another try
    /// would not change that.
    Untrusted(String),
    /// The file cannot be had: 404, a redirect in a circle.
    Final(String),
    /// The server refused for too long: the run ends.
    GivenUp(String),
    /// The run was asked to stop.
    Stopped,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Throttled { status, .. } => formatter.write_str(&status_text(*status)),
            Self::Transient(message)
            | Self::Untrusted(message)
            | Self::Final(message)
            | Self::GivenUp(message) => formatter.write_str(message),
            Self::Stopped => formatter.write_str("interrupted"),
        }
    }
}

/// A status with its usual words (RFC 9110 §15).
pub(super) fn status_text(status: u16) -> String {
    let words = match status {
        301 => "Moved Permanently",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => return format!("HTTP status {status}"),
    };
    format!("HTTP status {status} {words}")
}
