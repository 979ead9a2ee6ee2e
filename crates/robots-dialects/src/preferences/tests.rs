use proptest::prelude::*;

use super::Vocabulary::{
    ContentSignal, ContentUsage, License, LlmPolicy, TdmPolicy, TdmReservation,
};
use super::*;

/// The preferences of a value: path, preference, value, what it allows.
fn read(vocabulary: Vocabulary, value: &str) -> Vec<(String, String, String, Option<bool>)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut found = Vec::new();
    vocabulary.read(value.as_bytes(), |preference| {
        found.push((
            text(preference.path.unwrap_or_default()),
            text(&preference.preference),
            text(preference.value),
            preference.allows,
        ));
    });
    found
}

#[track_caller]
fn assert_reads(
    vocabulary: Vocabulary,
    value: &str,
    expected: &[(&str, &str, &str, Option<bool>)],
) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(path, preference, value, allows)| {
            let [path, preference, value] =
                [path, preference, value].map(|text| (*text).to_owned());
            (path, preference, value, *allows)
        })
        .collect();
    assert_eq!(read(vocabulary, value), expected, "{value}");
}

#[test]
fn content_signals_are_yes_or_no() {
    assert_reads(
        ContentSignal,
        "search=yes, ai-input=no,ai-train = NO",
        &[
            ("", "search", "yes", Some(true)),
            ("", "ai-input", "no", Some(false)),
            ("", "ai-train", "NO", Some(false)),
        ],
    );
    assert_reads(
        ContentSignal,
        "/archive/ AI-Train=yes",
        &[("/archive/", "ai-train", "yes", Some(true))],
    );
}

#[test]
fn use_of_content_signal_is_a_level() {
    let levels = |vocabulary: Vocabulary, value: &'static str| {
        let mut levels = Vec::new();
        vocabulary.read(value.as_bytes(), |preference| {
            levels.push((preference.allows, preference.level));
        });
        levels
    };
    assert_eq!(
        levels(ContentSignal, "search=yes,ai-train=no,use=reference"),
        [
            (Some(true), None),
            (Some(false), None),
            (None, Some(Level::Reference))
        ]
    );
    for (value, level) in [
        ("Use = Immediate", Some(Level::Immediate)),
        ("use=full", Some(Level::Full)),
        ("use=partly", None),
        ("use", None),
        ("ai-train=full", None),
    ] {
        assert_eq!(levels(ContentSignal, value), [(None, level)], "{value}");
    }
    assert_eq!(levels(ContentUsage, "use=full"), [(None, None)]);
    assert!(Level::Immediate < Level::Reference && Level::Reference < Level::Full);
}

/// The examples of draft-ietf-aipref-attach-05 and draft-ietf-aipref-vocab-08.
#[test]
fn content_usage_is_y_or_n_as_the_drafts_say() {
    assert_reads(
        ContentUsage,
        "train-ai=n",
        &[("", "train-ai", "n", Some(false))],
    );
    assert_reads(
        ContentUsage,
        "/ai-ok/ train-ai=y",
        &[("/ai-ok/", "train-ai", "y", Some(true))],
    );
    assert_reads(
        ContentUsage,
        "train-ai=y, search=n",
        &[
            ("", "train-ai", "y", Some(true)),
            ("", "search", "n", Some(false)),
        ],
    );
    // The last of several counts, and what is not a token is not known.
    assert_reads(
        ContentUsage,
        "train-ai=y, train-ai, search=n, search=\"n\"",
        &[
            ("", "train-ai", "y", None),
            ("", "train-ai", "", None),
            ("", "search", "n", None),
            ("", "search", "\"n\"", None),
        ],
    );
    // Parameters mean nothing yet.
    assert_reads(
        ContentUsage,
        "train-ai;allow=n, train-ai=y",
        &[
            ("", "train-ai", ";allow=n", None),
            ("", "train-ai", "y", Some(true)),
        ],
    );
    assert_reads(
        ContentUsage,
        "train-ai=n;reason=\"a, b\"",
        &[("", "train-ai", "n;reason=\"a, b\"", Some(false))],
    );
    // A dictionary that does not parse says nothing: keys are lower case.
    assert_reads(
        ContentUsage,
        "Train-AI=n, search=y",
        &[("", "train-ai", "n", None), ("", "search", "y", None)],
    );
    assert_reads(ContentUsage, "train-ai=N", &[("", "train-ai", "N", None)]);
    assert_reads(ContentUsage, "train-ai=no", &[("", "train-ai", "no", None)]);
}

