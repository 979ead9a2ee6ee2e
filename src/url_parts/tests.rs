//! URLs as captures have them, usual and odd.

use proptest::prelude::{Strategy, prop_assert, prop_assert_eq, proptest};
use proptest::sample::select;

use super::*;

fn parse(url: &str) -> UrlParts {
    UrlParts::parse(url).unwrap_or_else(|| panic!("{url} is a URL"))
}

fn registered_domain(host: &str) -> Option<String> {
    parse(&format!("http://{host}/"))
        .registered_domain()
        .map(str::to_owned)
}

#[test]
fn the_usual_url() {
    let parts = parse("https://www.example.co.uk/a/robots.txt?x=1&y");
    assert_eq!(parts.protocol(), "https");
    assert_eq!(parts.host_name(), Some("www.example.co.uk"));
    assert_eq!(parts.port(), None);
    assert_eq!(parts.path(), "/a/robots.txt");
    assert_eq!(parts.query(), Some("x=1&y"));
    assert_eq!(parts.tld(), Some("uk"));
    assert_eq!(parts.registered_domain(), Some("example.co.uk"));
}

#[test]
fn host_names() {
    for (url, host) in [
        ("http://EXAMPLE.com/", "example.com"),
        ("http://example.com./", "example.com"),
        ("http://b\u{fc}cher.example/", "xn--bcher-kva.example"),
        ("http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://user:pass@example.com/", "example.com"),
        (
            "https:////sites.example.com/robots.txt",
            "sites.example.com",
        ),
        ("http://a_b.example/", "a_b.example"),
        ("http://localhost/", "localhost"),
        ("http://192.0.2.1/", "192.0.2.1"),
        ("http://0x7f.1/", "127.0.0.1"),
        ("http://[2001:DB8::1]/", "[2001:db8::1]"),
        ("  http://example.com/ ", "example.com"),
    ] {
        assert_eq!(parse(url).host_name(), Some(host), "{url}");
    }
    assert_eq!(parse("dns:www.example.com").host_name(), None);
    assert_eq!(parse("urn:x").tld(), None);
}

#[test]
fn a_port_is_given_unless_it_is_the_default() {
    for (url, port) in [
        ("http://a.example:8080/", Some(8080)),
        ("http://a.example:80/", None),
        ("https://a.example:80/", Some(80)),
        ("https://a.example:443/", None),
        ("http://a.example:00080/", None),
        ("http://a.example:/", None),
        ("ftp://a.example:21/", None),
        ("ftp://a.example:2121/", Some(2121)),
    ] {
        assert_eq!(parse(url).port(), port, "{url}");
    }
    assert!(UrlParts::parse("http://a.example:65536/").is_none());
}

#[test]
fn paths_and_queries() {
    for (url, path, query) in [
        ("http://a.example", "/", None),
        ("http://a.example?", "/", Some("")),
        ("http://a.example?q", "/", Some("q")),
        ("http://a.example/a//b/./../c", "/a//c", None),
        ("http://a.example/%2e%2E/b", "/b", None),
        ("http://a.example/a b?c d", "/a%20b", Some("c%20d")),
        ("http://a.example/it's?it's", "/it's", Some("it%27s")),
        ("http://a.example\\b", "/b", None),
        ("http://a.example/b#c?d", "/b", None),
        ("http://a.example/b?c?d/e", "/b", Some("c?d/e")),
        ("http://a.example/\u{e9}", "/%C3%A9", None),
    ] {
        let parts = parse(url);
        assert_eq!((parts.path(), parts.query()), (path, query), "{url}");
    }
}

#[test]
fn what_is_no_url() {
    for text in [
        "",
        "robots.txt",
        "//example.com/",
        "http://",
        "http:///",
        "http://a b/",
        "http://[::1/",
    ] {
        assert!(UrlParts::parse(text).is_none(), "{text}");
    }
}

#[test]
fn ip_addresses_have_neither_tld_nor_domain() {
    for url in [
        "http://192.0.2.1/",
        "http://[::1]/",
        "http://3221225985/",
        "gopher://192.0.2.1/",
    ] {
        let parts = parse(url);
        assert_eq!(
            (parts.tld(), parts.registered_domain()),
            (None, None),
            "{url}"
        );
    }
}

#[test]
fn registered_domains_follow_the_icann_division() {
    for (host, domain) in [
        ("example.com", Some("example.com")),
        ("a.b.example.com", Some("example.com")),
        // Private suffixes do not count, as in Common Crawl's index.
        ("myblog.blogspot.com", Some("blogspot.com")),
        ("someone.github.io", Some("github.io")),
        ("github.io", Some("github.io")),
        ("bucket.s3.amazonaws.com", Some("amazonaws.com")),
        ("x.uk.com", Some("uk.com")),
        // A suffix itself.
        ("com", None),
        ("co.uk", None),
        // Wildcard rule and its exception.
        ("a.b.ck", Some("a.b.ck")),
        ("b.ck", None),
        ("www.ck", Some("www.ck")),
        ("a.www.ck", Some("www.ck")),
        // Not on the list.
        ("example.invalid", None),
        ("localhost", None),
        // Internationalised.
        ("www.xn--85x722f.com.cn", Some("xn--85x722f.com.cn")),
        (
            "www.xn--85x722f.xn--55qx5d.cn",
            Some("xn--85x722f.xn--55qx5d.cn"),
        ),
        ("a.xn--p1ai", Some("a.xn--p1ai")),
        // Empty labels.
        ("..com", None),
    ] {
        assert_eq!(registered_domain(host).as_deref(), domain, "{host}");
    }
    assert_eq!(parse("http://example.invalid/").tld(), Some("invalid"));
    assert_eq!(parse("http://localhost/").tld(), Some("localhost"));
}

