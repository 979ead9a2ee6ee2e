//! Names of fields, headers, issues and kinds of damage.

use std::collections::BTreeSet;

use warc_recovery::damage::DamageKind;
use warc_recovery::http::{BodyIssue, BodyIssues, Header};
use warc_recovery::warc::Field;

fn find(name: &str) -> (Option<Header>, Option<Field>) {
    let name = name.as_bytes();
    (Header::from_name(name), Field::from_name(name))
}

#[test]
fn names_are_found_without_case() {
    for header in Header::ALL {
        assert_eq!(find(&header.name().to_uppercase()).0, Some(*header));
    }
    for field in Field::ALL {
        assert_eq!(find(&field.name().to_uppercase()).1, Some(*field));
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
        assert_eq!(find(other), (None, None), "{other:?}");
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
