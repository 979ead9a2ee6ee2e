use robots_dialects::remark::RemarkKind;

use super::values::Word;
use super::{Str, Text};

table! {
    /// One row per fault in a file, at most 100 per file, and 10 if the file is not a robots.txt
    /// (content_class html, binary, compressed, other); the counts in `files` are exact.
    "remarks", RemarkRow, RemarksBuilder, key: File(file_id) {
        /// The file.
        file_id: i64 [LookedUp],
        /// Line, from 1.
        line_number: i32 [Rising],
        /// What is wrong.
        kind: Str = RemarkKind::ALL.iter().map(|it| Word::explained(it.name(), it.meaning())),
        /// The line, at most 200 bytes of it.
        text: Text,
    }
}