#[test]
fn robotstxt_urls() {
    for url in [
        "http://example.com/robots.txt",
        "https://example.com:8443/robots.txt",
        "ftp://example.com/robots.txt",
        "http://example.com/robots.txt?",
        "HTTP://EXAMPLE.com/a/../robots.txt",
        "http://example.com/robots.txt#x",
    ] {
        assert!(parse(url).is_robotstxt_url(), "{url}");
    }
    for url in [
        "http://example.com/folder/robots.txt",
        "http://example.com/robots.txt/",
        "http://example.com//robots.txt",
        "http://example.com/Robots.txt",
        "http://example.com/robots.txt?a",
        "http://example.com/?/robots.txt",
        "http://example.com/",
        "file:///robots.txt",
        "dns:example.com",
    ] {
        assert!(!parse(url).is_robotstxt_url(), "{url}");
    }
}

#[test]
fn redirects() {
    let base = "http://example.com/robots.txt";
    for (location, target) in [
        (
            "https://www.example.com/robots.txt",
            Some("https://www.example.com/robots.txt"),
        ),
        ("/other.txt", Some("http://example.com/other.txt")),
        ("other.txt?x#y", Some("http://example.com/other.txt?x")),
        ("//www.example.com", Some("http://www.example.com/")),
        (" /a b ", Some("http://example.com/a%20b")),
        ("?x", Some("http://example.com/robots.txt?x")),
        ("#top", Some("http://example.com/robots.txt")),
        ("", None),
        ("  ", None),
        ("http://", None),
        ("http://[/", None),
    ] {
        assert_eq!(absolute(base, location).as_deref(), target, "{location:?}");
    }
    assert_eq!(
        absolute("no base", "http://a.example").as_deref(),
        Some("http://a.example/")
    );
    assert_eq!(absolute("no base", "/robots.txt"), None);
}

#[test]
fn same_host() {
    let is_same = |one, other| parse(one).is_same_host(&parse(other));
    assert!(is_same(
        "http://example.com/a",
        "https://EXAMPLE.com.:444/b"
    ));
    assert!(!is_same("http://example.com/", "http://www.example.com/"));
    assert!(!is_same("dns:a", "dns:a"));
}

/// URLs made of pieces that normalisation changes.
fn tricky_urls() -> impl Strategy<Value = String> {
    const PIECES: &str = "a b.com xn-- - _ . .. 1 0x1f A %2e %2E %41 / // /. ? # : :80 :443 :8080 \
        :0 @ \\ ' \" < | ^ ` { [ ] \u{e9} \u{ff0e} \u{ad} ~ ! $ & ( * + , ; = robots.txt \0 %";
    const SCHEMES: &str = "http:// https:// http: HTTP:// ftp:// https:///";
    let pieces: Vec<&str> = PIECES.split(' ').chain([" ", "\t"]).collect();
    let schemes: Vec<&str> = SCHEMES.split(' ').collect();
    let pieces = proptest::collection::vec(select(pieces), 0..8);
    (select(schemes), pieces).prop_map(|(scheme, pieces)| format!("{scheme}{}", pieces.concat()))
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(4_096))]

    #[test]
    fn parts_belong_to_the_url(url in tricky_urls(), location in tricky_urls()) {
        let Some(parts) = UrlParts::parse(&url) else { return Ok(()) };
        let host = parts.host_name().unwrap_or_default();
        prop_assert!(parts.tld().is_none_or(|tld| host.ends_with(tld)));
        prop_assert!(parts.registered_domain().is_none_or(|domain| host.ends_with(domain)));
        prop_assert!(parts.is_same_host(&parts) || host.is_empty());
        if let Some(target) = absolute(&url, &location) {
            // A normalised URL is its own normal form.
            prop_assert_eq!(absolute(&url, &target), Some(target.clone()));
        }
    }

    #[test]
    fn parts_make_a_url_of_the_same_parts(url in tricky_urls(), location in tricky_urls()) {
        assert_parts_are_stable(&url, &location);
    }
}

