//! The sample of pages is what is made here; `ROBOSTAT_UPDATE=1` makes it again.

use std::fmt::Write as _;
use std::fs;

use crate::support::program::sample;

const HTML: &str = "Content-Type: text/html; charset=utf-8\r\n";

/// Path, header lines and body of each response.
const RESPONSES: [(&str, &[&str], &str); 7] = [
    (
        "https://shop.example/robots.txt",
        &["Content-Type: text/plain\r\n"],
        "User-agent: *\nDisallow: /cart\n",
    ),
    (
        "https://shop.example/",
        &[HTML],
        "<!doctype html><html lang=en><title>Shop</title>\
         <meta name=robots content=\"index, follow, max-image-preview:large\">",
    ),
    (
        "https://shop.example/cart",
        &[HTML],
        "<!doctype html><html lang=en><title>Cart</title><meta name=robots content=\"noindex nofollow\">",
    ),
    (
        "https://shop.example/terms.pdf",
        &[
            "Content-Type: application/pdf\r\n",
            "X-Robots-Tag: noindex\r\n",
        ],
        "%PDF-1.7\n",
    ),
    (
        "https://news.example/",
        &[
            HTML,
            "X-Robots-Tag: googlebot: noarchive\r\n",
            "TDM-Reservation: 1\r\n",
        ],
        "<!doctype html><html lang=fr><title>News</title><meta name=robots content=\"noai, noimageai\">\
         <body><a href=/old rel=nofollow>old</a>",
    ),
    (
        "https://news.example/old",
        &[HTML],
        "<!doctype html><html lang=fr><title>Old</title>\
         <meta name=robots content=\"unavailable_after: Fri, 25 Jun 2027 15:00:00 GMT; nosnippet\">",
    ),
    (
        "https://news.example/plain",
        &[HTML],
        "<!doctype html><html lang=fr><title>Plain</title><p>Says nothing to robots.",
    ),
];

#[test]
fn the_sample_of_pages_is_made_here() {
    let mut records = String::new();
    for (number, (url, headers, body)) in RESPONSES.iter().enumerate() {
        let block = format!("HTTP/1.1 200 OK\r\n{}\r\n{body}", headers.concat());
        write!(
            records,
            "WARC/1.1\r\nWARC-Type: response\r\n\
             WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012}>\r\n\
             WARC-Date: 2026-08-01T06:00:{number:02}Z\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n\
             {block}\r\n\r\n",
            block.len()
        )
        .expect("memory");
    }
    let path = sample("pages.warc");
    if std::env::var_os("ROBOSTAT_UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, &records).expect("space");
    }
    assert!(
        fs::read(&path).is_ok_and(|bytes| bytes == records.as_bytes()),
        "ROBOSTAT_UPDATE=1 makes it"
    );
}
