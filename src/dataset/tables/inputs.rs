//! `inputs`: the files that were read.

use super::{Str, Text};

table! {
    /// One row per input file. `record_bytes + damaged_bytes + skipped_bytes = bytes`.
    "inputs", InputRow, InputsBuilder, key: Input(path) {
        /// Path, as given.
        path: Text,
        /// Bytes.
        bytes: i64,
        /// The crawl that its captures are filed under.
        crawl: Text,
        /// plain, gzip, zstd, or none where the file is no WARC.
        container: Str,
        /// Id of the zstd dictionary; 0 for one without an id, null where there is none.
        dictionary_id: Option<i64>,
        /// WARC records read, of every type.
        records: i64,
        /// Rows in `captures`.
        captures: i64,
        /// Rows in `damage`.
        damaged_records: i64,
        /// Bytes of records.
        record_bytes: i64,
        /// Bytes of damaged stretches.
        damaged_bytes: i64,
        /// Bytes that belong to no record: dictionary and other skippable frames, empty
        /// members, padding.
        skipped_bytes: i64,
    }
}
