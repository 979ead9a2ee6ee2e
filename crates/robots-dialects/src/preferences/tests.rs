use proptest::prelude::*;

use super::Vocabulary::{
    ContentSignal, ContentUsage, License, LlmPolicy, TdmPolicy, TdmReservation,
};
use super::*;

/// Directives, and the preferences in their values: path, preference, value, and what it allows,
/// each in brackets.
const CASES: &str = r#"
content-signal: search=yes, ai-input=no,ai-train = NO -> [|search|yes|yes] [|ai-input|no|no] [|ai-train|NO|no]
content-signal: /archive/ AI-Train=yes         -> [/archive/|ai-train|yes|yes]
# The examples of draft-ietf-aipref-attach-05 and draft-ietf-aipref-vocab-08.
content-usage: train-ai=n                      -> [|train-ai|n|no]
content-usage: /ai-ok/ train-ai=y              -> [/ai-ok/|train-ai|y|yes]
content-usage: train-ai=y, search=n            -> [|train-ai|y|yes] [|search|n|no]
# The last of several counts, and what is not a token is not known.
content-usage: train-ai=y, train-ai, search=n, search="n" -> [|train-ai|y|?] [|train-ai||?] [|search|n|?] [|search|"n"|?]
# Parameters mean nothing yet.
content-usage: train-ai;allow=n, train-ai=y    -> [|train-ai|;allow=n|?] [|train-ai|y|yes]
content-usage: train-ai=n;reason="a, b"        -> [|train-ai|n;reason="a, b"|no]
# A dictionary that does not parse allows nothing: keys are lower case.
content-usage: Train-AI=n, search=y            -> [|train-ai|n|?] [|search|y|?]
content-usage: train-ai=N                      -> [|train-ai|N|?]
content-usage: train-ai=no                     -> [|train-ai|no|?]
# Directives of one value are kept as they are.
license: https://terms.example/licence.xml     -> [|license|https://terms.example/licence.xml|?]
llm-policy: /llms.txt                          -> [|llm-policy|/llms.txt|?]
tdm-policy: https://terms.example/licence.xml  -> [|tdm-policy|https://terms.example/licence.xml|?]
tdm-reservation: 1                             -> [|tdm-reservation|1|no]
tdm-reservation: 0                             -> [|tdm-reservation|0|yes]
tdm-reservation: 2                             -> [|tdm-reservation|2|?]
tdm-reservation: true                          -> [|tdm-reservation|true|?]
tdm-reservation:                               -> [|tdm-reservation||?]
# What is malformed is kept and allows nothing.
content-signal:                                -> [|||?]
content-signal: yes                            -> [|yes||?]
content-signal: =no                            -> [||no|no]
content-signal: ai-train=maybe                 -> [|ai-train|maybe|?]
content-signal: search=yes ai-train=no         -> [|search|yes ai-train=no|?]
content-signal: , search=yes,, ai-train=no,    -> [|search|yes|yes] [|ai-train|no|no]
content-usage: /only/                          -> [/only/|||?]
content-usage: "unclosed, string               -> [|"unclosed, string||?]
content-usage: café=y                          -> [|café|y|?]
"#;

#[test]
fn preferences_of_directives() {
    for case in CASES.trim().lines().filter(|line| !line.starts_with('#')) {
        let (line, expected) = case.split_once("-> ").expect("an arrow");
        let (directive, value) = line.split_once(':').expect("a directive");
        let vocabulary = Vocabulary::of_directive(directive.as_bytes()).expect("a vocabulary");
        let mut found = Vec::new();
        vocabulary.read(value.trim().as_bytes(), |preference| {
            let path = preference.path.unwrap_or_default();
            let words = [path, &preference.preference, preference.value];
            let words = words.map(String::from_utf8_lossy).join("|");
            let allows = preference.allows;
            let allows = allows.map_or("?", |allows| if allows { "yes" } else { "no" });
            found.push(format!("[{words}|{allows}]"));
        });
        assert_eq!(found.join(" "), expected, "{line}");
    }
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
