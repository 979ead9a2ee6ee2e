//! Response heads of the random crawl, as stored by a crawler that has decoded the body: headers
//! about the transfer keep their values under names that begin with `X-Crawler-`, and
//! `Content-Length` is the length of the decoded body.

use std::fmt::Write as _;

use super::exchange::{Exchange, Kind, Oddity, authority_of};
use super::host;
use super::page;
use super::random::Random;
use super::time::{DAY, Time};

/// A status code and its reason phrase.
pub(crate) type Status<'a> = (u16, &'a str);

/// Answers out of a thousand, with their reason phrases.
pub(crate) const STATUSES: [(u32, (u16, &str)); 20] = [
    (600, (200, "OK")),
    (180, (404, "Not Found")),
    (88, (301, "Moved Permanently")),
    (34, (302, "Found")),
    (3, (307, "Temporary Redirect")),
    (4, (308, "Permanent Redirect")),
    (36, (403, "Forbidden")),
    (4, (401, "Unauthorized")),
    (5, (410, "Gone")),
    (9, (429, "Too Many Requests")),
    (3, (400, "Bad Request")),
    (2, (405, "Method Not Allowed")),
    (2, (406, "Not Acceptable")),
    (1, (451, "Unavailable For Legal Reasons")),
    (8, (500, "Internal Server Error")),
    (4, (502, "Bad Gateway")),
    (12, (503, "Service Unavailable")),
    (2, (504, "Gateway Timeout")),
    (2, (522, "Origin Timed Out")),
    (1, (204, "No Content")),
];

const SERVERS: [(u32, &str); 10] = [
    (300, "nginx"),
    (190, "cloudflare"),
    (150, "Apache"),
    (90, "LiteSpeed"),
    (40, "openresty"),
    (40, "nginx/1.24.0 (Ubuntu)"),
    (40, "Apache/2.4.57 (Debian)"),
    (30, "Microsoft-IIS/10.0"),
    (20, "Caddy"),
    (20, ""),
];

const CACHE_CONTROLS: [(u32, &str); 12] = [
    (450, ""),
    (110, "max-age=14400"),
    (80, "no-cache"),
    (60, "max-age=0"),
    (50, "no-store, no-cache, must-revalidate"),
    (50, "public, max-age=3600"),
    (40, "max-age=86400"),
    (30, "max-age=604800, public"),
    (30, "private, max-age=0"),
    (20, "public, max-age=31536000, immutable"),
    (20, "s-maxage=600, max-age=60"),
    (10, "max-age=\"300\""),
];

const FILE_TYPES: [(u32, &str); 8] = [
    (420, "text/plain"),
    (300, "text/plain; charset=UTF-8"),
    (170, "text/plain; charset=utf-8"),
    (20, "text/plain;charset=UTF-8"),
    (20, "text/plain; charset=iso-8859-1"),
    (20, ""),
    (15, "text/html; charset=UTF-8"),
    (15, "application/octet-stream"),
];

/// The media type that a server gives a file.
pub(crate) fn file_type(random: &mut Random, file: &[u8]) -> &'static str {
    match file {
        [b'\x89', b'P', b'N', b'G', ..] => "image/png",
        _ if is_html(file) => "text/html; charset=UTF-8",
        _ => random.weighted(&FILE_TYPES),
    }
}

/// The media type of an error's body.
pub(crate) fn error_type(body: &[u8]) -> &'static str {
    match body.first() {
        None => "",
        Some(b'<') => "text/html; charset=UTF-8",
        Some(b'{') => "application/json",
        Some(_) => "text/plain; charset=utf-8",
    }
}

