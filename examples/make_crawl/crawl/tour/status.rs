//! Answers of every status class, and redirects of every kind.

use super::super::exchange::Exchange;
use super::{answer, file};

const RULES: &str = "User-agent: *\nDisallow: /private/\n";
const PAGE: &str = "<html><head><title>Sorry</title></head><body><h1>Sorry</h1></body></html>\n";

/// What comes before the dot in the host, the status line, one more header, and the body.
const ANSWERS: [(&str, &str, &str, &str); 24] = [
    ("ok", "200 OK", "", RULES),
    (
        "non-authoritative",
        "203 Non-Authoritative Information",
        "",
        RULES,
    ),
    ("no-content", "204 No Content", "", ""),
    (
        "partial",
        "206 Partial Content",
        "Content-Range: bytes 0-33/90",
        RULES,
    ),
    ("choices", "300 Multiple Choices", "", PAGE),
    (
        "not-modified",
        "304 Not Modified",
        "ETag: \"never-seen\"",
        "",
    ),
    ("bad-request", "400 Bad Request", "", PAGE),
    (
        "unauthorized",
        "401 Unauthorized",
        "WWW-Authenticate: Basic realm=\"staging\"",
        PAGE,
    ),
    ("forbidden", "403 Forbidden", "", PAGE),
    ("not-found", "404 Not Found", "", PAGE),
    ("not-found-with-rules", "404 Not Found", "", RULES),
    ("gone", "410 Gone", "", ""),
    ("teapot", "418 I'm a teapot", "", "short and stout\n"),
    (
        "too-many",
        "429 Too Many Requests",
        "Retry-After: 3600",
        PAGE,
    ),
    ("server-error", "500 Internal Server Error", "", PAGE),
    (
        "server-error-with-rules",
        "500 Internal Server Error",
        "",
        RULES,
    ),
    ("bad-gateway", "502 Bad Gateway", "", PAGE),
    (
        "unavailable",
        "503 Service Unavailable",
        "Retry-After: Sun, 30 Aug 2026 12:00:00 GMT",
        PAGE,
    ),
    ("origin-error", "520 Unknown Error", "", PAGE),
    ("beyond", "999 Request Denied", "", PAGE),
    (
        "max-age",
        "200 OK",
        "Cache-Control: public, max-age=7200",
        RULES,
    ),
    (
        "no-store",
        "200 OK",
        "Cache-Control: no-store, no-cache, must-revalidate",
        RULES,
    ),
    ("expired", "200 OK", "Expires: 0", RULES),
    (
        "robots-tag",
        "200 OK",
        "X-Robots-Tag: noindex, nofollow",
        RULES,
    ),
];

/// What comes before the dot in the host, the status line, and the location.
const REDIRECTS: [(&str, &str, &str); 15] = [
    (
        "to-www",
        "301 Moved Permanently",
        "https://www.to-www.redirect.example/robots.txt",
    ),
    (
        "to-other-host",
        "302 Found",
        "https://elsewhere.example/robots.txt",
    ),
    (
        "see-other",
        "303 See Other",
        "https://see-other.redirect.example/rules.txt",
    ),
    ("temporary", "307 Temporary Redirect", "/other/robots.txt"),
    (
        "permanent",
        "308 Permanent Redirect",
        "robots2.txt?from=robots.txt",
    ),
    ("same-scheme", "302 Found", "//cdn.example.net/robots.txt"),
    ("to-home", "302 Found", "/"),
    (
        "to-itself",
        "301 Moved Permanently",
        "https://to-itself.redirect.example/robots.txt",
    ),
    (
        "loop-a",
        "301 Moved Permanently",
        "https://loop-b.redirect.example/robots.txt",
    ),
    (
        "loop-b",
        "301 Moved Permanently",
        "https://loop-a.redirect.example/robots.txt",
    ),
    ("empty-location", "301 Moved Permanently", ""),
    (
        "space-in-location",
        "302 Found",
        "https://space-in-location.redirect.example/robots file.txt",
    ),
    ("non-http", "302 Found", "ftp://ftp.example.net/robots.txt"),
    ("with-fragment", "302 Found", "/robots.txt?v=2#top"),
    ("malformed", "302 Found", "https://[broken/robots.txt"),
];

/// Hops of the long chain: one more than the five that crawlers follow.
const HOPS: u32 = 6;

pub(super) fn stops() -> Vec<Exchange> {
    let mut stops: Vec<Exchange> = ANSWERS.iter().map(plain).collect();
    stops.extend(REDIRECTS.iter().map(|(name, status, location)| {
        redirect(&format!("{name}.redirect.example"), status, location)
    }));
    // Targets of some of these, right after, as a crawler fetches them.
    stops.push(file(
        "www.to-www.redirect.example",
        "User-agent: *\nDisallow: /www-only/\n",
    ));
    stops.push(file(
        "https://see-other.redirect.example/rules.txt",
        "User-agent: *\nDisallow: /seen-under-another-path/\n",
    ));
    stops.push(Exchange {
        identified: "text/html",
        ..answer(
            "https://to-home.redirect.example/",
            "HTTP/1.1 200 OK",
            &["Content-Type: text/html"],
            PAGE,
        )
    });
    stops.push(redirect(
        "http://to-https.redirect.example/robots.txt",
        "301 Moved Permanently",
        "https://to-https.redirect.example/robots.txt",
    ));
    stops.push(file(
        "to-https.redirect.example",
        "User-agent: *\nDisallow: /secure-only/\n",
    ));
    stops.push(answer(
        "no-location.redirect.example",
        "HTTP/1.1 301 Moved Permanently",
        &["Content-Type: text/html"],
        PAGE,
    ));
    for hop in 0..HOPS {
        let next = format!("https://hop-{}.chain.example/robots.txt", hop + 1);
        stops.push(redirect(
            &format!("hop-{hop}.chain.example"),
            "302 Found",
            &next,
        ));
    }
    stops.push(file(
        &format!("hop-{HOPS}.chain.example"),
        "User-agent: *\nDisallow: /too-far/\n",
    ));
    stops
}

fn plain((name, status, header, body): &(&str, &str, &str, &str)) -> Exchange {
    let is_page = body.starts_with('<');
    let content_type = if is_page {
        "Content-Type: text/html; charset=utf-8"
    } else {
        "Content-Type: text/plain"
    };
    let headers: &[&str] = if header.is_empty() {
        &[content_type]
    } else {
        &[content_type, header]
    };
    let identified = if is_page { "text/html" } else { "text/plain" };
    Exchange {
        identified,
        ..answer(
            &format!("{name}.status.example"),
            &format!("HTTP/1.1 {status}"),
            headers,
            *body,
        )
    }
}

fn redirect(place: &str, status: &str, location: &str) -> Exchange {
    answer(
        place,
        &format!("HTTP/1.1 {status}"),
        &[&format!("Location: {location}")],
        "",
    )
}
