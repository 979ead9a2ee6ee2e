//! Why a request or a file failed, and what happens next.

use std::time::Duration;

use super::address::Address;
use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Failure {
    /// The server refuses requests for now: 403, 429 or 503. All requests pause.
    #[error("{}", status_text(*.status))]
    Throttled {
        status: u16,
        retry_after: Option<Duration>,
    },
    /// A failure that may not happen again: a broken connection, another 5xx.
    #[error("{0}")]
    Transient(String),
    /// The server's certificate is not trusted: no file can be fetched from this server, and
    /// a retry would not help.
    #[error("{0}")]
    Untrusted(String),
    /// The file cannot be fetched: 404, a redirect in a circle.
    #[error("{0}")]
    Final(String),
    /// The server refused for too long: the run ends.
    #[error("{0}")]
    GivenUp(String),
    #[error("interrupted")]
    Stopped,
}

impl Failure {
    pub(super) fn of(&self, address: &Address) -> Error {
        Error::Remote {
            url: address.to_string(),
            message: self.to_string(),
        }
    }
}

pub(super) fn pause_note(status: &str, pause: Duration) -> String {
    format!(
        "{status}: all requests pause for {:.1} s",
        pause.as_secs_f64()
    )
}

pub(super) fn retry_note(message: &str, delay: Duration) -> String {
    format!("{message}; retrying in {:.1} s", delay.as_secs_f64())
}

/// A status with its reason phrase (RFC 9110 §15).
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
