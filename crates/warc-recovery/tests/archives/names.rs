//! Names of fields, headers, issues and kinds of damage.

use std::collections::BTreeSet;

use warc_recovery::damage::DamageKind;
use warc_recovery::http::{BodyIssue, BodyIssues, Header, ResponseHead};
use warc_recovery::warc::{Field, RecordHead};

/// The headers of a response that has only a header of this name.
fn headers(name: &str) -> Vec<Header> {
    let head = format!("HTTP/1.1 200 OK\r\n{name}: 1\r\n\r\n");
    let head = ResponseHead::parse(head.as_bytes());
    let all = Header::ALL.iter().copied();
    all.filter(|it| head.get(*it).is_some()).collect()
}

/// The fields, except the length, of a record that has only a field of this name.
fn fields(name: &str) -> Vec<Field> {
    let head = format!("WARC/1.0\r\nContent-Length: 1\r\n{name}: 1\r\n\r\n");
    let head = RecordHead::parse(head.as_bytes()).expect("a head");
    let all = Field::ALL.iter().copied();
    let all = all.filter(|it| *it != Field::ContentLength);
    all.filter(|it| head.get(*it).is_some()).collect()
}

#[test]
fn names_are_found_without_case() {
    for header in Header::ALL {
        assert_eq!(headers(&header.name().to_uppercase()), [*header]);
    }
    for field in Field::ALL.iter().filter(|it| **it != Field::ContentLength) {
        assert_eq!(fields(&field.name().to_uppercase()), [*field]);
    }
    let long = "x".repeat(100);
    for other in [
        "",
        "vary",
        "etags",
        "eta",
        "warc\rdate",
        "WARC-Dat\x05",
        &long,
    ] {
        assert!(
            headers(other).is_empty() && fields(other).is_empty(),
            "{other:?}"
        );
    }
}

#[test]
fn kinds_of_damage_have_distinct_words_and_sentences() {
    let names: BTreeSet<_> = DamageKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(names.len(), DamageKind::ALL.len());
    for kind in DamageKind::ALL {
        let mut bytes = kind.name().bytes();
        assert!(bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
        assert!(kind.description().ends_with('.'), "{kind:?}");
    }
}

#[test]
fn a_set_of_issues() {
    let mut issues = BodyIssues::NONE;
    assert!(issues.is_empty());
    issues.insert(BodyIssue::LengthMismatch);
    issues.insert(BodyIssue::BadChunk);
    assert!(issues.contains(BodyIssue::BadChunk));
    assert!(!issues.contains(BodyIssue::NotChunked));
    assert_eq!(format!("{issues:?}"), r#"{"bad_chunk", "length_mismatch"}"#);
    let mut all = BodyIssues::NONE;
    for issue in BodyIssue::ALL {
        all.insert(*issue);
    }
    assert!(all.iter().eq(BodyIssue::ALL.iter().copied()));
}
