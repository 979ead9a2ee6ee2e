//! How much of a file, of a line and of a URL is read, and which terms a record sets besides rules.

use robots_dialects::dialect::Dialect;
use robots_dialects::limit::{DEFAULT_LIMIT, cut};
use robots_dialects::path::UrlPath;

use super::harness::Test;
const ALLOWED: bool = true;
const BLOCKED: bool = false;

fn allows(dialect: Dialect, body: &[u8], agent: &str, url: &str) -> bool {
    dialect
        .compile(cut(body, DEFAULT_LIMIT))
        .verdict(agent.as_bytes(), &UrlPath::from_url(url.as_bytes()))
        .allowed
}

/// A test per clause.
pub(crate) fn tests() -> [Test; 8] {
    [
        Test::new(
            "rep2019 and rfc9309 §2.5: at least 500 kibibytes are parsed",
            rules_within_the_limit_count,
        ),
        Test::new(
            "google \"File format\": 500 kibibytes are parsed, what follows is ignored",
            rules_behind_the_limit_do_not_count,
        ),
        Test::new(
            "rfc9309 §2.5: a limit within a line invents no rule (ours: the line is left out)",
            a_cut_line_is_no_rule,
        ),
        Test::new(
            "google robots.cc: 16,663 bytes of a line are read, the rest of the line is not",
            long_lines_are_cut,
        ),
        Test::new(
            "rfc9309 §2.2.2: a rule is matched with path and query, without host and fragment",
            path_of_a_url,
        ),
        Test::new(
            "google \"Order of precedence for user agents\": the most specific token that has a group",
            the_most_specific_token,
        ),
        Test::new(
            "conner1996 \"Visit-time\": hours of the day in UTC, past midnight too",
            visit_time,
        ),
        Test::new(
            "conner1996 \"Request-rate\": documents per time, the rate of the hour before the general rate",
            request_rate,
        ),
    ]
}

/// A file of `length` bytes that ends with `rule`.
fn file_of(length: usize, rule: &str) -> Vec<u8> {
    let start = "User-agent: *\n#";
    let fill = length - start.len() - rule.len() - 1;
    format!("{start}{}\n{rule}", "x".repeat(fill)).into_bytes()
}

fn rules_within_the_limit_count() {
    for dialect in Dialect::ALL {
        let body = file_of(512_000, "Disallow: /x\n");
        assert_eq!(body.len(), 512_000);
        assert_eq!(allows(dialect, &body, "a", "/x"), BLOCKED, "{dialect}");
    }
}

fn rules_behind_the_limit_do_not_count() {
    for dialect in Dialect::ALL {
        let mut body = file_of(512_000, "Disallow: /x\n");
        body.extend_from_slice(b"Disallow: /y\n");
        assert_eq!(allows(dialect, &body, "a", "/x"), BLOCKED, "{dialect}");
        assert_eq!(allows(dialect, &body, "a", "/y"), ALLOWED, "{dialect}");
    }
}

fn a_cut_line_is_no_rule() {
    for dialect in Dialect::ALL {
        // The limit is after the slash.
        let body = file_of(512_000 + "private\n".len(), "Disallow: /private\n");
        assert_eq!(body[511_999], b'/');
        assert_eq!(allows(dialect, &body, "a", "/"), ALLOWED, "{dialect}");
        assert_eq!(
            allows(dialect, &body, "a", "/private"),
            ALLOWED,
            "{dialect}"
        );
    }
}

