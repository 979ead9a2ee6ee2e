//! URLs as captures have them, usual and odd.

use proptest::prelude::{Strategy, proptest};
use proptest::sample::select;

use super::*;
use crate::tests::{check, optional};

#[test]
fn cases() {
    check(file!(), |question, [url, other, _]| {
        let of_parts = |part: fn(&Url) -> Option<String>| match Url::parse(url) {
            Ok(url) => optional(part(&url)),
            Err(_) => "not a URL".to_owned(),
        };
        let origin_of = |url| origin(&Url::parse(url).ok()?);
        let robots_txt = || Url::parse(url).ok().filter(is_robotstxt_url);
        match question {
            "columns" => of_parts(|it| {
                let columns = [
                    it.scheme().to_owned(),
                    optional(host_name(it)),
                    optional(it.port()),
                    it.path().to_owned(),
                    optional(it.query()),
                    optional(tld(it)),
                    optional(registered_domain(it)),
                ];
                Some(columns.join(", "))
            }),
            "host" => of_parts(|it| host_name(it).map(str::to_owned)),
            "port" => of_parts(|it| it.port().map(|it| it.to_string())),
            "path" => of_parts(|it| {
                let query = it.query().map(|it| format!(" and the query {it}"));
                Some(it.path().to_owned() + query.unwrap_or_default().trim_end())
            }),
            "domain" => of_parts(|it| registered_domain(it).map(str::to_owned)),
            "tld" => of_parts(|it| tld(it).map(str::to_owned)),
            "is-robots-txt" => of_parts(|it| Some(is_robotstxt_url(it).to_string())),
            "redirect" => optional(absolute(url, other)),
            "is-same-host" => {
                let [one, other] = [url, other].map(|it| Url::parse(it).expect("a URL"));
                is_same_host(&one, &other).to_string()
            }
            "applies-to" => {
                let own = robots_txt().and_then(|it| origin(&it));
                (own.is_some() && own == origin_of(other)).to_string()
            }
            "origin-of-robots-txt" => optional(robots_txt().and_then(|it| origin(&it))),
            "origin" => optional(origin_of(url)),
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

/// The same property for URLs and references that fuzzing found, and for one of each kind.
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
        assert!(Url::parse(&target).is_ok(), "{target:?}");
        assert!(!target.contains('#'));
        // A normalised URL is its own normal form.
        assert_eq!(absolute(url, &target), Some(target));
    }
    let Ok(parts) = Url::parse(url) else {
        return;
    };
    let host = host_name(&parts).unwrap_or_default();
    assert!(tld(&parts).is_none_or(|tld| host.ends_with(tld)));
    let mut domain = registered_domain(&parts).into_iter();
    assert!(domain.all(|domain| host.ends_with(domain)));
    assert!(is_same_host(&parts, &parts) || host.is_empty());
    let (Some(host), "http" | "https") = (host_name(&parts), parts.scheme()) else {
        return;
    };
    assert!(parts.path().starts_with('/'));
    let port = parts
        .port()
        .map_or(String::new(), |port| format!(":{port}"));
    let query = parts
        .query()
        .map_or(String::new(), |query| format!("?{query}"));
    let joined = format!("{}://{host}{port}{}{query}", parts.scheme(), parts.path());
    let again = Url::parse(&joined).expect("a URL of parts of a URL");
    let all = |it: &Url| {
        let texts = [
            Some(it.scheme()),
            host_name(it),
            Some(it.path()),
            it.query(),
            tld(it),
        ];
        (texts.map(|text| text.map(str::to_owned)), it.port())
    };
    assert_eq!(all(&parts), all(&again), "{joined:?}");
    assert!(is_same_host(&parts, &again));
}