/// The same for URLs and references that fuzzing found, and for one of every kind.
#[test]
fn odd_urls_make_urls_of_the_same_parts() {
    for (url, location) in [
        (
            "http:/../\0\0\0\0\0\0\0/a.exam,p\u{8}\u{8}\u{8}/reolbots.txt",
            "../x?y#z",
        ),
        ("http://a.example/robots.txt", "../x?y#z"),
        (
            "https://user:pw@EXAMPLE.co.uk:8443/%7ea/b%2F?q=%41",
            "//b.example/",
        ),
        ("http://[::1]:80/", "?x"),
        ("http://xn--bcher-kva.example./", "/"),
        ("ftp://a.example/robots.txt", "https:foo"),
        ("dns:a.example", "x"),
        ("//h/a%e2%82%ac*$$", ""),
        ("http://1.2.3/..%2e/.", "\\x"),
        ("a%", "%%41"),
        ("http://a.github.io/?q;p", "http://"),
        ("http://\u{fc}.example/\u{fc}%zz", "\u{fffd}"),
    ] {
        assert_parts_are_stable(url, location);
    }
}

/// A URL made of the parts of a URL has the same parts; a redirect's target is a URL without
/// fragment.
fn assert_parts_are_stable(url: &str, location: &str) {
    if let Some(target) = absolute(url, location) {
        assert!(UrlParts::parse(&target).is_some(), "{target:?}");
        assert!(!target.contains('#'));
    }
    let Some(parts) = UrlParts::parse(url) else {
        return;
    };
    let (Some(host), "http" | "https") = (parts.host_name(), parts.protocol()) else {
        return;
    };
    assert!(parts.path().starts_with('/'));
    let port = parts
        .port()
        .map_or(String::new(), |port| format!(":{port}"));
    let query = parts
        .query()
        .map_or(String::new(), |query| format!("?{query}"));
    let joined = format!("{}://{host}{port}{}{query}", parts.protocol(), parts.path());
    let again = UrlParts::parse(&joined).expect("a URL of parts of a URL");
    let all = |it: &UrlParts| {
        let texts = [
            Some(it.protocol()),
            it.host_name(),
            Some(it.path()),
            it.query(),
            it.tld(),
        ];
        (texts.map(|text| text.map(str::to_owned)), it.port())
    };
    assert_eq!(all(&parts), all(&again), "{joined:?}");
    assert!(parts.is_same_host(&again));
}

/// The origin of a URL of a robots.txt.
fn origin_of_robots_txt(url: &str) -> Option<String> {
    let parts = UrlParts::parse(url)?;
    parts.origin().filter(|_| parts.is_robotstxt_url())
}

/// After the table "Examples of valid robots.txt URLs" of Google's specification: a default port
/// equals none, hosts are compared without case, an internationalised host equals its Punycode
/// form, and a file in a folder is not a robots.txt.
#[test]
fn scheme_host_and_port_of_a_robots_txt_and_a_url_must_be_equal() {
    const HTTPS: &str = "https://example.com/robots.txt";
    const PORT: &str = "https://example.com:8181/robots.txt";
    const IDN: &str = "https://www.ex\u{e4}mple.com/robots.txt";
    const FTP: &str = "ftp://example.com/robots.txt";
    const ADDRESS: &str = "https://212.96.82.21/robots.txt";
    #[rustfmt::skip]
    let cases = [
        (HTTPS, "https://example.com/folder/file", true),
        (HTTPS, "https://other.example.com/", false),
        (HTTPS, "http://example.com/", false),
        (HTTPS, "https://example.com:8181/", false),
        (HTTPS, "https://example.com:443/", true),
        ("https://www.example.com/robots.txt", "https://example.com/", false),
        ("https://example.com/folder/robots.txt", "https://example.com/folder/a", false),
        (IDN, "https://www.xn--exmple-cua.com/", true),
        (IDN, "https://WWW.EX\u{c4}MPLE.com/", true),
        (FTP, "ftp://example.com/", true),
        (FTP, "ftp://example.com:21/", true),
        (FTP, "https://example.com/", false),
        (ADDRESS, "https://212.96.82.21/", true),
        (ADDRESS, "https://example.com/", false),
        ("https://example.com:443/robots.txt", "https://example.com/", true),
        (PORT, "https://example.com:8181/", true),
        (PORT, "https://example.com/", false),
        ("HTTP://Example.COM/robots.txt", "http://example.com:80?q", true),
        ("http://user:pass@example.com/robots.txt", "http://example.com./", true),
        ("http://[::1]:80/robots.txt", "http://[0:0::1]/", true),
        ("http://[::1]:8080/robots.txt", "http://[::1]:8080/", true),
    ];
    for (robots_txt, url, is_equal) in cases {
        let origin = origin_of_robots_txt(robots_txt);
        let of_url = UrlParts::parse(url).and_then(|it| it.origin());
        let is_found = origin.is_some() && origin == of_url;
        assert_eq!(is_found, is_equal, "{robots_txt} {url}");
    }
    let origin = UrlParts::parse("HTTPS://Example.com:8080/a?b").and_then(|it| it.origin());
    assert_eq!(origin.as_deref(), Some("https://example.com:8080"));
    for url in [
        "https://example.com/ROBOTS.TXT",
        "https://example.com/robots.txt?x",
        "https://example.com/robots.txt/",
        "https:///robots.txt",
        "http://example.com:+80/robots.txt",
        "http://example.com:99999/robots.txt",
        "/robots.txt",
        "",
    ] {
        assert_eq!(origin_of_robots_txt(url), None, "{url}");
    }
}
