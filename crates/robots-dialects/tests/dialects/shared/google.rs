//! What Google's parser does, line by line, unit by unit and verdict by verdict.

use robots_dialects::dialect::{Choice, Dialect};
use robots_dialects::line::{Line, LineKind, read_lines};
use robots_dialects::path::{UrlPath, path_of_url};
use robots_dialects::{pattern, percent};
use serde_json::Value;

use super::{bytes, decoded, rows_of, text};

/// Kind, key (unknown kinds only) and value of one line as the facts write it.
type Event = (u64, String, Vec<u8>, Vec<u8>);

fn events_and_flags(body: &[u8]) -> (Vec<Event>, Vec<(u64, String)>) {
    let (mut events, mut flags) = (Vec::new(), Vec::new());
    let mut scratch = Vec::new();
    read_lines(body, &mut |line: &Line<'_>| {
        let number = u64::from(line.number);
        if let Some(kind) = match line.kind {
            LineKind::UserAgent => Some("user-agent"),
            LineKind::Allow => Some("allow"),
            LineKind::Disallow => Some("disallow"),
            LineKind::Sitemap => Some("sitemap"),
            LineKind::Other => Some("unknown"),
            _ => None,
        } {
            let is_escaped = !matches!(line.kind, LineKind::UserAgent | LineKind::Sitemap);
            let value = if is_escaped {
                percent::google_escape(line.value, &mut scratch)
            } else {
                line.value
            };
            let key: &[u8] = if line.kind == LineKind::Other {
                line.key
            } else {
                b""
            };
            events.push((number, kind.to_owned(), key.to_vec(), value.to_vec()));
        }
        flags.push((number, flag_letters(line)));
    });
    (events, flags)
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
        let (events, flags) = events_and_flags(&body);
        let expected_events: Vec<Event> = rows(&case["events"])
            .map(|row| {
                (
                    row[0].as_u64().expect("line number"),
                    row[1].as_str().expect("kind").to_owned(),
                    decoded(row[2].as_str().expect("key")),
                    decoded(row[3].as_str().expect("value")),
                )
            })
            .collect();
        let expected_flags: Vec<(u64, String)> = rows(&case["meta"])
            .map(|row| {
                (
                    row[0].as_u64().expect("line number"),
                    row[1].as_str().expect("flags").to_owned(),
                )
            })
            .collect();
        assert_eq!(
            events,
            expected_events,
            "{:?}",
            body.escape_ascii().to_string()
        );
        assert_eq!(
            flags,
            expected_flags,
            "{:?}",
            body.escape_ascii().to_string()
        );
    }
}

fn rows(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().expect("array").iter()
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
