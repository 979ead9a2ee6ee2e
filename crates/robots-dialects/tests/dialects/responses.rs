//! The meaning of the response to a request for a robots.txt, and how long it holds: by the clauses
//! of the sources that define it.

use robots_dialects::access::Access::{
    self, AllowAll, Defer, DisallowAll, FollowRedirect, Parse, UseCached,
};
use robots_dialects::access::{
    AccessDialect, CacheHeaders,
    Response::{self, NoResponse, Status, TooManyRedirects},
};

use super::harness::Test;

/// A clause, whose it is, responses, and what they mean.
type Meaning = (&'static str, AccessDialect, &'static [Response], Access);

const MEANINGS: &[Meaning] = &[
    (
        "koster1996 §3.1: success (2xx) gives a file, whose records apply",
        AccessDialect::Koster1996,
        &[Status(200), Status(203), Status(299)],
        Parse,
    ),
    (
        "koster1996 §3.1: without a file (404) nothing is restricted",
        AccessDialect::Koster1996,
        &[Status(404)],
        AllowAll,
    ),
    (
        "koster1996 §3.1: where access is restricted (401, 403) the site is",
        AccessDialect::Koster1996,
        &[Status(401), Status(403)],
        DisallowAll,
    ),
    (
        "koster1996 §3.1: a failure that may pass defers visits",
        AccessDialect::Koster1996,
        &[Status(500), Status(503), NoResponse, TooManyRedirects],
        Defer,
    ),
    (
        "koster1996 §3.1: other failures that may pass do so too (our interpretation)",
        AccessDialect::Koster1996,
        &[Status(408), Status(425), Status(429)],
        Defer,
    ),
    (
        "koster1996 §3.1: redirects (3xx) are followed",
        AccessDialect::Koster1996,
        &[Status(301), Status(302), Status(307)],
        FollowRedirect,
    ),
    (
        "koster1996 §3.4: a copy that has not been modified (304) holds",
        AccessDialect::Koster1996,
        &[Status(304)],
        UseCached,
    ),
    (
        "rep2019 §2.3.1.1: a successful download (2xx) is parsed",
        AccessDialect::Rfc9309,
        &[Status(200), Status(204)],
        Parse,
    ),
    (
        "rep2019 §2.3.1.2: redirects are followed",
        AccessDialect::Rfc9309,
        &[Status(301), Status(302), Status(308)],
        FollowRedirect,
    ),
    (
        "rep2019 §2.3.1.2: after more than five of them the file may be taken as unavailable",
        AccessDialect::Rfc9309,
        &[TooManyRedirects],
        AllowAll,
    ),
    (
        "rep2019 §2.3.1.3: where it is unavailable (4xx) everything may be accessed",
        AccessDialect::Rfc9309,
        &[Status(401), Status(403), Status(404), Status(429)],
        AllowAll,
    ),
    (
        "rep2019 §2.3.1.4: where it is unreachable (5xx, the network) nothing may",
        AccessDialect::Rfc9309,
        &[Status(500), Status(503), NoResponse],
        DisallowAll,
    ),
    (
        "rfc9309 §2.3.1.1: a successful download (2xx) is parsed",
        AccessDialect::Rfc9309,
        &[Status(200), Status(204), Status(299)],
        Parse,
    ),
    (
        "rfc9309 §2.3.1.2: redirects are followed",
        AccessDialect::Rfc9309,
        &[Status(301), Status(302), Status(307), Status(308)],
        FollowRedirect,
    ),
    (
        "rfc9309 §2.3.1.2: after more than five of them the file may be taken as unavailable",
        AccessDialect::Rfc9309,
        &[TooManyRedirects],
        AllowAll,
    ),
    (
        "rfc9309 §2.3.1.3: where it is unavailable (4xx) everything may be accessed",
        AccessDialect::Rfc9309,
        &[
            Status(400),
            Status(401),
            Status(403),
            Status(404),
            Status(410),
            Status(429),
            Status(499),
        ],
        AllowAll,
    ),
    (
        "rfc9309 §2.3.1.4: where it is unreachable (5xx, the network) nothing may",
        AccessDialect::Rfc9309,
        &[Status(500), Status(503), Status(599), NoResponse],
        DisallowAll,
    ),
    (
        "rfc9309 §2.4: a copy that has not been modified (304) holds",
        AccessDialect::Rfc9309,
        &[Status(304)],
        UseCached,
    ),
    (
        "google \"Handling of errors and HTTP status codes\": 2xx is processed as it stands",
        AccessDialect::Google,
        &[Status(200), Status(204)],
        Parse,
    ),
    (
        "google \"Handling of errors and HTTP status codes\": 3xx is followed",
        AccessDialect::Google,
        &[
            Status(301),
            Status(302),
            Status(303),
            Status(307),
            Status(308),
        ],
        FollowRedirect,
    ),
    (
        "google \"Handling of errors and HTTP status codes\": more than five hops are a 404",
        AccessDialect::Google,
        &[TooManyRedirects],
        AllowAll,
    ),
    (
        "google \"Handling of errors and HTTP status codes\": 4xx except 429 is as no file",
        AccessDialect::Google,
        &[
            Status(400),
            Status(401),
            Status(403),
            Status(404),
            Status(410),
            Status(451),
        ],
        AllowAll,
    ),
    (
        "google \"Handling of errors and HTTP status codes\": 429, 5xx and the network block for now",
        AccessDialect::Google,
        &[Status(429), Status(500), Status(503), NoResponse],
        DisallowAll,
    ),
    (
        "google \"Caching\": a copy that has not been modified (304) holds",
        AccessDialect::Google,
        &[Status(304)],
        UseCached,
    ),
];

