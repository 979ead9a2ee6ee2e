use proptest::prelude::*;

use super::Vocabulary::{
    ContentSignal, ContentUsage, License, LlmPolicy, TdmPolicy, TdmReservation,
};
use super::*;

/// Compares the preferences of a value: path, preference, value, and what it allows, with `|`
/// between them.
#[track_caller]
fn assert_reads(vocabulary: Vocabulary, value: &str, expected: &[&str]) {
    let mut found = Vec::new();
    vocabulary.read(value.as_bytes(), |preference| {
        let path = preference.path.unwrap_or_default();
        let words = [path, &preference.preference, preference.value].map(String::from_utf8_lossy);
        let allows = (preference.allows).map_or("?", |allows| if allows { "yes" } else { "no" });
        found.push(format!("{}|{allows}", words.join("|")));
    });
    assert_eq!(found, expected, "{value}");
}

#[test]
fn content_signals_are_yes_or_no() {
    assert_reads(
        ContentSignal,
        "search=yes, ai-input=no,ai-train = NO",
        &["|search|yes|yes", "|ai-input|no|no", "|ai-train|NO|no"],
    );
    assert_reads(
        ContentSignal,
        "/archive/ AI-Train=yes",
        &["/archive/|ai-train|yes|yes"],
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
    assert_reads(ContentUsage, "train-ai=n", &["|train-ai|n|no"]);
    assert_reads(
        ContentUsage,
        "/ai-ok/ train-ai=y",
        &["/ai-ok/|train-ai|y|yes"],
    );
    assert_reads(
        ContentUsage,
        "train-ai=y, search=n",
        &["|train-ai|y|yes", "|search|n|no"],
    );
    // The last of several counts, and what is not a token is not known.
    assert_reads(
        ContentUsage,
        "train-ai=y, train-ai, search=n, search=\"n\"",
        &[
            "|train-ai|y|?",
            "|train-ai||?",
            "|search|n|?",
            "|search|\"n\"|?",
        ],
    );
    // Parameters mean nothing yet.
    assert_reads(
        ContentUsage,
        "train-ai;allow=n, train-ai=y",
        &["|train-ai|;allow=n|?", "|train-ai|y|yes"],
    );
    assert_reads(
        ContentUsage,
        "train-ai=n;reason=\"a, b\"",
        &["|train-ai|n;reason=\"a, b\"|no"],
    );
    // A dictionary that does not parse says nothing: keys are lower case.
    assert_reads(
        ContentUsage,
        "Train-AI=n, search=y",
        &["|train-ai|n|?", "|search|y|?"],
    );
    assert_reads(ContentUsage, "train-ai=N", &["|train-ai|N|?"]);
    assert_reads(ContentUsage, "train-ai=no", &["|train-ai|no|?"]);
}

#[test]
fn directives_of_one_value_are_kept_as_they_are() {
    let url = "https://licence-terms.robots.example/licence.xml";
    assert_reads(License, url, &[&format!("|license|{url}|?")]);
    assert_reads(LlmPolicy, "/llms.txt", &["|llm-policy|/llms.txt|?"]);
    assert_reads(TdmPolicy, url, &[&format!("|tdm-policy|{url}|?")]);
    for (value, allows) in [
        ("1", "no"),
        ("0", "yes"),
        ("2", "?"),
        ("true", "?"),
        ("", "?"),
    ] {
        assert_reads(
            TdmReservation,
            value,
            &[&format!("|tdm-reservation|{value}|{allows}")],
        );
    }
}

#[test]
fn what_is_malformed_is_kept_and_allows_nothing() {
    assert_reads(ContentSignal, "", &["|||?"]);
    assert_reads(ContentSignal, "yes", &["|yes||?"]);
    assert_reads(ContentSignal, "=no", &["||no|no"]);
    assert_reads(ContentSignal, "ai-train=maybe", &["|ai-train|maybe|?"]);
    assert_reads(
        ContentSignal,
        "search=yes ai-train=no",
        &["|search|yes ai-train=no|?"],
    );
    assert_reads(
        ContentSignal,
        ", search=yes,, ai-train=no,",
        &["|search|yes|yes", "|ai-train|no|no"],
    );
    assert_reads(ContentUsage, "/only/", &["/only/|||?"]);
    assert_reads(
        ContentUsage,
        "\"unclosed, string",
        &["|\"unclosed, string||?"],
    );
    assert_reads(ContentUsage, "caf\u{e9}=y", &["|caf\u{e9}|y|?"]);
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