/// What the crawler's own detection says.
pub(crate) fn identify(payload: &[u8], mime: &'static str) -> &'static str {
    match payload {
        [] => "application/octet-stream",
        [0x1F, 0x8B, ..] => "application/gzip",
        [b'\x89', b'P', b'N', b'G', ..] => "image/png",
        [b'<', b'?', ..] => "application/xml",
        _ if is_html(payload) => "text/html",
        _ if mime.starts_with("application/json") => "application/json",
        _ => "text/plain",
    }
}

fn is_html(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    [&b"<!doctype html"[..], b"<html"].iter().any(|tag| {
        start
            .get(..tag.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(tag))
    })
}

/// The exchange that brought this answer: its head with the media type that it names, and what
/// follows the head.
pub(crate) fn exchange(
    random: &mut Random,
    url: String,
    fetched: Time,
    (head, mime): (Vec<u8>, &'static str),
    payload: Vec<u8>,
) -> Exchange {
    let protocols = match url.starts_with("https:") {
        true if random.percent(70) => &["h2", "tls/1.3"][..],
        true => &["http/1.1", "tls/1.3"],
        false => &["http/1.1"],
    };
    let identified = identify(&payload, mime);
    let ip = host::address(random);
    Exchange {
        url,
        fetched,
        head,
        payload,
        identified,
        ip,
        protocols,
        kind: Kind::Response,
        oddity: Oddity::None,
    }
}

/// An HTML page of the site with this robots.txt, for a mixed crawl.
pub(crate) fn article(random: &mut Random, robotstxt: &str, number: u32, time: Time) -> Exchange {
    let root = robotstxt
        .rfind('/')
        .map_or(robotstxt, |at| &robotstxt[..at]);
    let url = format!("{root}/page-{number}.html");
    let body = page::article(random, authority_of(&url));
    let mime = "text/html; charset=utf-8";
    let head = head(random, time, (200, "OK"), mime, body.len());
    Exchange {
        kind: Kind::Lone,
        ..exchange(random, url, time, (head, mime), body)
    }
}

/// The head of a redirect to `location`, which may be missing.
pub(crate) fn redirect(
    random: &mut Random,
    time: Time,
    status: Status,
    mime: &str,
    length: usize,
    location: &str,
) -> Vec<u8> {
    let mut head = lines(random, time, status, mime, length);
    if !location.is_empty() {
        field(&mut head, "Location", location);
    }
    head.push_str("\r\n");
    head.into_bytes()
}

/// The head of any other response.
pub(crate) fn head(
    random: &mut Random,
    time: Time,
    status: Status,
    mime: &str,
    length: usize,
) -> Vec<u8> {
    let mut head = lines(random, time, status, mime, length);
    if status.0 == 503 || status.0 == 429 {
        field(
            &mut head,
            "Retry-After",
            random.pick(&["60", "3600", "300"]),
        );
    }
    head.push_str("\r\n");
    head.into_bytes()
}

fn lines(
    random: &mut Random,
    time: Time,
    (status, reason): Status,
    mime: &str,
    length: usize,
) -> String {
    let server = random.weighted(&SERVERS);
    let mut head = String::with_capacity(700);
    let _ = write!(head, "HTTP/1.1 {status} {reason}\r\n");
    field(&mut head, "Date", &time.http());
    field(&mut head, "Server", server);
    field(&mut head, "Content-Type", mime);
    let is_compressed = length > 200 && random.percent(60);
    if is_compressed {
        field(&mut head, "X-Crawler-Transfer-Encoding", "chunked");
        field(
            &mut head,
            "X-Crawler-Content-Encoding",
            random.weighted(&[(70, "gzip"), (28, "br"), (2, "deflate")]),
        );
        field(&mut head, "Vary", "Accept-Encoding");
    }
    field(&mut head, "Connection", "keep-alive");
    if status == 200 {
        validators(random, &mut head, time);
    }
    let cache_control = random.weighted(&CACHE_CONTROLS);
    field(&mut head, "Cache-Control", cache_control);
    platform(random, &mut head, server);
    if random.percent(1) {
        field(
            &mut head,
            "X-Robots-Tag",
            random.pick(&["noindex", "noindex, nofollow", "otherbot: noarchive"]),
        );
    }
    if is_compressed {
        let _ = write!(head, "X-Crawler-Content-Length: {}\r\n", length / 3 + 20);
    }
    let _ = write!(head, "Content-Length: {length}\r\n");
    head
}

fn validators(random: &mut Random, head: &mut String, time: Time) {
    if random.percent(55) {
        let modified = Time(
            time.0 - u64::from(random.between(1, 2_000)) * DAY - u64::from(random.below(86_400)),
        );
        field(head, "Last-Modified", &modified.http());
    }
    if random.percent(50) {
        let weak = if random.percent(40) { "W/" } else { "" };
        let _ = write!(head, "ETag: {weak}\"{:x}\"\r\n", random.bits() >> 16);
    }
    if random.percent(14) {
        let value = match random.below(10) {
            0 => "0".to_owned(),
            1 => "Thu, 19 Nov 1981 08:52:00 GMT".to_owned(),
            _ => time.plus(u64::from(random.between(1, 14)) * DAY / 2).http(),
        };
        field(head, "Expires", &value);
    }
}

fn platform(random: &mut Random, head: &mut String, server: &str) {
    if server == "cloudflare" {
        let _ = write!(head, "CF-RAY: {:016x}-FRA\r\n", random.bits());
        field(head, "alt-svc", "h3=\":443\"; ma=86400");
        field(
            head,
            "CF-Cache-Status",
            random.pick(&["HIT", "MISS", "DYNAMIC", "EXPIRED"]),
        );
    }
    if random.percent(30) {
        field(head, "X-Content-Type-Options", "nosniff");
        field(
            head,
            "Strict-Transport-Security",
            "max-age=31536000; includeSubDomains",
        );
    }
    if random.percent(15) {
        field(
            head,
            "X-Powered-By",
            random.pick(&["PHP/8.2.12", "PHP/7.4.33", "Express", "ASP.NET"]),
        );
    }
    if random.percent(12) {
        let _ = write!(
            head,
            "Set-Cookie: session={:016x}; Path=/; HttpOnly\r\n",
            random.bits()
        );
    }
}

/// Adds a header unless it has no value.
fn field(head: &mut String, name: &str, value: &str) {
    if !value.is_empty() {
        let _ = write!(head, "{name}: {value}\r\n");
    }
}