const DAY: u64 = 24 * 60 * 60;
const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
const TWO_DAYS_LATER: &str = "Tue, 08 Nov 1994 08:49:37 GMT";

/// A clause, whose it is, `Cache-Control`, `Expires`, and seconds.
type Freshness = (
    &'static str,
    AccessDialect,
    Option<&'static str>,
    Option<&'static str>,
    u64,
);

const FRESHNESS: &[Freshness] = &[
    (
        "koster1996 §3.4: a file without cache control expires after seven days",
        AccessDialect::Koster1996,
        None,
        None,
        7 * DAY,
    ),
    (
        "koster1996 §3.4: Expires says when it expires",
        AccessDialect::Koster1996,
        None,
        Some(TWO_DAYS_LATER),
        2 * DAY,
    ),
    (
        "koster1996 §3.4: Cache-Control takes precedence over Expires",
        AccessDialect::Koster1996,
        Some("max-age=60"),
        Some(TWO_DAYS_LATER),
        60,
    ),
    (
        "rep2019 §2.4: a file without cache control is used for 24 hours",
        AccessDialect::Rfc9309,
        None,
        None,
        DAY,
    ),
    (
        "rfc9309 §2.4: a file without cache control is used for 24 hours",
        AccessDialect::Rfc9309,
        None,
        None,
        DAY,
    ),
    (
        "rfc9309 §2.4: the cache control of HTTP may be used: max-age",
        AccessDialect::Rfc9309,
        Some("public, max-age=3600"),
        None,
        3_600,
    ),
    (
        "rfc9309 §2.4: the cache control of HTTP may be used: Expires",
        AccessDialect::Rfc9309,
        None,
        Some(TWO_DAYS_LATER),
        2 * DAY,
    ),
    (
        "rfc9309 §2.4: the cache control of HTTP may be used: no-store",
        AccessDialect::Rfc9309,
        Some("no-store"),
        None,
        0,
    ),
    (
        "google \"Caching\": 24 hours",
        AccessDialect::Google,
        None,
        None,
        DAY,
    ),
    (
        "google \"Caching\": max-age lengthens or shortens that",
        AccessDialect::Google,
        Some("max-age=60"),
        None,
        60,
    ),
    (
        "google \"Caching\": Expires is not spoken of",
        AccessDialect::Google,
        None,
        Some(TWO_DAYS_LATER),
        DAY,
    ),
];

/// A test per clause.
pub(crate) fn tests() -> impl Iterator<Item = Test> {
    let meanings = MEANINGS.iter().map(|(clause, dialect, responses, access)| {
        Test::new(*clause, move || {
            for response in *responses {
                assert_eq!(dialect.access(*response), *access, "{response:?}");
            }
        })
    });
    let freshness = FRESHNESS
        .iter()
        .map(|(clause, dialect, cache_control, expires, seconds)| {
            Test::new(*clause, move || {
                let headers = CacheHeaders {
                    cache_control: cache_control.map(str::as_bytes),
                    expires: expires.map(str::as_bytes),
                    date: Some(DATE.as_bytes()),
                    fetched: None,
                };
                assert_eq!(dialect.freshness_seconds(&headers), *seconds);
            })
        });
    meanings.chain(freshness)
}
