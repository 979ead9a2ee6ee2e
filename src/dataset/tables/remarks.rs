use super::{Str, Text};

table! {
    /// One row per thing that is wrong in a file, at most 100 per file, and 10 where the file is no
    /// robots.txt (content_class html, binary, compressed, other); the counts in `files` are exact.
    "remarks", RemarkRow, RemarksBuilder, key: File(file_id) {
        /// The file.
        file_id: i64 [LookedUp],
        /// Line, from 1.
        line_number: i32 [Rising],
        /// What is wrong.
        kind: Str,
        /// The line, at most 200 bytes of it.
        text: Text,
    }
}
