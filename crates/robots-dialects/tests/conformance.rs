//! Checks the robots module against the facts in the shared folder beside the
//! project, where present.

mod support;

use robots_dialects::line::{Line, LineKind, read_lines};
use robots_dialects::{path, pattern, percent};
use serde_json::Value;
use support::{bytes, read_jsonl, text};

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

#[test]
fn line_events_equal_googles() {
    let Some(cases) = read_jsonl("google-events.jsonl") else {
        return;
    };
    assert_eq!(cases.len(), 1_000);
    for case in &cases {
        let body = bytes(case, "robots_base64");
        let (events, flags) = events_and_flags(&body);
        let expected_events: Vec<Event> = rows(&case["events"])
            .map(|row| {
                (
                    row[0].as_u64().expect("line number"),
                    row[1].as_str().expect("kind").to_owned(),
                    support::decode_base64(row[2].as_str().expect("key")),
                    support::decode_base64(row[3].as_str().expect("value")),
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

#[test]
fn units_equal_googles() {
    let Some(cases) = read_jsonl("google-units.jsonl") else {
        return;
    };
    let mut scratch = Vec::new();
    for case in &cases {
        match text(case, "kind") {
            "path" => assert_eq!(
                *path::path_of_url(text(case, "input").as_bytes()),
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
    println!("{} units", cases.len());
}
