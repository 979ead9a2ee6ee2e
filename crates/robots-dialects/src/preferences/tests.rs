use proptest::prelude::*;

use super::Vocabulary::{
    ContentSignal, ContentUsage, License, LlmPolicy, TdmPolicy, TdmReservation,
};
use super::*;

#[test]
fn levels_are_ordered() {
    assert!(Level::Immediate < Level::Reference && Level::Reference < Level::Full);
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
