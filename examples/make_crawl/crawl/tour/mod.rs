//! A tour of everything that a reader of robots.txt captures meets: one capture each, named by its
//! host.
//!
//! `bom.encoding.example` shows a byte order mark, `gzip-chunked.http.example` a gzip body in
//! chunks, and so on: the first label says what, the second which family. Each family is a file
//! here.

mod class;
mod encoding;
mod ending;
mod http;
mod line;
mod robots;
mod size;
mod status;
mod warc;

use super::exchange::{Exchange, Kind, Oddity};
use super::time::Time;

/// Seconds from one stop to the next.
const PACE: u64 = 97;

/// All stops, the first at this time.
pub(super) fn exchanges(begin: Time) -> Vec<Exchange> {
    let families = [
        robots::stops(),
        class::stops(),
        encoding::stops(),
        ending::stops(),
        line::stops(),
        size::stops(),
        status::stops(),
        http::stops(),
        warc::stops(),
    ];
    let mut stops: Vec<Exchange> = families.into_iter().flatten().collect();
    for (stop, number) in stops.iter_mut().zip(0..) {
        // A stop's own time is how much later it comes than its place in the tour says.
        stop.fetched = begin.plus(number * PACE + stop.fetched.0);
        stop.ip = format!("192.0.2.{}", number % 254 + 1);
    }
    stops
}

/// A success that returns this file. `place` is a host, or a URL where it is not that host's
/// `/robots.txt`.
fn file(place: &str, body: impl Into<Vec<u8>>) -> Exchange {
    answer(
        place,
        "HTTP/1.1 200 OK",
        &["Content-Type: text/plain; charset=utf-8"],
        body,
    )
}

/// A response with this status line and these headers, and the length of its body unless they
/// settle it.
fn answer(place: &str, status_line: &str, headers: &[&str], body: impl Into<Vec<u8>>) -> Exchange {
    let payload = body.into();
    let settles_length = |header: &&str| {
        header.starts_with("Content-Length:") || header.starts_with("Transfer-Encoding:")
    };
    let length = format!("Content-Length: {}", payload.len());
    let mut lines = vec![status_line, "Server: tour"];
    lines.extend(headers);
    if !headers.iter().any(settles_length) {
        lines.push(&length);
    }
    let head = lines.join("\r\n") + "\r\n\r\n";
    response(place, head, payload)
}

/// A response whose head is given byte by byte.
fn response(place: &str, head: impl Into<Vec<u8>>, payload: impl Into<Vec<u8>>) -> Exchange {
    let url = if place.contains("://") {
        place.to_owned()
    } else {
        format!("https://{place}/robots.txt")
    };
    Exchange {
        url,
        fetched: Time(0),
        head: head.into(),
        payload: payload.into(),
        identified: "text/plain",
        ip: String::new(),
        protocols: &["http/1.1", "tls/1.3"],
        kind: Kind::Response,
        oddity: Oddity::None,
    }
}
