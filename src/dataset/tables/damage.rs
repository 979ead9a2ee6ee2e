use warc_recovery::damage::DamageKind;

use super::values::Word;
use super::{Str, Text};

table! {
    /// One row per damaged range of bytes of an input.
    "damage", DamageRow, DamageBuilder, key: Input(input_id) {
        /// The input (`inputs.input_id`).
        input_id: i64,
        /// Name of the input (`inputs.path`).
        warc_filename: Text,
        /// Offset in the file where the range begins; bytes.
        offset: i64,
        /// Bytes of the file lost; 0 if the range is inside a member or frame whose other records
        /// were read.
        length: i64,
        /// What is wrong, as a word.
        kind: Str = DamageKind::ALL.iter().map(|it| Word::explained(it.name(), it.description())),
        /// What is wrong, in words.
        message: Text,
    }
}
