//! URLs as captures have them, usual and odd.

use proptest::prelude::{Strategy, proptest};
use proptest::sample::select;

use super::*;
use crate::tests::{check, optional};

#[test]
fn cases() {
    check(file!(), |question, [url, other, _]| {
        let of_parts = |part: fn(&UrlParts) -> Option<String>| match UrlParts::parse(url) {
            Some(parts) => optional(part(&parts)),
            None => "not a URL".to_owned(),
        };
        let origin = |url| UrlParts::parse(url)?.origin();
        let robots_txt = || UrlParts::parse(url).filter(UrlParts::is_robotstxt_url);
        match question {
            "columns" => of_parts(|it| {
                let columns = [
                    it.protocol().to_owned(),
                    optional(it.host_name()),
                    optional(it.port()),
                    it.path().to_owned(),
                    optional(it.query()),
                    optional(it.tld()),
                    optional(it.registered_domain()),
                ];
                Some(columns.join(", "))
            }),
            "host" => of_parts(|it| it.host_name().map(str::to_owned)),
            "port" => of_parts(|it| it.port().map(|it| it.to_string())),
            "path" => of_parts(|it| {
                let query = it.query().map(|it| format!(" and the query {it}"));
                Some(it.path().to_owned() + query.unwrap_or_default().trim_end())
            }),
            "domain" => of_parts(|it| it.registered_domain().map(str::to_owned)),
            "tld" => of_parts(|it| it.tld().map(str::to_owned)),
            "is-robots-txt" => of_parts(|it| Some(it.is_robotstxt_url().to_string())),
            "redirect" => optional(absolute(url, other)),
            "is-same-host" => {
                let [one, other] = [url, other].map(|it| UrlParts::parse(it).expect("a URL"));
                one.is_same_host(&other).to_string()
            }
            "applies-to" => {
                let own = robots_txt().and_then(|it| it.origin());
                (own.is_some() && own == origin(other)).to_string()
            }
            "origin-of-robots-txt" => optional(robots_txt().and_then(|it| it.origin())),
            "origin" => optional(origin(url)),
            _ => panic!("{question}"),
        }
    });
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
        // A normalised URL is its own normal form.
        assert_eq!(absolute(url, &target), Some(target));
    }
    let Some(parts) = UrlParts::parse(url) else {
        return;
    };
    let host = parts.host_name().unwrap_or_default();
    assert!(parts.tld().is_none_or(|tld| host.ends_with(tld)));
    let mut domain = parts.registered_domain().into_iter();
    assert!(domain.all(|domain| host.ends_with(domain)));
    assert!(parts.is_same_host(&parts) || host.is_empty());
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
