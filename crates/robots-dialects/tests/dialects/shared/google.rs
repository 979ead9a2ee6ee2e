//! Comparison with Google's parser, line by line, unit by unit and verdict by verdict.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use robots_dialects::dialect::{Choice, Dialect};
use robots_dialects::line::{Line, LineKind, read_lines};
use robots_dialects::path::{UrlPath, path_of_url};
use robots_dialects::{pattern, percent};
use serde_json::{Value, json};

use super::{bytes, rows_of, text};

/// Lines in the form of the recorded facts: number, kind, key (for unknown kinds only) and value in
/// base64; and the number and flags of every line.
fn events_and_flags(body: &[u8]) -> [Value; 2] {
    let (mut events, mut flags) = (Vec::new(), Vec::new());
    let mut scratch = Vec::new();
    read_lines(body, |line: &Line<'_>| {
        let mut google_escape = |value: &[u8]| percent::google_escape(value, &mut scratch).to_vec();
        let event = match line.kind {
            LineKind::UserAgent => Some(("user-agent", line.value.to_vec())),
            LineKind::Sitemap => Some(("sitemap", line.value.to_vec())),
            LineKind::Allow => Some(("allow", google_escape(line.value))),
            LineKind::Disallow => Some(("disallow", google_escape(line.value))),
            LineKind::Other => Some(("unknown", google_escape(line.value))),
            _ => None,
        };
        if let Some((kind, value)) = event {
            let key = if kind == "unknown" { line.key } else { b"" };
            let [key, value] = [key, &value].map(|bytes| BASE64_STANDARD.encode(bytes));
            events.push(json!([line.number, kind, key, value]));
        }
        flags.push(json!([line.number, flag_letters(line)]));
    });
    [events.into(), flags.into()]
}

fn flag_letters(line: &Line<'_>) -> String {
    let letters: String = [
        (line.kind == LineKind::Empty, 'e'),
        (line.has_comment, 'c'),
        (line.kind == LineKind::Comment, 'C'),
        (line.kind.is_directive(), 'd'),
        (line.is_typo, 't'),
        (line.is_too_long, 'l'),
        (line.is_missing_colon, 'm'),
    ]
    .into_iter()
    .filter_map(|(is_set, letter)| is_set.then_some(letter))
    .collect();
    if letters.is_empty() {
        "-".to_owned()
    } else {
        letters
    }
}

/// Lines: kinds, keys, values and flags of a thousand hostile bodies.
pub(super) fn line_events_equal_googles() {
    let cases = rows_of("google-events.jsonl");
    assert_eq!(cases.len(), 1_000);
    for case in &cases {
        let body = bytes(case, "robots_base64");
        let expected = ["events", "meta"].map(|field| case[field].clone());
        assert_eq!(events_and_flags(&body), expected, "{}", body.escape_ascii());
    }
}

/// Paths of URLs, escapes of rules, matches of patterns.
pub(super) fn units_equal_googles() {
    let cases = rows_of("google-units.jsonl");
    let mut scratch = Vec::new();
    for case in &cases {
        match text(case, "kind") {
            "path" => assert_eq!(
                *path_of_url(text(case, "input").as_bytes()),
                *bytes(case, "expected_base64"),
                "{case}"
            ),
            "escape" => assert_eq!(
                percent::google_escape(text(case, "input").as_bytes(), &mut scratch),
                bytes(case, "expected_base64"),
                "{case}"
            ),
            "match" => assert_eq!(
                pattern::matches(
                    text(case, "pattern").as_bytes(),
                    text(case, "path").as_bytes()
                ),
                case["expected"].as_bool().expect("expected"),
                "{case}"
            ),
            kind => panic!("unknown kind {kind}"),
        }
    }
}

/// Verdicts on hostile bodies and URLs, with the line that decides.
pub(super) fn adversarial_verdicts_equal_googles() {
    for case in rows_of("google-adversarial.jsonl") {
        let ruleset = Dialect::Google.compile(&bytes(&case, "robots_base64"));
        let url = bytes(&case, "url_base64");
        let verdict = ruleset.verdict(text(&case, "agent").as_bytes(), &UrlPath::from_url(&url));
        let got = (
            verdict.allowed,
            u64::from(verdict.line.unwrap_or(0)),
            verdict.choice == Choice::Named,
        );
        let expected = (
            case["allowed"].as_bool().expect("allowed"),
            case["matching_line"].as_u64().expect("matching_line"),
            case["specific"].as_bool().expect("specific"),
        );
        assert_eq!(got, expected, "{case}");
    }
}
