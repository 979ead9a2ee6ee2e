//! Domains of hosts, and the list that decides them.

use super::*;

#[test]
fn the_icann_division_decides() {
    for (host, domain) in [
        ("example.com", Some("example.com")),
        ("a.b.example.com", Some("example.com")),
        ("myblog.blogspot.com", Some("blogspot.com")),
        ("github.io", Some("github.io")),
        ("com", None),
        ("co.uk", None),
        // Wildcard rule and its exception.
        ("a.b.ck", Some("a.b.ck")),
        ("b.ck", None),
        ("www.ck", Some("www.ck")),
        ("localhost", None),
        ("printer.local", None),
        ("", None),
        (".", None),
        (".com", None),
        ("..com", None),
    ] {
        assert_eq!(registrable_domain(host), domain, "{host:?}");
    }
}

#[test]
fn both_divisions_are_listed() {
    assert!(is_under_listed_suffix("a.example.co.uk"));
    assert!(is_under_listed_suffix("myblog.blogspot.com"));
    assert!(!is_under_listed_suffix("robots.txt"));
    assert!(!is_under_listed_suffix(""));
}

#[test]
fn the_list_is_the_one_that_is_pinned() {
    let manifest = include_str!("../Cargo.toml");
    let version = LIST.strip_prefix("crate psl ").expect("the crate's name");
    assert!(manifest.contains(&format!("psl = \"={version}\"")));
}
