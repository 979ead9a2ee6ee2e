//! Records other than the usual response with its request, and URLs other than the usual.

use super::super::exchange::{Exchange, Kind, Oddity};
use super::super::time::{DAY, Time};
use super::{answer, file, response};

const RULES: &str = "User-agent: *\nDisallow: /private/\n";

/// The SHA-256 of [`RULES`], for the record that names two digests.
const RULES_SHA256: &str =
    "sha256:efc4db5408347a17597d7618522f084512d5d8d9ff46135129e293e4dee3355a";

pub(super) fn stops() -> Vec<Exchange> {
    [revisits(), records(), urls(), changes()]
        .into_iter()
        .flatten()
        .collect()
}

/// Captures that repeat an earlier one and do not store it again.
fn revisits() -> Vec<Exchange> {
    let head =
        "HTTP/1.1 200 OK\r\nServer: tour\r\nContent-Type: text/plain\r\nContent-Length: 56\r\n\r\n";
    let not_modified = "HTTP/1.1 304 Not Modified\r\nServer: tour\r\nETag: \"a\"\r\n\r\n";
    let rules = "User-agent: *\nDisallow: /seen-before/\n# to be revisited\n";
    vec![
        file("revisit.warc.example", rules),
        Exchange {
            kind: Kind::Revisit,
            ..later(DAY, response("revisit.warc.example", head, ""))
        },
        Exchange {
            kind: Kind::NotModified,
            ..later(2 * DAY, response("revisit.warc.example", not_modified, ""))
        },
        Exchange {
            kind: Kind::Revisit,
            ..later(3 * DAY, response("same-file.warc.example", head, ""))
        },
        Exchange {
            kind: Kind::RevisitElsewhere,
            ..response("revisit-unknown.warc.example", head, "")
        },
    ]
}

/// Records with something unusual about them.
fn records() -> Vec<Exchange> {
    let unusual = [
        ("brackets", Oddity::Brackets),
        ("fraction", Oddity::Fraction),
        ("hex-digests", Oddity::HexDigests),
        ("no-digests", Oddity::NoDigests),
        ("two-digests", Oddity::SecondDigest(RULES_SHA256)),
        ("lower-case", Oddity::LowerCase),
        ("folded", Oddity::Folded),
        ("truncated", Oddity::Truncated("length")),
        ("timed-out", Oddity::Truncated("time")),
    ];
    let mut stops: Vec<Exchange> = unusual
        .map(|(name, oddity)| Exchange {
            oddity,
            ..file(&format!("{name}.warc.example"), RULES)
        })
        .into();
    stops.push(Exchange {
        kind: Kind::Lone,
        ..file("no-request.warc.example", RULES)
    });
    let about = "fetchTimeMs: 83\r\ncharset-detected: UTF-8\r\n";
    stops.push(Exchange {
        kind: Kind::Metadata,
        ..response("no-request.warc.example", "", about)
    });
    stops.push(Exchange {
        kind: Kind::Resource,
        ..response("resource.warc.example", "", RULES)
    });
    let lookup = "20260830100000\nresource.warc.example.\t300\tIN\tA\t192.0.2.1\n";
    let url = "dns:resource.warc.example".to_owned();
    stops.push(Exchange {
        url,
        kind: Kind::Resource,
        identified: "text/dns",
        ..response("", "", lookup)
    });
    stops
}

/// Places that are some host's robots.txt, and places that only look so.
fn urls() -> Vec<Exchange> {
    let page = "<html><body>A page.</body></html>\n";
    let mut stops: Vec<Exchange> = [
        "https://folder.url.example/folder/robots.txt",
        "https://upper-case.url.example/ROBOTS.TXT",
        "https://query.url.example/robots.txt?v=2",
        "https://double-slash.url.example//robots.txt",
        "https://escaped.url.example/%72obots.txt",
        "https://dots.url.example/a/../robots.txt",
        "https://port.url.example:8443/robots.txt",
        "https://default-port.url.example:443/robots.txt",
        "http://plain-http.url.example/robots.txt",
        "https://UPPER.URL.EXAMPLE/robots.txt",
        "https://trailing-dot.url.example./robots.txt",
        "https://xn--bcher-kva.url.example/robots.txt",
        "https://bücher.url.example/robots.txt",
        "https://192.0.2.80/robots.txt",
        "https://[2001:db8::80]/robots.txt",
        "https://user@user.url.example/robots.txt",
        "https://fragment.url.example/robots.txt#top",
    ]
    .map(|url| file(url, RULES))
    .into();
    stops.push(Exchange {
        identified: "text/html",
        kind: Kind::Lone,
        ..answer(
            "https://page.url.example/index.html",
            "HTTP/1.1 200 OK",
            &["Content-Type: text/html"],
            page,
        )
    });
    stops
}

/// Hosts that change their rules between captures, and origins that differ in scheme or port alone.
fn changes() -> Vec<Exchange> {
    let before = "User-agent: *\nDisallow: /cart/\n";
    let after = "User-agent: *\nDisallow: /cart/\n\nUser-agent: GPTBot\nDisallow: /\n";
    let only_comment = "# new comment, same rules\nUser-agent: *\nDisallow: /cart/\n";
    vec![
        file("blocks-ai.change.example", before),
        later(3 * DAY, file("blocks-ai.change.example", after)),
        later(6 * DAY, file("blocks-ai.change.example", before)),
        file("comment-only.change.example", before),
        later(3 * DAY, file("comment-only.change.example", only_comment)),
        file("goes-away.change.example", before),
        later(
            3 * DAY,
            answer(
                "goes-away.change.example",
                "HTTP/1.1 404 Not Found",
                &[],
                "",
            ),
        ),
        file(
            "http://origins.change.example/robots.txt",
            "User-agent: *\nDisallow: /over-http/\n",
        ),
        file(
            "https://origins.change.example/robots.txt",
            "User-agent: *\nDisallow: /over-https/\n",
        ),
        file(
            "https://origins.change.example:8443/robots.txt",
            "User-agent: *\nDisallow: /\n",
        ),
        answer(
            "recovers.change.example",
            "HTTP/1.1 503 Service Unavailable",
            &[],
            "",
        ),
        file("recovers.change.example", before),
    ]
}

/// The exchange this many seconds later than its place in the tour says.
fn later(seconds: u64, exchange: Exchange) -> Exchange {
    Exchange {
        fetched: Time(seconds),
        ..exchange
    }
}
