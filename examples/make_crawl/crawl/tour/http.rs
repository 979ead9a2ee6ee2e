//! HTTP as servers and archives write it: chunks, content encodings, and heads that no grammar
//! allows.

use super::super::exchange::Exchange;
use super::{answer, response};

const PLAIN: &[u8] = include_bytes!("coded/robots.txt");
const GZIP: &[u8] = include_bytes!("coded/robots.txt.gz");
const TWO_MEMBERS: &[u8] = include_bytes!("coded/robots.txt.2.gz");
const GZIP_TWICE: &[u8] = include_bytes!("coded/robots.txt.gz.gz");
const ZLIB: &[u8] = include_bytes!("coded/robots.txt.zlib");
const RAW_DEFLATE: &[u8] = include_bytes!("coded/robots.txt.deflate");
const BROTLI: &[u8] = include_bytes!("coded/robots.txt.br");
const GZIP_THEN_BROTLI: &[u8] = include_bytes!("coded/robots.txt.gz.br");
const ZSTD: &[u8] = include_bytes!("coded/robots.txt.zst");

const RULES: &[u8] = b"User-agent: *\nDisallow: /private/\n";

pub(super) fn stops() -> Vec<Exchange> {
    [codings(), chunked(), decoded_before(), heads()]
        .into_iter()
        .flatten()
        .collect()
}

/// Bodies under `Content-Encoding`.
fn codings() -> Vec<Exchange> {
    [
        ("gzip", "gzip", GZIP),
        ("x-gzip", "X-GZIP", GZIP),
        ("gzip-members", "gzip", TWO_MEMBERS),
        ("deflate", "deflate", ZLIB),
        ("deflate-raw", "deflate", RAW_DEFLATE),
        ("brotli", "br", BROTLI),
        ("zstd", "zstd", ZSTD),
        ("gzip-twice", "gzip, gzip", GZIP_TWICE),
        ("gzip-then-brotli", "gzip, br", GZIP_THEN_BROTLI),
        ("identity", "identity", PLAIN),
        ("charset-as-coding", "utf-8", PLAIN),
    ]
    .map(|(name, coding, body)| coded(&format!("{name}.http.example"), coding, body))
    .into()
}

fn coded(host: &str, coding: &str, body: &[u8]) -> Exchange {
    let headers = [
        "Content-Type: text/plain",
        &format!("Content-Encoding: {coding}"),
    ];
    answer(host, "HTTP/1.1 200 OK", &headers, body)
}

/// Bodies under `Transfer-Encoding: chunked`.
fn chunked() -> Vec<Exchange> {
    let ok = "HTTP/1.1 200 OK";
    let chunked = "Transfer-Encoding: chunked";
    let gzip = "Content-Encoding: gzip";
    vec![
        answer(
            "chunked.http.example",
            ok,
            &[chunked],
            chunks(PLAIN, 100, "", ""),
        ),
        answer(
            "chunk-extensions.http.example",
            ok,
            &[chunked],
            chunks(PLAIN, 64, ";name=\"value\"", ""),
        ),
        answer(
            "chunk-trailers.http.example",
            ok,
            &[chunked, "Trailer: X-Sum"],
            chunks(PLAIN, 64, "", "X-Sum: 42\r\nX-End: yes\r\n"),
        ),
        answer(
            "gzip-chunked.http.example",
            ok,
            &[gzip, chunked],
            chunks(GZIP, 50, "", ""),
        ),
        answer(
            "chunked-with-length.http.example",
            ok,
            &[chunked, "Content-Length: 9999"],
            chunks(RULES, 20, "", ""),
        ),
        answer(
            "gzip-as-transfer.http.example",
            ok,
            &["Transfer-Encoding: gzip, chunked"],
            chunks(GZIP, 50, "", ""),
        ),
        answer("chunked-empty.http.example", ok, &[chunked], "0\r\n\r\n"),
    ]
}

/// RFC 9112 §7.1.
fn chunks(body: &[u8], size: usize, extension: &str, trailers: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for chunk in body.chunks(size) {
        out.extend_from_slice(format!("{:X}{extension}\r\n", chunk.len()).as_bytes());
        out.extend_from_slice(chunk);
        out.extend_from_slice(b"\r\n");
    }
    out.extend_from_slice(format!("0\r\n{trailers}\r\n").as_bytes());
    out
}

/// Bodies that the crawler decoded while the head still says otherwise.
fn decoded_before() -> Vec<Exchange> {
    let ok = "HTTP/1.1 200 OK";
    vec![
        answer(
            "not-chunked-any-more.http.example",
            ok,
            &["Transfer-Encoding: chunked"],
            PLAIN,
        ),
        answer(
            "not-gzip-any-more.http.example",
            ok,
            &["Content-Encoding: gzip", "Content-Length: 180"],
            PLAIN,
        ),
        answer(
            "not-brotli-any-more.http.example",
            ok,
            &["Content-Encoding: br"],
            PLAIN,
        ),
        answer(
            "renamed-headers.http.example",
            ok,
            &[
                "X-Crawler-Content-Encoding: br",
                "X-Crawler-Transfer-Encoding: chunked",
            ],
            PLAIN,
        ),
        answer(
            "length-too-short.http.example",
            ok,
            &["Content-Length: 12"],
            RULES,
        ),
        answer(
            "length-too-long.http.example",
            ok,
            &["Content-Length: 1200"],
            RULES,
        ),
        answer(
            "length-is-words.http.example",
            ok,
            &["Content-Length: many"],
            RULES,
        ),
    ]
}

/// Heads that are written otherwise.
fn heads() -> Vec<Exchange> {
    let heads: [(&str, &[u8]); 11] = [
        ("http2", b"HTTP/2 200\r\ncontent-type: text/plain\r\nserver: tour\r\n\r\n"),
        ("http10", b"HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\n\r\n"),
        ("no-reason", b"HTTP/1.1 200\r\nContent-Type: text/plain\r\n\r\n"),
        ("lf-only", b"HTTP/1.1 200 OK\nContent-Type: text/plain\nServer: tour\n\n"),
        ("folded", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain;\r\n charset=utf-8\r\nX-Long: one\r\n\ttwo\r\n\r\n"),
        ("non-utf8", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nServer: Gr\xF6\xDFe\r\nX-Note: \xFF\xFE\r\n\r\n"),
        ("no-headers", b"HTTP/1.1 200 OK\r\n\r\n"),
        ("no-space-after-colon", b"HTTP/1.1 200 OK\r\nContent-Type:text/plain\r\nserver:tour\r\nCACHE-CONTROL:max-age=60\r\n\r\n"),
        ("line-without-colon", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nno colon at all\r\nServer: tour\r\n\r\n"),
        ("repeated", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Type: text/plain\r\nServer: one\r\nServer: two\r\n\r\n"),
        (
            "caching",
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=\"utf-8\"\r\nDate: Sun, 30 Aug 2026 10:00:00 GMT\r\n\
              Expires: Mon, 31 Aug 2026 10:00:00 GMT\r\nLast-Modified: Sat, 01 Aug 2026 00:00:00 GMT\r\nETag: W/\"1-a\"\r\n\r\n",
        ),
    ];
    heads
        .map(|(name, head)| response(&format!("{name}.http.example"), head, RULES))
        .into()
}
