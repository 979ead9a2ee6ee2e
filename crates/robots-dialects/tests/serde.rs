//! What the feature `serde` writes and reads.

use robots_dialects::Robots;
use robots_dialects::dialect::Dialect;
use serde_json::json;

#[test]
fn a_verdict_has_the_fields_of_the_command() {
    let robots = Robots::new("User-agent: *\nDisallow: /a\n");
    let verdict = serde_json::to_value(robots.verdict("ExampleBot", "/a/b")).expect("JSON");
    let expected = json!({
        "allowed": false, "line": 2, "rule": "disallow: /a", "reason": "longest_match",
        "group": 0, "choice": "wildcard", "interpretation": false,
    });
    assert_eq!(verdict, expected);
}

#[test]
fn a_comparison_has_its_reasons() {
    let [old, new] = ["User-agent: *\n", "User-agent: *\nDisallow: /a\n"].map(Robots::new);
    let comparison = serde_json::to_value(old.compare(&new, "ExampleBot")).expect("JSON");
    let reason = json!({
        "direction": "blocked", "old": null, "new": {"line": 2, "rule": "disallow: /a"},
        "patterns": ["/a"], "except": [], "already": [], "has_all_exceptions": true, "example": "/a",
    });
    let expected = json!({"class": "stricter", "is_complete": true, "reasons": [reason]});
    assert_eq!(comparison, expected);
}

#[test]
fn dialects_are_read_by_name() {
    for dialect in Dialect::ALL {
        let text = serde_json::to_string(&dialect).expect("JSON");
        assert_eq!(serde_json::from_str::<Dialect>(&text).ok(), Some(dialect));
    }
    assert!(serde_json::from_str::<Dialect>("\"rfc9999\"").is_err());
}
