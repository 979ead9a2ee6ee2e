//! `damage`: stretches of an input that could not be read.

use super::{Str, Text};

table! {
    /// One row per damaged stretch of an input.
    "damage", DamageRow, DamageBuilder, key: Input(input_id) {
        /// The input (`inputs.input_id`).
        input_id: i64,
        /// Name of the input (`inputs.path`).
        warc_filename: Text,
        /// Offset in the file where the stretch begins; bytes.
        offset: i64,
        /// Bytes of the file lost; 0 where the stretch lies inside a member or frame of which
        /// other records were read.
        length: i64,
        /// What is wrong, as a word.
        kind: Str,
        /// What is wrong, in words.
        message: Text,
    }
}