fn long_lines_are_cut() {
    let key = "Disallow: ";
    let kept = format!("/{}", "x".repeat(16_663 - key.len() - 1));
    let body = format!("User-agent: *\n{key}{kept}yyy\nDisallow: /z\n");
    let google = |path: &str| allows(Dialect::Google, body.as_bytes(), "a", path);
    assert_eq!(google(&kept), BLOCKED);
    assert_eq!(google(&format!("{kept}w")), BLOCKED);
    assert_eq!(google(&kept[..kept.len() - 1]), ALLOWED);
    assert_eq!(google("/z"), BLOCKED);
    // One byte less is a whole line, which its end follows.
    let shorter = &kept[..kept.len() - 1];
    let body = format!("User-agent: *\n{key}{shorter}$y\n");
    assert_eq!(
        allows(Dialect::Google, body.as_bytes(), "a", shorter),
        BLOCKED
    );
    assert_eq!(
        allows(Dialect::Google, body.as_bytes(), "a", &kept),
        ALLOWED
    );
}

fn path_of_a_url() {
    for dialect in Dialect::ALL {
        let allows = |url: &str| {
            let body = b"User-agent: *\nDisallow: /x?y\nDisallow: /h.example\n";
            allows(dialect, body, "a", url)
        };
        assert_eq!(allows("https://h.example/x?y=1#z"), BLOCKED, "{dialect}");
        assert_eq!(allows("https://h.example/x#?y"), ALLOWED, "{dialect}");
        assert_eq!(allows("https://h.example/"), ALLOWED, "{dialect}");
        assert_eq!(allows("https://h.example"), ALLOWED, "{dialect}");
    }
}

fn the_most_specific_token() {
    let body = b"user-agent: example-news\ndisallow: /1\n\nuser-agent: *\ndisallow: /2\n\n\
        user-agent: example\ndisallow: /3\n";
    let ruleset = Dialect::Google.compile(body);
    let first_named = |tokens: &[&'static str]| {
        let tokens: Vec<&[u8]> = tokens.iter().map(|token| token.as_bytes()).collect();
        let named = ruleset.first_named(&tokens)?;
        Some(String::from_utf8_lossy(named).into_owned())
    };
    let named = |tokens: &[&'static str]| first_named(tokens).unwrap_or_default();
    assert_eq!(named(&["Example-News", "Example"]), "Example-News");
    assert_eq!(named(&["Example-Image", "Example"]), "Example");
    assert_eq!(named(&["Other", "Another"]), "");
}

const RECORD: &[u8] = b"User-agent: a\nRobot-version: 2.0\nVisit-time: 2200-0130\n\
    Request-rate: 10/60\nRequest-rate: 1/10m 1300-1659\nRequest-rate: 20/1h 1700-0459\n\
    Comment: by day slowly\nDisallow: /x*\n\nUser-agent: *\nDisallow: /\n";

fn visit_time() {
    let ruleset = Dialect::Conner1996.compile(RECORD);
    let terms = ruleset.visit_terms(b"a").expect("a record");
    let time = terms.visit_time.expect("a time");
    for (hour, minute, is_within) in [
        (21, 59, false),
        (22, 0, true),
        (0, 0, true),
        (1, 30, true),
        (1, 31, false),
        (12, 0, false),
    ] {
        assert_eq!(
            time.contains(hour * 60 + minute),
            is_within,
            "{hour}:{minute}"
        );
    }
    assert_eq!(terms.comments, [b"by day slowly".to_vec()]);
    let other = ruleset.visit_terms(b"b").expect("the record of *");
    assert!(other.visit_time.is_none() && other.request_rates.is_empty());
    assert!(
        Dialect::Koster1996
            .compile(RECORD)
            .visit_terms(b"a")
            .is_none()
    );
}

fn request_rate() {
    let ruleset = Dialect::Conner1996.compile(RECORD);
    let terms = ruleset.visit_terms(b"a").expect("a record");
    for (hour, minute, documents, seconds) in [
        (12, 59, 10, 60),
        (13, 0, 1, 600),
        (16, 59, 1, 600),
        (17, 0, 20, 3_600),
        (4, 59, 20, 3_600),
        (5, 0, 10, 60),
    ] {
        let rate = terms.rate_at(hour * 60 + minute).expect("a rate");
        assert_eq!(
            (rate.documents, rate.seconds),
            (documents, seconds),
            "{hour}:{minute}"
        );
    }
}