#[test]
fn directives_of_one_value_are_kept_as_they_are() {
    let url = "https://licence-terms.robots.example/licence.xml";
    assert_reads(License, url, &[("", "license", url, None)]);
    assert_reads(
        LlmPolicy,
        "/llms.txt",
        &[("", "llm-policy", "/llms.txt", None)],
    );
    assert_reads(TdmPolicy, url, &[("", "tdm-policy", url, None)]);
    for (value, allows) in [
        ("1", Some(false)),
        ("0", Some(true)),
        ("2", None),
        ("true", None),
        ("", None),
    ] {
        assert_reads(
            TdmReservation,
            value,
            &[("", "tdm-reservation", value, allows)],
        );
    }
}

#[test]
fn what_is_malformed_is_kept_and_allows_nothing() {
    assert_reads(ContentSignal, "", &[("", "", "", None)]);
    assert_reads(ContentSignal, "yes", &[("", "yes", "", None)]);
    assert_reads(ContentSignal, "=no", &[("", "", "no", Some(false))]);
    assert_reads(
        ContentSignal,
        "ai-train=maybe",
        &[("", "ai-train", "maybe", None)],
    );
    assert_reads(
        ContentSignal,
        "search=yes ai-train=no",
        &[("", "search", "yes ai-train=no", None)],
    );
    assert_reads(
        ContentSignal,
        ", search=yes,, ai-train=no,",
        &[
            ("", "search", "yes", Some(true)),
            ("", "ai-train", "no", Some(false)),
        ],
    );
    assert_reads(ContentUsage, "/only/", &[("/only/", "", "", None)]);
    assert_reads(
        ContentUsage,
        "\"unclosed, string",
        &[("", "\"unclosed, string", "", None)],
    );
    assert_reads(ContentUsage, "caf\u{e9}=y", &[("", "caf\u{e9}", "y", None)]);
}

#[test]
fn vocabularies_are_known_by_their_directives() {
    for (directive, name) in [
        ("content-signal", "content-signal"),
        ("content-usage", "content-usage"),
        ("license", "license"),
        ("llm-policy", "llm-policy"),
        ("tdm-reservation", "tdm"),
        ("tdm-policy", "tdm"),
    ] {
        let found = Vocabulary::of_directive(directive.as_bytes());
        assert_eq!(found.map(Vocabulary::name), Some(name));
        assert!(crate::spelling::is_known(directive.as_bytes()));
    }
    assert_eq!(Vocabulary::of_directive(b"crawl-delay"), None);
}

/// Values that are nearly well formed.
fn values() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(b"train-ai".to_vec()),
        Just(b"search".to_vec()),
        Just(b"=y".to_vec()),
        Just(b"=no".to_vec()),
        Just(b"\"".to_vec()),
        Just(b"\\".to_vec()),
        Just(b"/a/".to_vec()),
        proptest::sample::select(b",;= \t()?@%:".to_vec()).prop_map(|byte| vec![byte]),
        proptest::collection::vec(any::<u8>(), 0..4),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// Every byte of a value is in its preferences, except separators and white space.
    #[test]
    fn no_byte_is_lost(value in values()) {
        let separators = |byte: &u8| matches!(byte, b',' | b'=') || byte.is_ascii_whitespace();
        let count = |bytes: &[u8]| bytes.iter().filter(|byte| !separators(byte)).count();
        for vocabulary in [ContentSignal, ContentUsage, License, LlmPolicy, TdmReservation, TdmPolicy] {
            let (mut preferences, mut kept) = (0, 0);
            vocabulary.read(&value, |preference| {
                preferences += 1;
                kept += count(preference.value);
                if matches!(vocabulary, ContentSignal | ContentUsage) {
                    kept += count(&preference.preference);
                    assert!(!preference.preference.iter().any(u8::is_ascii_uppercase));
                }
                if preferences == 1 {
                    kept += preference.path.map_or(0, count);
                }
            });
            prop_assert!(preferences > 0, "a line is never skipped");
            prop_assert_eq!(kept, count(&value));
        }
    }
}
